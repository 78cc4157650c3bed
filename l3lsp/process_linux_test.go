package l3lsp

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// processPool returns a pool that runs the fake server as a process.
func processPool(t *testing.T, opt Options, mode string) *Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opt.Home = cmp.Or(opt.Home, t.TempDir())
	if opt.Command == nil {
		opt.Command = func(string) []string { return []string{exe, "fake", mode, mark(t)} }
	}
	p, err := NewPool(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// mark returns a string that marks the servers of this run of a test.
func mark(t *testing.T) string { return fmt.Sprintf("%s-%d", t.Name(), os.Getpid()) }

// processCall is like call, with folders that exist, since a process needs one
// to run in.
func processCall(t *testing.T, language string) Batch {
	b := call(language)
	b.Folder = t.TempDir()
	b.Files[0].Path = filepath.Join(b.Folder, "a.txt")
	b.Canary.Path, b.Text = b.Files[0].Path, nil
	if err := os.WriteFile(b.Canary.Path, b.Canary.Text, 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// slack is the delay that a busy machine may add to a deadline.
const slack = 20 * time.Second

func askProcess(t *testing.T, p *Pool, b Batch, within time.Duration) (Report, error) {
	t.Helper()
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	rep, err := p.Ask(ctx, b)
	if took := time.Since(start); took > within+slack {
		t.Errorf("the answer took %s, its deadline was %s", took, within)
	}
	return rep, err
}

// alive returns the servers with a mark in their command line, and their
// descendants that have it too.
func alive(t *testing.T, mark string) (pids []int) {
	t.Helper()
	entries, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(e)
		if err != nil {
			continue // it ended meanwhile
		}
		args := bytes.Split(b, []byte{0})
		if len(args) > 1 && string(args[0]) != "sextant-guard" && string(args[1]) != "owner" &&
			slices.ContainsFunc(args, func(a []byte) bool { return string(a) == mark }) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(e)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// Fields of a process in stats: three less than proc(5) numbers them.
const (
	statState  = 0
	statParent = 1
	statGroup  = 2
	statTimes  = 11 // user and system time of the process, then of its ended children
)

// stats returns the fields of /proc/PID/stat of every process, from the third
// on.
func stats(t testing.TB) map[int][]string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	all := map[int][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it ended meanwhile
		}
		if fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])); len(fields) >= statTimes+4 {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			all[pid] = fields
		}
	}
	return all
}

// members returns the processes of a group, without zombies.
func members(t *testing.T, group int) (pids []int) {
	t.Helper()
	for pid, fields := range stats(t) {
		if fields[statState] != "Z" && fields[statGroup] == strconv.Itoa(group) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// eventually waits for a condition that depends on other processes.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

func TestProcessFaults(t *testing.T) {
	good := func(t *testing.T, p *Pool) int {
		t.Helper()
		rep, err := askProcess(t, p, processCall(t, "php"), time.Minute)
		if err != nil || rep.State != Ready {
			t.Fatalf("%+v, %v", rep, err)
		}
		return p.Status()[0].PID
	}
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{}, "good")
		pid := good(t, p)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "its end is known", func() bool {
			_, err := askProcess(t, p, processCall(t, "php"), 3*time.Second)
			var e *Error
			return errors.As(err, &e) && e.State == Crashed && strings.Contains(e.Detail, "signal: killed")
		})
		p.mu.Lock()
		for _, m := range p.members {
			m.retry = time.Time{} // end the backoff
		}
		p.mu.Unlock()
		if now := good(t, p); now == pid {
			t.Error("the same process still serves")
		}
	})
	t.Run("stopped", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{}, "good")
		pid := good(t, p)
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		eventually(t, "that it hangs is noticed", func() bool {
			rep, err := askProcess(t, p, processCall(t, "php"), 3*time.Second)
			return err == nil && rep.State == Crashed && !rep.Answers[0][0].Asked
		})
		eventually(t, "it is gone", func() bool { return len(alive(t, mark(t))) == 0 })
	})
	t.Run("exits with a word on its standard error", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{}, "exits-at-once")
		_, err := askProcess(t, p, processCall(t, "php"), time.Minute)
		if err == nil || !strings.Contains(err.Error(), "exit status 3; it said: panic: no such thing") {
			t.Error(err)
		}
	})
	t.Run("floods its standard error", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{}, "stderr-flood")
		good(t, p)
	})
	t.Run("ignores shutdown, the end of its input and SIGTERM", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{}, "deaf")
		good(t, p)
		start := time.Now()
		p.Close()
		if took := time.Since(start); took > shutdownTimeout+2*signalGrace+slack {
			t.Errorf("its end took %s", took)
		}
		if left := alive(t, mark(t)); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
	})
	t.Run("leaks", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{MaxRSS: 250 << 20}, "leaks")
		_, _ = askProcess(t, p, processCall(t, "php"), 20*time.Second) // filling memory takes long on a busy machine
		eventually(t, "it is recycled", func() bool {
			return strings.Contains(p.Status()[0].Fault, "more than the 250 MB allowed")
		})
	})
	for _, mode := range []string{"child", "daemon"} {
		t.Run("has a process of its own, "+mode, func(t *testing.T) {
			t.Parallel()
			p := processPool(t, Options{}, mode)
			good(t, p)
			eventually(t, "both run", func() bool { return len(alive(t, mark(t))) == 2 })
			p.Close()
			eventually(t, "none is left", func() bool { return len(alive(t, mark(t))) == 0 })
		})
		t.Run("is killed and leaves a process, "+mode, func(t *testing.T) {
			t.Parallel()
			p := processPool(t, Options{}, mode)
			pid := good(t, p)
			eventually(t, "both run", func() bool { return len(alive(t, mark(t))) == 2 })
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			eventually(t, "none is left", func() bool { return len(alive(t, mark(t))) == 0 })
		})
	}
	t.Run("cannot be run", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "server")
		if err := os.WriteFile(file, []byte("\x7fELF no more"), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := start([]string{file}, nil, t.TempDir()); !errors.Is(err, syscall.ENOEXEC) ||
			!strings.HasPrefix(err.Error(), "start "+file) {
			t.Error(err)
		}
	})
	t.Run("is guarded by little", func(t *testing.T) {
		t.Parallel()
		p := processPool(t, Options{}, "good")
		good(t, p)
		guard := anyRun(p).session.peer.(*process).group()
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", guard))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`\nPss: +(\d+) kB`).FindSubmatch(b)
		if found == nil {
			t.Fatalf("%s", b)
		}
		if kB, _ := strconv.Atoi(string(found[1])); kB > 10<<10 {
			t.Errorf("the guard holds %d kB", kB)
		} else {
			t.Logf("the guard holds %d kB", kB)
		}
	})
}

