package l3lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// transcript records the messages that a scripted server received.
type transcript struct {
	mu    sync.Mutex
	lines []string
}

// hear records the messages that tests compare, without parts that vary from
// run to run.
func (h *transcript) hear(m message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	line := m.Method
	switch m.Method {
	case "workspace/didChangeWorkspaceFolders":
		var p struct {
			Event struct{ Added, Removed []struct{ URI string } }
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			line += " " + err.Error()
		}
		for _, f := range p.Event.Added {
			line += " +" + strings.TrimPrefix(f.URI, "file://")
		}
		for _, f := range p.Event.Removed {
			line += " -" + strings.TrimPrefix(f.URI, "file://")
		}
	case "workspace/didChangeWatchedFiles":
		var p struct {
			Changes []struct {
				URI  string
				Type int
			}
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			line += " " + err.Error()
		}
		for _, c := range p.Changes {
			line += fmt.Sprintf(" %s=%d", strings.TrimPrefix(c.URI, "file://"), c.Type)
		}
	default:
		if path := m.path(); path != "" {
			line += " " + path
		}
	}
	h.lines = append(h.lines, line)
}

// of returns the lines with a prefix since the last call, and clears the
// transcript.
func (h *transcript) of(prefix string) (lines []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.lines {
		if strings.HasPrefix(l, prefix) {
			lines = append(lines, strings.TrimPrefix(l, prefix))
		}
	}
	h.lines = nil
	return lines
}

// heard returns scripts of fakes in the given mode, and the transcript in which they record what they receive.
func heard(mode string) (*scripts, *transcript) {
	h := &transcript{}
	s := always(mode)
	s.heard = h.hear
	return s, h
}

func TestFoldersJoinAndLeave(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		s, h := heard("good")
		p := scripted(t, Options{Folders: 2}, s)
		in := func(folder string) {
			t.Helper()
			b := call("php")
			b.Folder = folder
			if rep, err := ask(t, p, b, time.Minute); err != nil || rep.State != Ready {
				t.Fatalf("%+v, %v", rep, err)
			}
		}
		for _, c := range []struct{ folder, want string }{
			{"/a", "[]"}, {"/b", "[ +/b]"}, {"/a", "[]"}, {"/c", "[ +/c -/b]"}, {"/b", "[ +/b -/a]"}, {"/b", "[]"},
		} {
			in(c.folder)
			if got := fmt.Sprint(h.of("workspace/didChangeWorkspaceFolders")); got != c.want {
				t.Errorf("asked in %s: %s, want %s", c.folder, got, c.want)
			}
		}
		if got := p.Status()[0].Folders; !slices.Equal(got, []string{"/c", "/b"}) {
			t.Errorf("folders %v", got)
		}
		if launched, _, _ := s.counts(); launched != 1 {
			t.Errorf("%d servers for one language", launched)
		}
	})
}

func TestAFolderThatIsAskedInStays(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		s, h := heard("silent")
		p := scripted(t, Options{Folders: 1}, s)
		var group sync.WaitGroup
		for _, folder := range []string{"/a", "/b"} {
			group.Go(func() {
				b := call("php")
				b.Folder = folder
				ask(t, p, b, 10*time.Second)
			})
			synctest.Wait()
		}
		if got := fmt.Sprint(h.of("workspace/didChangeWorkspaceFolders")); got != "[ +/b]" {
			t.Errorf("%s, want /b added and /a kept", got)
		}
		group.Wait()
	})
}

func TestAJoinedFolderHasToBeReadAnew(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		wrong := false
		s := always("good")
		s.answer = func(m message) (string, bool) {
			return locationJSON(m.path(), 1), wrong
		}
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "php")
		wrong = true // while it reads the new folder, a server's answers may be wrong
		b := call("php")
		b.Folder = "/other"
		if rep, err := ask(t, p, b, 3*time.Second); err != nil || rep.State != Indexing {
			t.Errorf("%+v, %v", rep, err)
		}
		wrong = false
		if rep, err := ask(t, p, b, 3*time.Second); err != nil || rep.State != Ready {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}

// TestCanaries checks that a server is never ready without a canary, and that a server that keeps resolving its
// canary wrongly does not make each batch wait for half of its deadline.
func TestCanaries(t *testing.T) {
	onFakeTime("none", t, func(t *testing.T) {
		p := scripted(t, Options{}, always("good"))
		b := call("php")
		b.Canary = nil
		rep, err := ask(t, p, b, time.Minute)
		if err != nil || rep.State != Indexing || !rep.Answers[0][0].Asked {
			t.Errorf("%+v, %v", rep, err)
		}
	})
	onFakeTime("always wrong", t, func(t *testing.T) {
		p := scripted(t, Options{}, always("wrong"))
		if _, err := ask(t, p, call("php"), 2*canaryPatience); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		rep, err := ask(t, p, call("php"), time.Minute)
		if err != nil || rep.State != Indexing || time.Since(start) != 0 || !rep.Answers[0][0].Asked {
			t.Errorf("%+v, %v after %s", rep, err, time.Since(start))
		}
	})
}

