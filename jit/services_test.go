package jit

import (
	"os"
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
