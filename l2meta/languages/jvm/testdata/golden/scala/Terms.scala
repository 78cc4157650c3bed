package terms

import a.b, c.d.E
import f.{g => h, i => _, _}
import j.k.{given, *}
import one
export l.m.{n, o as p}

val first = 1
class Terms[T <: Item : Ordering](val item: T, other: => Item = null, fs: (Int => Unit)*)(using ctx: Ctx) extends Base(item)(ctx) with Named {
  val a, b = first
  val (c, Some(d: Item)) = pair
  var e: Int = _
  lazy val f: Item => Unit = _.use()
  private[terms] val g = if (a) item else other
  val h = item match { case i: Item => i.use(); case Some(x) if x.ok => x.use(); case _ => null }
  val i = try risky() catch { case e: First => e.tell() case _: Second => null } finally done()
  val j = { val inner = item; inner.use() }
  val k = new Item(1) { val own = 2; def go = own }
  val l = for { x <- items; y = x.next; (z, w) <- y.pairs if z.ok } yield z.use(w)
  val m = items.map(_.use()).filter { x => x.ok }.collect { case Some(y) => y.use() }
  val n = (x: Item) => x.use()
  val o = (x, y) => x.use(y)
  val p = touch _
  val q = item.use _
  val r = items map touch
  val s = items foreach { x: Item => x.use() }
  val t = items.fold(0) { (acc, x) =>
    acc + x
  }
  val u = a +
    b
  val v = "x" + // a comment
    "y"
  val w = s"$a ${item.use()} $$" + raw"\n${b}"
  val x = throw new Error(item)
  val y: Item @unchecked = item.asInstanceOf[Item]
  val z = this.a + super.b + Terms.c + Terms.this.d
  item.e = 3; e += 1; items(0) = item; !a; -a; ~a; +a
  items.size
  while (a) { step() }
  do step() while (b)
  return_(1); item use 1; item.use(1)(2); item.use[Int](1); item use (1, 2)
  def local(n: Int = first)(m: => Int): Int = { def deeper = n; deeper + m }
  def this(n: Int) = this(n, null)
  def unit { step() }
  def named(a: Int, b: Int) = named(b = 1, a = 2)
  def vararg(xs: Int*) = vararg(xs: _*)
  def given_(implicit o: Ordering[T], p: Item) = implicitly[Ordering[T]]
  given ordering: Ordering[Item] = Ordering.by(_.a)
  opaque type Id = Int
  type Fn[A] = A => Item
}

object Terms { def apply(n: Int) = new Terms(n); def unapply(t: Terms[_]) = Some(t.a); val c = 1; private var held: Item = null }
enum Color(val n: Int) { case Red extends Color(1); case Green, Blue; case Mixed(a: Color, b: Color); def go = n }
sealed trait Kind; case object One extends Kind; final case class Two(a: Int)(b: Int) extends Kind
trait Self { self: Item with Named => def go = self.use() }
def top(x: Item): Item =
  val y = x.use()
  if y then
    x.next
  else
    x.other
end top
