package l3lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// onFakeTime runs a test with a clock that advances whenever all goroutines
// wait.
func onFakeTime(name string, t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// scripted returns a pool of scripted servers.
func scripted(t *testing.T, opt Options, s *scripts) *Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	opt.launch = s.launch
	opt.Command = func(server string) []string { return []string{exe, server} }
	p, err := NewPool(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func always(mode string) *scripts { return &scripts{mode: func(string) string { return mode }} }

// call returns a batch of one site: a call on line 2 of the function declared
// on line 1.
func call(language string) Batch {
	text := []byte("f()\nf()\n")
	file := "/ws/" + language + "/a.txt"
	return Batch{Folder: "/ws/" + language, Language: language,
		Files:  []Source{{Path: file, Text: text, Offsets: []int{4}}},
		Canary: &Canary{Path: file, Text: text, Offset: 4, TargetOffset: 0},
		Text:   func(path string) ([]byte, bool) { return text, path == file }}
}

// ask runs a batch, and fails the test if it exceeds its deadline.
func ask(t *testing.T, p *Pool, b Batch, within time.Duration) (Report, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	start := time.Now()
	rep, err := p.Ask(ctx, b)
	if took := time.Since(start); took > within {
		t.Errorf("the answer took %s, its deadline was %s", took, within)
	}
	return rep, err
}

// mustAsk fails the test unless the server is ready and its answer right.
func mustAsk(t *testing.T, p *Pool, language string) {
	t.Helper()
	b := call(language)
	rep, err := ask(t, p, b, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Location{{Path: b.Files[0].Path, Line: 1, Offset: 0}}
	if rep.State != Ready || !slices.Equal(rep.Answers[0][0].Locations, want) {
		t.Fatalf("%+v", rep)
	}
}

// refused fails the test unless the batch immediately returns an *Error with
// state.
func refused(t *testing.T, p *Pool, language string, state State) *Error {
	t.Helper()
	start := time.Now()
	_, err := ask(t, p, call(language), time.Minute)
	var e *Error
	if !errors.As(err, &e) || e.State != state || time.Since(start) != 0 {
		t.Fatalf("%v after %s, want %s at once", err, time.Since(start), state)
	}
	return e
}

func serving(p *Pool) (servers []string) {
	for _, s := range p.Status() {
		if s.PID != 0 {
			servers = append(servers, s.Server)
		}
	}
	return servers
}

func TestAtMostThreeServers(t *testing.T) {
	onFakeTime("in turn, the one used longest ago leaves", t, func(t *testing.T) {
		s := always("good")
		p := scripted(t, Options{}, s)
		for range 2 {
			for _, l := range []string{"python", "c", "rust", "php", "bash", "go"} {
				mustAsk(t, p, l)
				time.Sleep(time.Second)
			}
		}
		if got, want := fmt.Sprint(serving(p)), "[bash-language-server gopls intelephense]"; got != want {
			t.Errorf("%s run, want %s", got, want)
		}
		if launched, _, most := s.counts(); most != 3 || launched != 12 {
			t.Errorf("%d ran at once, %d in all", most, launched)
		}
	})
	onFakeTime("one that is asked stays, and the next is capped", t, func(t *testing.T) {
		s := &scripts{mode: func(server string) string {
			return map[string]string{"pyright": "silent"}[server] // "" means good
		}}
		p := scripted(t, Options{Max: 1}, s)
		var group sync.WaitGroup
		group.Go(func() { ask(t, p, call("python"), 20*time.Second) })
		synctest.Wait()
		_, err := ask(t, p, call("php"), 5*time.Second)
		var e *Error
		if !errors.As(err, &e) || e.State != Capped {
			t.Errorf("while the only place is used: %v", err)
		}
		if _, err := ask(t, p, call("php"), time.Minute); err != nil {
			t.Errorf("one who can wait: %v", err)
		}
		group.Wait()
	})
	onFakeTime("one that is starting stays", t, func(t *testing.T) {
		s := &scripts{mode: func(server string) string {
			return map[string]string{"pyright": "never-initializes"}[server]
		}}
		p := scripted(t, Options{Max: 1}, s)
		if _, err := ask(t, p, call("python"), time.Second); err.(*Error).State != Starting {
			t.Errorf("while it starts: %v", err)
		}
		if _, err := ask(t, p, call("php"), time.Second); err.(*Error).State != Capped {
			t.Errorf("another while it starts: %v", err)
		}
		if launched, _, _ := s.counts(); launched != 1 {
			t.Errorf("%d were launched", launched)
		}
	})
	onFakeTime("one that reads its folders stays, though nobody asks it", t, func(t *testing.T) {
		for _, home := range []string{"", t.TempDir()} { // without and with slots that processes share
			s := &scripts{mode: func(server string) string {
				return map[string]string{"pyright": "loads"}[server]
			}}
			p := scripted(t, Options{Max: 1, Home: home}, s)
			other := p
			if home != "" {
				other = scripted(t, Options{Max: 1, Home: home}, s)
			}
			if rep, err := ask(t, p, call("python"), time.Second); err != nil || rep.State != Indexing {
				t.Fatalf("%+v, %v", rep, err)
			}
			if _, err := ask(t, other, call("php"), 3*time.Second); err == nil || err.(*Error).State != Capped {
				t.Errorf("another while it reads: %v", err)
			}
			start := time.Now()
			mustAsk(t, other, "php")
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("it was kept for %s although it had read all", took)
			}
			p.Close()
			other.Close()
		}
	})
	onFakeTime("one that reads its folders for ever goes", t, func(t *testing.T) {
		s := &scripts{mode: func(server string) string {
			return map[string]string{"pyright": "never-loads"}[server]
		}}
		p := scripted(t, Options{Max: 1}, s)
		if _, err := ask(t, p, call("python"), time.Second); err != nil {
			t.Fatal(err)
		}
		time.Sleep(loadingHold - 10*time.Second)
		mustAsk(t, p, "php")
	})
	onFakeTime("one that is up for who waits is not stopped for who waits, too", t, func(t *testing.T) {
		s := always("slow")
		p := scripted(t, Options{Max: 1}, s)
		var group sync.WaitGroup
		for range 4 {
			for _, l := range []string{"php", "python", "c"} {
				group.Go(func() { mustAsk(t, p, l) })
			}
		}
		group.Wait()
		if launched, _, _ := s.counts(); launched != 3 {
			t.Errorf("%d were launched for three languages", launched)
		}
	})
	onFakeTime("many who ask start one", t, func(t *testing.T) {
		s := always("slow")
		p := scripted(t, Options{}, s)
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() { mustAsk(t, p, "php") })
		}
		group.Wait()
		if launched, _, _ := s.counts(); launched != 1 {
			t.Errorf("%d were started", launched)
		}
	})
}

