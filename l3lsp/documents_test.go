package l3lsp

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/protocol"
)

// TestMovesAreMerged checks the kind of change that a server receives for a file which changed twice.
func TestMovesAreMerged(t *testing.T) {
	const created, changed, deleted = protocol.FileChangeTypeCreated, protocol.FileChangeTypeChanged,
		protocol.FileChangeTypeDeleted
	for _, c := range []struct{ first, second, want protocol.FileChangeType }{
		{created, created, created}, {created, changed, created}, {created, deleted, deleted},
		{changed, created, created}, {changed, changed, changed}, {changed, deleted, deleted},
		{deleted, created, changed}, {deleted, changed, changed}, {deleted, deleted, deleted},
	} {
		m := moves{}
		m.add([]string{"/a", "/b"}, c.first)
		m.add([]string{"/a"}, c.second)
		if want := (moves{"/a": c.want, "/b": c.first}); !maps.Equal(m, want) {
			t.Errorf("%v, then %v: %v, want %v", c.first, c.second, m, want)
		}
	}
}

// TestFilesAreShown checks that a server which notices changes only in opened files is shown each changed file of its
// languages, and asked about the last few, which stay open. A file that is gone, or of another language, is left out.
func TestFilesAreShown(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		dir := t.TempDir()
		s, h := heard("good")
		p := scripted(t, Options{}, s)
		mustAsk(t, p, "cpp")
		h.of("")
		var changed, opened []string
		for i := range 18 { // clangd keeps 16 documents
			name := fmt.Sprintf("a%02d.cc", i)
			writeFile(t, dir, name, "", 0o600)
			changed = append(changed, filepath.Join(dir, name))
			opened = append(opened, "textDocument/didOpen "+filepath.Join(dir, name))
		}
		writeFile(t, dir, "b.go", "", 0o600)
		p.Moved(nil, append(changed, filepath.Join(dir, "b.go"), filepath.Join(dir, "c.cc")), nil)
		mustAsk(t, p, "cpp")
		var shown, closed, asked []string
		for _, line := range h.of("textDocument/") {
			switch what, path, _ := strings.Cut(line, " "); {
			case filepath.Dir(path) != dir:
			case what == "didOpen":
				shown = append(shown, "textDocument/didOpen "+path)
			case what == "didClose":
				closed = append(closed, path)
			case what == "definition":
				asked = append(asked, path)
			}
		}
		if !slices.Equal(shown, opened) {
			t.Errorf("shown %q", shown)
		}
		// the earliest make room for the later ones
		if len(closed) < 2 || !slices.Equal(closed[:2], changed[:2]) {
			t.Errorf("closed %q", closed)
		}
		if !slices.Equal(asked, changed[2:]) {
			t.Errorf("asked about %q", asked)
		}
	})
}

// sent is the other end of a connection: it keeps the messages that were written.
type sent struct {
	*io.PipeReader // blocks until Close
	mu             sync.Mutex
	text           []byte
}

func (s *sent) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, b...)
	return len(b), nil
}

// take returns the method, the version and the end of the path of each message since the last call.
func (s *sent) take(t *testing.T) (out []string) {
	t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range strings.Split(string(s.text), "Content-Length:")[1:] {
		var message struct {
			Method string
			Params struct {
				TextDocument struct {
					URI     string
					Version int
				}
			}
		}
		_, body, _ := strings.Cut(m, "\r\n\r\n")
		if err := json.Unmarshal([]byte(body), &message); err != nil {
			t.Fatal(err)
		}
		of := message.Params.TextDocument
		out = append(out, fmt.Sprintf("%s %d %s", strings.TrimPrefix(message.Method, "textDocument/"), of.Version,
			of.URI[strings.LastIndexByte(of.URI, '/')+1:]))
	}
	s.text = nil
	return out
}

