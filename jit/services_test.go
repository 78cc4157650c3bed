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
		for _, s := range w.r.Services() {
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
