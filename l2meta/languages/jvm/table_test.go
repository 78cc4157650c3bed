package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// rivals declares every name that the calls below use, so that only the type of the receiver proves
// that they are external.
const rivals = `package b;
public class Rival {
  public Rival entrySet() { return this; } public Rival stream() { return this; } public Rival getKey() { return this; }
  public Rival getComponentType() { return this; } public Rival append(String s) { return this; }
  public Rival first() { return this; } public Rival println(String s) { return this; } public Rival length() { return this; }
  public Rival size() { return this; } public Rival get() { return this; } public Rival trim() { return this; }
  public Rival readLine() { return this; } public Rival isEmpty() { return this; } public Rival own() { return this; }
}
`

func TestJavaLibraryTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"b/Rival.java": rivals,
		"a/Use.java": `package a;
import java.io.*;
import java.util.*;
import b.Rival;
class Use extends BufferedReader {
  void run(Map<String, Rival> map, Object[] array, StringBuilder text, Optional<Rival> maybe) throws IOException {
    map.entrySet().stream().findFirst().get().getKey().trim();
    array.getClass().getComponentType();
    text.append("a").append("b").length();
    System.out.println("a");
    map.values().forEach(v -> v.own());
    map.forEach((k, v) -> k.isEmpty());
    Arrays.asList(new Rival()).get(0).first();
    readLine();
    maybe.orElse(null).size();
  }
}
`,
	}, "a/Use.java", "stream external", "getKey external", "trim external", "getComponentType external",
		"length external",
		"println external", "isEmpty external", "own = b/Rival.java:7", "readLine external", "size = b/Rival.java:6",
		"first = b/Rival.java:5")
}

// TestJavaOwnTypesBeforeTheTable checks that a workspace type with the short name of a library type
// comes first, and that a library inside the workspace does, too.
func TestJavaOwnTypesBeforeTheTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"a/Map.java": "package a;\npublic class Map<K, V> {\n  public Entries entrySet() { return null; " +
			"}\n}\n",
		"a/Entries.java": "package a;\npublic class Entries {\n  public Entries stream() { return this; }\n}\n",
		"java/util/Locale.java": "package java.util;\npublic class Locale {\n" +
			"  public Locale trim() { return this; }\n}\n",
		"b/Rival.java": rivals,
		"a/Use.java": `package a;
import java.util.*;
class Use {
  void run(Map<String, String> map, Calendar calendar, List raw) {
    map.entrySet().stream();
    Calendar.getAvailableLocales()[0].trim();
    raw.get(0).size();
  }
}
`,
	}, "a/Use.java", "entrySet = a/Map.java:3", "stream = a/Entries.java:3", "trim open", "size open")
}

// kotlinRivals declares names that the library also has.
const kotlinRivals = `package b
class Rival {
  fun map(f: (Int) -> Int) = this
  fun trim() = this
  fun single() = this
  fun first() = this
  fun and(o: Int) = this
  fun getString(s: String) = this
  fun isNotEmpty() = true
  fun own() = 1
  fun bare() = 1
  fun shift() = 1
  fun lines() = 1
}
`

func TestKotlinLibraryTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"b/Rival.kt": kotlinRivals,
		"a/Use.kt": `package a
import b.Rival
import java.sql.Connection
class Use(val names: Map<String, List<Rival>>) {
  fun run(connection: Connection, flag: Boolean, unknown: lib.Thing) {
    names.getValue("a").filter { it.own() > 1 }.first().bare()
    names.keys.single().trim()
    val flags = 12
    if (flags and 1 == 0) return
    with(connection.metaData.getTables("a", "b", "c", null)) { getString("x") }
    listOf(Rival()).map { it.shift() }
    unknown.value.let { println(it) }
    val (text, rival) = "a" to Rival()
    text.lines()
    "a".run { isNotEmpty() }
  }
}
`,
	}, "a/Use.kt", "own = b/Rival.kt:10", "first external", "bare = b/Rival.kt:11", "single external",
		"trim external", "and external",
		"getString external", "map external", "shift = b/Rival.kt:12", "let external", "println external",
		"lines external", "isNotEmpty external")
}

