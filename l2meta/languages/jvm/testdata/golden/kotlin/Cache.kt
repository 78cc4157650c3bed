@file:JvmName("Caches")
@file:Suppress("unused")

package com.example.cache

import com.example.clock.Clock
import com.example.events.*
import kotlin.time.Duration as Span

/** How many entries a cache holds. */
const val CAPACITY = 64
private val log: Logger = LoggerFactory.getLogger("cache")
internal var größe: Int = compute(4)
    private set
val lazyOne by lazy { build() }
val String.shout: String get() = uppercase()

typealias Loader<K, V> = suspend (K) -> V?

/**
 * Keeps what was loaded.
 *
 * @param K the key
 */
@Serializable
@Deprecated("old", ReplaceWith("NewCache"))
public abstract class Cache<K : Comparable<K>, out V>(
    private val clock: Clock,
    @Inject protected var limit: Int = CAPACITY,
    vararg names: String,
    load: Loader<K, V>,
) : Base<K>(clock, "x"), Store<K, V>, Closeable by closer(clock) where V : Any, K : Named {

    private val entries: MutableMap<K, List<V>> = mutableMapOf()
    lateinit var listener: Listener
    val size get() = entries.size
    var state: State = State.IDLE
        private set(value) {
            field = check(value)
        }
    val handler: (Int) -> Unit = { n -> handle(n) }
    protected open val watcher = object : Watcher(3), Runnable {
        private val count = 0
        override fun run() { watch() }
    }

    init {
        register(this)
    }

    constructor(clock: Clock) : this(clock, CAPACITY, load = { null }) {
        log.info("made")
    }

    constructor() : super(SystemClock()) {}

    /** Finds a value. */
    @Throws(IOException::class)
    override suspend fun <T : V> find(key: K, vararg flags: Int, crossinline onMiss: (K) -> Unit = {}): T? {
        requireNotNull(key) { "no ${describe(key)}" }
        val hit = entries[key]?.firstOrNull()
        val typed: List<V> = emptyList<V>()
        val (a, b) = pair()
        for (e: Map.Entry<K, V> in all()) use(e)
        for ((k, v) in entries) { k.touch(v) }
        for (x in many()) x.go()
        try {
            listener.onHit?.invoke(hit)
        } catch (e: IOException) {
            throw CacheError(e)
        }
        entries.map { it.value }.filter(::keep).forEach(this::touch)
        list.map(String::trim).fold(0) { acc, n: Int -> acc + n }
        return when (val r = result()) {
            is Hit -> r.value()
            in range() -> super.find(key)
            else -> super<Store>.find(key)!!.also { println(it) }
        }
    }

    abstract fun price(order: V): Double

    infix fun join(other: Cache<K, @UnsafeVariance V>) = merge(this, other)

    operator fun plus(key: K): Unit = run {
        fun local(n: Int): Int = n * twice(n)
        local(2)
        this join that
        spread(*flags)
        Outer.Inner<Int>(1).go(2) { it }
        x.y.z()
        handler(3)
        val f = fun(a: Int): Int { return g(a) }
        handlers["a"]!!(1)
    }

    inner class Entry<T>(val value: T) { fun age() = clock.now() }

    companion object Factory : Maker<Cache<*, *>> {
        const val NAME = "cache"
        @JvmStatic fun create(): Cache<Int, Int> = Impl()
    }

    companion object
}

sealed interface Result<out T> {
    val ok: Boolean
    data class Hit<T>(val value: T) : Result<T>
    data object Miss : Result<Nothing>
    fun describe() = "result"
    private fun hidden() {}
}

/** The state of a cache. */
enum class State(val label: String) : Named {
    /** Nothing to do. */
    IDLE("idle"),
    @Deprecated("x") BUSY(label()) { override fun done() = check() };

    abstract fun done(): Boolean
}

enum class Plain { ONE, TWO }

fun interface Listener { fun onHit(value: Any?) }

annotation class Timed(val limit: Int = 5)

@JvmInline value class Id(val raw: String)

object Registry : Closeable {
    override fun close() { Cache.create().close() }
}

/** Doubles. */
inline fun <reified T : Number> List<T>.twice(times: Int = 2, block: T.(Int) -> Unit): List<T> where T : Any {
    forEach { it.block(times) }
    return this
}

tailrec suspend fun loop() { loop() }

fun `name with spaces`() = Unit

class CacheTest : TestCase() {
    @Test fun `finds what was stored`() { assertEquals(1, cache.size) }
    @get:Rule val rule = Rule()
    @BeforeEach internal fun setUp() {}
}
