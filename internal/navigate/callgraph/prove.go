package callgraph

import (
	"context"
	"time"

	"sextant/internal/navigate/contract"
)

// Prover is the tier that proves: language servers, which say what is meant at
// a place in the code. It is safe for concurrent use.
type Prover interface {
	// Server is the server of a language for a folder, as it stands now, and
	// starts none. Without a name none is known for the language.
	Server(language, folder string) ServerInfo
	// Ask starts a server where none runs. What was not answered when ctx ended
	// stays so. The error is a *ServerError, and says that nothing was asked.
	Ask(ctx context.Context, b *ProofBatch) (ProofReport, error)
	// Pool is what runs, for status.
	Pool() contract.L3State
}

// ServerInfo is a server as it stands.
type ServerInfo struct {
	Name string
	// Identity is what its verdicts rest on: program, version, trust. "" when it
	// is not installed.
	Identity  string
	Manifests []string // base names of files that its verdicts rest on too
	Whole     bool     // it is asked in the root of the workspace, wherever the file lies
	// Implements: it answers AskImplementations.
	Implements bool
	// State and Detail are those of ServerState, "" when it does not run. Ready
	// is of the folder.
	State  contract.ServerPhase
	Detail string
}

// Question is what is asked about a site.
type Question int

const (
	AskDefinition      Question = iota // where what is named here is declared
	AskReferences                      // where what is declared here is named
	AskImplementations                 // what implements or overrides what is declared here
)

// ProofBatch is questions about files of one language below one folder.
type ProofBatch struct {
	Question Question
	Folder   string // absolute: the root of a service, or of the workspace for a server that wants the whole
	Language string
	Files    []ProofSource
	// Canary is a call whose target in the same file is beyond doubt; a server
	// that gets it wrong is not ready. nil when there is none.
	Canary *ProofCanary
	// Text is the bytes of a file, by its absolute path, as the index has them.
	Text func(path string) ([]byte, bool)
}

// ProofSource is a file with the sites in it.
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

// ProofReport is the answers to a batch.
type ProofReport struct {
	Answers [][]ProofAnswer // by file, by site
	Server  string          // with its version
	State   contract.ServerPhase
	Detail  string // only what a ready server says differs, differs
}

// ProofAnswer is where a server sees the declaration or the names. Without a
// location nothing is known.
type ProofAnswer struct {
	Locations []ProofLocation
	Asked     bool
}

// ProofLocation is one place.
type ProofLocation struct {
	Path   string // absolute
	Line   int    // 1-based
	Offset int    // of the name, in bytes; -1 where the text is not to be had
}

// ServerError says why nothing was asked.
type ServerError struct {
	Server string
	State  contract.ServerPhase
	Detail string
	After  time.Duration // the server is tried again then; 0 when that is not known
}

func (e *ServerError) Error() string { return e.Server + " is " + string(e.State) + ": " + e.Detail }
