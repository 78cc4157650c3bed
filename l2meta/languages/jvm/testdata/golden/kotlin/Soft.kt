package soft

class Table<Row : Comparable<Row>, in Key>
(val name: String, open: Boolean) : Base<Row> {
    private var set: Int = 0
    private val enum = 1

    fun insert(where: Filter?): Int {
        val id = insert { it.add(1) } get name.length
        where?.let { apply(it) }
        set = set or id
        if (!open) close()
        val service by inject<Service>()

        get("/hello") { respond(enum.toString()) }
        set("a", id)
        return get(1)
    }

    val size: Int get() = count()
    var limit: Int = 0
        private set

    @set:Inject
    @get:Named("w")
    var width: Int
        get() = measure()
        set(value) {
            resize(value)
        }
}
