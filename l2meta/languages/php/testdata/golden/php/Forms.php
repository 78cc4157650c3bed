<?php
interface First extends \Countable, Second { const A = 1, B = self::A; public static function made(): static; }

use A\{B, C as D, function e, const F};
use function A\{g, h as i};
use A\B\C, \D\E as F2;
use function \G\h;
require 'a.php';
require_once __DIR__ . '/b.php';
include $path;
include_once("c.php");

#[Marked(1, name: 'x'), \A\Noted, Override, Deprecated]
#[B\Marked]
final readonly class Forms extends \A\B implements C, \D\E
{
    use One, \A\Two { One::run insteadof \A\Two; \A\Two::run as protected ran; walk as public; stay as final kept; }

    #[Noted] final protected const string X = 'x', Y = "y";
    const Z = Suit::Hearts, W = [1, 2], V = D::X . 'a';
    var $old, $older = 1;
    /** @var array<string, A|B> the items */
    private static ?array $items = [];
    /** @var callable(int): Item */
    public $made;
    /** @variant no */
    protected mixed $none;
    public string $hooked = 'a' { get => $this->first(); set { $this->store($value); } }
    abstract public int $abstracted { get; }
    protected A|B|null $unions;

    /**
     * Makes one.
     *
     * @param A|null $a the first
     * @param   B ...$more
     * @param array{a: A, b: B} $shape
     * @paramount C $wrong
     * @return static|null what is made
     */
    #[Noted(self::X)] public function __construct(
        $a, array $shape, #[Noted] private readonly ?A $kept = null, public B|C $both = new B(), protected $bare = 1,
        &$byReference = [], callable $f = null, B ...$more,
    ) {
        parent::__construct($a, ...$more);
        self::$items = static::made();
        $this->kept?->run()->next;
        $this->made = save(...);
        $this->made = $this->walk(...);
        $this->made = [$this, 'walk'];
        $this->made = [Other::class, "walk"];
        $other->made = \A\save(...);
        $this->f = $f ?? strlen(...);
        take(save(...), [$this, 'walk'], [$a, 'walk'], [$this, "w$a"], ['a', 'b', 'c'], named: save(...), ...$more);
        new Job(save(...), done: [self::class, 'walk']);
        $job->on(save(...))->then(static::walk(...));
        array_map(fn ($x) => $x->y(), $more);
    }

    /** @test */
    public function tested() {}
    /**
     * A test.
     * @test
     */
    public function alsoTested() {}
    #[Test] private function attributed() {}
    #[\PHPUnit\Framework\Attributes\Test] public function qualified() {}
    public function testNothing() {}
    protected abstract static function &hidden(self $a, ?static $b): iterable;
}

class FormsTest extends Base { public function testIt(): void {} private function testNot(): void {} public function helper(): never { exit; die(1); } }
trait Named { abstract function name(): string; public static $count = 0; function own() { return new self($this); } }
enum Plain: int implements Named2 { case A = 1; case B = 2; const C = self::A; public static function of() { return static::A; } }
abstract class Bare {}
class UPPER extends bare { function __CONSTRUCT() { PARENT::__construct(); } }

define('TOP', 1);
\define("QUOTED", fn () => 1);
define($computed, 1);
const LISTED = 1, MORE = LISTED + 1;

/** @return Item[] all of them */
function outer(?A $a, A&B $both, int|string $n = 1, $untyped = self::X): array
{
    global $config;
    static $calls = 0, $made;
    /** @var A $first */
    $first = $config['a'];
    /** @var B|null $second, and a comment */
    /* @var C $plain */
    /** @var D */
    /** @var array<int, A> $list */
    $second = &$first;
    [$b, [$c, $d], 'k' => $e] = [$a, [1, 2], 'k' => 3];
    list($f, , $g) = list('x' => $h) = $a->pair();
    [$this->p, $q[0]] = $both;
    $i = $j = $k ??= new A;
    $i .= 'a'; $i += 1; $i->j = $k; $i['a'] = $k; $i[] = $k; $$i = $k; $i->{$k} = 1; A::$b = $k;
    function inner() { return deep(); }
    $closure = function (A $x, $y, ?B ...$z) use ($a, &$b): ?C { $w = $x; return $w->go($y); };
    $static = static fn (A $x): B => $x->go();
    $class = new class($a, ...$b) extends \A\Base implements C { use One; private $p = 1; public function run() { return $this->p->go(); } };
    $made = new $a; $made = new $a->b($c); $made = new static; $made = new self(1); $made = new parent(1, 2); $made = new \A\B; $made = new namespace\C;
    if ($a instanceof A) { $a->one(); } elseif (!$a instanceof B) { $a->two(); } else if ($a instanceof C && ($b instanceof D and $c)) { $a->three(); } else { $a->four(); }
    if (!$a instanceof A): return; endif;
    if (!($a instanceof A)) { continue; }
    if (!$a instanceof \A\B) { throw new E(); }
    if (!$a instanceof $b) { return; }
    if (!$a->b instanceof A) { return; }
    if ($a instanceof A or $b instanceof B) $a->five();
    $x = $a instanceof A ? $a->six() : $a->seven();
    $x = $a instanceof A && $a->eight() || $a->nine();
    $x = $a ?: $b ?? $c; $x = !$a; $x = (string) $a; $x = clone $a; $x = -$a; $x = @$a->b(); $x = `ls`; $x = print $a;
    while ($a = $b->next()) { $a->ten(); break; }
    do { $a->eleven(); } while ($a);
    for ($i = 0, $n = $a; $i < 3; $i++, $n = $n->next()) { $n->twelve(); }
    foreach ($a as $b) $b->one();
    foreach ($a->all() as $key => [$b, 'c' => $c]) { $b->two($c); }
    foreach ($a as $key => &$b): $b->three(); endforeach;
    switch ($a) { case A::X: $a->four(); break; case 2: default: $a->five(); }
    try { $a->six(); } catch (A | \B\C $e) { $e->tell(); } catch (D) { } finally { $a->seven(); }
    $m = match (true) { $a instanceof A, $b => $a->eight(), default => throw new E };
    $s = "a {$a->nine()} $b->c ${d} {$e['f']}" . 'g';
    $h = <<<X
        h {$a->ten()} $b->c
        X;
    $t = <<<'Y'
        {$a->text()}
        Y;
    isset($a->b()->c, $d); empty(one()); unset($a); eval('x'); exit(two()); EXIT(3); Isset($a);
    $a->b::c(); $a::d(); A::{$b}(); A::$f(); $a->{$b}(); $a->{'c'}(); ($a->b)(1); ($a?->b)(1, 2); (($a->b))(); (fn () => 1)(); $f(1); $f[0](1); A::B->c(); \A\b(1); namespace\c(); a\b\c();
    declare(ticks=1); echo three(), four(); goto end; end: return yield $a->five() => $b; yield from six();
}

$app->get('/a', function ($x) { return one($x); });
$app->POST("/b/{id}", fn () => two());
Route::match(['PUT', 'patch'], '/c', function () { return three(); });
Route::map([], '/c2', fn () => one());
\Illuminate\Route::any('/d', static fn (A $x) => $x->four());
$this->app->delete('/e', function () { five(); });
$this->routes->put('/e2', function () { five(); });
$this->cache->get('/f', function () { six(); });
$r->get("/g$x", function () { seven(); });
$router->get($path, function () { eight(); });
$group->get('', function () { nine(); });
$app->listen('/h', function () { ten(); });
