package com.example
package cache

import java.io.IOException
import java.util.{List => JList, Map, _}
import scala.concurrent.Future, scala.util.Try
import com.example.clock.*
import com.example.given
import com.example.Ops.{given Ordering[Int], as as other, x as y, z as _}

/** How many entries a cache holds. */
object Limits {
  val Capacity = 64
  final val größe: Int = compute(4)
}

/**
 * Keeps what was loaded.
 *
 * @tparam K the key
 */
@Serializable
@deprecated("old", since = "1")
abstract class Cache[K <: Comparable[K], +V](
    private val clock: Clock,
    var limit: Int = Limits.Capacity,
    names: String*
)(implicit ec: ExecutionContext)
    extends Base[K](clock, "x")
    with Store[K, V]
    with Closeable { self: Named =>

  import Helpers._
  private[this] val entries: mutable.Map[K, V] = mutable.Map.empty[K, V]
  protected lazy val size, count = entries.size
  var state: State = State.Idle
  val (a, b) = pair()
  val handler: Int => Unit = n => handle(n)
  type Loader[A] = K => Future[A]
  type Abstract <: Store[K, V]
  val watcher = new Watcher(3) with Runnable {
    private val count = 0
    override def run(): Unit = watch()
  }
  register(this)

  def this(clock: Clock) = this(clock, 1)

  /** Finds a value. */
  @throws[IOException]("never")
  @tailrec
  override final def find[T >: V : Ordering](key: K, flags: Int*)(onMiss: => T = none())(implicit log: Log): Option[T] = {
    require(key != null, s"no ${describe(key)}")
    val hit = entries.get(key).map(_.value)
    val typed: List[V] = List.empty[V]
    val (x, Some(y)) = parts(hit)
    for {
      e <- all()
      (k, v) <- e.pairs if v.ok()
      n = k.size()
    } yield use(n)
    for (i <- 0 until limit) step(i)
    try run() catch {
      case e: IOException => throw new CacheError(e)
      case NonFatal(t) => recover(t)
    } finally close()
    hit match {
      case Some(v: Value) if v.valid() => v.get
      case h @ Hit(value, _) => h.use(value)
      case State.Idle | State.Busy => super.find(key)
      case _ => super[Store].find(key)
    }
    entries.foreach { case (k, v) => touch(k, v) }
    entries map keep filter { _.ok } foreach println
    list.foldLeft(0)((acc: Int, n) => acc + n)
    new Entry[Int](1) { def hi() = age() }
    this join that
    spread(flags: _*)
    outer.Inner[Int](1).go(2) { it => it.run() }
    handler(3); handler.apply(3)
    callbacks("a")(1)
    val f = touch _
    def local(n: Int): Int = n * twice(n)
    case class Loc(n: Int)
    limit = local(2)
    a += make()
    -total()
    sql"select ${column(1)}"
    if (a) b() else c()
    return None
  }

  def price(order: V): Double
  def unary_! : Boolean = !flag()
  def +(other: Cache[K, V]): Cache[K, V] = merge(this, other)
  def `name with spaces` = 1
  private def hidden(): Unit = ()
  abstract override def log(s: String): Unit = super.log(s)
}

object Cache extends Maker {
  implicit val ordering: Ordering[Cache[_, _]] = Ordering.by(_.limit)
  implicit class Ops[T](val value: T) extends AnyVal { def shout = value.toString }
  implicit def convert(s: String): Cache[String, Int] = new Impl(s)
  def apply[K](k: K) = new Impl(k)
  def unapply(c: Cache[_, _]): Option[Int] = Some(c.limit)
}

sealed trait Result[+T] extends Product with Serializable {
  def ok: Boolean
}
final case class Hit[T](value: T, at: Long = now()) extends Result[T]
case object Miss extends Result[Nothing]

package object helpers { def helper = 1 }

package inner.deep { class Hidden }

class CacheTest extends AnyFunSuite {
  test("finds what was stored") { assert(cache.size == 1) }
  @Test def takes(): Unit = assertEquals(1, cache.size)
}
