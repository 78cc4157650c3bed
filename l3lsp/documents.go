package l3lsp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"sextant/internal/lang"
)

// keptDocuments is the number of documents left open in a server after queries,
// unless its spec says otherwise. It is small because opening a document again
// costs less than the memory of an open one.
const keptDocuments = 4

// documents tracks the documents (texts of files) that a server has open. While a document is open,
// the server does not read its file, so its text is sent again when the file changes on disk. It is
// safe for concurrent use.
type documents struct {
	conn *conn
	keep int  // number of documents that stay open although no batch uses them
	each bool // whether keep is multiplied by folders

	mu      sync.Mutex
	folders int                  // number of folders of the server; guarded by mu
	open    map[string]*document // path → document; guarded by mu, which also orders the messages
}

// document is a text that the server has open.
type document struct {
	path    string // absolute
	version int32
	sum     [sha256.Size]byte // hash of the text that the server has
	users   int               // number of views that use the document
	used    time.Time         // when the last view was closed
	disk    os.FileInfo       // state of the file when the text was opened; nil if there was no file
}

func newDocuments(c *conn, spec *Spec) *documents {
	return &documents{conn: c, keep: cmp.Or(spec.documents, keptDocuments), each: spec.each, folders: 1,
		open: map[string]*document{}}
}

// spread records the number of folders of the server, by which the number of documents left open
// may be multiplied.
func (d *documents) spread(folders int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.folders = folders
}

// view is one batch's use of a document.
type view struct {
	docs    *documents
	doc     *document
	version int32
}

// show opens a text in the server, or replaces the text that the server has for
// path. The caller must close the view.
func (d *documents) show(language, path string, text []byte) (*view, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.open[path]
	var err error
	if doc == nil {
		doc = &document{path: path, version: 1, sum: sha256.Sum256(text)}
		err = d.conn.notify("textDocument/didOpen",
			protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
				URI: uri.File(path), LanguageID: protocol.LanguageIdentifier(languageID(language, path)), Version: 1,
				Text: string(text)}})
	} else {
		err = d.replace(doc, text)
	}
	if err != nil {
		return nil, err
	}
	doc.users++
	doc.disk, _ = os.Stat(path) // the result is nil for a deleted file
	d.open[path] = doc
	return &view{d, doc, doc.version}, nil
}

// current reports whether the server still has the text that the view was opened with. Another
// batch may have replaced it.
func (v *view) current() bool {
	v.docs.mu.Lock()
	defer v.docs.mu.Unlock()
	return v.doc.version == v.version
}

// close ends this use of the document. If too many documents are open that no batch uses, it closes
// the least recently used of them in the server.
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
	keep := d.keep
	if d.each {
		keep *= d.folders
	}
	for _, doc := range idle[:max(0, len(idle)-keep)] {
		if err := d.close(doc); err != nil {
			return err
		}
	}
	return nil
}

// close closes a document in the server. The caller holds d.mu.
func (d *documents) close(doc *document) error {
	delete(d.open, doc.path)
	return d.conn.notify("textDocument/didClose",
		protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(doc.path)}})
}

// refresh sends the current text on disk of each open document that no batch uses, if the file
// has changed. It replaces the text instead of closing the document: tsserver, for example,
// assumes that the file still has the text with which the document was closed, even if the file
// has changed since. A file in moved is read even if its size and time are unchanged, because the
// open text may be older than the change.
func (d *documents) refresh(moved moves) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.open {
		if doc.users > 0 {
			continue
		}
		now, err := os.Stat(doc.path)
		_, known := moved[doc.path]
		if !known && err == nil && doc.disk != nil && os.SameFile(now, doc.disk) && now.Size() == doc.disk.Size() &&
			now.ModTime().Equal(doc.disk.ModTime()) {
			continue
		}
		text, err := os.ReadFile(doc.path)
		if err != nil {
			err = d.close(doc)
		} else {
			doc.disk = now
			err = d.replace(doc, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// closeIdle closes the documents that no batch uses.
func (d *documents) closeIdle() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.open {
		if doc.users > 0 {
			continue
		}
		if err := d.close(doc); err != nil {
			return err
		}
	}
	return nil
}

// replace sends a new text of an open document, unless the server already has that text.
func (d *documents) replace(doc *document, text []byte) error {
	sum := sha256.Sum256(text)
	if doc.sum == sum {
		return nil
	}
	doc.version, doc.sum = doc.version+1, sum
	// Do not use the library's type for a change: it always sends a range, which would limit the
	// change to that range.
	return d.conn.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uri.File(doc.path), "version": doc.version},
		"contentChanges": []any{map[string]any{"text": string(text)}}})
}