// owner starts a process with a pool; see playOwner.
func owner(t *testing.T, home, mode, mark string, seed int, command ...string) (*exec.Cmd, io.Closer, *bufio.Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"owner", home, mode, mark, strconv.Itoa(seed)}, command...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, bufio.NewReader(out)
}

// TestNoServerOutlivesItsOwner kills owners of pools at various times: servers
// and their descendants must end too, whether starting, in use, idle or
// stopping.
func TestNoServerOutlivesItsOwner(t *testing.T) {
	const runs, atOnce = 50, 4
	turns := make(chan int)
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for n := range turns {
				mark := fmt.Sprintf("%s-%d", mark(t), n)
				cmd, _, out := owner(t, t.TempDir(), []string{"child", "daemon"}[n/2%2], mark, n)
				if n%2 == 0 { // after some answers
					for range 1 + n%5 {
						if _, err := out.ReadString('\n'); err != nil {
							t.Errorf("run %d: %v", n, err)
						}
					}
				}
				time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
				_ = cmd.Wait() // killed
				deadline := time.Now().Add(patience)
				left := alive(t, mark)
				for ; len(left) > 0 && time.Now().Before(deadline); left = alive(t, mark) {
					time.Sleep(5 * time.Millisecond)
				}
				if len(left) > 0 {
					t.Errorf("run %d: %v outlived their owner", n, left)
				}
			}
		})
	}
	for n := range runs {
		turns <- n
	}
	close(turns)
	group.Wait()
}

// TestCyclesLeaveNoDescriptorsAndGoroutines starts and ends SEXTANT_CYCLES
// servers (40); use 1000 for a full run.
func TestCyclesLeaveNoDescriptorsAndGoroutines(t *testing.T) {
	cycles := cyclesOf(t, "SEXTANT_CYCLES", 40)
	p := processPool(t, Options{}, "")
	exe := p.opt.Command("")[0]
	modes := []string{"good", "exits-at-once", "garbage", "dies-in-flight", "child"}
	var descriptors, goroutines int
	b := processCall(t, "php")
	for i := range cycles {
		if i == 10 { // everything created only once exists by now
			descriptors, goroutines = level(t)
		}
		p.opt.Command = func(string) []string { return []string{exe, "fake", modes[i%len(modes)], mark(t)} }
		_, _ = askProcess(t, p, b, 5*time.Second)
		p.mu.Lock()
		for _, m := range p.members {
			if m.phase == running {
				p.end(m, errGone)
			}
			m.retry, m.failures = time.Time{}, 0
		}
		p.mu.Unlock()
		eventually(t, "the server is gone", func() bool { return len(p.runs()) == 0 && len(alive(t, mark(t))) == 0 })
	}
	eventually(t, "as many descriptors and goroutines as before", func() bool {
		d, g := level(t)
		return d <= descriptors+2 && g <= goroutines+2
	})
}

// TestStat checks what is read of /proc/PID/stat: the name of a program may look like fields, and a text that is too
// short tells nothing.
func TestStat(t *testing.T) {
	const rest = " S 7 1 1 0 -1 4194560 1 0 0 0 150 50 0 0 20 0 1 0 100 4096 13"
	want := use{rss: 13 * int64(os.Getpagesize()), cpu: 2 * time.Second}
	for text, told := range map[string]bool{"12 (sh)" + rest: true, "12 (a) 9 (b c)" + rest + " 184467440737": true,
		"12 (sh)" + rest[:len(rest)-3]: false, "": false} {
		parent, got, ok := parsedStat(text)
		if ok != told || told && (parent != 7 || got != want) {
			t.Errorf("%q: %d, %+v, %t", text, parent, got, ok)
		}
	}
	if parent, got, ok := processUse(os.Getpid()); !ok || parent != os.Getppid() || got.rss == 0 {
		t.Errorf("of itself: %d, %+v, %t", parent, got, ok)
	}
	if _, got, ok := processUse(1 << 30); ok || got != (use{}) {
		t.Errorf("of no process: %+v, %t", got, ok)
	}
}
