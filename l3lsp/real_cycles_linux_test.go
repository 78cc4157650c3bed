package l3lsp

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// cyclesOf returns the number of cycles of a test: the value of an environment
// variable, or few.
func cyclesOf(t *testing.T, variable string, few int) int {
	t.Helper()
	v := os.Getenv(variable)
	if v == "" {
		return few
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// level returns the counts of resources of this process that a leak would
// raise.
func level(t *testing.T) (descriptors, goroutines int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries), runtime.NumGoroutine()
}

// endings are the ways in which a server ends: by the protocol, by force, by
// itself.
var endings = []func(p *Pool, m *member){
	func(p *Pool, m *member) { p.end(m, nil) },
	func(p *Pool, m *member) { p.end(m, errGone) },
	func(_ *Pool, m *member) { _ = syscall.Kill(m.run.session.peer.pid(), syscall.SIGKILL) }, // it may be gone
}

// TestCyclesOfRealServersLeaveNothing starts, queries, abandons and ends real
// servers in turn, and checks that nothing of them stays. SEXTANT_REAL_CYCLES
// sets the number of cycles.
func TestCyclesOfRealServersLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server takes seconds")
	}
	cycles := cyclesOf(t, "SEXTANT_REAL_CYCLES", 12)
	p := realPool(t, Options{})
	batches := []Batch{goplsCall(t), realBatch(t, "bash")}
	for _, b := range batches {
		requireServer(t, p, p.Find(b.Language, b.Folder).Spec.Name, b.Folder)
	}
	const warm = 6 // cycles that combine each server with each ending once
	var descriptors, goroutines int
	began := time.Now()
	for i := range cycles {
		if i == warm {
			descriptors, goroutines = level(t)
		}
		if i == warm || i == cycles/2 {
			d, g := level(t)
			t.Logf("after %d cycles: %d descriptors, %d goroutines", i, d, g)
		}
		b := batches[i%len(batches)]
		rep, err := askUntilReady(t, p, b)
		if err != nil || rep.State != Ready || len(rep.Answers[0][0].Locations) == 0 {
			t.Fatalf("cycle %d: %+v, %v", i, rep, err)
		}
		_, _ = askProcess(t, p, b, time.Millisecond) // given up, mostly
		group := 0
		p.mu.Lock()
		for _, m := range p.members {
			m.retry, m.failures = time.Time{}, 0
			if m.phase == running {
				group = m.run.session.peer.(*process).group()
				endings[i%len(endings)](p, m)
			}
		}
		p.mu.Unlock()
		eventually(t, "the server is gone, and all that it started", func() bool {
			return len(p.runs()) == 0 && group != 0 && len(members(t, group)) == 0
		})
		forgive(p)
	}
	eventually(t, "as many descriptors and goroutines as before", func() bool {
		d, g := level(t)
		return d <= descriptors+2 && g <= goroutines+2
	})
	d, g := level(t)
	t.Logf("after %d cycles in %s: %d descriptors, %d goroutines", cycles, time.Since(began).Round(time.Second), d, g)
}

// realBatch returns the first query of the workspace of a real server.
func realBatch(t *testing.T, language string) Batch {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "servers", language+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkspace(t, text)
	questions := parseQuestions(txtar.Parse(text).Comment)
	return w.batch(language, questions.canary(), questions[0].place)
}
