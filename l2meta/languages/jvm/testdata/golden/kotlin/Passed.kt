@file:com.example.Marked(1, "a")
package passed

import com.example.Marked as Noted
import com.example.`in`
import single

class Within : com.example.Base<Int>(1, 2), Named by com.example.Named(1), com.example.Shown {
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

    class Silent {
        fun accesses() = inherited + counted
    }
    private companion object : com.example.Maker(1)
    inner class Deeper : Named {
        fun go() = inherited
    }
    interface Both : com.example.Named, Shown {
        val size: Int
        fun go() = size
    }
}

@com.example.Noted(1)
@Noted
@Suppress("a")
fun Item.noted(@Noted n: Int, vararg m: Int = intArrayOf(1), f: () -> Unit = { run() }) = noted(n, *m) { f() }
fun <T> T.generic(): T where T : Named, T : com.example.Shown = this
fun ((Int) -> Unit).called(n: Int) = this(n)
fun Item?.maybe() = this?.next
fun block() {
    val x = 1
    fun inner(y: Int): Int {
        val z = y
        return z
    }
    inner(x)
}
var top: Item? = null
    get() = field ?: made()
    set(value) { field = value }
private val <T : Named> List<T>.named: T get() = first()
const val LIMIT = 3
typealias Done = (Int) -> Unit
private typealias Pairs<K> = Map<K, com.example.Item>
annotation class Own(val value: String = "", val others: Array<Item>)
class `class with spaces`(val `in`: Int)
