package compact

import (
	"fmt"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestListOfRoots checks the lines of a root of each state, and those of its services.
func TestListOfRoots(t *testing.T) {
	var many []contract.RootService
	for i := range maxServices + 1 {
		many = append(many, contract.RootService{Name: fmt.Sprintf("s%d", i), Language: "go"})
	}
	a := contract.ListAnswer{
		Ready: contract.List[contract.ReadyRoot]{
			{Path: "/none", Files: 1, Symbols: 1},
			{Path: "/some", Files: 1200, Symbols: 2, Services: []contract.RootService{{Name: "web", Language: "ruby"},
				{Name: "db"}, {Name: "util", Kind: "library"}, {Name: "it", Kind: "test"}, {Name: "e2e",
					Kind: "test"}}},
			{Path: "/libraries", Services: []contract.RootService{{Name: "a", Kind: "library"},
				{Name: "b", Kind: "library"}}},
			{Path: "/many", Services: many},
		},
		Indexing:        contract.List[contract.IndexingRoot]{{Path: "/busy", Percent: 33.4}},
		RequiresReindex: contract.List[contract.StoppedRoot]{{Path: "/old", Reason: "of another version"}},
		Failed:          contract.List[contract.StoppedRoot]{{Path: "/gone", Reason: "no such folder"}},
	}
	want := `/none (ready, 1 file, 1 symbol)
/some (ready, 1,200 files, 2 symbols, 2 services: web ruby, db, 1 library, 2 projects of tests)
/libraries (ready, 0 files, 0 symbols, 2 libraries)
/many (ready, 0 files, 0 symbols, 13 services: s0 go, s1 go, s2 go, s3 go, s4 go, s5 go, s6 go, s7 go, s8 go, ` +
		`s9 go, s10 go, s11 go, …)
/busy (indexing, 33 %)
/old (requires reindex: of another version)
/gone (failed: no such folder)
`
	if got := rendered(t, nil, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	none := "no codebase is tracked; the first question about a folder indexes it, or\n" +
		"try: manage_index {\"action\":\"create\",\"path\":\"/absolute/path\"}\n"
	if got := rendered(t, nil, contract.ListAnswer{}); got != none {
		t.Errorf("without roots: %s", got)
	}
}

// TestStatus checks every line of a status.
func TestStatus(t *testing.T) {
	a := &contract.ManageAnswer{Outcome: contract.Outcome{Status: contract.StatusOK, Message: "indexing"},
		HumanText: "not this",
		Progress:  &contract.IndexProgress{Phase: "reading", FilesDone: 1500, FilesTotal: 3000},
		SyncStats: &contract.SyncStats{Added: 1, Modified: 2, Removed: 3},
		Tiers: &contract.TierStates{L1: contract.L1State{Files: 3, Vectors: 7}, L2: contract.L2State{Symbols: 1,
			Calls: 2},
			L3: contract.L3State{Servers: contract.List[contract.ServerState]{{Server: "gopls", Language: "go",
				State: "ready", Detail: "v0.2"}}}},
		Coverage: &contract.Coverage{ParseErrors: 1, Skipped: map[string]int{"too_large": 2, "binary": 1}},
		Disk:     &contract.Disk{Bytes: 1_550_000},
		Services: []contract.ServiceState{{Name: "web", Language: "go", Files: 2}, {Name: "api", Path: "svc/api",
			Files: 1}},
		LanguageCapability: []contract.LanguageCapability{{Language: "go", Files: 2, Symbols: true, CallGraph: true,
			Server: "gopls"}, {Language: "sql", Files: 1, Symbols: true}, {Language: "csv", Files: 1}},
	}
	want := `indexing
reading: 1,500 of 3,000 files
synced: 1 added, 2 modified, 3 removed
1 symbol in 3 files, 2 calls, 7 vectors
server gopls (go): ready v0.2
1 file with parse errors
skipped 1 file: binary
skipped 2 files: too_large
index: 1.6 MB
service web . go, 2 files
service api svc/api , 1 file
language go: 2 files, calls, gopls
language sql: 1 file, symbols
language csv: 1 file, text
`
	if got := rendered(t, nil, a); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	done := &contract.ManageAnswer{Outcome: contract.Outcome{Status: contract.StatusOK}, HumanText: "ready",
		Progress: &contract.IndexProgress{Phase: "reading", FilesDone: 3, FilesTotal: 3},
		Tiers:    &contract.TierStates{L1: contract.L1State{Embedder: "off", Vectors: 7}},
		Coverage: &contract.Coverage{}}
	if got, want := rendered(t, nil, done), "ready\n0 symbols in 0 files, 0 calls, no vectors\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	failed := &contract.ManageAnswer{Outcome: refused("blocked", "busy", "wait"),
		Hints: &contract.Hints{Retry: contract.Suggest(&contract.ManageRequest{Path: "/ws", Action: "status"})}}
	if got, want := rendered(t, nil, failed), "blocked busy: wait\ntry: manage_index "+
		"{\"action\":\"status\",\"path\":\"/ws\"}\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
