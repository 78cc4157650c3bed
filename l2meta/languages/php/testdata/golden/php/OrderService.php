<?php

declare(strict_types=1);

namespace App\Orders;

use App\Clock\Clock;
use App\Events\{Sent, Taken as OrderTaken, function notify, const LIMIT};
use function App\Helpers\describe;
use const App\Helpers\PAGE as SIZE;
use Illuminate\Support\Facades\DB, Psr\Log\LoggerInterface as Log;

const CAPACITY = 64;
define('LEGACY', 3);
require_once __DIR__ . '/helpers.php';
include 'legacy.php';

/**
 * Takes orders.
 *
 * @template T of Order
 */
#[Service('orders'), Lazy]
abstract class OrderService extends BaseService implements Repository, \Countable
{
    use Loggable, Countable {
        Loggable::log insteadof Countable;
        Countable::log as protected countLog;
    }

    /** How many orders a page holds. */
    public const int PAGE = 40, OTHER = self::PAGE * 2;
    private const SECRET = 'x';

    /** @var array<string, Order> */
    protected static ?array $cache = [], $größe;
    public readonly Clock $clock;
    var $legacy = 3;
    public string $full { get => $this->first(); set(string $v) { $this->store($v); } }

    #[Inject]
    public function __construct(
        private readonly Log $log,
        #[Autowire('main')] protected ?Clock $other = null,
        int|string $limit = self::PAGE,
        Order ...$orders,
    ) {
        parent::__construct($log);
        self::boot();
    }

    /**
     * Finds an order.
     *
     * @return Order|null
     */
    #[Route('/orders/{id}', name: 'find')]
    final public static function find(int $id, array &$hits, callable $onMiss = null): ?static
    {
        $order = $repository->load($id)?->first();
        $list = new ArrayObject([1, 2]);
        $made = new static(...$args);
        $anonymous = new class($id) extends Watcher implements Runnable {
            private int $count = 0;
            public function run(): void { watch(); }
        };
        foreach ($this->all() as $key => $one) { $one->touch($key); }
        foreach ($pairs as [$a, $b]) { pair($a, $b); }
        [$x, $y] = split($order);
        ['k' => $k] = named();
        list($p, $q) = old();
        try { run(); } catch (NotFound | InvalidArgument $e) { throw new ShopError($e->getMessage(), previous: $e); }
        $square = fn (int $n): int => times($n, $n);
        $typed = function (Order $o) use ($list, &$made): bool { return $o->valid(); };
        array_map('strtolower', $list);
        array_map([$this, 'touch'], $list);
        array_map(strlen(...), $list);
        $first = $this->find(...);
        $static = static::make(...);
        $callable('x');
        $this->handler->handle($order);
        ($this->callback)($order);
        $obj->$method(1);
        $obj::$property->go();
        $class::create(2);
        \App\Helpers\shout('x');
        namespace\local();
        Facade::query()->where('a', 1)->get();
        $result = match (true) { $order instanceof Order => $order->value(), default => fallback() };
        echo "value {$order->name()} and ${x}";
        static $calls = 0;
        global $config;
        $this->total += sum($list);
        clone $this->copy();
        return $order ?? static::none();
    }

    abstract protected function price(Order $order): float;

    private function &hidden(): array { return $this->cache; }

    function implicitlyPublic(self|null $a, \DateTimeInterface&\Countable $b): never { exit(code()); }
}

interface Repository extends Base, \IteratorAggregate
{
    const DEPTH = 3;
    public function load(int $id): ?Order;
}

trait Loggable
{
    protected string $channel = 'app';
    public function log(string $m): void { $this->logger()->info($m); }
    abstract function logger(): Log;
}

/** The state of an order. */
enum State: string implements Named
{
    use Labels;
    /** Just made. */
    case New = 'new';
    #[Deprecated] case Paid = 'paid';
    const FIRST = self::New;
    public function label(): string { return ucfirst($this->value); }
}

final class Money {}
readonly class Point { public function __construct(public int $x = 0) {} }

/** Doubles. */
function twice(int $n, string ...$rest): int
{
    function inner() { return deep(); }
    return $n * 2;
}

if (!function_exists('helper')) {
    function helper() { return twice(2); }
}

$app = new Application();
$app->bind('x', fn () => make());
$routes = require 'routes.php';

class OrderServiceTest extends TestCase
{
    public function testTakesOrders(): void { $this->assertSame(1, $this->service->size()); }
    #[Test] public function finds(): void {}
    /** @test */
    public function annotated() {}
    public function setUp(): void { parent::setUp(); }
}
?>
<p><?= $order->title() ?></p>
