package manage_test

import (
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

func TestOneRootOwnsAPath(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http")
	sub := filepath.Join(b.Dir, "httptest")
	a := b.Manage(contract.ManageRequest{Action: contract.ManageCreate, Path: sub})
	if a.Status != contract.StatusBlocked || a.Reason != contract.ReasonTrackedAncestor || a.Hints == nil ||
		a.Hints.UseRoot == nil {
		t.Errorf("create below a tracked root: %+v", a.Outcome)
	}
	before := b.Status().Operation
	for action, hint := range map[string]func(
		*contract.Hints) *contract.Action{"reindex": func(h *contract.Hints) *contract.Action {
		return h.Reindex
	}, "clear": func(h *contract.Hints) *contract.Action { return h.Clear }} {
		a := b.Manage(contract.ManageRequest{Action: contract.ManageAction(action), Path: sub,
			CustomExtensions: []string{"foo"}})
		if a.Reason != contract.ReasonTrackedAncestor || a.Preflight.Owner != b.Dir || a.Hints.UseRoot == nil ||
			hint(a.Hints).Args.(*contract.ManageRequest).Path != b.Dir {
			t.Errorf("%s below a tracked root: %+v, %+v", action, a.Outcome, a.Hints)
		}
	}
	if after := b.Status().Operation; after.ID != before.ID {
		t.Errorf("a refused action has begun %+v", after)
	}
	s, err := b.Service.Search(t.Context(),
		navigatetest.Normal(t, contract.SearchRequest{Path: sub, Query: "NewRecorder"}))
	if err != nil || len(s.Results) == 0 || s.CodebaseRoot != b.Dir || s.Path != sub {
		t.Fatalf("search below the root: %v, %+v", err, s)
	}
	for _, r := range s.Results {
		if file, _ := r.Place(); !strings.HasPrefix(file, "httptest/") {
			t.Errorf("%s lies outside of the path asked for", file)
		}
	}
	cleared := b.Manage(contract.ManageRequest{Action: contract.ManageClear, Path: b.Dir})
	if cleared.Status != contract.StatusOK {
		t.Errorf("clear: %+v", cleared.Outcome)
	}
	if s := b.Manage(contract.ManageRequest{Action: contract.ManageStatus, Path: b.Dir}); s.Status !=
		contract.StatusNotIndexed || s.Hints.Create == nil {
		t.Errorf("status after clear: %+v", s.Outcome)
	}
}
