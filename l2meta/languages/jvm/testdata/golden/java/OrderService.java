/*
 * Orders, their prices and the people who wait for them.
 */
package com.example.shop.orders;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.*;

import java.io.Serializable;
import java.util.*;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Takes orders, and remembers them.
 *
 * @param <K> the key of an order
 */
@Service("orders")
@SuppressWarnings({"unchecked", "rawtypes"})
public abstract class OrderService<K extends Comparable<K> & Serializable, V>
        extends Base.Inner<K> implements Repository<K, V>, AutoCloseable {

    /** How many orders a page holds. */
    public static final int PAGE = compute(4) * 10, LIMIT = 7;
    private final Map<K, List<? super V>> cache = new HashMap<>();
    protected @Nullable String[] names[];
    volatile int größe;

    static {
        Registry.register(OrderService.class);
    }

    {
        cache.put(null, new ArrayList<>(PAGE));
    }

    @Inject
    protected OrderService(@Qualifier("main") final Clock clock, Supplier<? extends K>... keys) throws IOException {
        super(clock, "x");
        this.names = new String[][] {{"a"}};
    }

    private <T> OrderService() {
        this(Clock.systemUTC());
        int a[] = {1};
    }

    /** Finds an order. */
    @Override
    @Transactional(readOnly = true)
    public synchronized <T extends V> Optional<T> find(K key, int... flags) throws NotFound, IOException {
        requireNonNull(key, "key");
        var order = repository.load(key).orElseThrow(() -> new NotFound(key));
        final List<T> hits = this.<T>search(key), more = null;
        for (Map.Entry<K, V> e : entries.entrySet()) {
            log.info("{}", e.getKey());
        }
        for (var i = start(); i < 10; i++) { step(i); }
        try (Reader in = open(key); in2) {
            return in.read();
        } catch (IOException | IllegalStateException e) {
            throw new RuntimeException(e);
        }
    }

    abstract void price(V order, double rate[]);

    int[] totals()[] { return null; }

    @Override public void close() { super.close(); OrderService.super.toString(); }

    void lambdas() {
        Function<String, Integer> parse = Integer::parseInt;
        Supplier<List<V>> make = ArrayList::new;
        Runnable r = this::close, q = super::close;
        list.stream().map(String::trim).filter(s -> s.isEmpty()).forEach((a, b) -> use(a, b));
        BiFunction<Integer, Integer, Integer> add = (Integer x, final Integer y) -> x + y;
        Comparator<V> c = new Comparator<V>() {
            private int count;
            @Override public int compare(V a, V b) { count++; return helper(a, b); }
        };
        outer.new Inner<K>(1, 2) { void hi() {} };
        class Local extends Thread { int field; public void run() { go(); } }
        record Pair(int left, int right) {}
        int n = (int) value(), m;
        String s = switch (shape) {
            case Circle(Point(var x, double y), int r2) when r2 > limit() -> circle(x);
            case Square sq -> { yield square(sq); }
            default -> "none";
        };
        if (o instanceof String text && !text.isBlank()) { accept(text); }
        m = total(); this.größe = m;
        new int[size()].clone();
        ((Runnable) this::close).run();
        new Thread().start();
        a.b.C.d().e.f(g());
        String block = """
            { "text": block() }
            """;
    }

    public static class Builder<T> { Builder<T> with(T t) { return this; } }

    interface Visitor<R> extends Consumer<R>, Serializable {
        int DEPTH = 3;
        R visit(Node node);
        default void end() { flush(); }
        static <T> Visitor<T> none() { return null; }
        private void hidden() {}
        class Impl {}
    }
}

sealed interface Shape permits Circle, Square {}

non-sealed class Circle implements Shape {}

/** The state of an order. */
enum State implements Named {
    /** Just made. */
    NEW,
    @Deprecated PAID("paid", 2) { @Override boolean done() { return check(); } },
    SENT(label());

    private final String label;
    State(String... label) { this.label = label[0]; }
    boolean done() { return this == SENT; }
}

@Documented
@interface Timed {
    String value() default "x";
    int[] limits() default {1, 2};
    int MAX = 5;
}

public record Point<T>(@NotNull T x, int... rest) implements Comparable<Point<T>> {
    static int origin = 0;
    public Point {
        Objects.requireNonNull(x);
    }
    Point(T x) { this(x, 0); }
    @Override public int compareTo(Point<T> o) { return 0; }
}

class OrderServiceTest {
    @Test void takesOrders() { assertEquals(1, service.size()); }
    @org.junit.jupiter.params.ParameterizedTest(name = "{0}") @ValueSource(ints = {1}) void many(int n) {}
    @BeforeEach void setUp(OrderServiceTest this) {}
    <A, B> void generic(Map<A, ? extends B> m, A[]... as) {}
}