// moves maps the path of a file that changed on disk to the kind of change.
type moves map[string]protocol.FileChangeType

// add records one more change of each file. If an earlier change of the file has not been sent to
// the server yet, it merges the two: "created" and then "changed" becomes "created", "deleted"
// and then "created" becomes "changed". Otherwise the later change replaces the earlier one.
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

// tell notifies the server of files that changed since the last batch, and sends the new texts of
// those that are open in the server.
func (s *session) tell(ctx context.Context) error {
	shown, err := s.send()
	for i := 0; i < len(shown) && err == nil; i++ {
		// A server that answers a request about a document has processed the document's text.
		document := protocol.TextDocumentIdentifier{URI: uri.File(shown[i])}
		params := protocol.TextDocumentPositionParams{TextDocument: document}
		err = s.conn.call(ctx, "textDocument/definition", params, nil)
		if isError := (*jsonrpc2.Error)(nil); errors.As(err, &isError) {
			err = nil // an error response also shows that the server has read the text
		}
	}
	return err
}

// send notifies the server of changed files. Some servers notice a change only when the file is opened
// (Spec.reopen). For those it opens the files and returns the paths of the last few, which the server may not
// have read yet.
func (s *session) send() (shown []string, err error) {
	s.mu.Lock()
	var events []*protocol.FileEvent
	for p, kind := range s.moves {
		events = append(events, &protocol.FileEvent{URI: uri.File(p), Type: kind})
		if slices.Contains(s.spec.manifests, path.Base(p)) {
			s.readiness.again()
		}
	}
	moved := s.moves
	s.moves = nil
	slices.SortFunc(events, func(a, b *protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
	defer s.mu.Unlock() // hold mu while sending, so that no other batch overtakes it
	if s.spec.reopen && len(events) > 0 {
		return s.reopen(events)
	}
	if err := s.docs.refresh(moved); err != nil || len(events) == 0 {
		return nil, err
	}
	together := len(events)
	if s.spec.singly {
		together = 1
	}
	for some := range slices.Chunk(events, together) {
		if err := s.conn.notify("workspace/didChangeWatchedFiles",
			protocol.DidChangeWatchedFilesParams{Changes: some}); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// moved records files that changed on disk. tell sends them to the server before the next batch.
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

// reopen opens and closes the changed files, for a server that notices changes in no other way.
// It returns the paths of the last few files, which stay open. It first closes all unused
// documents, because clangd keeps the headers of a document as they were when it was opened.
func (s *session) reopen(events []*protocol.FileEvent) (shown []string, err error) {
	if err := s.docs.closeIdle(); err != nil {
		return nil, err
	}
	for _, e := range events {
		path := e.URI.Filename()
		language, ok := lang.Detect(path)
		if !ok || !slices.Contains(s.spec.Languages, language.Name) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue // a deleted file cannot be opened
		}
		v, err := s.docs.show(language.Name, path, text)
		if err != nil {
			return shown, err
		}
		if err := v.close(); err != nil {
			return shown, err
		}
		shown = append(shown, path)
	}
	// The server has read the earlier files, because they have been closed in it.
	return shown[max(0, len(shown)-s.docs.keep):], nil
}
