class Masked(xs: List[Item]) {
  val one = xs.map { x: Item => x.next }
  val two = xs.size +
    1
  val outer = Masked.this.two
  val inner = { this.two }
}
