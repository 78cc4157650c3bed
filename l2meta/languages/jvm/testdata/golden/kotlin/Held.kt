class Held(
    private val done: (Int) -> Unit = ::save, // a comment
    private var later: Done? = Saver::save,
    protected vararg val more: Item,
    given: (Item) -> Unit,
) : Named {
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
    val anonymous = object : com.example.Watcher(1), Runnable {
        override fun run() = Unit
    }
    val nameless = object {
        val own = 1
    }
    val (left, right) = pair()
}
