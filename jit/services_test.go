package jit

import (
	"os"
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