func TestIdleServersAreReaped(t *testing.T) {
	onFakeTime("after five minutes", t, func(t *testing.T) {
		p := scripted(t, Options{}, always("good"))
		mustAsk(t, p, "php")
		if left := time.Until(p.Status()[0].ReapAt); left != 5*time.Minute {
			t.Errorf("to be reaped in %s", left)
		}
		time.Sleep(4 * time.Minute)
		mustAsk(t, p, "php")
		time.Sleep(5*time.Minute - time.Second)
		if len(serving(p)) != 1 {
			t.Error("stopped too early")
		}
		time.Sleep(2 * time.Second)
		if s := p.Status(); len(s) != 0 {
			t.Errorf("after five idle minutes: %+v", s)
		}
		mustAsk(t, p, "php")
	})
	onFakeTime("not while it is asked", t, func(t *testing.T) {
		p := scripted(t, Options{Idle: 2 * time.Second}, always("silent"))
		rep, err := ask(t, p, call("php"), 30*time.Second)
		if err != nil || rep.State != Indexing {
			t.Errorf("%+v, %v", rep, err)
		}
	})
	onFakeTime("when its folder is trusted no more", t, func(t *testing.T) {
		var trusted atomic.Bool
		trusted.Store(true)
		p := scripted(t, Options{Trusted: func(string) bool { return trusted.Load() }}, always("good"))
		mustAsk(t, p, "php")
		if s := p.Status(); !s[0].Trusted {
			t.Errorf("%+v", s)
		}
		trusted.Store(false)
		time.Sleep(2 * time.Second)
		if len(serving(p)) != 0 {
			t.Error("still runs")
		}
	})
}

