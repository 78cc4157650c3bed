@file:com.example.Marked(1, "a")
package passed

import com.example.Marked as Noted
import com.example.`in`
import single

abstract class Host @Inject constructor(
    @field:com.example.Noted(1) private val done: (Int) -> Unit = ::save, // a comment
    private var later: Done? = Saver::save,
    val plain: Int = size(1),
    protected vararg val more: Item,
    given: (Item) -> Unit, named: Item.() -> Unit = { use() },
) : com.example.Base<Int>(1, *more), Named by com.example.Named(given), com.example.Shown, (Int) -> Unit {
    var held: (Int) -> Unit = ::save
        private set(f) { field = f }
    internal open val typed: Done = this::save
    private val other = given
    private val either = given ?: {}
    private val number = plain
    val `is`: Int get() { return plain }
    var counted = 0
        set(value) = step(value)
    val made by lazy { Item(1) }
    val delegated: Item by Delegates.observable(Item(1)) { _, old, new -> old.use(new) }
    val literal = { n: Int -> n + 1 }
    val anonymous = object : com.example.Watcher(1), Runnable { override fun run() = Unit }
    val nameless = object { val own = 1 }
    val (left, right) = pair()

    fun gives(f: (Int) -> Unit, g: Done, n: Int, s: String?, list: List<Int>) {
        held = f
        this.held = g
        this.held = f ?: {}
        held = n
        held = s
        held = list
        counted = n
        other.held = f
        other.held = ::save
        held = this::save
        Host(::save, later = Saver::save)
        com.example.Host(1, ::save)
        host.onDone(::save)
        host.onDone(n, done = ::save)
        onDone(Saver::save)
        (host::onDone)(::save)
        val local = ::save
        var assigned = Item(1)
        assigned = Item(2)
        val once = Item(3)
        val exact: Item = Item(4)
        val (first, second) = Item(5) to Item(6)
        return run(::save)
    }

    fun passes(x: Item, ys: IntArray, list: List<Item>) {
        call("a $x", """b""", 'c', 1L, 1.5f, x.next, -1, !x.ok, x as Item, x!!, *ys)
        call(object : Named { override fun name() = "" }, object { val a = 1 }, fun(i: Item): Int { return i.size })
        call(a = { x.use() }, b = { i, (j, k) -> j.use(k) }, c = ::save, d = Saver::save, `in` = 1)
        call<Item, Int>(x) { it.use() }
        call<Item> { it.use() }
        x.call<Item>(x)
        x.call<Item> { y -> y.use() }
        x.call<com.example.Item>(x)
        call(x)(1)(2) { it.use() }
        call(1, { it.use() }, x, { a, b -> a.use(b) })
        call(x) label@{ it.use() }
        x.first { it.ok }.second(1) { it.use() }.third(x.a.b.c(1), listOf(1, 2, 3).map { it + 1 }, mapOf("a" to 1, "b" to 2).filter { (k, v) -> v > 1 })
        call(x.aVeryLongName(1, 2, 3).anotherVeryLongName(listOf(1, 2, 3)).andOneMoreVeryLongName { it.use() }.andTheLastOfAllTheVeryLongNames(x, x, x, x).whichEndsHere("a text that is long", 1))
        !x.ok(1); -x.size(1); +x.size(1); !ok(1); -(x.size(1)); (x.ok)(1); (ok)(1)
        x?.next?.use(1); x!!.next.use(1); x[0].use(1); x["a"]!!.use(1); "a".use(1); 1.use(1)
        super.passes(1); super<Named>.passes(1); super@Host.passes(1); this@Host.passes(1)
        x use 1; x.next use x.next; x `is` 1
        if (x.a < x.b && x.c > (1)) call()
        list.forEach(Item::use); list.map(Item::class); list.map(Item::class.java); Item::next.get(x)
    }

    fun accesses(x: Item): Int {
        x.size; x.next.size; x.size.use(); x.use(size); x.use(size = size)
        size; inherited; Size; plain; counted; counted = 1; counted += 1; field; it
        x.counted = 1; x.counted += 1; x.counted++
        "a $counted ${x.counted} ${inherited}"
        if (counted > 1 && inherited) return inherited
        when (inherited) { counted -> counted; in inherited -> 1; else -> throw inherited }
        for (i in inherited) inherited[i]
        while (inherited) inherited?.use()
        val y = inherited ?: counted
        return counted.let { inherited }
    }

    class Silent { fun accesses() = inherited + counted }
    enum class Sized(val size: Int) : Named { @Noted SMALL(1), `in`(2) { val own = size }, LARGE; companion object { val all = SMALL } }
    private companion object : com.example.Maker(1)
    inner class Within : Named { fun go() = inherited }
    interface Both : com.example.Named, Shown { val size: Int; fun go() = size }
}

@com.example.Noted(1) @Noted @Suppress("a") fun @receiver:Noted Item.noted(@Noted n: Int, vararg m: Int = intArrayOf(1), /* why */ f: () -> Unit = { run() }) = noted(n, *m) { f() }
fun <T> T.generic(): T where T : Named, T : com.example.Shown = this
fun ((Int) -> Unit).called(n: Int) = this(n)
fun Item?.maybe() = this?.next
fun block() { val x = 1; fun inner(y: Int): Int { val z = y; return z }; inner(x) }
var top: Item? = null
    get() = field ?: made()
    set(value) { field = value }
private val <T : Named> List<T>.named: T get() = first()
const val LIMIT = 3
typealias Done = (Int) -> Unit
private typealias Pairs<K> = Map<K, com.example.Item>
fun interface Doing { fun done(n: Int) }
annotation class Own(val value: String = "", val others: Array<Item> = [])
class `class with spaces`(val `in`: Int) { val `is` get() = `in` }
