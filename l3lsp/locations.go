package l3lsp

import (
	"cmp"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/protocol"
)

// place is a location as the protocol represents it: a path, and a position in
// UTF-16 units.
type place struct {
	path string
	at   protocol.Position
}

// places decodes the result of a definition, references or implementation
// request: null, a Location, or a list of Locations or LocationLinks. Locations
// outside files, such as jdt: URIs, are dropped.
func places(raw json.RawMessage) (out []place) {
	type item struct {
		URI                  string
		Range                *protocol.Range
		TargetURI            string
		TargetSelectionRange *protocol.Range
	}
	var list []item
	if json.Unmarshal(raw, &list) != nil {
		var one item
		if json.Unmarshal(raw, &one) != nil {
			return nil
		}
		list = []item{one}
	}
	for _, l := range list {
		target, at := l.URI, l.Range
		if l.TargetURI != "" {
			target, at = l.TargetURI, l.TargetSelectionRange
		}
		if path, ok := pathOf(target); ok && at != nil {
			out = append(out, place{path, at.Start})
		}
	}
	return out
}

// pathOf returns the path of a file URI; false for any other URI.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || !filepath.IsAbs(u.Path) {
		return "", false
	}
	return filepath.Clean(u.Path), true
}

// locate converts places, with their positions in UTF-16 units, to Locations. Offset is -1 if the
// text of the file is not available. ok is false if a position is behind a line break that only some
// servers count, so that it may mean another place.
func (a *asking) locate(found []place) (out []Location, ok bool) {
	for _, f := range found {
		path := a.session.asGiven(f.path)
		l := Location{Path: path, Line: int(f.at.Line) + 1, Offset: -1}
		if text := a.texts.of(path); text != nil {
			if !text.agreed(f.at) {
				return nil, false
			}
			l.Offset = text.offset(f.at)
		}
		out = append(out, l)
	}
	return out, true
}

// sorted sorts locations and removes duplicates.
func sorted(l []Location) []Location {
	slices.SortFunc(l, func(a, b Location) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Offset, b.Offset))
	})
	return slices.Compact(l)
}

// texts caches, for one batch, the texts of the workspace's files that appear in answers. It is
// safe for concurrent use.
type texts struct {
	given  func(path string) ([]byte, bool)
	folder string

	mu    sync.Mutex
	known map[string]*lines // path → text; nil for a file outside the workspace; guarded by mu
}

// of returns the text of the file at path, nil if it is outside the workspace
// or cannot be read.
func (t *texts) of(path string) *lines {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.known[path]
	if ok {
		return l
	}
	if b, ok := t.read(path); ok {
		l = newLines(b)
	}
	if t.known == nil {
		t.known = map[string]*lines{}
	}
	t.known[path] = l
	return l
}

// read returns the bytes of the file at path, from Batch.Text if that is set, otherwise from the
// disk. It returns false for a file that is outside the workspace or cannot be read.
func (t *texts) read(path string) ([]byte, bool) {
	if t.given != nil {
		return t.given(path)
	}
	if rel, err := filepath.Rel(t.folder, path); err != nil || !filepath.IsLocal(rel) {
		return nil, false
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, false // reading a pipe would block
	}
	b, err := os.ReadFile(path)
	return b, err == nil
}

// declarations lists the extensions of files that only declare things defined elsewhere.
var declarations = []string{".d.ts", ".d.mts", ".d.cts", ".pyi", ".h", ".hh", ".hpp", ".hxx", ".h++"}

// imports lists the beginnings of lines that import things defined elsewhere.
var imports = []string{"import ", "from ", "use ", "pub use ", "using ", "export *", "export {", "export type {"}

// declares reports whether l may be a mere declaration, whose definition is elsewhere: it is in a
// header or the like, or on a line that begins as an import. text is the text of the file.
func declares(l Location, text *lines) bool {
	line := strings.TrimLeft(string(text.line(l.Line-1)), " \t")
	return slices.ContainsFunc(declarations, func(end string) bool { return strings.HasSuffix(l.Path, end) }) ||
		startsWithAny(line, imports)
}
