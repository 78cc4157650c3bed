package l3lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
