package callgraph

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
	// Ask sends the questions to a server, which it starts if none runs. Questions that
	// are unanswered when ctx ends stay so. The error is a *ServerError and means that no
	// question was sent.
	Ask(ctx context.Context, b *ProofBatch) (ProofReport, error)
	// Pool returns the running servers, for status.
	Pool() contract.L3State
}

// ServerInfo is the state of one server.
type ServerInfo struct {
	Name string
	// Identity names everything in the server that its verdicts depend on: program,
	// version, trust. It is "" if the server is not installed.
	Identity  string
	Manifests []string // base names of files that its verdicts depend on too
	Whole     bool     // it always runs in the root of the workspace, wherever the file is
	// Implements says that it answers AskImplementations.
	Implements bool
	// State and Detail are those of ServerState, "" if it does not run. The phase ready is
	// that of the folder.
	State  contract.ServerPhase
	Detail string
}

// Question is a kind of question about a place in the code.
type Question int

const (
	AskDefinition      Question = iota // where is the declaration of this name
	AskReferences                      // which places refer to this declaration
	AskImplementations                 // which declarations implement or override this one
)

// ProofBatch holds questions of one kind about files of one language below one folder.
type ProofBatch struct {
	Question Question
	Folder   string // absolute: the root of a service, or of the workspace if ServerInfo.Whole is set
	Language string
	Files    []ProofSource
	// Canary is a call whose target in the same file is beyond doubt. A server that
	// answers it wrongly is not ready. It is nil if no such call is found.
	Canary *ProofCanary
	// Text returns the indexed bytes of a file by its absolute path, false if they are not
	// available.
	Text func(path string) ([]byte, bool)
}

// ProofSource is a file with the places in it that questions are about.
type ProofSource struct {
	Path    string // absolute
	Text    []byte
	Offsets []int // of the first byte of each name
}

// ProofCanary is a call with its known target.
type ProofCanary struct {
	Path                 string // of both ends, absolute
	Text                 []byte
	Offset, TargetOffset int // of the callee's name, and of the declared name
}

// ProofReport holds the answers to a batch.
type ProofReport struct {
	Answers [][]ProofAnswer      // by file, by site
	Server  string               // with its version
	State   contract.ServerPhase // only a ready server can refute
	Detail  string               // why it is not ready, for users
}

// ProofAnswer is a server's answer to one question. An empty list of locations proves
// nothing.
type ProofAnswer struct {
	Locations []ProofLocation
	Asked     bool
}

// ProofLocation is one place that a server names.
type ProofLocation struct {
	Path   string // absolute
	Line   int    // 1-based
	Offset int    // of the name, in bytes; -1 if the text is not available
}

// ServerError says why a batch was not asked.
type ServerError struct {
	Server string
	State  contract.ServerPhase
	Detail string
	After  time.Duration // the server is tried again then; 0 if that is unknown
}

func (e *ServerError) Error() string { return e.Server + " is " + string(e.State) + ": " + e.Detail }
