package manage_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestServicesOfAColdProcess checks that a process that has not opened a root yet knows its
// services, too.
func TestServicesOfAColdProcess(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	b.Write("go.mod", "module example.com/buffers\n")
	b.Write("tool/go.mod", "module example.com/tool\n")
	b.Write("tool/main.go", "package main\n")
	b.Manage(contract.ManageRequest{Action: contract.ManageSync, Path: b.Dir})
	warm := b.Status()
	var names []string
	files := 0
	for _, s := range warm.Services {
		names = append(names, s.Name)
		files += s.Files
	}
	if !slices.Equal(names, []string{"buffers", "tool"}) || warm.Services[1].Files != 2 ||
		files != warm.Tiers.L1.Files {
		t.Errorf("services are %+v, of %d files", warm.Services, warm.Tiers.L1.Files)
	}
	if warm.State != contract.IndexReady {
		t.Errorf("state is %q", warm.State)
	}
	cold := b.Process()
	list, err := cold.Service.ListCodebases(t.Context(), contract.ListRequest{})
	if err != nil || len(list.Ready) != 1 || len(list.Ready[0].Services) != 2 {
		t.Errorf("a cold process lists %+v, %v", list, err)
	}
	if got := cold.Status().Services; !slices.Equal(got, warm.Services) {
		t.Errorf("a cold process has the services %+v, want %+v", got, warm.Services)
	}
}

// TestRootThatIsGone checks that every process and tool reports a tracked folder that is
// gone, and that its index can be cleared.
func TestRootThatIsGone(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	if err := os.RemoveAll(b.Dir); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*navigatetest.Bench{"the process that indexed it": b, "another": b.Process()} {
		list, err := p.Service.ListCodebases(t.Context(), contract.ListRequest{})
		if err != nil || len(list.Ready) != 0 ||
			!slices.Equal(list.Failed, contract.List[contract.StoppedRoot]{{Path: b.Dir, Reason: "missing_path"}}) {
			t.Errorf("%s lists %+v, %v", name, list, err)
		}
		a := p.Status()
		if a.Status != contract.StatusNotFound || a.Reason != contract.ReasonMissingPath ||
			a.State != contract.IndexMissing || a.Hints.Clear == nil {
			t.Errorf("%s: status is %+v", name, a.Outcome)
		}
		if s := p.Search(contract.SearchRequest{Query: "Reader"}); s.Reason != contract.ReasonMissingPath {
			t.Errorf("%s: search is %+v", name, s.Outcome)
		}
		if r, err := p.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, "bufio.go")}); err != nil ||
			r.Reason != contract.ReasonMissingPath {
			t.Errorf("%s: read is %+v, %v", name, r, err)
		}
	}
	if a := b.Process().Manage(contract.ManageRequest{Action: contract.ManageClear, Path: b.Dir}); a.Status !=
		contract.StatusOK || a.State != contract.IndexNotIndexed {
		t.Errorf("clear is %+v", a)
	}
}
