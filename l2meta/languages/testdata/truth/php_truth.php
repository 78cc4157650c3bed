<?php
// Lists what PHP files declare and call, as the engine's own parser reads them
// (the ast extension).
//
// Paths come on standard input, one a line. Each answer is one line of JSON:
// {"path": ..., "symbols": [...]}, without "symbols" where the file does not
// parse. A declaration is "kind qualified.name last-line" (of constants and
// properties the first line), a call "call kind name(arguments) line in name".

use ast\Node;

const INERT = ['Override', 'Deprecated', 'ReturnTypeWillChange', 'SensitiveParameter', 'AllowDynamicProperties', 'Attribute'];

class Reader
{
    public array $found = [];
    private array $classes = [];
    private string $owner = '';

    public function visit($n): void
    {
        if (!$n instanceof Node) {
            return;
        }
        switch ($n->kind) {
            case ast\AST_DECLARE:
                $this->visit($n->children['stmts']);
                return;
            case ast\AST_CLASS:
                $this->type($n);
                return;
            case ast\AST_FUNC_DECL:
            case ast\AST_METHOD:
                $this->callable($n);
                return;
            case ast\AST_NAMESPACE:
                $name = $n->children['stmts'] === null || $n->children['name'] === null ? null : $n->children['name'];
                if ($name === null) {
                    break;
                }
                $this->found[] = "namespace {$this->join($name)}";
                $this->inside($this->join($name), fn () => $this->visit($n->children['stmts']));
                return;
            case ast\AST_PROP_ELEM:
                $this->value('property', $n);
                return;
            case ast\AST_CONST_ELEM:
            case ast\AST_ENUM_CASE:
                $this->value('constant', $n);
                return;
            case ast\AST_CALL:
                $this->called($n);
                break;
            case ast\AST_METHOD_CALL:
            case ast\AST_NULLSAFE_METHOD_CALL:
                $this->call('plain', $n->children['method'], $n);
                break;
            case ast\AST_STATIC_CALL:
                $class = $n->children['class'];
                $super = $class->kind === ast\AST_NAME && $class->children['name'] === 'parent';
                $this->call($super ? 'super' : 'plain', $n->children['method'], $n);
                break;
            case ast\AST_NEW:
                $this->made($n);
                break;
            case ast\AST_ATTRIBUTE:
                $name = $this->last($n->children['class']);
                if (!in_array($name, INERT)) {
                    $this->call('decorator', $name, $n);
                }
                break;
        }
        $this->children($n);
    }

    private function children(Node $n): void
    {
        foreach ($n->children as $c) {
            $this->visit($c);
        }
    }

    private function inside(string $name, callable $visit): void
    {
        [$outer, $this->owner] = [$this->owner, $name];
        $visit();
        $this->owner = $outer;
    }

    private function join(string $name): string
    {
        return $this->owner === '' ? $name : "$this->owner.$name";
    }

    private function type(Node $n): void
    {
        if ($n->flags & ast\flags\CLASS_ANONYMOUS) {
            $this->classes[] = '';
            $this->visit($n->children['stmts']);
            array_pop($this->classes);
            return;
        }
        $kind = match (true) {
            (bool) ($n->flags & ast\flags\CLASS_INTERFACE) => 'interface',
            (bool) ($n->flags & ast\flags\CLASS_TRAIT) => 'trait',
            (bool) ($n->flags & ast\flags\CLASS_ENUM) => 'enum',
            default => 'class',
        };
        $this->classes[] = $n->children['name'];
        $name = $this->join($n->children['name']);
        $this->found[] = "$kind $name {$n->endLineno}";
        $this->inside($name, function () use ($n) {
            $this->visit($n->children['attributes']);
            $this->visit($n->children['stmts']);
        });
        array_pop($this->classes);
    }

    private function callable(Node $n): void
    {
        $name = $n->children['name'];
        $kind = $n->kind === ast\AST_FUNC_DECL ? 'function' : 'method';
        if ($kind === 'method' && strtolower($name) === '__construct') {
            $kind = 'constructor';
        }
        $owner = $this->owner;
        $qualified = $this->join($name);
        $this->found[] = "$kind $qualified {$n->endLineno}";
        $this->inside($qualified, function () use ($n, $owner) {
            $this->visit($n->children['attributes']);
            foreach ($n->children['params']->children as $p) {
                if (!($p->flags & (ast\flags\PARAM_MODIFIER_PUBLIC | ast\flags\PARAM_MODIFIER_PROTECTED | ast\flags\PARAM_MODIFIER_PRIVATE | (defined('ast\flags\MODIFIER_READONLY') ? ast\flags\MODIFIER_READONLY : 0)))) {
                    $this->children($p);
                    continue;
                }
                $inner = $this->owner;
                $this->inside($owner, function () use ($p, $inner) {
                    $name = $this->join($p->children['name']);
                    $this->found[] = "property $name {$p->lineno}";
                    $this->inside($name, fn () => $this->visit($p->children['attributes']));
                    $this->inside($inner, fn () => $this->visit($p->children['default']));
                });
            }
            $this->visit($n->children['stmts']);
        });
    }

    private function value(string $kind, Node $n): void
    {
        $name = $this->join($n->children['name']);
        $this->found[] = "$kind $name {$n->lineno}";
        $this->inside($name, fn () => $this->children($n));
    }

    private function last(Node $name): string
    {
        $parts = explode('\\', $name->children['name']);
        return end($parts);
    }

    private function called(Node $n): void
    {
        $expr = $n->children['expr'];
        if ($expr->kind !== ast\AST_NAME) {
            return;
        }
        $name = $this->last($expr);
        $first = $n->children['args']->children[0] ?? null;
        if (strtolower($name) === 'define' && is_string($first)) {
            $this->found[] = 'constant ' . $this->join($first) . " {$n->lineno}";
        }
        $this->call('plain', $name, $n);
    }

    private function made(Node $n): void
    {
        $class = $n->children['class'];
        if ($class->kind === ast\AST_NAME) {
            $this->call('new', $this->last($class), $n);
        } elseif ($class->kind === ast\AST_CLASS && $class->children['extends'] !== null) {
            $this->call('new', $this->last($class->children['extends']), $n);
        }
    }

    private function call(string $kind, $name, Node $n): void
    {
        if (!is_string($name)) {
            return;
        }
        $args = $n->children['args'];
        $count = $args === null ? 0 : count($args->children ?? []);
        if ($args !== null && $args->kind === (defined('ast\AST_CALLABLE_CONVERT') ? ast\AST_CALLABLE_CONVERT : -1)) {
            [$kind, $count] = ['reference', 0];
        }
        foreach ($args->children ?? [] as $a) {
            if ($a instanceof Node && $a->kind === ast\AST_UNPACK) {
                $count = -1;
            }
        }
        $this->found[] = "call $kind $name($count) {$n->lineno} in $this->owner";
    }
}

while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    $answer = ['path' => $path];
    try {
        $reader = new Reader();
        @$reader->visit(ast\parse_file($path, max(ast\get_supported_versions())));
        $answer['symbols'] = $reader->found;
    } catch (ParseError | CompileError) {
    }
    echo json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES), "\n";
}
