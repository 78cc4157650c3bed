package a

/**
 * Doc.
 */
class Broken {
    fun f() {
        g(1 2)
        h(3)
    }

    // a note
    fun fine(ä: Int): Int {
        return h(ä)
    }
}
