package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// What a library gives back may be what the workspace handed to it, and an
// extension takes what only the library knows to be its receiver.
func TestKotlinExternalIsProven(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/app/Sums.kt": `package app
import java.util.zip.Checksum
fun Checksum.upd(b: ByteArray) {}
fun <T> Iterable<T>.firstOf2(): T = first()
class Service { fun work() {}; fun close() {} }
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
	}, "src/app/use/Use.kt", "update external", "firstOf2 open", "work open", "close external", "help open")
}

func TestKotlinExtensionOfAForeignType(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/a/S.kt": "package a\nimport java.util.zip.Checksum\nfun Checksum.upd() {}\nfun Own.toInt() {}\nclass Own { fun isSet() = true }\n",
		"src/a/U.kt": "package a\nimport java.util.zip.CRC32\nfun f(c: CRC32, s: String, o: Own) { c.upd(); s.toInt(); if (!o.isSet()) return }\n",
	}, "src/a/U.kt", "upd open", "toInt external", "isSet = src/a/S.kt:5")
}

func TestJavaHandedBack(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"src/a/Service.java": "package a;\npublic class Service { public void work() {} public void info(String s) {} }\n",
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
