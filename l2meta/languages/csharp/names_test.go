package csharp_test

import (
	"slices"
	"testing"

	"sextant/l2meta/languages/csharp"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestDeclared checks for declarations under which names calls may refer to them, what they override, and which
// types are below them.
func TestDeclared(t *testing.T) {
	files := map[string]string{"A.cs": `namespace N;
public class Base { public Base() {} public virtual void Run() {} public void Run(int n) {}
public int P { get; set; }
public int this[int i] => 1; ~Base() {} public static Base operator +(Base a, Base b) => a; }
public class Sub : Base { public override void Run() {} }
public class Low : Sub { public override void Run() {} public int P; }
public interface IRun { void Run(); }
public class Runs : IRun { void IRun.Run() {} }
public enum Color { Red }
public record Pair(int Left);
public static class Ext { public static void More(this Base b) {} 
public static System.Action<int> Done; public static string[] Names; }
public class MarkAttribute {}
public class Bare {}
`}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		w, f := r.World(), r.World().File("A.cs")
		at := func(name string) resolve.Ref {
			hits := f.Qualified(name)
			if len(hits) == 0 {
				t.Fatalf("nothing declares %s", name)
			}
			return f.Ref(hits[0])
		}
		names := func(refs []resolve.Ref) (out []string) {
			for _, r := range refs {
				out = append(out, r.Symbol().QualifiedName)
			}
			slices.Sort(out)
			return out
		}
		l := csharp.Language{}
		for name, want := range map[string][]string{"Base.Run": nil, "Sub.Run": {"Base.Run"}, "Low.Run": {"Base.Run",
			"Sub.Run"},
			"Runs.Run": {"IRun.Run"}, "Color.Red": nil, "Base": nil, "Ext.More": nil} {
			if got := names(l.Overridden(w, at(name))); !slices.Equal(got, want) {
				t.Errorf("%s overrides %q, want %q", name, got, want)
			}
		}
		for name, want := range map[string][]string{"Base.Run": {"Low.Run", "Sub.Run"}, "Sub.Run": {"Low.Run"},
			"Low.Run":  nil,
			"IRun.Run": {"Runs.Run"}, "Ext.More": nil} {
			if got := names(l.Implementations(w, at(name))); !slices.Equal(got, want) {
				t.Errorf("%s is overridden by %q, want %q", name, got, want)
			}
		}
		for name, want := range map[string][]string{"Base": {"Base", "Base", "base", "this"}, "Base.Base": {"Base",
			"Base", "base",
			"this"}, "Base.Run": {"Run"}, "MarkAttribute": {"MarkAttribute", "Mark", "base", "this"}, "Base.P": {"P"},
			"Ext.Done": {"Done", "Invoke"}, "Ext.Names": {"Names"}} {
			if got := l.CallNames(w, at(name)); !slices.Equal(got, want) {
				t.Errorf("%s is called by %q, want %q", name, got, want)
			}
		}
		for name, want := range map[string][]string{"Base": {"Base.Base"}, "Low": {"Base.Base"}, "Bare": nil, "Pair": nil} {
			if got := names(l.Constructors(w, at(name))); !slices.Equal(got, want) {
				t.Errorf("new %s runs %q, want %q", name, got, want)
			}
		}
		for name, want := range map[string][]string{"Base": {"Low", "Sub"}, "Sub": {"Low"}, "Low": nil, "IRun": {"Runs"}} {
			if got := names(l.Heirs(w, at(name))); !slices.Equal(got, want) {
				t.Errorf("below %s are %q, want %q", name, got, want)
			}
		}
	})
}