// TestFaults checks that each fault ends the batch within its deadline (ask
// checks it), in a state that describes the fault, and that a failed server is
// never ready.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		mode   string
		within time.Duration
		want   string // the state of the error or of the report
		detail string
	}{
		{"exits-at-once", 3 * time.Second, "error crashed", "gone"},
		{"garbage", 3 * time.Second, "error crashed", "no message"},
		{"huge", 3 * time.Second, "error crashed", "104857600 bytes"},
		{"half", 3 * time.Second, "error starting", ""},
		{"half", time.Minute, "error crashed", "did not initialize in time"},
		{"never-initializes", 3 * time.Second, "error starting", ""},
		{"never-initializes", time.Minute, "error crashed", "did not initialize in time"},
		{"dies-in-flight", 3 * time.Second, "report crashed", "gone"},
		{"silent", 3 * time.Second, "report indexing", ""},
		{"late", 3 * time.Second, "report indexing", ""},
		{"empty", 3 * time.Second, "report indexing", "does not resolve"},
		{"error", 3 * time.Second, "report indexing", "does not resolve"},
		{"wrong", 3 * time.Second, "report indexing", "does not resolve"},
		{"wrong-at-first", 3 * time.Second, "report indexing", "does not resolve"},
		{"wrong-at-first", 30 * time.Second, "report ready", ""},
		{"loads", 3 * time.Second, "report indexing", "reading"},
		{"loads", 30 * time.Second, "report ready", ""},
		{"slow", 3 * time.Second, "report ready", ""},
		{"deaf", 3 * time.Second, "report ready", ""},
	} {
		onFakeTime(c.mode+" within "+c.within.String(), t, func(t *testing.T) {
			p := scripted(t, Options{}, always(c.mode))
			rep, err := ask(t, p, call("go"), c.within)
			got, detail := "report "+string(rep.State), rep.Detail
			var e *Error
			if errors.As(err, &e) {
				got, detail = "error "+string(e.State), e.Detail
			}
			if got != c.want || !strings.Contains(detail, c.detail) {
				t.Fatalf("%s (%s), want %s", got, detail, c.want)
			}
			if believed := rep.State == Ready; err == nil && believed != (c.want == "report ready") {
				t.Errorf("%+v", rep)
			}
			if strings.HasSuffix(c.want, "crashed") {
				refused(t, p, "go", Crashed)
			}
		})
	}
}

func TestBackoff(t *testing.T) {
	seconds := func(s ...int) (d []time.Duration) {
		for _, n := range s {
			d = append(d, time.Duration(n)*time.Second)
		}
		return d
	}
	onFakeTime("of one that crashes", t, func(t *testing.T) {
		s := always("exits-at-once")
		p := scripted(t, Options{}, s)
		for i, wait := range seconds(5, 15, 30, 60, 60) {
			_, err := ask(t, p, call("php"), time.Minute)
			if launched, _, _ := s.counts(); err == nil || launched != i+1 {
				t.Fatalf("%v, %d started, want %d", err, launched, i+1)
			}
			refused(t, p, "php", Crashed)
			time.Sleep(wait - time.Millisecond)
			refused(t, p, "php", Crashed)
			time.Sleep(time.Millisecond)
		}
		s.mode = func(string) string { return "good" }
		mustAsk(t, p, "php")
		if fault := p.Status()[0].Fault; fault != "" {
			t.Errorf("after a question that went well: %s", fault)
		}
	})
	onFakeTime("of one that is not installed", t, func(t *testing.T) {
		p := scripted(t, Options{}, always("good"))
		p.opt.Command = func(string) []string { return []string{"no-such-server"} }
		for _, wait := range seconds(180, 600, 1800, 1800) {
			if e := refused(t, p, "php", Missing); !strings.Contains(e.Detail, "sextant servers install") {
				t.Errorf("no word of how to install it: %v", e)
			}
			time.Sleep(wait - time.Millisecond)
			refused(t, p, "php", Missing)
			time.Sleep(time.Millisecond)
		}
	})
	onFakeTime("of one that ran well for long begins anew", t, func(t *testing.T) {
		s := always("good")
		p := scripted(t, Options{}, s)
		for range 5 {
			s.mode = func(string) string { return "good" }
			mustAsk(t, p, "php")
			time.Sleep(2 * time.Minute)
			p.mu.Lock()
			for _, m := range p.members {
				m.run.session.peer.(*script).Close()
			}
			p.mu.Unlock()
			synctest.Wait()
			refused(t, p, "php", Crashed)
			time.Sleep(5 * time.Second)
		}
	})
}

