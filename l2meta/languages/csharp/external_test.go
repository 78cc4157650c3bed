package csharp_test

import (
	"testing"

	"sextant/l2meta/languages/languagetest"
)

// csharpExternalFiles call methods that a library declares, and methods that only look so.
var csharpExternalFiles = map[string]string{
	"a/A.csproj": `<Project><PropertyGroup><ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>`,
	"a/Lib.cs": `namespace Lib {
public static class Extensions {
	public static bool IsPath(this Expression e) => true;
	public static bool IsPart(this Expression e) => true;
	public static bool IsRoot(this Expression e) => true;
	public static void TryAdd<T>(this ICollection<T> list, T item) {}
	public static int GetOrAdd(this IDictionary<string, object> map, string key) => 0;
	public static void Shout(this IShouter s) {}
	public static void Add<T>(this ICollection<T> list, T item) {}
	public static string Concat<T>(this IReadOnlyCollection<T> a, IReadOnlyCollection<T> b) => "";
	public static void Load<T>(this T any) {}
}
public interface IShouter {}
public record Pair(int A);
}
`,
	"a/Own.cs":  `namespace Microsoft.Extensions.DependencyInjection { public static class Own { public static void AddOwn(this int n) {} } }`,
	"a/Time.cs": `namespace System { public abstract class TimeProvider { public long Stamp() => 1; } }`,
}

// TestCSharpExtensionsOfLibraries checks that a call on a library's value is external only if no
// method of the workspace may extend that value: only the library knows that a LambdaExpression is
// an Expression.
func TestCSharpExtensionsOfLibraries(t *testing.T) {
	csharpExternalFiles["a/Use.cs"] = `using Lib;
class Use {
	void F(LambdaExpression e, HashSet<int> set, Dictionary<string, object> map, StringBuilder b, string s, List<int> list, List<int> others) {
		e.IsPath(); set.TryAdd(1); map.GetOrAdd("k"); list.Concat(others); b.Load();
		b.Shout(); s.IsPart(); list.Add(2); e.Compile();
		3.AddOwn();
	}
}
class Derived : Foreign { void F() { base.Run(); base.Part.IsRoot(); base.Part.Other(); } }
`
	languagetest.Settles(t, csharpExternalFiles, "a/Use.cs",
		"IsPath open", "TryAdd = a/Lib.cs:6", "GetOrAdd = a/Lib.cs:7", "Concat = a/Lib.cs:10", "Load = a/Lib.cs:11",
		"Shout external", "IsPart external", "Add external", "Compile external",
		"AddOwn = a/Own.cs:1",
		"Run external", "IsRoot open", "Other external")
}

// TestCSharpNamesOfLibraries checks that a name is a library's only if the workspace declares no
// candidate.
func TestCSharpNamesOfLibraries(t *testing.T) {
	csharpExternalFiles["a/Use.cs"] = `using Lib;
class Use {
	TimeProvider clock;
	void Walk(int here) {}
	void F(Pair pair) { clock.Stamp(); unknown.Walk(); unknown.Stroll(); Library.Jump(); pair.Equals(pair); pair.GetType(); }
}
`
	languagetest.Settles(t, csharpExternalFiles, "a/Use.cs", "Stamp open", "Walk open", "Stroll external",
		"Jump external", "Equals open")
}
