package l3lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// gopls returns the path of the gopls among the tests' tools, or of an
// installed one.
func gopls(t *testing.T) string {
	t.Helper()
	ours, err := filepath.Abs("../testdata/gotools/bin/gopls")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ours, "gopls"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("SEXTANT_REQUIRE_TOOLS") == "1" {
		t.Fatal("gopls is not installed")
	}
	t.Skip("gopls is not installed")
	return ""
}

// goplsPool runs gopls below a shell that first runs script; $0 is gopls.
func goplsPool(t *testing.T, opt Options, script string) *Pool {
	t.Helper()
	if testing.Short() {
		t.Skip("a real server takes seconds")
	}
	path := gopls(t)
	opt.Command = func(string) []string { return []string{"/bin/sh", "-c", script + `exec "$0"`, path} }
	return processPool(t, opt, "")
}

const goplsSource = `package a

func helper() int { return 1 }

func Run() int { return helper() + Other() }
`

// goplsCall queries the two callees of Run, one of them in another file.
func goplsCall(t *testing.T) Batch {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/a\n\ngo 1.21\n", "a.go": goplsSource,
		"b.go": "package a\n\nfunc Other() int { return 2 }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file, text := filepath.Join(dir, "a.go"), []byte(goplsSource)
	call := strings.Index(goplsSource, "helper() +")
	return Batch{Folder: dir, Language: "go",
		Files:  []Source{{Path: file, Text: text, Offsets: []int{call, strings.Index(goplsSource, "Other")}}},
		Canary: &Canary{Path: file, Text: text, Offset: call, TargetOffset: strings.Index(goplsSource, "helper")}}
}

// goplsAnswers fails the test unless a ready server finds both callees.
func goplsAnswers(t *testing.T, p *Pool, b Batch, otherLine int) {
	t.Helper()
	rep, err := askUntilReady(t, p, b)
	if err != nil || rep.State != Ready {
		t.Fatalf("%+v, %v", rep, err)
	}
	want := fmt.Sprintf("[a.go:3 b.go:%d]", otherLine)
	var got []string
	for _, a := range rep.Answers[0] {
		for _, l := range a.Locations {
			got = append(got, fmt.Sprintf("%s:%d", filepath.Base(l.Path), l.Line))
		}
	}
	if fmt.Sprint(got) != want {
		t.Fatalf("%v, want %s", got, want)
	}
}

// forgive ends the backoff of a pool.
func forgive(p *Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.members {
		m.retry = time.Time{}
	}
}

// anyRun returns some run of the pool; nil if there is none.
func anyRun(p *Pool) *run {
	for _, r := range p.runs() {
		return r
	}
	return nil
}

// stopped reports whether all threads of a process are stopped.
func stopped(t *testing.T, pid int) bool {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range threads {
		stat, err := os.ReadFile(file)
		if err == nil && !strings.HasPrefix(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " T") {
			return false
		}
	}
	return len(threads) > 0
}

// unanswered returns the number of requests without a response, cancelled or
// not.
func (s *stream) unanswered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

