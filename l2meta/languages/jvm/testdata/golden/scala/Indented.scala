package com.example.indented

/** The state of a cache. */
enum State(val label: String) extends Named:
  /** Nothing to do. */
  case Idle extends State("idle")
  case Busy(since: Long) extends State(label())
  case One, Two
  def done: Boolean = check()

enum Tree[+T] derives Eq, Show:
  case Leaf(value: T)
  case Node(left: Tree[T], right: Tree[T])

trait Show[A]:
  extension (a: A)
    def show: String
    def shown(times: Int): String = a.show * times

given intShow: Show[Int] with
  extension (a: Int) def show: String = a.toString

given Ordering[State] = Ordering.by(_.ordinal)
given [A](using s: Show[A]): Show[List[A]] with
  extension (a: List[A]) def show = a.map(s.show).mkString

opaque type Id = Long
type Fun = [X] => X => X

open class Point(val x: Int, y: Int) extends Base(x), Named:
  private val z = twice(x)
  def move(by: Int)(using clock: Clock): Point =
    val next = Point(x + by, y)
    if next.valid() then
      next.go()
    else
      stay()
    for p <- points() do p.draw()
    while busy() do wait1()
    next match
      case Point(a, b) => a.use()
      case other => other.drop()
    next
  end move
  inline def fast(inline n: Int): Int = ${ macroImpl('n) }
end Point

def topLevel(n: Int): Int = n.plus(1)
val topValue = topLevel(2)
@main def run(args: String*): Unit = topLevel(args.size)

object Export:
  export inner.{a, b as c}
  export other.*
  private val inner = Inner()
