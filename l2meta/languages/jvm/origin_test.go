package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// TestKotlinExternalIsProven checks that a call is external only if it must be: a library may
// return a value that the workspace passed to it, and an extension may apply to a type that only
// the library knows.
func TestKotlinExternalIsProven(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/app/Sums.kt": `package app
import java.util.zip.Checksum
fun Checksum.upd(b: ByteArray) {}
fun <T> Iterable<T>.firstOf2(): T = first()
class Service { fun work() {}; fun close() {}; fun help() {} }
`,
		"src/app/lost/Gone.kt": "package app.lost\nclass Other\n",
		"src/app/use/Use.kt": `package app.use
import app.upd
import app.firstOf2
import app.Service
import app.lost.Missing
import java.util.zip.CRC32
import lib.Container
import lib.Plain
import lib.Base
class Use(val c: Container, val p: Plain) : Base() {
  fun run(crc: CRC32, list: MutableList<String>, flag: Service) {
    crc.upd(byteArrayOf())
    crc.update(1)
    list.firstOf2()
    c.instance(Service::class).work()
    p.instance("name").close()
    if (!flag.work2().isEmpty()) return
    Missing.help()
    upd(byteArrayOf())
  }
}
`,
	}, "src/app/use/Use.kt", "update external", "firstOf2 = src/app/Sums.kt:4", "work open",
		"close external", "help open")
}

func TestKotlinExtensionOfAForeignType(t *testing.T) {
	files := map[string]string{
		"src/a/S.kt": "package a\nimport java.util.zip.Checksum\nfun Checksum.upd() {}\nfun Own.toInt() {}\n" +
			"class Own { fun isSet() = true }\n",
		"src/a/U.kt": "package a\nimport lib.Crc\nfun f(c: Crc, s: String, o: Own) { c.upd(); s.toInt(); if " +
			"(!o.isSet()) return }\n",
		"src/a/V.kt": "package a\nimport java.util.zip.CRC32\nfun f(c: CRC32) { c.upd() }\n",
	}
	languagetest.Settles(t, files, "src/a/U.kt", "upd open", "toInt external", "isSet = src/a/S.kt:5")
	languagetest.Settles(t, files, "src/a/V.kt", "upd = src/a/S.kt:3") // the table says that a CRC32 is a Checksum
}

func TestJavaHandedBack(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/a/Service.java": "package a;\n" +
			"public class Service { public void work() {} public void info(String s) {} }\n",
		"src/a/Use.java": `package a;
import lib.Context;
import lib.Log;
import java.util.ArrayList;
class Use {
  void run(Context c, Log log) {
    c.bean(Service.class).work();
    c.bean("name").other();
    log.at("x").info("y");
    c.bean(Service.class).absent();
  }
}
`,
	}, "src/a/Use.java", "bean external", "work open", "other external", "info external", "absent external")
}

// TestKotlinExtensionOfACompanion checks that an extension of a companion is called on the name of
// its class.
func TestKotlinExtensionOfACompanion(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/a/S.kt": "package a\nclass Kind {\n  fun name() = 1\n}\nclass Own {\n  companion object\n}\n" +
			"class Other {\n  companion object\n}\n" +
			"fun Int.Companion.kind(): Kind = Kind()\nfun String.Companion.text() = 1\nfun Own.Companion.own() = " +
			"1\nfun Int.size() = 1\n" +
			"fun Int.Companion.other() = 1\n",
		"src/b/U.kt": "package b\nimport a.kind\nimport a.text\nimport a.own\nimport a.other\nimport a.size\n" +
			"import a.Own\nimport a.Other\n" +
			"fun f() { Int.kind().name(); String.text(); Own.own(); Other.other(); Int.size() }\n",
	}, "src/b/U.kt", "kind = src/a/S.kt:11", "name = src/a/S.kt:3", "text = src/a/S.kt:12", "own = src/a/S.kt:13",
		"other open", "size external")
}

// TestKotlinLostReceiverStaysOpen checks calls on undeclared plain names. Such a name may be a
// property that the grammar lost, so the call must not be external just because the name looks like
// a package.
func TestKotlinLostReceiverStaysOpen(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/b/S.kt": "package b\nclass S { fun adapter() {}; fun provider() {} }\n",
		"src/a/U.kt": "package a\nimport a.lost.adapter\nfun f() { lost.adapter(1); lost.inner.provider(); " +
			"kotlin.math.abs(1); java.util.zip.CRC32(); com.lib.Maker() }\n",
	}, "src/a/U.kt", "adapter open", "provider open", "abs external", "CRC32 external", "Maker external")
}

// TestKotlinExtensionOfWhatALibraryGives checks that the result of a workspace extension on a
// library value is not external, and that a reference T::f refers to an extension of an instance of
// T.
func TestKotlinExtensionOfWhatALibraryGives(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/a/S.kt": "package a\nimport java.lang.reflect.Type\nclass Name {\n  override fun toString() = " +
			"\"\"\n}\nfun Type.asName(): Name = Name()\nfun Type.asText() = 1\n",
		"src/b/U.kt": "package b\nimport a.asName\nimport a.asText\nimport java.lang.reflect.Type\nimport lib.Source\n" +
			"fun f(l: List<Type>, s: Source) { l.map(Type::asText); s.given()[0].asName().toString(); " +
			"s.given().hashCode(); ReplaceWith(\"x\"); StringBuffer() }\n",
	}, "src/b/U.kt", "asText = src/a/S.kt:7", "asName open", "toString open", "hashCode external",
		"ReplaceWith external", "StringBuffer external")
}

// TestKotlinAppendOfABuilder checks that append in the scope of a StringBuilder is external: it
// accepts any value, so neither an extension nor an outer function is called.
func TestKotlinAppendOfABuilder(t *testing.T) {
	ext := "package app\nclass Query\nfun Query.append(vararg all: Any) {}\n"
	for use, want := range map[string]string{
		"buildString { append(\"a\") }":           "append external",
		"buildString { append(this@use, \"a\") }": "append = src/Ext.kt:3",
		"append(\"a\")":                           "append = src/Ext.kt:3",
	} {
		languagetest.Settles(t, map[string]string{"src/Ext.kt": ext,
			"src/Use.kt": "package app\nfun Query.use() {\n  " + use + "\n}\n"}, "src/Use.kt", want)
	}
}

// TestJavaNameWithinAType checks that a name that a type of the workspace lacks stays open: it may be
// generated.
func TestJavaNameWithinAType(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"a/Outer.java": "package a;\n" +
			"public class Outer { public static class Inner { public static void make() {} } }\n",
		"b/Use.java": `package b;
import a.Outer.Builder;
import a.Outer.Inner;
import lib.Tool;
class Use {
  void run() {
    Builder.build();
    Inner.make();
    Tool.start();
  }
}
`,
	}, "b/Use.java", "build open", "make = a/Outer.java:2", "start external")
}

// TestJavaStaticImportOfALibraryType checks that a static import of all members of a library type makes a
// call external only if the type may have the method.
func TestJavaStaticImportOfALibraryType(t *testing.T) {
	files := map[string]string{
		"src/a/Here.java": "package a;\npublic class Here {}\n",
		"src/q/Listed.java": "package q;\nimport static java.util.Objects.*;\nimport static java.lang.Math.PI;\n" +
			"class Listed { void use() { hash(1); absent(); new Generated(); } }\n",
		"src/q/Unlisted.java": "package q;\nimport static org.x.Y.*;\nclass Unlisted { void use() { present(); } }\n",
		"src/q/Unread.java": "package q;\nimport a.Missing;\nimport static org.x.Y.*;\nimport static org.x.Z.named;\n" +
			"import static java.util.Objects.*;\n" +
			"class Unread extends Missing { void use() { perhaps(); named(); hash(1); } }\n",
	}
	languagetest.Settles(t, files, "src/q/Listed.java", "hash external", "absent open", "Generated open")
	languagetest.Settles(t, files, "src/q/Unlisted.java", "present external")
	languagetest.Settles(t, files, "src/q/Unread.java", "perhaps open", "named external", "hash external")
}