func TestGoplsWhateverHappensToIt(t *testing.T) {
	t.Run("killed while idle, killed while asked", func(t *testing.T) {
		t.Parallel()
		p, b := goplsPool(t, Options{}, ""), goplsCall(t)
		goplsAnswers(t, p, b, 3)
		if err := syscall.Kill(p.Status()[0].PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "its end is known", func() bool { return p.Status()[0].State == Crashed })
		forgive(p)
		goplsAnswers(t, p, b, 3)

		pid := p.Status()[0].PID
		var group sync.WaitGroup
		for range 8 { // so that some are in flight when it dies
			group.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				rep, err := p.Ask(ctx, b)
				var e *Error
				if err == nil && rep.State == Indexing || err != nil && (!errors.As(err, &e) || e.State != Crashed) {
					t.Errorf("%+v, %v", rep, err)
				}
			})
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		group.Wait()
		forgive(p)
		goplsAnswers(t, p, b, 3)
	})
	t.Run("stopped", func(t *testing.T) {
		t.Parallel()
		p, b := goplsPool(t, Options{}, ""), goplsCall(t)
		goplsAnswers(t, p, b, 3)
		pid := p.Status()[0].PID
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		eventually(t, "that it hangs is noticed", func() bool {
			rep, err := askProcess(t, p, b, 3*time.Second)
			return err == nil && rep.State == Crashed
		})
		eventually(t, "it is gone", func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) })
		forgive(p)
		goplsAnswers(t, p, b, 3)
	})
	t.Run("given up again and again", func(t *testing.T) {
		t.Parallel()
		p, b := goplsPool(t, Options{}, ""), goplsCall(t)
		goplsAnswers(t, p, b, 3)
		for range 100 {
			if rep, err := askProcess(t, p, b, time.Millisecond); err != nil || rep.State == Crashed {
				t.Fatalf("%+v, %v", rep, err)
			}
		}
		goplsAnswers(t, p, b, 3)
		if s := p.Status()[0]; s.Fault != "" {
			t.Error(s.Fault)
		}
	})
	t.Run("answers after it was cancelled", func(t *testing.T) {
		t.Parallel()
		p, b := goplsPool(t, Options{}, ""), goplsCall(t)
		goplsAnswers(t, p, b, 3)
		before := p.Status()[0]
		stream := anyRun(p).session.conn.stream
		for range 10 { // it reads the request and its cancellation together
			if err := syscall.Kill(before.PID, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			eventually(t, "it stands still", func() bool { return stopped(t, before.PID) })
			rep, err := askProcess(t, p, b, 200*time.Millisecond)
			if err != nil || rep.State == Crashed || rep.Answers[0][0].Asked {
				t.Fatalf("%+v, %v", rep, err)
			}
			if stream.unanswered() == 0 {
				t.Fatal("nothing was asked")
			}
			if err := syscall.Kill(before.PID, syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the late answers have come", func() bool { return stream.unanswered() == 0 })
			goplsAnswers(t, p, b, 3)
		}
		if s := p.Status()[0]; s.Fault != "" || s.PID != before.PID {
			t.Errorf("%+v, and before %+v", s, before)
		}
	})
	t.Run("files move", func(t *testing.T) {
		t.Parallel()
		p, b := goplsPool(t, Options{}, ""), goplsCall(t)
		goplsAnswers(t, p, b, 3)
		other := filepath.Join(b.Folder, "b.go")
		for line := 4; line < 8; line++ {
			text := "package a\n" + strings.Repeat("\n", line-2) + "func Other() int { return 2 }\n"
			if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			p.Moved(nil, []string{other}, nil)
			goplsAnswers(t, p, b, line)
		}
	})
	for _, c := range []struct {
		name, script  string
		start         time.Duration
		state, detail string
	}{
		{"garbage on its output", `echo this is no message; echo; `, 0, "error crashed", "no message"},
		{"half a message", `printf 'Content-Length: 100\r\n\r\n{"jsonrpc"'; sleep 3600; `, 2 * time.Second,
			"error crashed", "did not initialize in time"},
		{"a message of 100 MB", `printf 'Content-Length: 104857600\r\n\r\n'; head -c 104857600 /dev/zero; `, 0,
			"error crashed", "104857600 bytes"},
		{"never initializes", `cat >/dev/null; sleep 3600; `, 2 * time.Second, "error crashed",
			"did not initialize in time"},
		{"exits at once", `echo "Error: no room" >&2; exit 7; `, 0, "error crashed",
			"exit status 7; it said: Error: no room"},
		{"floods its standard error", `(yes noise >&2) & `, 0, "report ready", ""},
		{"ignores SIGTERM, and has a child that does", `trap "" TERM; sleep 3600 & `, 0, "report ready", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, b := goplsPool(t, Options{Start: c.start}, c.script), goplsCall(t)
			rep, err := askProcess(t, p, b, time.Minute)
			got, detail := "report "+string(rep.State), rep.Detail
			var e *Error
			if errors.As(err, &e) {
				got, detail = "error "+string(e.State), e.Detail
			}
			if got != c.state || !strings.Contains(detail, c.detail) {
				t.Errorf("%s (%s), want %s (%s)", got, detail, c.state, c.detail)
			}
			var groups []int
			for _, r := range p.runs() {
				groups = append(groups, r.session.peer.(*process).group())
			}
			p.Close()
			for _, group := range groups {
				eventually(t, "nobody of its group is left", func() bool { return len(members(t, group)) == 0 })
			}
		})
	}
	t.Run("leaks memory", func(t *testing.T) {
		t.Parallel()
		p, b := goplsPool(t, Options{MaxRSS: 300 << 20},
			`(head -c 400m /dev/zero; sleep 3600) | tail >/dev/null & `), goplsCall(t)
		_, _ = askProcess(t, p, b, time.Minute)
		eventually(t, "it is recycled", func() bool {
			return strings.Contains(p.Status()[0].Fault, "more than the 300 MB allowed")
		})
	})
}

// TestNoGoplsOutlivesItsOwner checks that an owner killed with SIGKILL leaves
// no gopls behind.
func TestNoGoplsOutlivesItsOwner(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server takes seconds")
	}
	path := gopls(t)
	for n := range 5 {
		mark := "-logfile=" + filepath.Join(t.TempDir(), "log")
		cmd, _, _ := owner(t, t.TempDir(), "", mark, n, path, mark)
		eventually(t, "gopls runs", func() bool { return len(alive(t, mark)) > 0 })
		time.Sleep(time.Duration(n) * 200 * time.Millisecond) // it is starting, reading, or answering
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed
		eventually(t, "gopls is gone", func() bool { return len(alive(t, mark)) == 0 })
	}
}
