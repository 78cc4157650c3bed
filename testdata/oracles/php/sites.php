<?php
// Lists, for each PHP file named on standard input, its call sites and its
// declarations, by PHP's own tokenizer: one JSON object a file on standard
// output. Lines and columns count from 1, columns in bytes.

declare(strict_types=1);

while (($file = fgets(STDIN)) !== false) {
    $file = rtrim($file, "\n");
    try {
        echo json_encode(['file' => $file] + read(file_get_contents($file)), JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE), "\n";
    } catch (ParseError) {
        // another version's syntax: the file has no truth
    }
}

/** @return array{sites: list<array>, declarations: list<array>} */
function read(string $text): array
{
    $all = PhpToken::tokenize($text, TOKEN_PARSE);
    $tokens = array_values(array_filter($all, fn (PhpToken $t) => !$t->isIgnorable()));
    return ['sites' => sites($text, $tokens), 'declarations' => declarations($tokens)];
}

/** The place of the last name in a token. */
function place(string $text, PhpToken $token): array
{
    $skip = ($slash = strrpos($token->text, '\\')) === false ? 0 : $slash + 1;
    $start = $token->pos + $skip;
    $line = (int) strrpos("\n" . substr($text, 0, $start), "\n");
    return ['name' => substr($token->text, $skip), 'line' => $token->line, 'column' => $start - $line + 1];
}

function sites(string $text, array $tokens): array
{
    $names = [T_STRING, T_NAME_QUALIFIED, T_NAME_FULLY_QUALIFIED, T_NAME_RELATIVE];
    $sites = [];
    $attribute = 0; // depth of brackets within #[…], 0 outside
    foreach ($tokens as $i => $token) {
        $before = $tokens[$i - 1] ?? null;
        $after = $tokens[$i + 1] ?? null;
        if ($token->is(T_ATTRIBUTE)) {
            $attribute = 1;
        } elseif ($attribute > 0 && in_array($token->text, ['[', '('], true)) {
            $attribute++;
        } elseif ($attribute > 0 && in_array($token->text, [']', ')'], true)) {
            $attribute--;
        }
        $member = $before?->is([T_OBJECT_OPERATOR, T_NULLSAFE_OBJECT_OPERATOR, T_DOUBLE_COLON]);
        if (!$token->is($names) && !($member && preg_match('/^[a-z_]\w*$/i', $token->text))) {
            continue;
        }
        if ($before?->is(T_NEW)) {
            $form = 'new';
        } elseif ($attribute === 1 && $before->is([T_ATTRIBUTE, ','])) {
            $form = 'attribute';
        } elseif (!$after?->is('(') || $before?->is([T_FUNCTION, T_FN]) || ($before?->is('&') && $tokens[$i - 2]->is([T_FUNCTION, T_FN]))) {
            continue;
        } else {
            $form = $member ? ($before->is(T_DOUBLE_COLON) ? 'static' : 'method') : 'function';
        }
        if ($form === 'function' && !$token->is($names)) {
            continue;
        }
        $sites[] = place($text, $token) + ['form' => $form];
    }
    return $sites;
}

/**
 * Functions, methods and types with the line of their name, and of methods the
 * type around them and whether that, or they, only promise a body.
 */
function declarations(array $tokens): array
{
    $declarations = [];
    $depth = 0;
    $types = []; // the types around: [depth of their body, name, kind]
    $next = null; // the type whose body comes next
    foreach ($tokens as $i => $token) {
        $before = $tokens[$i - 1] ?? null;
        $name = $tokens[$i + 1] ?? null;
        if ($token->is([T_CLASS, T_INTERFACE, T_TRAIT, T_ENUM]) && !$before?->is(T_DOUBLE_COLON)) {
            $named = $name->is(T_STRING) && !$before?->is(T_NEW);
            $next = [$named ? $name->text : '', $token->text, $named ? $name->line : $token->line];
            if ($named) {
                $declarations[] = ['kind' => $token->text, 'name' => $name->text, 'line' => $name->line];
            }
        } elseif ($token->is(T_FUNCTION)) {
            $name = $name->is('&') || $name->text === '&' ? $tokens[$i + 2] : $name;
            $use = $before?->is(T_USE);
            if (!$use && $name->text !== '(') {
                $type = end($types);
                $own = $type && $type[0] === $depth;
                $declarations[] = ['kind' => $own ? 'method' : 'function', 'name' => $name->text, 'line' => $name->line,
                    'type' => $own ? $type[1] : '', 'typeLine' => $own ? $type[3] : 0, 'promise' => $own && ($type[2] !== 'class' && $type[2] !== 'enum' || promised($tokens, $i))];
            }
        } elseif (in_array($token->text, ['{', '${'], true) || $token->is([T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) {
            $depth++;
            if ($next) {
                $types[] = [$depth, ...$next];
                $next = null;
            }
        } elseif ($token->text === '}') {
            if ($types && end($types)[0] === $depth) {
                array_pop($types);
            }
            $depth--;
        }
    }
    return $declarations;
}

/** Whether the word "abstract" stands among the modifiers before token $i. */
function promised(array $tokens, int $i): bool
{
    while ($tokens[--$i]->is([T_PUBLIC, T_PROTECTED, T_PRIVATE, T_STATIC, T_FINAL, T_ABSTRACT])) {
        if ($tokens[$i]->is(T_ABSTRACT)) {
            return true;
        }
    }
    return false;
}