// TestOpenTextsAreRefreshed checks which changes of a file on disk are sent to a server that has its text open.
func TestOpenTextsAreRefreshed(t *testing.T) {
	onFakeTime("", t, func(t *testing.T) {
		reader, _ := io.Pipe()
		to := &sent{PipeReader: reader}
		c := newConn(newStream(to), func(string, []byte) any { return nil })
		defer c.close()
		docs := newDocuments(c, &Spec{documents: 9})
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		old := time.Now().Add(-time.Hour)
		write := func(name, text string, when time.Time) {
			writeFile(t, dir, name, text, 0o600)
			if err := os.Chtimes(at(name), when, when); err != nil {
				t.Fatal(err)
			}
		}
		var views []*view
		names := []string{"same", "size", "time", "inode", "moved", "used", "gone"}
		for _, name := range names {
			write(name, "a", old)
			v, err := docs.show("go", at(name), []byte("a"))
			if err != nil {
				t.Fatal(err)
			}
			views = append(views, v)
		}
		for i, v := range views {
			if names[i] == "used" {
				continue
			}
			if err := v.close(); err != nil {
				t.Fatal(err)
			}
		}
		to.take(t)
		write("size", "ab", old)
		write("time", "b", old.Add(time.Second))
		write("new", "b", old)
		write("moved", "b", old)
		write("used", "bb", old)
		for _, err := range []error{os.Rename(at("new"), at("inode")), os.Remove(at("gone")),
			docs.refresh(moves{at("moved"): protocol.FileChangeTypeChanged, at("same"): protocol.FileChangeTypeChanged})} {
			if err != nil {
				t.Fatal(err)
			}
		}
		got := to.take(t)
		slices.Sort(got)
		want := []string{"didChange 2 inode", "didChange 2 moved", "didChange 2 size", "didChange 2 time", "didClose 0 gone"}
		if !slices.Equal(got, want) {
			t.Errorf("sent %q, want %q", got, want)
		}
		if err := docs.refresh(nil); err != nil || len(to.take(t)) != 0 {
			t.Errorf("what has been sent is sent again: %v", err)
		}
		write("size", "abc", old)
		if err := docs.refresh(nil); err != nil || !slices.Equal(to.take(t), []string{"didChange 3 size"}) {
			t.Errorf("the next change is not sent: %v", err)
		}
		current := func(i int) bool { return views[i].current() }
		if current(1) || !current(0) || !current(5) {
			t.Errorf("current: %t, %t, %t", current(1), current(0), current(5))
		}
		if err := docs.closeIdle(); err != nil || len(to.take(t)) != 5 {
			t.Errorf("not all texts are closed that nobody uses: %v", err)
		}
	})
}

// TestTextsLeftOpen checks how many texts stay open after their use: those used last, as many for each folder if the
// server reads each by itself.
func TestTextsLeftOpen(t *testing.T) {
	for _, c := range []struct {
		spec    Spec
		folders int
		closed  []string
	}{
		{Spec{documents: 2}, 1, []string{"didClose 0 a", "didClose 0 b"}},
		{Spec{documents: 2}, 2, []string{"didClose 0 a", "didClose 0 b"}}, {Spec{documents: 2, each: true}, 2, nil},
		{Spec{documents: 1, each: true}, 3, []string{"didClose 0 a"}}, {Spec{}, 1, nil},
	} {
		onFakeTime("", t, func(t *testing.T) {
			reader, _ := io.Pipe()
			to := &sent{PipeReader: reader}
			conn := newConn(newStream(to), func(string, []byte) any { return nil })
			defer conn.close()
			docs := newDocuments(conn, &c.spec)
			docs.spread(c.folders)
			for _, name := range []string{"a", "b", "c", "d"} {
				v, err := docs.show("go", "/gone/"+name, nil)
				if err == nil {
					err = v.close()
				}
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
			}
			got := slices.DeleteFunc(to.take(t), func(m string) bool { return !strings.HasPrefix(m, "didClose") })
			if !slices.Equal(got, c.closed) {
				t.Errorf("%d documents for %d folders, each %t: %q, want %q", c.spec.documents, c.folders, c.spec.each, got,
					c.closed)
			}
		})
	}
}
