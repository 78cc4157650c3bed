enum class Sized(val size: Int) : Named {
    SMALL(1), `in`(2) {
        val own = size
    },
    LARGE;
    companion object { val all = SMALL }
}
