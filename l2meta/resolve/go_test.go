package resolve

import (
	"go/build/constraint"
	"slices"
	"strings"
	"testing"
)

// refs is the qualified names of symbols, sorted.
func refs(list []Ref) string {
	var out []string
	for _, r := range list {
		out = append(out, r.File.Dir+"."+r.Symbol().QualifiedName)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// goSymbol is the symbol of that qualified name in a file.
func goSymbol(t *testing.T, r *Resolver, path, name string) Ref {
	t.Helper()
	f := r.w.File(path)
	if f == nil || len(f.Qualified(name)) != 1 {
		t.Fatalf("%s has not one %s", path, name)
	}
	return f.Ref(f.Qualified(name)[0])
}

func TestGoImplementationsAreStructural(t *testing.T) {
	world(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"api/api.go": `package api

type Key string

type Closer interface{ Close() error }

type Store interface {
	Closer
	Get(key Key) ([]byte, error)
}
`,
		"disk/disk.go": `package disk

import a "example.com/m/api"

type base struct{}

func (*base) Close() error { return nil }

type Disk struct{ *base }

func (d Disk) Get(k a.Key) ([]byte, error) { return nil, nil }

type Text struct{ base }

func (Text) Get(k string) ([]byte, error) { return nil, nil } // another signature
`,
		"mem/mem.go": `package mem

type Mem struct{}

func (Mem) Close() error { return nil }

type Loud struct{}

func (Loud) Close(really bool) error { return nil }
`,
	}, func(r *Resolver) {
		for _, c := range []struct{ path, of, want string }{
			{"api/api.go", "Store.Get", "disk.Disk.Get"},
			{"api/api.go", "Closer.Close", "disk.base.Close mem.Mem.Close"},
			{"disk/disk.go", "Disk.Get", ""},
		} {
			got := (golang{}).implementations(r.w, goSymbol(t, r, c.path, c.of))
			if refs(got) != c.want {
				t.Errorf("implementations of %s: got %q, want %q", c.of, refs(got), c.want)
			}
		}
		for _, c := range []struct{ path, of, want string }{
			{"disk/disk.go", "Disk.Get", "api.Store.Get"},
			{"mem/mem.go", "Mem.Close", "api.Closer.Close"},
			{"mem/mem.go", "Loud.Close", ""},
			{"disk/disk.go", "Text.Get", ""},
		} {
			got := (golang{}).overridden(r.w, goSymbol(t, r, c.path, c.of))
			if refs(got) != c.want {
				t.Errorf("%s implements %q, want %q", c.of, refs(got), c.want)
			}
		}
	})
}

func TestGoConstraintsInFileNames(t *testing.T) {
	for name, want := range map[string]string{
		"a/file_linux.go": "linux", "a/file_windows_arm64.go": "windows arm64", "a/file_amd64_test.go": "amd64",
		"a/linux.go": "", "a/file_unix.go": "", "a/file.go": "", "a/file_test.go": "",
	} {
		if got := strings.Join(goNameTags(name), " "); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestGoBuildsTellConstraintsApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		meet bool
	}{
		{"linux", "!windows", true}, {"linux", "windows", false}, {"unix", "windows", false}, {"unix && !linux", "darwin", true},
		{"cgo", "!cgo", false}, {"amd64", "!arm64", true}, {"ignore", "linux", true}, {"race && linux", "!race", false},
		{"!linux && !darwin && !windows", "unix", true}, {"android", "linux", true}, {"go1.21", "linux", true},
	} {
		x, y := parseConstraint(t, c.a), parseConstraint(t, c.b)
		met := false
		for b := range goBuilds(x, y) {
			met = met || goHolds(x, b) && goHolds(y, b)
		}
		if met != c.meet {
			t.Errorf("%s beside %s: got %v, want %v", c.a, c.b, met, c.meet)
		}
	}
}

func parseConstraint(t *testing.T, text string) constraint.Expr {
	t.Helper()
	x, err := constraint.Parse("//go:build " + text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestGoImportNames(t *testing.T) {
	for path, name := range map[string]string{
		"gopkg.in/yaml.v3": "yaml", "github.com/go-redis/redis/v9": "redis", "github.com/mattn/go-isatty": "isatty",
		"github.com/nats-io/nats.go": "nats", "k8s.io/api/core/v1": "core", "net/http": "http", "github.com/dustin/go-humanize": "humanize",
	} {
		if !goImportName(path, name) {
			t.Errorf("%s is not taken for package %s", path, name)
		}
	}
	if goImportName("net/http", "json") {
		t.Error("net/http is taken for package json")
	}
}

func TestGoWithoutModule(t *testing.T) {
	world(t, map[string]string{
		"a/a.go": "package a\n\nimport (\n\t\"fmt\"\n\t\"example.com/x/b\"\n)\n\nfunc f() {\n\tg()\n\tb.F()\n\tfmt.Println()\n}\n",
		"a/g.go": "package a\n\nfunc g() {}\n",
		"b/b.go": "package b\n\nfunc F() {}\n",
	}, func(r *Resolver) {
		got := sites(t, r, "a/a.go")
		if s := got["g"]; s.Outcome != Settled || s.Strategy != SamePackage {
			t.Errorf("g: %+v", s.Verdict)
		}
		if s := got["F"]; s.Outcome != Open {
			t.Errorf("F of an import that nothing locates: %+v", s.Verdict)
		}
		if s := got["Println"]; s.Outcome != External || s.Module != "fmt" {
			t.Errorf("Println: %+v", s.Verdict)
		}
	})
}
