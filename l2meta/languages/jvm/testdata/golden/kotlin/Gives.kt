class Gives(private val plain: Int) : Named {
    var held: (Int) -> Unit = ::save

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
        val local = ::save
        var assigned = Item(1)
        assigned = Item(2)
        val once = Item(3)
        val exact: Item = Item(4)
        val (first, second) = Item(5) to Item(6)
        return run(::save)
    }
}
