package proof

import (
	"context"
	"time"

	"sextant/internal/navigate/contract"
)

// Prover proves edges: it asks language servers which declaration a place in the code
// refers to. It is safe for concurrent use.
type Prover interface {
	// Server returns the state of the server of a language for a folder and starts none.
	// Its Name is "" if no server is known for the language.
	Server(language, folder string) ServerInfo
	// Ask sends the questions to a server, which it starts if none runs. When ctx ends, it
	// returns the answers so far. A *ServerError means that no question was sent.
	Ask(ctx context.Context, b *Batch) (Report, error)
	// Pool returns the state of the running servers, for manage_index status.
	Pool() contract.L3State
}

// ServerInfo is the state of one language server.
type ServerInfo struct {
	Name string
	// Identity encodes everything about the server on which its answers depend: program,
	// version, trust. It is "" if the server is not installed.
	Identity  string
	Manifests []string // base names of further files on which its answers depend
	Whole     bool     // the server always runs in the root of the workspace, never in the folder of a service
	// Implements is true if the server can list the implementations of a method (AskImplementations).
	Implements bool
	// State is the phase of the server, where ServerReady means ready for the requested folder. Detail
	// explains it for users. Both are "" if the server does not run.
	State  contract.ServerPhase
	Detail string
}

// Ask is a kind of question about a place in the code.
type Ask int

const (
	AskDefinition      Ask = iota // where is the declaration of this name
	AskReferences                 // asks for the places that refer to a declaration
	AskImplementations            // asks for the declarations that implement or override a declaration
)

// Batch holds questions of one kind about files of one language below one folder.
type Batch struct {
	Ask      Ask
	Folder   string // absolute: the root of a service, or of the workspace if ServerInfo.Whole is set
	Language string
	Files    []Source
	// Canary is a call whose target, in the same file, is certain. A server that answers
	// it wrongly is not ready. It is nil if no such call is found.
	Canary *Canary
	// Text returns the indexed bytes of the file at an absolute path. It returns false if
	// they are not available.
	Text func(path string) ([]byte, bool)
}

// Source is a file with the places in it that questions are about.
type Source struct {
	Path    string // absolute
	Text    []byte
	Offsets []int // byte offset of each name that a question is about
}

// Canary is a call with its known target.
type Canary struct {
	Path                 string // absolute path of the file with call and target
	Text                 []byte
	Offset, TargetOffset int // byte offsets of the callee's name and of the declared name
}

// Report holds the answers to a batch.
type Report struct {
	Answers [][]Answer           // by index of the file and of the offset in the batch
	Server  string               // name and version of the server
	State   contract.ServerPhase // state of the server; only a ready server can refute
	Detail  string               // why the server is not ready, as a text for users
}

// Answer is a server's answer to one question. Asked is false if the server replied with an error or
// not in time. An empty list of locations proves nothing.
type Answer struct {
	Locations []Location
	Asked     bool
}

// Location is one place in a server's answer.
type Location struct {
	Path   string // absolute
	Line   int    // 1-based
	Offset int    // byte offset of the name; -1 if the text is not available
}

// ServerError is the error for a batch that was not sent to a server.
type ServerError struct {
	Server string
	State  contract.ServerPhase
	Detail string
	After  time.Duration // time until the server may be started again; 0 if unknown
}

func (e *ServerError) Error() string { return e.Server + " is " + string(e.State) + ": " + e.Detail }
