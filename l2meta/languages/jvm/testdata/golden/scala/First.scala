class First(val taken: Int, kept: String = "", private[this] var own: Item) extends Base(taken) with Named {
  val plain: Int = 1
  var made = new Item
  lazy val late: Item = new Item(taken)
  val (a, b) = pair()
  type Own = Item

  def this() = this(1, "", new Item)

  def run(times: Int)(implicit ec: Context): Item = {
    val local = new Item
    for (i <- 0 until times if i > 1) local.use(i)
    made.use(plain)
    local
  }

  def read = taken
  implicit class Rich(item: Item) { def twice = item.use(2) }
  object Inner { val held = plain }
}
