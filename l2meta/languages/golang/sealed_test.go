package golang_test

import (
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/golang"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestBodiesConcernTheirFileAlone empties the bodies of functions in every second sealed file, and compares
// the verdicts in the others with those before. SEXTANT_SEALED names another folder than the packages of
// the Go distribution.
func TestBodiesConcernTheirFileAlone(t *testing.T) {
	roots := []string{}
	if root := os.Getenv("SEXTANT_SEALED"); root != "" {
		roots = append(roots, root)
	} else {
		for _, p := range []string{"go/types", "net/http", "encoding/json"} {
			roots = append(roots, filepath.Join(build.Default.GOROOT, "src", p))
		}
	}
	for _, root := range roots {
		t.Run(filepath.Base(root), func(t *testing.T) {
			t.Parallel()
			whole, emptied := map[string]string{}, map[string]string{}
			changed := emptyHalf(t, root, whole, emptied)
			before, after := verdicts(t, whole), verdicts(t, emptied)
			sites, differ := 0, 0
			for path, want := range before {
				if changed[path] {
					continue
				}
				sites += strings.Count(want, "\n")
				if got := after[path]; got != want {
					if differ++; differ <= 3 {
						t.Errorf("%s:\n%s", path, firstDifference(got, want))
					}
				}
			}
			if t.Logf("%d files emptied, %d sites in others", len(changed), sites); sites < 200 || len(changed) < 3 {
				t.Error("too few to say anything")
			}
		})
	}
}

// emptyHalf reads the Go files below root, as they are and with emptied bodies in every second sealed one. It
// returns the paths of those.
func emptyHalf(t *testing.T, root string, whole, emptied map[string]string) map[string]bool {
	changed := map[string]bool{}
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" && d.Name() != "go.mod" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		whole[name], emptied[name] = string(text), string(text)
		f, err := languages.Extract(name, text)
		if err != nil || filepath.Ext(path) != ".go" || !(golang.Language{}).Sealed(&f) {
			return err
		}
		if n++; n%2 == 0 {
			emptied[name], changed[name] = withoutBodies(&f, text), true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

// withoutBodies returns a text with blanks in the bodies of the functions that declare nothing inside.
func withoutBodies(f *code.File, text []byte) string {
	out := slices.Clone(text)
	for i, s := range f.Symbols {
		if !s.Kind.Callable() || s.Body[1] == 0 ||
			slices.ContainsFunc(f.Symbols, func(o code.Symbol) bool { return o.Parent == i }) {
			continue
		}
		for at := s.Body[0] + 1; at < s.Body[1]-1; at++ {
			if out[at] != '\n' {
				out[at] = ' '
			}
		}
	}
	return string(out)
}

// verdicts returns the verdicts of the calls of every file, a line each.
func verdicts(t *testing.T, files map[string]string) map[string]string {
	out := map[string]string{}
	languagetest.World(t, files, func(r *resolve.Resolver) {
		for path := range maps.Keys(files) {
			f := r.World().File(path)
			if f == nil || f.Language != "go" {
				continue
			}
			sites, err := r.Sites(f.ID)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for i := range sites {
				s := &sites[i]
				b.WriteString(s.Call.Receiver + "." + s.Call.Callee)
				if s.Outcome == resolve.Settled {
					b.WriteString(" -> " + s.Target.File.Path + " " + s.Target.Symbol().QualifiedName)
					may, err := r.Dispatched(s)
					if err != nil {
						t.Fatal(err)
					}
					for _, d := range may {
						b.WriteString(" | " + d.Target.File.Path + " " + d.Target.Symbol().QualifiedName)
					}
				}
				b.WriteString(" " + string(s.Strategy) + s.Module + s.Reason + "\n")
			}
			out[path] = b.String()
		}
	})
	return out
}

// firstDifference returns the first lines that differ.
func firstDifference(got, want string) string {
	have := strings.Split(got, "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(have) || have[i] != line {
			return "got  " + strings.Join(have[min(i, len(have)):min(i+1, len(have))], "") + "\nwant " + line
		}
	}
	return ""
}
