package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// A conversion, an implicit value or an argument may lead back to the
// workspace: a name that it declares is a library's only where that is proven.
func TestScalaExternalIsProven(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/Lib.scala": `package app
trait Read[A] { def reads(s: String): A }
class Assoc(p: (String, String)) { def ~(other: String) = p }
class Log { def append(s: String) = s; def error(s: String) = s }
`,
		"src/Use.scala": `package app
import java.lang.StringBuilder
object Use {
  def run[A: Read](b: StringBuilder, text: String) = {
    implicitly[Read[A]].reads(text)
    ("a" -> "b") ~ "c"
    b.append(text)
    b.reverse()
  }
}
`,
	}, "src/Use.scala", "reads open", "~ open", "append external", "reverse external")
}
