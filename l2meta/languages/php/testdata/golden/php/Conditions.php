<?php
namespace App;

// The first symbol is a constant, so that symbol 0 is no class.
const FIRST = 1;

class Conditions
{
    public function kept(object $x, object $y): void
    {
        if ($x instanceof Item) {
            $x->use();
        } elseif ($x instanceof Part && $y instanceof Other) {
            $y->use();
        } else {
            $x->other();
        }
        if (!($x instanceof Item)) {
            return;
        }
        if (!$y instanceof Other) {
            // a comment behind what leaves
            throw new \LogicException(); // and one beside it
        }
        foreach ($this->all() as $key => $each) {
            if (!$each instanceof Item) { continue; }
            if (!$key instanceof Item) { break; }
            if (!$each instanceof Item) { $each->stays(); }
            $each->use();
        }
        if (!$x instanceof Item) { exit(1); }
        if (!$x instanceof Item) $x->alone();
        $n = $x instanceof Item ? $x->use() : $x->other();
        $m = $x instanceof Item && $x->use() and $y instanceof Other;
        $o = $x instanceof Item || $x->use();
        while ($n > 0) { $n--; }
        for ($i = 0; $i < 3; $i++) { $this->step($i); }
        switch ($n) {
            case 1: $this->one(); break;
            default: $this->none();
        }
        try {
            $this->step(...$m);
        } catch (First | Second $e) {
            $e->tell();
        } catch (\Third) {
        } finally {
            $this->one();
        }
    }

    public function parts(array &$list): array
    {
        global $config, $other;
        static $calls = 0;
        [$a, , $b] = $this->pair();
        ['left' => $l, "right" => [$r, $s]] = $this->named();
        list($c, list(, $d)) = $list;
        $this->a = $this->b = new Item();
        $other->a = $this->c ?? null;
        foreach ($list as [$first, $second]) { $first->use(); }
        foreach ($list as &$changed) { $changed->use(); }
        $f = function (Item $it, $plain) use (&$a): ?Item { $inner = $it; return $inner->next(); };
        $g = static fn (?Item ...$items) => $items[0]->use();
        return array_map($this->step(...), strlen(...), [self::class, 'make'], ['one' => 'two']);
    }
}

enum Suit: string implements Named
{
    const Wild = self::Hearts;
    private const Most = 4;
    case Hearts = 'h';
    case Spades = 's';
    public function label(): string { return match (true) { $this === self::Hearts => 'x', default => ucfirst($this->value) }; }
    public static function make(): self { return self::from('h'); }
}

enum Plain
{
    case One;
    final public const Two = self::One;
    public function go() { return function () { if (FIRST) { return 1; } }; }
    const Three = self::One;
}

interface Held extends Named, \Countable { const A = 1, B = 2; public function held(int $n = 1): static; }

$app->map(['GET'], '/a/{id}', function ($request) { return show($request); });
$app->match(['post', 'put'], '/b', [Conditions::class, 'kept']);
$app->get(/* where */ '/c', fn () => one());
$app->get('/d');
$app->get('/e', 'named', 'third');
$app->map('/f', fn () => two());

enum Typed: int
{
    const string PREFIX = 'a, b; case X = 1; }', SUFFIX = "\"c\"", LAST = 'd';
    private const self First = self::One; // const in a comment; }
    # const int HASH = 1;
    #[Deprecated] final protected const array LIST = [1, [2, 3], fn () => 4];
    /* const int GONE = 1; */ CONST int|string EITHER = 1 + 2;
    case One = 1;
    const ?self NONE = null;
    public function const(): int { $const = 1; return $const; }
    case Two = 2;
}

class Typed2 { const self NONE = null, SOME = Typed::One; const parent|null UP = null; const \Selfish KEPT = null; final const static OWN = null; public function after() {} }
