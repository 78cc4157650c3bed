package languages_test

import (
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"sextant/internal/code"
	"sextant/internal/golden"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// TestBodiesConcernTheirFileAlone empties the bodies of functions in every second file of a sealed
// language (resolve.Language.Sealed), and checks that the verdicts in the other files stay the
// same. It does so in packages of the Go distribution and in the decoys of each such language.
// SEXTANT_SEALED names another folder to use instead.
func TestBodiesConcernTheirFileAlone(t *testing.T) {
	t.Parallel()
	if root := os.Getenv("SEXTANT_SEALED"); root != "" {
		emptyBodies(t, []map[string]string{filesBelow(t, root)})
		return
	}
	for name, l := range languages.All {
		if !l.Sealed {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			worlds := trapsOf(t, name)
			if name == "go" {
				for _, p := range []string{"go/types", "net/http", "encoding/json"} {
					worlds = append(worlds, filesBelow(t, filepath.Join(build.Default.GOROOT, "src", p)))
				}
			}
			emptyBodies(t, worlds)
		})
	}
}

// emptyBodies compares the verdicts of workspaces with and without the bodies of every second file.
func emptyBodies(t *testing.T, worlds []map[string]string) {
	files, sites, differ := 0, 0, 0
	for _, whole := range worlds {
		emptied, changed := emptyHalf(t, whole)
		before, after := verdicts(t, whole), verdicts(t, emptied)
		files += len(changed)
		for path, want := range before {
			if changed[path] {
				continue
			}
			sites += strings.Count(want, "\n")
			if got := after[path]; got != want {
				if differ++; differ <= 3 {
					t.Errorf("%s differs in %s", path, golden.Difference(got, want))
				}
			}
		}
	}
	if t.Logf("%d files emptied, %d sites in others", files, sites); sites < 20 || files < 3 {
		t.Error("too few to say anything")
	}
}

// filesBelow returns the texts of the sources below a folder, by their relative paths.
func filesBelow(t *testing.T, root string) map[string]string {
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if !sealed(name) && d.Name() != "go.mod" && d.Name() != "Cargo.toml" {
			return nil
		}
		text, err := os.ReadFile(path)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// trapsOf returns the workspaces of a language's decoys.
func trapsOf(t *testing.T, language string) (worlds []map[string]string) {
	traps, err := filepath.Glob(filepath.Join("*", "testdata", "decoys", language, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range traps {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		worlds = append(worlds, files)
	}
	return worlds
}

// sealed reports whether the language of a file is sealed: other files do not depend on the code
// inside of its functions.
func sealed(path string) bool {
	f, err := languages.Extract(path, nil)
	return err == nil && languages.All[f.Language].Sealed
}

// emptyHalf returns the files with empty bodies in every second file of a sealed language, and the
// paths of the files that it changed.
func emptyHalf(t *testing.T, whole map[string]string) (emptied map[string]string, changed map[string]bool) {
	emptied, changed = maps.Clone(whole), map[string]bool{}
	n := 0
	for _, path := range slices.Sorted(maps.Keys(whole)) {
		f, err := languages.Extract(path, []byte(whole[path]))
		if err != nil {
			t.Fatal(err)
		}
		gives := slices.ContainsFunc(f.Facts, func(x code.Fact) bool { return x.Kind == code.FactGiven })
		if !languages.All[f.Language].Sealed || gives {
			continue
		}
		if n++; n%2 != 0 {
			continue
		}
		text := withoutBodies(&f, []byte(whole[path]))
		if e, err := languages.Extract(path, []byte(text)); err == nil && slices.Equal(l2meta.Bears(&f), l2meta.Bears(&e)) {
			emptied[path], changed[path] = text, true
		}
	}
	return emptied, changed
}

// withoutBodies returns a text with blanks in the bodies of all functions except constructors and
// functions that declare something inside.
func withoutBodies(f *code.File, text []byte) string {
	out := slices.Clone(text)
	for i, s := range f.Symbols {
		declares := i+1 < len(f.Symbols) && s.Span.Contains(f.Symbols[i+1].Span)
		if !s.Kind.Callable() || s.Kind == code.KindConstructor || s.Body[1] == 0 || declares {
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
			if f == nil || !languages.All[f.Language].Sealed {
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
