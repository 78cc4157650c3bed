package jit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestServicesFollowTheirManifests(t *testing.T) {
	w := newWorld(t, map[string]string{"pay/go.mod": "module example.com/pay\n", "pay/main.go": "func main\n"}, nil)
	names := func() (list []string) {
		t.Helper()
		w.sync()
		for _, s := range w.r.Services().List {
			list = append(list, s.Root)
		}
		return list
	}
	if got := names(); len(got) != 1 || got[0] != "pay" {
		t.Fatalf("services %v, want pay", got)
	}
	w.write("web/package.json", `{"name":"web"}`)
	if got := names(); len(got) != 2 || got[1] != "web" {
		t.Errorf("services %v, want pay and web", got)
	}
	w.must(os.Remove(w.abs("pay/go.mod")))
	if got := names(); len(got) != 1 || got[0] != "web" {
		t.Errorf("services %v, want web", got)
	}
}

// TestLanguagesFollowSources checks that the languages of a service are those of its present files,
// although no manifest changes.
func TestLanguagesFollowSources(t *testing.T) {
	w := newWorld(t, map[string]string{"web/package.json": `{"name":"web"}`, "web/a.js": "a\n"}, nil)
	language := func() string {
		t.Helper()
		w.sync()
		return w.r.Services().Of("web/a.js").Language
	}
	if got := language(); got != "javascript" {
		t.Fatalf("the language is %q", got)
	}
	w.write("web/b.ts", "b\n")
	w.write("web/c.ts", "c\n")
	if got := language(); got != "typescript" {
		t.Errorf("with two files of TypeScript the language is %q", got)
	}
	w.must(os.Remove(w.abs("web/b.ts")))
	w.must(os.Remove(w.abs("web/c.ts")))
	if got := language(); got != "javascript" {
		t.Errorf("without these the language is %q", got)
	}
}

func TestTheServiceOfAFile(t *testing.T) {
	w := newWorld(t, map[string]string{"go.mod": "module example.com/all\n", "pay/go.mod": "module example.com/pay\n",
		"pay/cmd/main.go": "func main\n",
		"payroll/main.go": "func main\n", "main.go": "func main\n"}, nil)
	w.sync()
	for file, want := range map[string]string{"pay/cmd/main.go": "pay", "pay/x.go": "pay", "payroll/main.go": "",
		"main.go": "", "pay": ""} {
		if got := w.r.Services().Of(file); got.Root != want || len(got.Manifests) == 0 {
			t.Errorf("%s belongs to %+v, want that of %q", file, got, want)
		}
	}
	if got := newServices(nil).Of("a/b.go"); got.Name != "" {
		t.Errorf("without a service there is %+v", got)
	}
}

// TestTidyFindsServices checks that a process which only indexes leaves the services to the next one.
func TestTidyFindsServices(t *testing.T) {
	was := storedSearch
	storedSearch = 0
	t.Cleanup(func() { storedSearch = was })
	w := newWorld(t, map[string]string{"pay/go.mod": "module example.com/pay\n", "pay/main.go": "func main\n"}, nil)
	w.must(w.r.Tidy(t.Context()))
	w.must(w.rs.Close())
	w.open()
	w.sync()
	if text := w.r.services.stored; !strings.Contains(text, `"Name":"pay"`) {
		t.Errorf("stored services: %q, want pay", text)
	}
}

