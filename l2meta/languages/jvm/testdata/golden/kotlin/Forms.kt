class Forms<T : Named>(private val kept: T, vararg others: String = arrayOf("a", "b"), last: (Int) -> Unit = { it.use() }) : Base<T>(kept), Shown {
    var told = 1
        set(v) { field = v + told }
    var typed: Item? = null
        get() = field ?: other.make()
        private set(value) { value?.use(); field = value }
    var plain: Int
        get() = 1
        set(_) {}
    val <R : Named> List<R>.second: R get() = this[1]
    val lazy by lazy(LazyThreadSafetyMode.NONE) { Item() }
    lateinit var done: (Int, Item) -> Unit

    fun defaults(a: Int = 1, vararg b: Item = arrayOf(), c: String = "x", d: Int) = a + d
    fun <A, B : A> bounds(a: A, b: B): Map<A, List<B>> where A : Named, B : Shown = mapOf(a to listOf(b))

    fun calls(x: Item?, list: List<Item>) {
        call(named = x, other = { it.use() }, last = ::given)
        call(1) { a, (b, c), _ -> b.use() }
        call { x?.use() }
        call(@Marked { x.use() })
        x?.next()?.use { y -> y.next() }
        list.map(Item::next).filter { it.ok && it.fine }.forEach(this::use)
        val (first, _, third) = list
        for ((i, item) in list.withIndex()) item.use(i)
        for (each: Item in list) each.use()
        when (val r = x?.next()) {
            null -> told
            is Item -> r.use()
            in list -> r.other()
            !is Other, !in list -> r.none()
            else -> typed.use()
        }
        if (x is Item && x.ok || x == null) x.use() else x.next()
        val f = fun(a: Int): Item { return Item(a) }
        val o = object : Base(1), Shown { override fun show() { told } }
        try { x!!.use() } catch (e: Failure) { e.tell() } finally { done(1, Item()) }
        label@ while (told > 1) { told--; continue@label }
        x as Item
        (x as? Item)?.use()
        done = ::given
        this.done = { n, i -> i.use(n) }
        told += typed.size
        it; field; null; true; false; unknown; kept; plain
    }

    companion object Named2 {
        const val MOST = 3
        @JvmStatic fun of() = Forms(Item())
    }
    enum class Inner(val n: Int) {
        A(1) { override fun go() = n },
        B(2);
        open fun go() = 0
    }
    constructor(a: Int) : this(Item(a)) { use(a) }
    init { use(kept) }
}

context(log: Log, other: Other)
fun Item.within() = log.info()

fun Item.of(): Item = this
val Item.size: Int get() = 1
typealias Done<T> = (T) -> Unit
