package jvm_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// rivals declares every name that the calls below use, so that only the type of
// the receiver proves that they leave the workspace.
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
	}, "a/Use.java", "stream external", "getKey external", "trim external", "getComponentType external", "length external",
		"println external", "isEmpty external", "own = b/Rival.java:7", "readLine external", "size = b/Rival.java:6", "first = b/Rival.java:5")
}

// What the workspace declares under the short name of a library's type comes
// first, and so does a library that the workspace holds itself.
func TestJavaOwnTypesBeforeTheTable(t *testing.T) {
	languagetest.Settles(t, map[string]string{
		"a/Map.java":            "package a;\npublic class Map<K, V> {\n  public Entries entrySet() { return null; }\n}\n",
		"a/Entries.java":        "package a;\npublic class Entries {\n  public Entries stream() { return this; }\n}\n",
		"java/util/Locale.java": "package java.util;\npublic class Locale {\n  public Locale trim() { return this; }\n}\n",
		"b/Rival.java":          rivals,
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
