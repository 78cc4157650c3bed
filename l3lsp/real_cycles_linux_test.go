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

// cyclesOf is how many cycles a test makes: those of an environment variable,
// or a few.
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

// level is what a process holds that a leak adds to.
func level(t *testing.T) (descriptors, goroutines int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries), runtime.NumGoroutine()
}

// endings are the ways in which a server goes: as the protocol says, by force,
// by itself.
var endings = []func(p *Pool, m *member){
	func(p *Pool, m *member) { p.end(m, nil) },
	func(p *Pool, m *member) { p.end(m, errGone) },
	func(_ *Pool, m *member) { _ = syscall.Kill(m.run.session.peer.pid(), syscall.SIGKILL) }, // it may be gone
}

// Real servers are started, asked, given up and ended in turn, and nothing of
// them stays. SEXTANT_REAL_CYCLES is how often, a few times without.
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
	const warm = 6 // cycles by which what is made once is made: each server with each ending
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

// realBatch is the first question of the workspace of a real server.
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
