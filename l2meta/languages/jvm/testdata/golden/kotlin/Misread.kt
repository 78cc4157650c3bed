package com.example.misread

@Flaky // sometimes
@Tag("slow")
open class Reader actual constructor(val source: Source) {
    fun read() {
        val in1 = source.open()
        in1.skip(2)
        in1.close()
        get(buffer)
        set(0, buffer)
        where?.let { skip(it) }
        limit?.let { read(" $it") }
        toString()
    }

    context(clock: Clock)
    fun after(): Int = clock.now()
}

context(clock: Clock)
internal fun Source.report(name: String) {
    emit(name)
}

fun last() = Unit
