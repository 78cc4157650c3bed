package languagetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Relations indexes files and returns how language l relates the declarations of one of them to others, a line each:
//
//	Base.run calls run, go below Sub.run above I.run
//	Base heirs Sub
//	Sub new Base.Base
//	import ./b a.ts
//
// calls are the names by which calls refer to the declaration, if there are others than its own; below and above are
// the members that override it and that it overrides; new are the constructors that run where a class has none of its
// own. "not on" names types of members below on which another member below never runs.
func Relations(t testing.TB, l resolve.Settler, files map[string]string, path string) (out string) {
	t.Helper()
	World(t, files, func(r *resolve.Resolver) {
		w, f := r.World(), r.World().File(path)
		var b strings.Builder
		for i := range f.Symbols {
			if line := relations(w, l, f.Ref(i)); line != "" {
				fmt.Fprintf(&b, "%s%s\n", f.Symbols[i].QualifiedName, line)
			}
		}
		importer, ok := l.(interface {
			Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File
		})
		for i := range f.Imports {
			m := &f.Imports[i]
			if !ok {
				break
			}
			var paths []string
			for _, to := range importer.Imports(w, f, m) {
				if to != nil {
					paths = append(paths, to.Path)
				}
			}
			fmt.Fprintf(&b, "import %s %s\n", strings.TrimSpace(m.Module+" "+m.Name), strings.Join(paths, ", "))
		}
		out = b.String()
	})
	return out
}

// relations returns the relations of one declaration; "" if it has none.
func relations(w *resolve.World, l resolve.Settler, r resolve.Ref) string {
	var b strings.Builder
	if names := l.CallNames(w, r); !slices.Equal(names, []string{r.Symbol().Name}) {
		fmt.Fprintf(&b, " calls %s", strings.Join(names, ", "))
	}
	write := func(word string, refs []resolve.Ref) {
		var names []string
		for _, r := range refs {
			names = append(names, r.Symbol().QualifiedName)
		}
		slices.Sort(names)
		if len(names) > 0 {
			fmt.Fprintf(&b, " %s %s", word, strings.Join(names, ", "))
		}
	}
	below := l.Implementations(w, r)
	write("below", below)
	write("above", l.Overridden(w, r))
	if c, ok := l.(interface {
		Constructors(w *resolve.World, class resolve.Ref) []resolve.Ref
		Heirs(w *resolve.World, t resolve.Ref) []resolve.Ref
	}); ok && resolve.IsType(r.Symbol().Kind) {
		write("heirs", c.Heirs(w, r))
		write("new", c.Constructors(w, r))
	}
	write("not on", refused(w, l, r, below))
	return b.String()
}

// refused returns the types around members of below on which other members of below never run.
func refused(w *resolve.World, l resolve.Settler, r resolve.Ref, below []resolve.Ref) (out []resolve.Ref) {
	for _, m := range below {
		for _, o := range below {
			if m.Parent().Valid() && !l.Admits(w, m.Parent(), o) && !slices.Contains(out, m.Parent()) {
				out = append(out, m.Parent())
			}
		}
	}
	return out
}

// CheckRelations compares the relations of a file with those wanted, one a line.
func CheckRelations(t testing.TB, got, want string) {
	t.Helper()
	g, w := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			t.Errorf("missing: %s", w[i])
		case i >= len(w):
			t.Errorf("unexpected: %s", g[i])
		case strings.TrimSpace(g[i]) != strings.TrimSpace(w[i]):
			t.Errorf("got  %s\nwant %s", g[i], w[i])
		}
	}
}
