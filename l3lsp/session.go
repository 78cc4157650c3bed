package l3lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// session is a running, initialized server and its known state. It is safe for concurrent use.
type session struct {
	spec *Spec
	run  setup
	peer peer
	conn *conn
	docs *documents
	born time.Time // when it was initialized

	mu      sync.Mutex
	folders []folder // folders in the order of their last use; mu guards this and all fields below
	version string   // reported by the server; "" if it reports none
	moves   moves    // files that changed on disk and of which the server has not been told
	readiness
	missed int           // number of consecutive batches whose deadline passed without a message from it
	silent time.Time     // time at which the first of the missed batches began
	worked time.Duration // CPU time that the server had used when the deadline of the first missed batch passed
}

// folder is a folder that a server works in.
type folder struct {
	path  string // absolute
	real  string // without symbolic links; some servers return such paths
	users int    // number of batches that use the folder
}

// newSession starts the server in its first folder, run.folder. The server must be initialized
// before ctx ends. launch is the function start, except in tests.
func newSession(ctx context.Context, spec *Spec, run setup,
	launch func(command, env []string, dir string) (peer, error)) (*session, error) {
	if spec.prepare != nil {
		if err := spec.prepare(run, []string{run.folder}); err != nil {
			return nil, err
		}
	}
	env := run.baseEnv()
	if spec.env != nil {
		env = append(env, spec.env(run)...)
	}
	command := append([]string{run.bin}, spec.Command[1:]...)
	if spec.args != nil {
		command = append(command, spec.args(run)...)
	}
	// A server of an untrusted folder starts in another folder. If it started within the untrusted
	// one, stubs of node, rustup, pyenv and the like would take the program to run from the files
	// there.
	dir := run.cache
	if run.trusted {
		dir = run.folder
	}
	p, err := launch(command, env, dir)
	if err != nil {
		return nil, err
	}
	s := &session{spec: spec, run: run, peer: p, folders: []folder{newFolder(run.folder)},
		readiness: newReadiness(spec)}
	s.conn = newConn(newStream(p), s.handle)
	s.docs = newDocuments(s.conn, spec)
	if err := s.initialize(ctx); err != nil {
		s.kill()
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("it did not initialize in time")
		}
		return nil, s.explain(err)
	}
	s.born = time.Now()
	return s, nil
}

// explain adds to err the reason why the server ended, as far as it is known.
func (s *session) explain(err error) error {
	if fault := s.conn.stream.fault(); fault != nil {
		err = fault
	}
	if why := s.peer.why(); why != "" {
		return fmt.Errorf("%w; %s", err, why)
	}
	return err
}

func newFolder(path string) folder {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	return folder{path: path, real: real}
}

// asGiven returns a path from a server with the spelling of its folder that queries use. The
// server may have resolved symbolic links in it.
func (s *session) asGiven(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		if rest, ok := strings.CutPrefix(path, f.real); ok && f.real != f.path &&
			(rest == "" || rest[0] == filepath.Separator) {
			return f.path + rest
		}
	}
	return path
}

func workspaceFolder(dir string) protocol.WorkspaceFolder {
	return protocol.WorkspaceFolder{URI: string(uri.File(dir)), Name: dir}
}

// initialize sends the messages "initialize", "initialized" and, if the server
// has settings, its configuration.
func (s *session) initialize(ctx context.Context) error {
	var options any
	if s.spec.options != nil {
		options = s.spec.options(s.run)
	}
	first := s.folders[0].path
	params := map[string]any{
		"processId":             os.Getpid(),
		"clientInfo":            map[string]string{"name": "sextant"},
		"rootUri":               uri.File(first),
		"workspaceFolders":      []protocol.WorkspaceFolder{workspaceFolder(first)},
		"initializationOptions": options,
		"capabilities":          capabilities,
	}
	var result json.RawMessage
	if err := s.conn.call(ctx, "initialize", params, &result); err != nil {
		return err
	}
	s.learnVersion("initialize", result)
	if err := s.conn.notify("initialized", none{}); err != nil {
		return err
	}
	if s.spec.settings != nil {
		return s.conn.notify("workspace/didChangeConfiguration", map[string]any{"settings": s.spec.settings("", s.run)})
	}
	return nil
}

