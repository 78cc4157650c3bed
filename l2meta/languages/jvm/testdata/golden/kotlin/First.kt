class First(val taken: Int, private var kept: String = make()) : Base(taken), Named {
    val plain: Int = 1
    var made = Item()
    val read: Int get() = taken
    lateinit var late: Item
    private val lazyItem by lazy { Item() }
    val (a, b) = pair()

    inner class Inner { val held = plain }

    init {
        start(taken)
    }

    fun run(times: Int, vararg more: String): Item {
        val local = Item()
        val (x, _) = pair()
        for (i in 0 until times) local.use(i)
        made.use(x)
        return local
    }

    operator fun get(i: Int) = made
    companion object { const val MOST = 3; fun make() = "" }
}