// TestServicesAreStored checks that a process takes the services that an earlier one has found, unless a file has
// changed on which they depend.
func TestServicesAreStored(t *testing.T) {
	was := storedSearch
	storedSearch = 0
	t.Cleanup(func() { storedSearch = was })
	w := newWorld(t, map[string]string{"pay/go.mod": "module example.com/pay\n", "pay/main.go": "func main\n",
		"docker-compose.yml": "services:\n  pay: {build: ./pay}\n"}, nil)
	names := func() (list []string) {
		t.Helper()
		w.sync()
		for _, s := range w.r.Services().List {
			list = append(list, s.Name)
		}
		return list
	}
	if got := names(); len(got) != 1 || got[0] != "pay" {
		t.Fatalf("services %v, want pay", got)
	}
	forge := func() {
		t.Helper()
		w.must(w.rs.Close())
		w.open()
		w.sync()
		text := w.r.services.stored
		if !strings.Contains(text, `"Name":"pay"`) {
			t.Fatalf("stored services: %s", text)
		}
		w.r.services.offer(strings.Replace(text, `"Name":"pay"`, `"Name":"forged"`, 1))
	}
	forge()
	if got := names(); len(got) != 1 || got[0] != "forged" {
		t.Errorf("services %v, want the stored ones", got)
	}
	forge()
	w.write("pay/main.go", "func main() {}\n") // not read
	if got := names(); len(got) != 1 || got[0] != "forged" {
		t.Errorf("after an edit of a file that was not read: services %v, want the stored ones", got)
	}
	forge()
	w.write("docker-compose.yml", "services:\n  paid: {build: ./pay}\n")
	if got := names(); len(got) != 1 || got[0] != "paid" {
		t.Errorf("after an edit of the deployment: services %v, want paid", got)
	}
	w.write("docker-compose.yml", "services:\n  pay: {build: ./pay}\n")
	names()
	forge()
	w.write("web/package.json", `{"name":"web"}`)
	if got := names(); len(got) != 2 {
		t.Errorf("after a manifest was added: services %v, want pay and web", got)
	}
}

// TestServicesAreNotOlderThanTheView checks that a view of rows that another process has written comes with their
// services, although no Sync has read them yet.
func TestServicesAreNotOlderThanTheView(t *testing.T) {
	w := newWorld(t, map[string]string{"pay/go.mod": "module example.com/pay\n", "pay/main.go": "func main\n"}, nil)
	w.sync()
	w.r.Services()
	other, err := Open(t.Context(), w.opt)
	w.must(err)
	defer func() { w.must(other.Close()) }()
	r, err := other.Track(t.Context(), w.dir, Policy{})
	w.must(err)
	w.write("web/package.json", `{"name":"web"}`)
	_, err = r.Sync(t.Context())
	w.must(err)
	var written int64
	w.must(r.View(t.Context(), func(v *View) (err error) { written, err = Generation(t.Context(), v); return err }))

	runs := 0
	w.must(w.r.ViewServices(t.Context(), func(v *View, generation int64, services *Services) error {
		runs++
		if len(services.List) != 2 || generation != written {
			t.Errorf("services %v at generation %d, want pay and web at %d", services.List, generation, written)
		}
		return nil
	}))
	if runs != 1 {
		t.Errorf("fn ran %d times", runs)
	}
}

// TestServicesOfACopyHaveTheNameOfTheirRoot checks that a worktree, whose index is a copy, does not take the name of
// the service at its top from the other checkout.
func TestServicesOfACopyHaveTheNameOfTheirRoot(t *testing.T) {
	was := storedSearch
	storedSearch = 0
	t.Cleanup(func() { storedSearch = was })
	w := newWorld(t, map[string]string{"Dockerfile": "FROM scratch\n", "main.go": "func main\n"}, nil)
	git := func(args ...string) { w.git(append([]string{"-C", w.dir}, args...)...) }
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "x")
	w.sync()
	name := func(r *Root) string {
		t.Helper()
		_, err := r.Sync(t.Context())
		w.must(err)
		list := r.Services().List
		if len(list) != 1 {
			t.Fatalf("services %+v, want one", list)
		}
		return list[0].Name
	}
	if got := name(w.r); got != "root" {
		t.Fatalf("the service is called %s, want root", got)
	}
	w.must(w.rs.Close()) // stores it
	w.open()
	side := filepath.Join(filepath.Dir(w.dir), "side")
	git("worktree", "add", "-q", "--detach", side, "HEAD")
	r, err := w.rs.Track(t.Context(), side, Policy{})
	w.must(err)
	w.must(r.Build(t.Context(), "create", nil))
	if got := name(r); got != "side" {
		t.Errorf("the service of the worktree is called %s, want side", got)
	}
}
