package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestScalaExternalIsProven checks that a call of a name that the workspace declares is external
// only with proof, as a conversion, an implicit value or an argument may lead back to the
// workspace.
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

// TestScalaOperatorsOfTheLanguage checks that operators on numbers, strings and Booleans are
// external even if the workspace declares their names. Equality is, too, unless the workspace
// declares it.
func TestScalaOperatorsOfTheLanguage(t *testing.T) {
	use := `package app
object Use {
  def run(i: Int, s: String, b: Boolean, u: lib.U) = {
    i + i
    b && b
    u.given(1) == u
    i -= 1
    s"text $i"
    u.given(1) * u
  }
}
`
	declared := "package app\nclass Sum { def +(o: Sum) = o; def &&(o: Sum) = o; def -(o: Sum) = o; def *(o: Sum) = " +
		"o; def s = 1 }\n"
	languagetest.Settles(t, map[string]string{"src/Use.scala": use, "src/Sum.scala": declared}, "src/Use.scala",
		"+ external", "&& external", "== external", "-= external", "s external", "* open")
	equal := "package app\nclass Sum { def ==(o: Sum) = true }\n"
	languagetest.Settles(t, map[string]string{"src/Use.scala": use, "src/Sum.scala": equal},
		"src/Use.scala", "== open")
}
