package smart

val first = 1
class Box(val item: Item?, var other: Any, private val fn: (Int) -> Unit = {}, name: String = "x")

val Box.size get() = item?.size ?: 0
val both = first + 1
var plain: Int = 2
    get() = field + 1
    set(value) { field = value }

open class Smart(x: Any) : Base(x = x, y = first + 1, block = { it.run() }) {
    private val kept = x
    val total get() = sum
    private var sum = 0

    fun tests(a: Any, b: Any?, c: Box): Int {
        if (a is Item) a.use()
        if (a is Item && b is Box) { a.use(); b.open() }
        if (a is Item || b is Box) a.use()
        if (a !is Item) return 1
        if (!(b is Box)) { throw Error() } else b.open()
        if ((a is Item)) a.use() else a.other()
        if (a is Item && (b is Box && c.item is Item)) b.open()
        while (a is Item) a.next()
        val n = if (b is Box) b.open() else 0
        val m = a is Item && a.use()
        val o = a !is Item || a.use()
        val p = (a as Item).use() + (b as? Box)?.open()!!
        when (a) {
            is Item -> a.use()
            is Box, is Smart -> a.other()
            !is Part -> a.rest()
            in list -> a.held()
            else -> a.none()
        }
        when {
            a is Item -> a.use()
            b is Box && a is Part -> b.open()
            else -> {}
        }
        when (val r = c.item) { is Item -> r.use(); null -> none(); else -> r.other() }
        require(a is Item)
        check(b is Box) { "no" }
        b ?: return 2
        c.item?.let { it.use() } ?: run { none() }
        return n
    }

    fun names(f: (Item) -> Box, vararg rest: Int) {
        val (x, y) = pair()
        val (_, z) = pair()
        list.map { (k, v) -> k.use(v) }
        list.forEachIndexed { i, item: Item -> item.use(i) }
        list.fold(0) { acc, _ -> acc }
        keep(::tests, Smart::tests, this::names, Smart::class, String::class.java, ::Smart)
        named(a = 1, b = { it.use() }, c = ::names, d = x.y.z, e = f(item))
        total; this.total; c.total; c?.total; c.total = 3; total += 1
        val g = fun(i: Item): Box { return f(i) }
        val h: (Int) -> Int = { it + 1 }
        val i by lazy { made() }
        fun local(a: Int = first): Int = a
        object : Base(1) { override fun run() { total } }.run()
        label@ for (j in 0 until 3) { if (j == 1) continue@label; rest.run { step(j) } }
        for ((k, v) in map) k.use(v)
        for (e: Item in items) e.use()
        do { step() } while (more())
        try { risky() } catch (e: First) { e.tell() } catch (e: Second) { e.tell() } finally { done() }
        with(c) { other.run(); item?.use() }
        c.apply { other = 1 }
        x += y; x++; --x; -x; !x; x..y; x in y; x !in y; x to y
        "a $first ${x.use()} $"
        `in`(1); list.`is`
        return@names
    }

    companion object { val shared = 1; fun make() = Smart(1); operator fun invoke(n: Int) = Smart(n) }
    init { sum = first }
    constructor(n: Int, m: Int = n) : this(n as Any) { sum = m }
}

object Single : Base(1), Named by first {
    val one = 1
    const val TWO = 2
}
data class Pair2(val a: Int, val b: Item) {
    val sum get() = a
    fun component3() = 1
}
enum class Kind(val n: Int) {
    A(1) { override fun go() = 1 },
    B(2);

    open fun go() = n
    companion object { val all = entries }
}
typealias Fn = (Item) -> Unit