func TestAHungServerIsRecycled(t *testing.T) {
	onFakeTime("one that answered before, after two deadlines", t, func(t *testing.T) {
		s := always("mute")
		p := scripted(t, Options{}, s)
		states := []State{Ready, Ready, Crashed}
		for i, want := range states {
			if rep, err := ask(t, p, call("php"), 3*time.Second); err != nil || rep.State != want {
				t.Fatalf("question %d: %+v, %v, want %s", i, rep, err, want)
			}
		}
		refused(t, p, "php", Crashed)
		time.Sleep(5 * time.Second)
		s.mode = func(string) string { return "good" }
		mustAsk(t, p, "php")
	})
	onFakeTime("not for impatient questions", t, func(t *testing.T) {
		s := always("slow")
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "php")
		for range 20 {
			if rep, err := ask(t, p, call("php"), time.Millisecond); err != nil || rep.State == Crashed {
				t.Fatalf("%+v, %v", rep, err)
			}
		}
		time.Sleep(time.Minute)
		mustAsk(t, p, "php")
	})
	onFakeTime("not for questions that were taken back", t, func(t *testing.T) {
		s := always("slow")
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "php")
		time.Sleep(time.Minute)
		for range 20 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(900*time.Millisecond, cancel)
			if rep, err := p.Ask(ctx, call("php")); err != nil || rep.State == Crashed {
				t.Fatalf("%+v, %v", rep, err)
			}
		}
	})
	onFakeTime("one that works in silence, after some minutes", t, func(t *testing.T) {
		s := always("mute")
		born := time.Now()
		s.cpu = func() time.Duration { return time.Since(born) / 10 } // as on a busy machine
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "php") // the batch and its canary were its two requests: from now on it is mute
		start := time.Now()
		for {
			rep, err := ask(t, p, call("php"), 3*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if rep.State == Crashed {
				break
			}
		}
		if took := time.Since(start); took < hungWorking || took > hungWorking+10*time.Second {
			t.Errorf("recycled after %s", took)
		}
	})
	onFakeTime("one that never answered, after some minutes", t, func(t *testing.T) {
		p := scripted(t, Options{}, always("silent"))
		start := time.Now()
		for {
			rep, err := ask(t, p, call("php"), 3*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if rep.State == Crashed {
				break
			}
		}
		if took := time.Since(start); took < hungWorking || took > hungWorking+10*time.Second {
			t.Errorf("recycled after %s", took)
		}
	})
}

func TestMemory(t *testing.T) {
	onFakeTime("over the cap ends an idle server, with backoff", t, func(t *testing.T) {
		var rss atomic.Int64
		s := always("good")
		s.memory = rss.Load
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "php")
		time.Sleep(10 * time.Second)
		mustAsk(t, p, "php")
		rss.Store(5 << 30)
		for p.Status()[0].State != Crashed {
			time.Sleep(tendEvery)
		}
		if e := refused(t, p, "php", Crashed); !strings.Contains(e.Detail, "5120 MB") {
			t.Error(e)
		}
	})
	onFakeTime("a busy one ends after its question", t, func(t *testing.T) {
		s := always("silent")
		s.memory = func() int64 { return 5 << 30 }
		p := scripted(t, Options{}, s)
		if _, err := ask(t, p, call("php"), 20*time.Second); err != nil {
			t.Fatal(err)
		}
		refused(t, p, "php", Crashed)
	})
	onFakeTime("far over ends a busy one", t, func(t *testing.T) {
		s := always("silent")
		s.memory = func() int64 { return 9 << 30 }
		p := scripted(t, Options{}, s)
		start := time.Now()
		rep, _ := ask(t, p, call("php"), 20*time.Second)
		if rep.State != Crashed || time.Since(start) > 7*time.Second {
			t.Errorf("%+v after %s", rep, time.Since(start))
		}
	})
}

