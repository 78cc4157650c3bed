package com.example {
  package passed {
    import java.util.{Map => JMap, List => _, _}
    import a.b.{c, d => e}, f._
    class Within { def go(x: Within) = x.go(this) }
  }
  object Top { def top = 1 }
}

@com.example.Noted(1)(2) @Marked
private[example] final class Host[A, +B <: Named, -C >: Item : Ordering, F[_]](
    private val kept: A,
    @Noted var changed: Int = size(1),
    by: => B,
    more: Item*
)(implicit val context: Context, other: Item)
    extends com.example.Base[A](kept, more: _*)(context)
    with com.example.Named
    with Shown[B] {
  type Item2 = com.example.Item
  type Bounded <: Named
  val one, two: Item = made(1)
  val (left, right: Item) = pair(1)
  var Some(inner) = maybe
  final val Limit = 3
  lazy val late = { val x = made(2); x.use(1) }
  val function: (Item, Int) => Unit = (x, n) => x.use(n)
  val cases: PartialFunction[Any, Item] = { case x: Item => x; case Some(y: Item) => y }
  val anonymous = new com.example.Watcher(1)(2) with Runnable { private val own = 1; def run() = own }
  val mixed = new Watcher with Shown { self => def go = self.own }
  val empty = new Item {}
  private def hidden(x: Int) = x
  protected[example] def guarded = hidden(1)
  implicit def view(x: Int): Item = new Item(x)
  def curried(a: Int)(b: Item*)(implicit c: Context): Item = curried(1)(b: _*)(c)
  def byName(f: => Int, g: Int => Item = _.made) = g(f)
  def nullary = curried(1)()
  def empty2(): Int = { }
  def procedure(x: Item) { x.use(1) }
  def this(x: Int) = { this(x, 1, null) ; hidden(x) }
  override def toString = s"host $one ${two.use(1)} ${left}" + f"$changed%d" + raw"$inner"
  @Test def tested() = assert(one == two)
  def unary_- = this
  def +=(x: Item) = x
  def ::(x: Item) = x
  def `back quoted`(x: Int) = `back quoted`(x)
  def update(i: Int, x: Item) = x
  def apply(i: Int) = one

  def operators(x: Item, list: List[Item]) = {
    x + x * x - x; x :: list; list ::: list :+ x; x +: list; x -> x; x == x && x != x || !x.ok; x += x; x <= x
    1 + 2; x.size + 1; 1 + x.size; "a" + x; x + "a"; x max 1; x max (1, 2); x max { 1 }; x.max(1).min(2); -x; !x; ~x
    x eq x; x ne x; x to 3 by 2; list map f; list map (f); list map { _.use(1) }; list filter _.ok map (_.size)
    list foreach println; list mkString; x(1); x(1)(2); x(1) = x; x.field = x; x.field += 1
    f _; x.f _; f(_); f(_, 1); f(x => x); f((x: Item) => x); f { x => x.use(1) }; f { case (a, b) => a.use(b) }
    list.map(_.next.next).map(_ + 1).map(1 + _).foldLeft(0)(_ + _.size).reduce((a, b) => a)
    list.map((_, 1)).map { case (a, n) => a }.collect { case x if x.ok => x case _ => null }
    f[Item]; f[Item](x); x.f[Item, Int]; x.f[Item](1)(2); super.f(1); super[Named].f(1); Host.super.f(1); this.f(1); Host.this.f
    (x: Item); (x, 1); (); null; 'a'; 1L; 1.5; 'sym; true; x.asInstanceOf[Item]; x.isInstanceOf[Item]; classOf[Item]
    if (x.ok) x else null; if (x.ok) x.use(1); while (x.ok) x.use(1); do x.use(1) while (x.ok)
    for (a <- list) a.use(1); for (a <- list if a.ok; b = a.next; c <- b.all) yield c.use(1); for { (k, v) <- map } yield k
    for (a <- list; if a.ok && a.size > 1; b <- a.all if b.ok) yield (a, b)
    try { risky(1) } catch { case e: Failure => e.tell(1); case e @ (_: First | _: Second) => null; case _ => } finally done(1)
    throw new Failure(1); return x
  }

  def patterns(x: Any) = x match {
    case 1 | 2 => x
    case "a" => x
    case y => y
    case y: Item => y.use(1)
    case y: List[_] => y.size
    case Item(a, b: Item, _) if a.ok => b.use(a)
    case com.example.Item(a) => a
    case whole @ Item(a, _*) => whole.use(a)
    case a :: b :: Nil => a.use(b)
    case a +: Seq(b, rest @ _*) => rest.use(b)
    case (a, (b, c)) => a.use(b, c)
    case `x` => x
    case Host.Limit => x
    case s"a$b" => b
    case _: Item | _: Named => x
    case _ =>
      val z = x
      z.use(1)
  }

  def locals(n: Int) = {
    val a = new Item(1)
    var b = new Item(2)
    b = new Item(3)
    val c = new Item(4) { def own = 1 }
    val (d, e) = (new Item(5), n)
    lazy val f = a.use(n)
    def inner(m: Int): Int = { def deeper(k: Int) = k + m; deeper(n) }
    class Local(val x: Int) { def go = x }
    case class Pair(a: Int)
    object Single { val s = a }
    import a._
    type T = Item
    inner(1) + f
  }
}

object Host extends App with com.example.Named { val shared = new Item(1); def apply(n: Int) = new Host(n); case object Nested; object Deep { def go = shared } }
trait Shown[A] { this: Item => def shown: A; def twice = shown; val abstractly: Item; var changes: Int }
trait Both extends Shown[Item] with Named
case class Product(a: Int, b: Item = null)(c: Int)
abstract case class Half(a: Int)
class Plain
