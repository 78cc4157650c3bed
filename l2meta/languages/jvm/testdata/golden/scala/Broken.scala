package a

/**
 * Doc.
 */
class Broken {
  def f() = {
    g(1 2;
  }

  // a note
  def fine(ä: Int): Int = {
    h(ä)
  }
}