func TestMovesAreToldBeforeTheNextQuestion(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		s, h := heard("good")
		p := scripted(t, Options{}, s)
		p.Moved([]string{"/nobody/runs"}, nil, nil)
		mustAsk(t, p, "php")
		if got := h.of("workspace/didChangeWatchedFiles"); len(got) != 0 {
			t.Errorf("told of what moved before it started: %q", got)
		}
		p.Moved([]string{"/w/new", "/w/brief"}, []string{"/w/old", "/w/new"}, nil)
		p.Moved([]string{"/w/back"}, nil, []string{"/w/gone", "/w/brief"})
		p.Moved(nil, nil, []string{"/w/again"})
		p.Moved([]string{"/w/again"}, nil, nil)
		mustAsk(t, p, "php")
		const created, changed, deleted = 1, 2, 3
		want := []string{fmt.Sprintf(" /w/again=%d /w/back=%d /w/brief=%d /w/gone=%d /w/new=%d /w/old=%d", changed,
			created, deleted, deleted, created, changed)}
		if got := h.of("workspace/didChangeWatchedFiles"); !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
		mustAsk(t, p, "php")
		if got := h.of("workspace/didChangeWatchedFiles"); len(got) != 0 {
			t.Errorf("told again: %q", got)
		}
	})
}

func TestAQuestionThatIsGivenUpIsCancelled(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		var asked, cancelled []string // ids; written by the one server
		s := always("late")
		s.heard = func(m message) {
			switch m.Method {
			case "textDocument/definition":
				asked = append(asked, string(m.ID))
			case "$/cancelRequest":
				var p struct{ ID json.RawMessage }
				if err := json.Unmarshal(m.Params, &p); err != nil {
					t.Error(err)
				}
				cancelled = append(cancelled, string(p.ID))
			}
		}
		p := scripted(t, Options{}, s)
		rep, err := ask(t, p, call("php"), 3*time.Second)
		if err != nil || rep.Answers[0][0].Asked {
			t.Errorf("%+v, %v", rep, err)
		}
		synctest.Wait()
		if len(asked) != 1 || !slices.Equal(cancelled, asked) {
			t.Errorf("asked %v, cancelled %v", asked, cancelled)
		}
	})
}

// TestMootAnswersAreAskedForAgain checks that a request is sent again if the server abandoned it because a file
// changed.
func TestMootAnswersAreAskedForAgain(t *testing.T) {
	for _, code := range []int{-32801, -32802} {
		onFakeTime(fmt.Sprint(code), t, func(t *testing.T) {
			var mu sync.Mutex
			left := 3
			s := always("good")
			s.failure = func(message) (int, bool) {
				mu.Lock()
				defer mu.Unlock()
				left--
				return code, left >= 0
			}
			p := scripted(t, Options{}, s)
			mustAsk(t, p, "php")
		})
	}
}

