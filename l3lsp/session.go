package l3lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// session is one running server, initialized, with the documents that are
// open in it.
type session struct {
	spec    *Spec
	run     setup
	proc    *process
	conn    *conn
	version string // as the server says it

	mu       sync.Mutex
	folders  []string          // absolute, in the order in which they joined
	open     map[string]int32  // URI → version of the text that the server holds
	progress map[string]string // token → title, of what is going on
	drained  time.Time         // when the last loading progress ended
	loaded   bool              // a loading progress has ended, or the server has none
	canary   bool              // one came back right since the last folder joined
	proven   bool              // a canary came back right once: silence since then is a fault
	missed   int               // deadlines in a row that it answered nothing in
}

// newSession starts the server on its first folder, and initializes it before
// ctx ends.
func newSession(ctx context.Context, spec *Spec, run setup, folder string) (*session, error) {
	env := append(baseEnv(), "NO_COLOR=1")
	if spec.env != nil {
		env = append(env, spec.env(run)...)
	}
	proc, err := start(append([]string{run.bin}, spec.Command[1:]...), env, folder)
	if err != nil {
		return nil, err
	}
	s := &session{spec: spec, run: run, proc: proc, folders: []string{folder}, open: map[string]int32{}, progress: map[string]string{}, loaded: len(spec.loading) == 0}
	s.conn = newConn(newStream(proc.stdout, proc.stdin, proc), s.handle)
	if err := s.initialize(ctx); err != nil {
		s.kill()
		return nil, fmt.Errorf("%s: %w%s", spec.Name, err, said(proc.stderr))
	}
	return s, nil
}

// said is the last line of a server's standard error, for an error message.
func said(t *tail) string {
	text := strings.TrimSpace(t.String())
	if text == "" {
		return ""
	}
	return "; it said: " + text[strings.LastIndexByte(text, '\n')+1:]
}

func folderOf(dir string) protocol.WorkspaceFolder {
	return protocol.WorkspaceFolder{URI: string(uri.File(dir)), Name: dir}
}

func (s *session) initialize(ctx context.Context) error {
	var options any
	if s.spec.options != nil {
		options = s.spec.options(s.run)
	}
	params := map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]string{"name": "sextant"},
		"rootUri":               uri.File(s.folders[0]),
		"workspaceFolders":      []protocol.WorkspaceFolder{folderOf(s.folders[0])},
		"initializationOptions": options,
		"capabilities": map[string]any{
			"general": map[string]any{"positionEncodings": []string{"utf-16"}},
			"window":  map[string]any{"workDoneProgress": true},
			"workspace": map[string]any{
				"configuration": true, "workspaceFolders": true,
				"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true},
			},
			"textDocument": map[string]any{
				"synchronization": none{},
				"definition":      map[string]any{"linkSupport": true},
				"references":      none{},
				"implementation":  map[string]any{"linkSupport": true},
			},
			"experimental": map[string]any{"serverStatusNotification": true},
		},
	}
	var result struct {
		ServerInfo struct{ Name, Version string } `json:"serverInfo"`
	}
	if err := s.conn.call(ctx, "initialize", params, &result); err != nil {
		return err
	}
	s.version = strings.TrimSpace(s.spec.Name + " " + result.ServerInfo.Version)
	if err := s.conn.notify(ctx, "initialized", none{}); err != nil {
		return err
	}
	if s.spec.settings != nil {
		return s.conn.notify(ctx, "workspace/didChangeConfiguration", map[string]any{"settings": s.spec.settings("", s.run)})
	}
	return nil
}

// handle answers the server's own requests, and follows its progress. It does
// nothing that a server asks for beyond telling it our settings.
func (s *session) handle(method string, params []byte) any {
	switch method {
	case "workspace/configuration":
		return s.configuration(params)
	case "workspace/workspaceFolders":
		s.mu.Lock()
		defer s.mu.Unlock()
		out := make([]protocol.WorkspaceFolder, len(s.folders))
		for i, f := range s.folders {
			out[i] = folderOf(f)
		}
		return out
	case "workspace/applyEdit":
		return map[string]any{"applied": false, "failureReason": "read only"}
	case "$/progress":
		s.progressed(params)
	case "experimental/serverStatus":
		var status struct{ Quiescent bool }
		if json.Unmarshal(params, &status) == nil && status.Quiescent {
			s.mu.Lock()
			s.loaded = true
			s.mu.Unlock()
		}
	}
	return nil
}