// TestProcessesShareThePlaces uses two pools with one home, which treat each
// other as separate processes.
func TestProcessesShareThePlaces(t *testing.T) {
	home := t.TempDir()
	onFakeTime("an idle server of another leaves", t, func(t *testing.T) {
		s := always("good")
		one, two := scripted(t, Options{Home: filepath.Join(home, "a")}, s),
			scripted(t, Options{Home: filepath.Join(home, "a")}, s)
		for _, l := range []string{"python", "c", "php"} {
			mustAsk(t, one, l)
			time.Sleep(time.Second)
		}
		start := time.Now()
		mustAsk(t, two, "go")
		if took := time.Since(start); took > 5*time.Second { // far less than an idle server stays
			t.Errorf("a place took %s", took)
		}
		if got := fmt.Sprint(serving(one), serving(two)); got != "[clangd intelephense] [gopls]" {
			t.Errorf("%s run", got)
		}
		if _, _, most := s.counts(); most != 3 {
			t.Errorf("%d ran at once", most)
		}
	})
	onFakeTime("one's own leaves when it was idle for longest", t, func(t *testing.T) {
		s := always("good")
		one, two := scripted(t, Options{Home: filepath.Join(home, "c")}, s),
			scripted(t, Options{Home: filepath.Join(home, "c")}, s)
		for i, l := range []string{"python", "c", "php", "go"} {
			mustAsk(t, []*Pool{one, two, two, one}[i], l)
			time.Sleep(time.Second)
		}
		if got := fmt.Sprint(serving(one), serving(two)); got != "[gopls] [clangd intelephense]" {
			t.Errorf("%s run", got)
		}
	})
	onFakeTime("busy ones stay, and who holds them is said", t, func(t *testing.T) {
		opt := Options{Max: 1, Home: filepath.Join(home, "b")}
		one, two := scripted(t, opt, always("silent")), scripted(t, opt, always("good"))
		var group sync.WaitGroup
		group.Go(func() { ask(t, one, call("php"), 20*time.Second) })
		synctest.Wait()
		_, err := ask(t, two, call("go"), 3*time.Second)
		var e *Error
		if !errors.As(err, &e) || e.State != Capped {
			t.Errorf("%v", err)
		}
		group.Wait()
		mustAsk(t, two, "go")
	})
}

func TestManyCyclesLeaveNothing(t *testing.T) {
	// A goroutine that outlives its pool fails the synctest bubble.
	for _, mode := range []string{"good", "dies-in-flight", "garbage", "silent", "late"} {
		onFakeTime(mode, t, func(t *testing.T) {
			s := always(mode)
			p := scripted(t, Options{Idle: time.Second}, s)
			for range 200 {
				_, _ = ask(t, p, call("php"), 3*time.Second)
				time.Sleep(2 * time.Minute)
			}
			if launched, alive, _ := s.counts(); launched < 50 || alive > 1 {
				t.Errorf("%d were launched, %d live", launched, alive)
			}
		})
	}
}

// TestWhichServersMakeRoom checks which servers may be stopped for another. They run and have no question, and if they
// still read their folders, they have not been asked lately.
func TestWhichServersMakeRoom(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		what           string
		phase          phase
		users, waiting int
		read           bool
		idle           time.Duration
		want           bool
	}{
		{"idle", running, 0, 0, true, 0, true}, {"in use", running, 1, 0, true, time.Hour, false},
		{"waited for", running, 0, 1, true, time.Hour, false}, {"starting", starting, 0, 0, true, time.Hour, false},
		{"ending", ending, 0, 0, true, time.Hour, false}, {"reads", running, 0, 0, false, loadingHold - 1, false},
		{"has read for long", running, 0, 0, false, loadingHold, true},
	} {
		s := &session{readiness: newReadiness(&Spec{quick: c.read, loading: []string{"Loading"}})}
		m := &member{phase: c.phase, waiting: c.waiting, run: &run{session: s, users: c.users, used: now.Add(-c.idle)}}
		if got := m.spare(now); got != c.want {
			t.Errorf("%s: %t, want %t", c.what, got, c.want)
		}
	}
}

// TestAPoolTrustsNothingByItself checks the defaults of a pool.
func TestAPoolTrustsNothingByItself(t *testing.T) {
	p, err := NewPool(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.opt.Trusted("/any") || len(p.opt.Shut("/any")) != 0 || p.opt.Max != 3 || p.opt.Idle != 5*time.Minute ||
		p.opt.MaxRSS != 4<<30 || p.opt.Folders != 64 || p.opt.Start != 30*time.Second {
		t.Errorf("%+v", p.opt)
	}
}
