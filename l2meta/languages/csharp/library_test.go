package csharp_test

import (
	"maps"
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// csharpLibraryFiles declare methods with the names of .NET methods, so that only the receiver's
// type tells them apart.
var csharpLibraryFiles = map[string]string{
	"a/A.csproj": `<Project><PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>`,
	"a/Own.cs": `namespace Lib;
public class Row {
	public void A() {} public void B() {} public void C() {} public void D() {} public void E() {} public void F() {}
	public void NewGuid() {} public void ToList() {} public void Where() {} public void Select() {} public void GetOrAdd() {}
	public void CompareTo() {} public void Max() {} public void InsertItem() {} public void Replace() {} public void Clear() {}
}
public static class Own {
	public static IEnumerable<T> Union<T>(this IEnumerable<T> a, IEnumerable<T> b) => a;
	public static IEnumerable<T> Concat<T>(this IList<T> a, IEnumerable<T> b) => a;
	public static void Write(this TextWriter w, int[] parts) {}
	public static string Trim(this string s, int start, int end) => "";
	public static bool Contains(this string s, char c) => false;
	public static int IndexOf<T>(this IReadOnlyList<T> s, T value) => 0;
}
`,
}

func settlesInLibrary(t *testing.T, use string, want ...string) {
	t.Helper()
	files := maps.Clone(csharpLibraryFiles)
	files["a/Use.cs"] = use
	languagetest.Settles(t, files, "a/Use.cs", want...)
}

// TestCSharpLibraryResults checks that the library's table types the results of its members,
// including elements and results of lambdas.
func TestCSharpLibraryResults(t *testing.T) {
	settlesInLibrary(t, `using Lib; using System.Collections.Concurrent; using Text = System.String;
class Use {
	async Task F(IEnumerable<Row> rows, ConcurrentDictionary<string, Row> map, Task<Row> later) {
		Guid.NewGuid().ToString().Replace("a", "b");
		rows.Where(r => r != null).Select(r => r).ToList()[0].A();
		rows.GroupBy(r => 1).First().ElementAt(0).B();
		map.GetOrAdd("a", k => null).C();
		(await later).D();
		(await later.ConfigureAwait(false)).E();
		42.CompareTo(41);
		foreach (var (key, row) in map) row.F();
		Text name = "a" + 1; name.Clear();
	}
}
`,
		"NewGuid external", "Replace external", "Where external", "Select external",
		"ToList external", "A = a/Own.cs:3",
		"B = a/Own.cs:3", "GetOrAdd external", "C = a/Own.cs:3", "D = a/Own.cs:3", "E = a/Own.cs:3",
		"CompareTo external", "Clear external")
}

// TestCSharpLibraryExtensions checks that a method of a library type wins over an extension, unless
// the extension has other parameters, and that an extension of a nearer type wins over LINQ's.
func TestCSharpLibraryExtensions(t *testing.T) {
	settlesInLibrary(t, `using Lib;
class Use {
	void F(IEnumerable<Row> rows, List<Row> list, TextWriter w, int[] parts, string name) {
		rows.Union(rows);
		list.Concat(rows);
		w.Write(parts);
		name.Trim(0, 1);
		name.Contains('a');
		parts.IndexOf(1);
	}
}
`,
		"Union open", "Concat = a/Own.cs:9", "Write = a/Own.cs:10", "Trim = a/Own.cs:11",
		"Contains external", "IndexOf open")
}

// TestCSharpLibraryNames checks that a type of the workspace, a type parameter and an alias win
// over the library's type of that name.
func TestCSharpLibraryNames(t *testing.T) {
	settlesInLibrary(t, `using Lib; using Task = Lib.Row; using Guid = System.Text.StringBuilder;
class List { public Row Where() => null; public static void Select() {} }
class Use<Stream> where Stream : Row {
	void F(List list, Task task, Stream stream, Guid guid) {
		list.Where().A(); List.Select(); task.B(); stream.C(); guid.Replace("a", "b").Clear();
	}
}
`,
		"Where = a/Use.cs:2", "A = a/Own.cs:3", "Select = a/Use.cs:2", "B = a/Own.cs:3", "C = a/Own.cs:3",
		"Replace external", "Clear external")
}

// TestCSharpLibraryBases checks that a member is the library's if the declared base class has it,
// and that otherwise outer scopes are searched.
func TestCSharpLibraryBases(t *testing.T) {
	settlesInLibrary(t,
		`using Lib; using System.Collections.ObjectModel; using static System.Math; using static Lib.Helper;
namespace Lib { static class Helper { public static void Outer() {} public static void Foreign() {} } }
class Items : Collection<Row> {
	void F() {
		InsertItem(0, null); Outer(); base.Items.Clear(); Max(1, 2); this[0].A(); foreach (var i in this) i.B(); Equals(this, null);
	}
	bool Equals(Items other) => false;
}
class Unknown : Package { void F() { Foreign(); } }
`,
		"InsertItem external", "Outer = a/Use.cs:2", "Clear external", "Max external", "A = a/Own.cs:3",
		"B = a/Own.cs:3", "Equals external",
		"Foreign open")
}