// learnVersion stores the server's version if the message contains it.
func (s *session) learnVersion(method string, params []byte) {
	read := s.spec.version
	if read == nil {
		read = serverInfo
	}
	version := read(method, params)
	if version != "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.version = version
	}
}

// name returns the server's name and version.
func (s *session) name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.TrimSpace(s.spec.Name + " " + s.version)
}

// capabilities lists the client capabilities of the protocol that the queries need. Further ones
// would only cause servers to send more.
var capabilities = map[string]any{
	"general": map[string]any{"positionEncodings": []string{"utf-16"}},
	"window":  map[string]any{"workDoneProgress": true},
	"workspace": map[string]any{
		"configuration": true, "workspaceFolders": true,
		"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true, "relativePatternSupport": true},
	},
	"textDocument": map[string]any{
		"synchronization": none{},
		"definition":      map[string]any{"linkSupport": true},
		"references":      none{},
		"implementation":  map[string]any{"linkSupport": true},
		// A server with pull diagnostics, which the client requests, does not push diagnostics. For
		// pyright, computing them is most of the work on an opened text.
		"diagnostic": map[string]any{"dynamicRegistration": true},
	},
	"experimental": map[string]any{"serverStatusNotification": true},
}

// join adds the folder path to those of the server, for a batch. If the server then has more than
// limit folders, it drops the least recently used ones that no batch uses. The returned function
// ends the batch's use of the folder; it is never nil.
func (s *session) join(path string, limit int) (leave func(), err error) {
	folders := s.joined()
	if s.spec.prepare != nil && !slices.Contains(folders, path) {
		run := s.run
		run.folder = path
		if err := s.spec.prepare(run, append(folders, path)); err != nil {
			return func() {}, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	event := protocol.WorkspaceFoldersChangeEvent{Added: []protocol.WorkspaceFolder{},
		Removed: []protocol.WorkspaceFolder{}}
	at := slices.IndexFunc(s.folders, func(f folder) bool { return f.path == path })
	added := folder{}
	if at >= 0 {
		added = s.folders[at]
		s.folders = slices.Delete(s.folders, at, at+1)
	} else {
		added = newFolder(path)
		event.Added = append(event.Added, workspaceFolder(path))
		s.readiness.again()
	}
	s.folders = slices.DeleteFunc(s.folders, func(f folder) bool {
		over := len(s.folders)-len(event.Removed) >= limit && f.users == 0
		if over {
			event.Removed = append(event.Removed, workspaceFolder(f.path))
		}
		return over
	})
	added.users++
	s.folders = append(s.folders, added)
	s.docs.spread(len(s.folders))
	if len(event.Added)+len(event.Removed) > 0 {
		err = s.conn.notify("workspace/didChangeWorkspaceFolders",
			protocol.DidChangeWorkspaceFoldersParams{Event: event})
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if i := slices.IndexFunc(s.folders, func(f folder) bool { return f.path == path }); i >= 0 {
			s.folders[i].users--
		}
	}, err
}

// joined returns the folders of the server, the most recently used last.
func (s *session) joined() (paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.folders {
		paths = append(paths, f.path)
	}
	return paths
}

const (
	shutdownTimeout = 2 * time.Second
	signalGrace     = 2 * time.Second
)

// stop shuts the server down as the protocol prescribes, and kills it if that
// fails.
func (s *session) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	if err := s.conn.call(ctx, "shutdown", nil, nil); err == nil {
		_ = s.conn.notify("exit", nil) // peer.end kills a server that ignores it
	}
	s.peer.end(signalGrace)
	s.conn.close()
}

// kill kills the server.
func (s *session) kill() {
	s.peer.end(0)
	s.conn.close()
}
