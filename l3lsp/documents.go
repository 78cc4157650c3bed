package l3lsp

import (
	"cmp"
	"crypto/sha256"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// keptDocuments is how many documents stay open in a server after their
// questions, where its spec says nothing: opening costs it less than memory.
const keptDocuments = 4

// documents are the texts that a server has open. An open text hides the file
// from the server, so it is closed when the file on disk is no more what it
// was. It is safe for concurrent use.
type documents struct {
	conn *conn
	keep int

	mu   sync.Mutex
	open map[string]*document // by path; guarded by mu, which also orders the messages
}

// document is an open text.
type document struct {
	path    string // absolute
	version int32
	sum     [sha256.Size]byte // of the text that the server has
	users   int
	used    time.Time
	disk    os.FileInfo // of the file when the text was opened; nil when there was none
}

func newDocuments(c *conn, keep int) *documents {
	return &documents{conn: c, keep: cmp.Or(keep, keptDocuments), open: map[string]*document{}}
}

// view is the use of a document by one question.
type view struct {
	docs    *documents
	doc     *document
	version int32
}

// show opens a text, or replaces it where another is open, until the view is closed.
func (d *documents) show(language, path string, text []byte) (*view, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := sha256.Sum256(text)
	doc := d.open[path]
	var err error
	switch {
	case doc == nil:
		doc = &document{path: path, version: 1, sum: sum}
		err = d.conn.notify("textDocument/didOpen", protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
			URI: uri.File(path), LanguageID: protocol.LanguageIdentifier(languageID(language, path)), Version: 1, Text: string(text)}})
	case doc.sum != sum:
		doc.version, doc.sum = doc.version+1, sum
		err = d.conn.notify("textDocument/didChange", protocol.DidChangeTextDocumentParams{
			TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri.File(path)}, Version: doc.version},
			ContentChanges: []protocol.TextDocumentContentChangeEvent{{Text: string(text)}}})
	}
	if err != nil {
		return nil, err
	}
	doc.users++
	doc.disk, _ = os.Stat(path) // a file that is gone has none
	d.open[path] = doc
	return &view{d, doc, doc.version}, nil
}

// current reports whether the server still has the text of the view.
func (v *view) current() bool {
	v.docs.mu.Lock()
	defer v.docs.mu.Unlock()
	return v.doc.version == v.version
}

// close ends the use; what was used longest ago leaves the server when too
// many texts are open.
func (v *view) close() error {
	d := v.docs
	d.mu.Lock()
	defer d.mu.Unlock()
	v.doc.users--
	v.doc.used = time.Now()
	var idle []*document
	for _, doc := range d.open {
		if doc.users == 0 {
			idle = append(idle, doc)
		}
	}
	slices.SortFunc(idle, func(a, b *document) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.path, b.path))
	})
	for _, doc := range idle[:max(0, len(idle)-d.keep)] {
		if err := d.close(doc); err != nil {
			return err
		}
	}
	return nil
}

func (d *documents) close(doc *document) error {
	delete(d.open, doc.path)
	return d.conn.notify("textDocument/didClose", protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(doc.path)}})
}

// refresh closes the texts that nobody asks about and whose files moved since.
func (d *documents) refresh() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.open {
		if doc.users > 0 {
			continue
		}
		now, err := os.Stat(doc.path)
		same := err == nil && doc.disk != nil && os.SameFile(now, doc.disk) && now.Size() == doc.disk.Size() && now.ModTime().Equal(doc.disk.ModTime())
		if !same {
			if err := d.close(doc); err != nil {
				return err
			}
		}
	}
	return nil
}

// moves are files that moved on disk: path → what became of it.
type moves map[string]protocol.FileChangeType

// add notes one more move of a file. What was made and changed is new to a
// server that heard of neither, and so on.
func (m moves) add(paths []string, kind protocol.FileChangeType) {
	for _, p := range paths {
		before, known := m[p]
		switch {
		case known && before == protocol.FileChangeTypeCreated && kind == protocol.FileChangeTypeChanged:
		case known && before == protocol.FileChangeTypeDeleted && kind == protocol.FileChangeTypeCreated:
			m[p] = protocol.FileChangeTypeChanged
		default:
			m[p] = kind
		}
	}
}

// tell sends what moved since the last question, and closes the texts that
// hide it.
func (s *session) tell() error {
	s.mu.Lock()
	var events []*protocol.FileEvent
	for p, kind := range s.moves {
		events = append(events, &protocol.FileEvent{URI: uri.File(p), Type: kind})
		if slices.Contains(s.spec.manifests, path.Base(p)) {
			s.readiness.again()
		}
	}
	s.moves = nil
	slices.SortFunc(events, func(a, b *protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
	defer s.mu.Unlock() // held while it is sent, so that no other question goes first
	if err := s.docs.refresh(); err != nil || len(events) == 0 {
		return err
	}
	return s.conn.notify("workspace/didChangeWatchedFiles", protocol.DidChangeWatchedFilesParams{Changes: events})
}

// moved notes what moved on disk, for tell.
func (s *session) moved(created, changed, removed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.moves == nil {
		s.moves = moves{}
	}
	s.moves.add(created, protocol.FileChangeTypeCreated)
	s.moves.add(changed, protocol.FileChangeTypeChanged)
	s.moves.add(removed, protocol.FileChangeTypeDeleted)
}
