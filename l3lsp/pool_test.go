package l3lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// fakePool runs the fake server in a mode for every language.
func fakePool(t *testing.T, opt Options, mode func(server string) string) *Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opt.Cache = t.TempDir()
	opt.Command = func(server string) []string { return []string{exe, "fake", mode(server)} }
	p := NewPool(opt)
	t.Cleanup(p.Close)
	return p
}

func always(mode string) func(string) string { return func(string) string { return mode } }

// clock is a time that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// batch asks about one site of a one-line file; the fake says line 1.
func batch(t *testing.T, language string) Batch {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	text := []byte("f()\nf()\n")
	return Batch{Folder: dir, Language: language, Files: []Source{{Path: file, Text: text, Offsets: []int{4}}},
		Canary: &Canary{Path: file, Text: text, Offset: 4, TargetOffset: 0}}
}

func ask(t *testing.T, p *Pool, language string, within time.Duration) (Report, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	start := time.Now()
	rep, err := p.Ask(ctx, batch(t, language))
	if late := time.Since(start) - within; late > time.Second {
		t.Errorf("the answer came %s after its deadline", late)
	}
	return rep, err
}

func TestAskConfirms(t *testing.T) {
	p := fakePool(t, Options{}, always("good"))
	rep, err := ask(t, p, "go", 20*time.Second)
	if err != nil || !rep.Ready && len(specs[0].loading) == 0 || rep.Server != "gopls 1.0" {
		t.Fatalf("%+v, %v", rep, err)
	}
	if l := rep.Answers[0][0].Locations; len(l) != 1 || l[0].Line != 1 || !strings.HasSuffix(l[0].Path, "a.txt") {
		t.Errorf("locations %+v", l)
	}
}

func running(p *Pool) (n int) {
	for _, s := range p.Status() {
		if s.PID != 0 {
			n++
		}
	}
	return n
}

func TestNeverMoreThanThreeServers(t *testing.T) {
	p := fakePool(t, Options{}, always("good"))
	for range 2 {
		for _, l := range []string{"python", "c", "rust", "php", "bash", "go"} {
			if _, err := ask(t, p, l, 20*time.Second); err != nil {
				t.Fatalf("%s: %v", l, err)
			}
			if n := running(p); n > 3 {
				t.Fatalf("%d servers run", n)
			}
		}
	}
	if n := running(p); n != 3 {
		t.Errorf("%d servers run in the end, want 3", n)
	}
}

func TestABusyServerIsNotEvicted(t *testing.T) {
	p := fakePool(t, Options{Max: 1}, func(server string) string {
		if server == "pyright" {
			return "silent"
		}
		return "good"
	})
	busy := make(chan error, 1)
	go func() {
		_, err := ask(t, p, "python", 3*time.Second)
		busy <- err
	}()
	for running(p) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	_, err := ask(t, p, "php", 500*time.Millisecond)
	var e *Error
	if !errors.As(err, &e) || e.State != Capped {
		t.Errorf("a second server while the first is busy: %v, want capped", err)
	}
	if err := <-busy; err != nil {
		t.Errorf("the busy one: %v", err)
	}
}

func TestAnIdleServerIsStoppedAfterFiveMinutes(t *testing.T) {
	c := &clock{now: time.Now()}
	p := fakePool(t, Options{Now: c.time}, always("good"))
	if _, err := ask(t, p, "php", 20*time.Second); err != nil {
		t.Fatal(err)
	}
	c.pass(5*time.Minute - time.Second)
	if p.Reap(); running(p) != 1 {
		t.Fatal("stopped too early")
	}
	c.pass(2 * time.Second)
	p.Reap()
	p.wg.Wait()
	if running(p) != 0 {
		t.Error("still runs after five idle minutes")
	}
}

func TestOneStartForManyQuestions(t *testing.T) {
	p := fakePool(t, Options{}, always("good"))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := ask(t, p, "php", 20*time.Second); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := running(p); n != 1 {
		t.Errorf("%d servers", n)
	}
}

// A fault ends each question within its deadline, in a state that says what
// happened; the next question within the backoff is told at once.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		mode  string
		state State // "" when the question is answered
	}{
		{"exits-at-once", Crashed}, {"garbage", Crashed}, {"half", Starting}, {"huge", Crashed}, {"never-initializes", Starting},
		{"dies-in-flight", Crashed}, {"silent", ""}, {"empty", ""}, {"slow", ""}, {"stderr-flood", ""}, {"deaf", ""},
	} {
		t.Run(c.mode, func(t *testing.T) {
			p := fakePool(t, Options{Start: 4 * time.Second}, always(c.mode))
			rep, err := ask(t, p, "php", 3*time.Second)
			var e *Error
			if c.state == "" {
				if err != nil {
					t.Fatalf("%v", err)
				}
				if (c.mode == "silent" || c.mode == "empty") && (rep.Ready || len(rep.Answers[0]) > 0 && len(rep.Answers[0][0].Locations) > 0) {
					t.Errorf("a server that says nothing is believed: %+v", rep)
				}
				return
			}
			if !errors.As(err, &e) || e.State != c.state {
				t.Fatalf("%v, want %s", err, c.state)
			}
			if c.state == Crashed {
				start := time.Now()
				if _, err := ask(t, p, "php", 3*time.Second); !errors.As(err, &e) || time.Since(start) > time.Second {
					t.Errorf("within the backoff: %v after %s", err, time.Since(start))
				}
			}
		})
	}
}

func TestAServerIsStartedAgainAfterItsBackoff(t *testing.T) {
	c := &clock{now: time.Now()}
	mode := "exits-at-once"
	var mu sync.Mutex
	p := fakePool(t, Options{Now: c.time}, func(string) string { mu.Lock(); defer mu.Unlock(); return mode })
	if _, err := ask(t, p, "php", 5*time.Second); err == nil {
		t.Fatal("a server that exits answered")
	}
	mu.Lock()
	mode = "good"
	mu.Unlock()
	c.pass(backoff[0] + time.Second)
	if _, err := ask(t, p, "php", 20*time.Second); err != nil {
		t.Errorf("after the backoff: %v", err)
	}
}

func TestAKilledOrStoppedServerIsRecycled(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			c := &clock{now: time.Now()}
			p := fakePool(t, Options{Now: c.time}, always("good"))
			if _, err := ask(t, p, "php", 20*time.Second); err != nil {
				t.Fatal(err)
			}
			pid := p.Status()[0].PID
			if err := syscall.Kill(pid, sig); err != nil {
				t.Fatal(err)
			}
			for range maxMissed + 1 {
				_, _ = ask(t, p, "php", time.Second) // each ends in time; ask checks
			}
			c.pass(time.Hour)
			if _, err := ask(t, p, "php", 20*time.Second); err != nil {
				t.Fatalf("not started again: %v", err)
			}
			if now := p.Status()[0].PID; now == pid {
				t.Error("the same process still serves")
			}
			p.Close()
			if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("process %d is still there: %v", pid, err)
			}
		})
	}
}

func TestMemoryBeyondTheCapRecycles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("resident memory is read from /proc")
	}
	p := fakePool(t, Options{MaxRSS: 200 << 20}, always("leaks"))
	if _, err := ask(t, p, "php", 20*time.Second); err != nil {
		t.Fatal(err)
	}
	p.wg.Wait()
	if running(p) != 0 {
		t.Error("a server beyond the cap still runs")
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 30 {
		p := fakePool(t, Options{}, always("good"))
		if _, err := ask(t, p, "php", 20*time.Second); err != nil {
			t.Fatal(err)
		}
		p.Close()
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before+3 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before+3 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}