func (s *session) configuration(params []byte) any {
	var p protocol.ConfigurationParams
	if err := json.Unmarshal(params, &p); err != nil {
		return []any{}
	}
	out := make([]any, len(p.Items))
	for i, item := range p.Items {
		if s.spec.settings != nil {
			out[i] = s.spec.settings(item.Section, s.run)
		}
	}
	return out
}

func (s *session) progressed(params []byte) {
	var p struct {
		Token json.RawMessage
		Value struct{ Kind, Title string }
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	token := string(p.Token)
	switch p.Value.Kind {
	case "begin":
		s.progress[token] = p.Value.Title
	case "end":
		if slices.Contains(s.spec.loading, s.progress[token]) {
			s.loaded, s.drained = true, time.Now()
		}
		delete(s.progress, token)
	}
}

// settled reports whether the server has read its folders, as far as it says:
// no loading is going on, and one has ended where it announces them.
func (s *session) settled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, title := range s.progress {
		if len(s.spec.loading) == 0 || slices.Contains(s.spec.loading, title) {
			return false
		}
	}
	return s.loaded
}

// document is a text as the server is to see it.
type document struct {
	path     string // absolute
	language string
	text     []byte
}

// show opens a document, or replaces its text where it is open.
func (s *session) show(ctx context.Context, d document) error {
	u := string(uri.File(d.path))
	s.mu.Lock()
	version, open := s.open[u]
	s.open[u] = version + 1
	s.mu.Unlock()
	if !open {
		return s.conn.notify(ctx, "textDocument/didOpen", protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
			URI: uri.URI(u), LanguageID: protocol.LanguageIdentifier(languageID(d.language, d.path)), Version: version + 1, Text: string(d.text)}})
	}
	return s.conn.notify(ctx, "textDocument/didChange", protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri.URI(u)}, Version: version + 1},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{{Text: string(d.text)}}})
}

// hide closes a document.
func (s *session) hide(ctx context.Context, path string) error {
	u := uri.File(path)
	s.mu.Lock()
	delete(s.open, string(u))
	s.mu.Unlock()
	return s.conn.notify(ctx, "textDocument/didClose", protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}})
}

// moved tells the server which files changed on disk.
func (s *session) moved(ctx context.Context, changed, gone []string) error {
	var events []*protocol.FileEvent
	for _, p := range changed {
		events = append(events, &protocol.FileEvent{URI: uri.File(p), Type: protocol.FileChangeTypeChanged})
	}
	for _, p := range gone {
		events = append(events, &protocol.FileEvent{URI: uri.File(p), Type: protocol.FileChangeTypeDeleted})
	}
	return s.conn.notify(ctx, "workspace/didChangeWatchedFiles", protocol.DidChangeWatchedFilesParams{Changes: events})
}

// join adds a folder.
func (s *session) join(ctx context.Context, folder string) error {
	s.mu.Lock()
	if slices.Contains(s.folders, folder) {
		s.mu.Unlock()
		return nil
	}
	s.folders, s.canary = append(s.folders, folder), false
	s.mu.Unlock()
	return s.conn.notify(ctx, "workspace/didChangeWorkspaceFolders", protocol.DidChangeWorkspaceFoldersParams{
		Event: protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{folderOf(folder)}, Removed: []protocol.WorkspaceFolder{}}})
}

const (
	shutdownTimeout = 2 * time.Second
	signalGrace     = 2 * time.Second
)

// stop ends the server as the protocol says, and by force if it does not end.
func (s *session) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := s.conn.call(ctx, "shutdown", nil, nil); err == nil {
		_ = s.conn.notify(ctx, "exit", nil) // what does not listen is made to
	}
	_ = s.proc.stdin.Close()
	s.proc.end(signalGrace)
	s.conn.rpc.Close()
}

// kill ends the server at once.
func (s *session) kill() {
	signalGroup(s.proc.pid(), true)
	s.proc.end(signalGrace)
	s.conn.rpc.Close()
}

// ready reports whether what the server says may be believed.
func (s *session) ready() bool {
	s.mu.Lock()
	canary := s.canary
	s.mu.Unlock()
	return canary && s.settled()
}

// joined is the folders of the server.
func (s *session) joined() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.folders)
}