func TestQuestions(t *testing.T) {
	text := "int f();\n  int 𝛑 = f();\n"
	at := strings.Index(text, "𝛑")
	for _, c := range []struct {
		question Question
		method   string
	}{{Definitions, "textDocument/definition"}, {References, "textDocument/references"},
		{Implementations, "textDocument/implementation"}} {
		onFakeTime(c.method, t, func(t *testing.T) {
			s, h := heard("good")
			s.answer = func(m message) (string, bool) {
				// A LocationLink, and one outside of the workspace; both twice.
				link := `{"targetUri":"file:///w/b.c","targetRange":{"start":{"line":0,"character":0},"end":{"line":2,"character":0}},"targetSelectionRange":{"start":{"line":1,"character":9},"end":{"line":1,"character":10}}}`
				out := `{"uri":"file:///usr/include/x%20y.c","range":{"start":{"line":6,"character":1},"end":{"line":6,"character":2}}}`
				odd := `{"uri":"jdt://contents/x","range":{"start":{"line":6,"character":1},"end":{"line":6,"character":2}}}`
				return "[" + strings.Join([]string{out, link, odd, link, out}, ",") + "]", true
			}
			p := scripted(t, Options{}, s)
			b := call("c")
			b.Question, b.Canary = c.question, nil
			b.Text = func(path string) ([]byte, bool) { return []byte(text), path == "/w/b.c" }
			rep, err := ask(t, p, b, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			// Column 9 of line 2 is that of "=", after 𝛑 with its two UTF-16 units and
			// four bytes.
			want := []Location{{"/usr/include/x y.c", 7, -1}, {"/w/b.c", 2, at + len("𝛑 ")}}
			if got := rep.Answers[0][0]; !got.Asked || !slices.Equal(got.Locations, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
			if got := h.of(c.method); len(got) != 1 {
				t.Errorf("%d requests", len(got))
			}
		})
	}
}

func TestDeclarationsAreFollowedOnce(t *testing.T) {
	files := map[string]string{
		"/w/a.c":    "f();\n",
		"/w/a.h":    "int f();\n",
		"/w/f.c":    "int f() {}\n",
		"/w/m.py":   "from n import f\n",
		"/w/n.py":   "from o import f\n",
		"/w/o.py":   "def f(): pass\n",
		"/w/use.py": "f()\n",
	}
	leads := map[string]string{"/w/a.c": "/w/a.h", "/w/a.h": "/w/f.c", "/w/f.c": "/w/a.h", "/w/use.py": "/w/m.py",
		"/w/m.py": "/w/n.py", "/w/n.py": "/w/o.py"}
	for _, c := range []struct{ language, from, want string }{
		{"c", "/w/a.c", "[/w/a.h /w/f.c]"},
		{"c", "/w/f.c", "[/w/a.h /w/f.c]"},
		{"python", "/w/use.py", "[/w/m.py /w/n.py]"}, // once
	} {
		onFakeTime(c.from, t, func(t *testing.T) {
			s := always("good")
			s.answer = func(m message) (string, bool) { return locationJSON(leads[m.path()], 0), true }
			p := scripted(t, Options{}, s)
			b := Batch{Folder: "/w", Language: c.language,
				Files: []Source{{Path: c.from, Text: []byte(files[c.from]), Offsets: []int{0, 0, 0}}}}
			b.Text = func(path string) ([]byte, bool) { text, ok := files[path]; return []byte(text), ok }
			rep, err := ask(t, p, b, time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range rep.Answers[0] {
				var got []string
				for _, l := range a.Locations {
					got = append(got, l.Path)
				}
				if fmt.Sprint(got) != c.want {
					t.Errorf("%v, want %s", got, c.want)
				}
			}
		})
	}
}

// TestAnswersToAnotherTextAreLeftOut checks that answers are dropped when
// another batch has replaced the text meanwhile.
func TestAnswersToAnotherTextAreLeftOut(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		s := always("slow")
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "php")
		var group sync.WaitGroup
		group.Go(func() {
			rep, err := ask(t, p, call("php"), time.Minute)
			if err != nil || rep.Answers[0][0].Asked {
				t.Errorf("%+v, %v", rep, err)
			}
		})
		synctest.Wait()
		b := call("php")
		b.Files[0].Text = []byte("g()\nf()\n")
		if rep, err := ask(t, p, b, time.Minute); err != nil || !rep.Answers[0][0].Asked {
			t.Errorf("%+v, %v", rep, err)
		}
		group.Wait()
	})
}

func TestABigBatchIsBounded(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		s := always("good")
		p := scripted(t, Options{}, s)
		b := call("php")
		for i := range 300 {
			b.Files = append(b.Files, Source{Path: fmt.Sprintf("/ws/php/%d/%d.php", i%7, i), Text: []byte("f()\n"),
				Offsets: []int{0, 0, 0}})
		}
		rep, err := ask(t, p, b, time.Minute)
		if err != nil || rep.State != Ready {
			t.Fatalf("%v %s", err, rep.Detail)
		}
		for i, f := range rep.Answers {
			if len(f) != len(b.Files[i].Offsets) || slices.ContainsFunc(f, func(a Answer) bool { return !a.Asked }) {
				t.Fatalf("file %d: %+v", i, f)
			}
		}
	})
}

// TestSitesBehindDisputedLines checks that a request leaves out a site whose line servers count in several ways, and
// ignores an answer that leads behind such a line break.
func TestSitesBehindDisputedLines(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		s, line := always("good"), -1
		s.answer = func(m message) (string, bool) { return locationJSON("/ws/php/c.txt", line), line >= 0 }
		p := scripted(t, Options{}, s)
		b := call("php")
		b.Files = append(b.Files, Source{Path: "/ws/php/b.txt", Text: []byte("g()\r// f\nf()\n"), Offsets: []int{0, 9}})
		rep, err := ask(t, p, b, time.Minute)
		if err != nil || !rep.Answers[0][0].Asked || !rep.Answers[1][0].Asked || rep.Answers[1][1].Asked {
			t.Errorf("%+v, %v", rep, err)
		}
		text := b.Text
		b.Text = func(path string) ([]byte, bool) {
			if strings.HasSuffix(path, "c.txt") {
				return []byte("one\u2028\ntwo\n"), true
			}
			return text(path)
		}
		for i, want := range []bool{true, false} {
			line = i
			if rep, err := ask(t, p, b, time.Minute); err != nil || rep.Answers[0][0].Asked != want {
				t.Errorf("line %d: %+v, %v", line, rep, err)
			}
		}
	})
}
