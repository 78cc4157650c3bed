class Forms[A <: Named, +B](val kept: A, other: B = null, rest: String*)(implicit ctx: Ctx) extends Base(kept) with Shown { me =>
  val (a, b) = pair
  val Some(c) = maybe
  var d, e: Int = 1
  lazy val f: Item = make(1)(2)
  private[this] def g[T >: A](x: T, y: => Int = 1)(z: T*): Seq[T] = z.map(_.next)
  def h = { case class Local(n: Int); Local(1).copy(n = 2) }
  def matched(x: Any, list: List[Item]) = x match {
    case i: Item if i.ok => i.use
    case Item(n, _*) => n.use
    case all @ Item(_, y) => all.use(y)
    case (p, q: Other) => p.use; q.use
    case Left(l) | Right(l) => l
    case `kept` => kept.use
    case first :: second :: Nil => first.use
    case s"a$n" => n
    case _: Named | null =>
  }
  def loops(list: List[Item], map: Map[String, Item]) = {
    for (x <- list) x.use
    for { (k, v) <- map; w = v.next if w.ok; y <- w.all } yield y.use(k)
    for (x <- list; y <- x.all; if y.ok) yield (x, y)
    for (case Some(x) <- list) yield x
    while (d > 1) d -= 1
    do { d += 1 } while (d < 9)
    try make(1) catch { case e: Failure => e.tell; case NonFatal(t) => t.tell } finally done()
    if (d > 1) list.head else if (d > 2) list.last else throw new Failure("x")
  }
  def functions(list: List[Item]) = {
    val one = (x: Item) => x.use
    val two: (Item, Int) => Item = (x, n) => x.next(n)
    list.map { x => x.use }.filter(_.ok).foldLeft(1)((n, x) => n + x.size)
    list map one filter { case Item(n, _) => n.ok } foreach println
    list.sortBy(-_.size).collect { case x if x.ok => x }
    make(n = 1, more = list: _*) { y => y.use }
    a + b * c -> d :: Nil ++ list
    !list.isEmpty && -d > 1
    new Item(1) with Shown { def show = kept }
    f(1)(2)(3); f.g.h(1).i[Int]; f[Int, String](1); list(1) = new Item(2); f.d = 3
    s"x ${kept.use} $d"; 'x'; 1L; 1.5; true; null; (); (1, "x"); xml: Item
  }
  implicit class Ops(val x: Item) extends AnyVal { def twice = x.use + x.use }
  implicit val shown: Shown = new Shown {}
  implicit def convert(x: Int): Item = new Item(x)
  type Alias[X] = Map[String, X]
  type Abstract <: Named
  abstract override def over(x: Int): Unit
  @tailrec @Custom(1) final def annotated(x: Int): Int = annotated(x - 1)
}
object Forms extends App { def apply(x: Int) = new Forms(x, null); def unapply(f: Forms[_, _]): Option[Int] = None }
sealed trait Kind; case object One extends Kind; case class Two(x: Int, y: Item = One) extends Kind
package object inner { def top = 1 }
