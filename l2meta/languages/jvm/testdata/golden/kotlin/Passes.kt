class Passes : Named {
    fun passes(x: Item, ys: IntArray, list: List<Item>) {
        call("a $x", """b""", 'c', 1L, 1.5f, x.next, -1, !x.ok, x as Item, x!!, *ys)
        call(object : Named {
            override fun name() = ""
        }, object {
            val a = 1
        }, fun(i: Item): Int { return i.size })
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
}