// TestKotlinOwnBeforeTheTable checks that declarations of the workspace come before the table: a
// type with the short name of a library type, an alias, an extension of a library type. A receiver
// of unknown type proves nothing.
func TestKotlinOwnBeforeTheTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"a/Own.kt": `package a
class Pair(val n: Int) {
  fun toList() = this
}
typealias Names = Pair
fun String.lines2() = 1
fun String.reversed(n: Int) = 1
fun Iterable<String>.average() = 1
infix fun Int.and(o: Long) = 1L
fun <T> T.let(n: Int) = this
`,
		"a/Use.kt": `package a
fun run(names: List<String>, unknown: lib.Thing, flags: Int) {
  Pair(1).toList()
  "a".lines2()
  "a".reversed(1)
  names.average()
  flags and 1L
  unknown.value.let(1)
}
`,
	}, "a/Use.kt", "toList = a/Own.kt:3", "lines2 = a/Own.kt:6", "reversed = a/Own.kt:7", "average = a/Own.kt:8",
		"and open", "let open")
}

func TestScalaLibraryTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"b/Rival.scala": `package b
class Rival {
  def map(f: Int => Int) = this
  def concat(s: String) = this
  def of(n: Int) = this
  def length() = 1
  def next() = 1
}
class Failure extends RuntimeException
package inner { class Kept { def next() = 2 } }
`,
		"b/Path.scala": "package b\nclass Path { def resolve(s: String) = 1 }\n" +
			"object Path { def apply(s: String) = new Path }\n",
		"b/Use.scala": `package b
import java.time._
import java.lang.reflect.ParameterizedType
import java.nio.file.{Path => _, _}
class Use {
  def run(p: ParameterizedType, f: Failure, any: Rival, kept: inner.Kept) = {
    p.getActualTypeArguments.toList.map(_.hashCode)
    LocalDate.of(1, 2, 3)
    f.getMessage.concat("a")
    any.getClass.getName.length()
    Path("a").resolve("b")
    kept.next()
  }
}
`,
	}, "b/Use.scala", "map external", "of external", "concat external", "length external", "resolve = b/Path.scala:2",
		"next = b/Rival.scala:10")
}

// scalaRivals declares names that the library also has.
const scalaRivals = `package b
class Rival {
  def group(n: Int) = this
  def trim() = this
  def opt(n: Int) = this
  def own() = 1
  def bare() = 1
  def isDefinedAt(n: Int) = true
  def lift(n: Int) = this
  def error(s: String) = this
  def hypot(n: Int) = this
  def getLines() = this
  def read(n: Int) = 1
}
object Rivals {
  implicit class Reads(in: java.io.InputStream) { def read(to: Rival) = 1 }
}
`

func TestScalaOwnLibraryTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"b/Rival.scala": scalaRivals,
		"b/Use.scala": `package b
import scala.collection.JavaConverters._
import scala.util.control.Exception._
import scala.util.matching.Regex
import Rivals._
class Use {
  def run(word: Regex, names: java.util.List[String], rivals: List[Rival], in: java.io.InputStream, part: PartialFunction[Int, Rival]) = {
    word.findFirstMatchIn("a").map(m => m.group(1))
    names.asScala.head.trim()
    catching(classOf[RuntimeException]).opt(1)
    rivals.zipAll(rivals, null, null).head._1.own()
    rivals.permutations.next().head.bare()
    part.isDefinedAt(1)
    part.lift(1)
    sys.error("a")
    math.hypot(1, 2)
    scala.io.Source.fromFile("a").getLines()
    in.read()
  }
}
`,
	}, "b/Use.scala", "group external", "trim external", "catching external", "opt external", "own = b/Rival.scala:6",
		"bare = b/Rival.scala:7",
		"isDefinedAt external", "lift external", "error external", "hypot external",
		"getLines external", "read external")
}

// TestScalaOwnBeforeTheTable checks that declarations of the workspace come before the library: a
// type or an object with the short name of a library type, or a package of its own.
func TestScalaOwnBeforeTheTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"b/Rival.scala": scalaRivals,
		"b/Regex.scala": "package b\nclass Regex { def findFirstMatchIn(s: String) = new Rival }\n",
		"b/math.scala":  "package b\nobject math { def hypot(a: Int, b: Int) = 1 }\n",
		"b/sys/a.scala": "package b.sys\nobject Env { def opt(s: String) = 1 }\n",
		"b/Use.scala": `package b
import lib.Exception._
class Use {
  def run(word: Regex, given: lib.Match) = {
    word.findFirstMatchIn("a").group(1)
    math.hypot(1, 2)
    sys.Env.opt("a")
    catching(classOf[RuntimeException]).lift(1)
    given.trim()
  }
}
`,
	}, "b/Use.scala", "findFirstMatchIn = b/Regex.scala:2", "group = b/Rival.scala:3", "hypot = b/math.scala:2",
		"opt = b/sys/a.scala:2", "catching open", "lift open")
}
