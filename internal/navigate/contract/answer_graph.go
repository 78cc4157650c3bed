package contract

import (
	"sextant/internal/code"
	"sextant/internal/diagram"
)

// GraphAnswer is what call_graph says.
type GraphAnswer struct {
	Outcome
	Supported    bool      `json:"supported"`
	Path         string    `json:"path"`
	CodebaseRoot string    `json:"codebaseRoot,omitempty"`
	SymbolRef    SymbolRef `json:"symbolRef"`
	Direction    Direction `json:"direction"`
	Depth        int       `json:"depth"`
	Limit        int       `json:"limit"`

	FreshnessDecision *Freshness    `json:"freshnessDecision,omitempty"`
	Verification      *Verification `json:"verification,omitempty"`
	Warnings          []string      `json:"warnings,omitempty"` // CODE or CODE:detail, sorted

	Nodes List[Node] `json:"nodes"` // by file, start line, label, id
	Edges List[Edge] `json:"edges"` // by source, destination, kind, site
	Tree  string     `json:"tree,omitempty"`
	// Drawn is the model behind Tree, for callers in the same process.
	Drawn   *diagram.Tree `json:"-"`
	Mermaid string        `json:"mermaid,omitempty"`

	// Impact answers a reference to a change, which has no nodes and edges.
	Impact *Impact `json:"impact,omitempty"`

	// Folded counts the edges that are not shown because of what they are.
	Folded *Folded `json:"folded,omitempty"`
	// Counts says what became of every call site that the walk came across.
	Counts            *GraphCounts `json:"counts,omitempty"`
	Notes             List[Note]   `json:"notes"`
	NotesTruncated    bool         `json:"notesTruncated"`
	TotalNoteCount    int          `json:"totalNoteCount"`
	ReturnedNoteCount int          `json:"returnedNoteCount"`

	// Candidates are the symbols that an ambiguous or missing reference may
	// mean, the likeliest first.
	Candidates              []Candidate      `json:"candidates,omitempty"`
	TestReferences          []TestReference  `json:"testReferences,omitempty"` // at most 50
	InboundCoverageEvidence *InboundCoverage `json:"inboundCoverageEvidence,omitempty"`
	Sidecar                 *Sidecar         `json:"sidecar,omitempty"`
	Cursor                  string           `json:"cursor,omitempty"`
	Truncated               *Truncation      `json:"truncated,omitempty"`
	Hints                   *Hints           `json:"hints,omitempty"`
}

// Node is a symbol of the graph.
type Node struct {
	SymbolID     string   `json:"symbolId"`
	SymbolLabel  string   `json:"symbolLabel"`
	File         string   `json:"file"` // "" when External; of a folder its path, "." for the root
	Language     string   `json:"language"`
	Span         LineSpan `json:"span"` // zero when External, and of a folder
	Depth        int      `json:"depth"`
	Service      string   `json:"service,omitempty"`
	CodebaseRoot string   `json:"codebaseRoot,omitempty"` // when another root's
	External     bool     `json:"external,omitempty"`     // of a dependency or the standard library
}

// Edge is a call between two nodes.
type Edge struct {
	Src        string        `json:"srcSymbolId"`
	Dst        string        `json:"dstSymbolId"`
	Kind       code.EdgeKind `json:"kind"` // call, import, dynamic, http, grpc, message
	Site       Site          `json:"site"`
	Confidence float64       `json:"confidence"`
	Evidence   code.Evidence `json:"evidence"`
	State      EdgeState     `json:"state"` // one of the states below
	Strategy   string        `json:"strategy"`
	Provenance string        `json:"provenance"` // how it was found, one line

	ConfirmedBy string `json:"confirmedBy,omitempty"` // server and version
	// the interface or base class dispatched through; between services the method, route, topic
	// or type of the payload
	Via        string   `json:"via,omitempty"`
	RemoteSite *Site    `json:"remoteSite,omitempty"` // the handler's end of a cross-service edge
	Arguments  []string `json:"arguments,omitempty"`  // as written, with detail full
	Source     string   `json:"source,omitempty"`     // the line of the site, with source
	InTest     bool     `json:"-"`                    // whether the caller is a test
}

// EdgeState says whether a language server confirmed an edge.
type EdgeState string

// The states of an edge.
const (
	StateConfirmed EdgeState = "confirmed" // a language server settled it
	StateCandidate EdgeState = "candidate" // none did, and none is at work on it
	StatePending   EdgeState = "pending"   // one may yet say otherwise
)

// Folded counts edges that are counted instead of shown, on the way to the
// last edge that is shown. The argument expand shows them.
type Folded struct {
	Tests        int `json:"tests,omitempty"`        // calls in tests
	TestFiles    int `json:"testFiles,omitempty"`    // files of these
	Dynamic      int `json:"dynamic,omitempty"`      // possible calls and implementations
	DynamicFiles int `json:"dynamicFiles,omitempty"` // files of these
}

// Site is where a call stands.
type Site struct {
	File      string `json:"file"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine,omitempty"` // when it differs
}

// NoteType names the kind of a note.
type NoteType string

// The types of a note.
const (
	NoteUnresolved            NoteType = "unresolved_edge"
	NoteDynamic               NoteType = "dynamic_edge"
	NoteMissingMetadata       NoteType = "missing_symbol_metadata"
	NoteSuppressed            NoteType = "suppressed_edge"
	NoteRefuted               NoteType = "refuted_edge"
	NoteExternal              NoteType = "external_call"
	NoteCycle                 NoteType = "cycle"
	NoteUnresolvedServiceCall NoteType = "unresolved_service_call"
)

// Note is something that the graph knows and does not claim as an edge.
type Note struct {
	Type     NoteType `json:"type"`
	SymbolID string   `json:"symbolId,omitempty"` // of the caller
	Target   string   `json:"target,omitempty"`   // the callee, as written or by label
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Detail   string   `json:"detail"`
}

// Candidate is a symbol that a reference may mean.
type Candidate struct {
	SymbolID    string   `json:"symbolId"`
	SymbolLabel string   `json:"symbolLabel"`
	File        string   `json:"file"`
	Span        LineSpan `json:"span"`
	Kind        string   `json:"kind,omitempty"`
	Language    string   `json:"language,omitempty"`
	Service     string   `json:"service,omitempty"`
	Signature   string   `json:"signature,omitempty"` // of overloads, which nothing else tells apart
}

// TestReference is a test that mentions the symbol.
type TestReference struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Label string `json:"label,omitempty"` // of the test
}

// InboundCoverage is what "no callers" rests on.
type InboundCoverage struct {
	FilesConsidered      int               `json:"filesConsidered"`
	FilesWithParseErrors int               `json:"filesWithParseErrors"`
	SameNameCallSites    int               `json:"sameNameCallSites"` // call sites of this name that stayed unresolved
	IndexComplete        bool              `json:"indexComplete"`
	Verification         VerificationState `json:"verification"` // as Verification.State
	UncoveredLanguages   []string          `json:"uncoveredLanguages,omitempty"`
}

// Sidecar keeps the name that older callers know; there is no file beside the
// index.
type Sidecar struct {
	BuiltAt   string `json:"builtAt"` // RFC 3339, UTC
	NodeCount int    `json:"nodeCount"`
	EdgeCount int    `json:"edgeCount"`
}

// Verification is what language servers said of the edges.
type Verification struct {
	State     VerificationState `json:"state"` // complete, partial, unavailable, off
	Servers   List[ServerState] `json:"servers"`
	Confirmed int               `json:"confirmed"`
	Refuted   int               `json:"refuted"`
	Added     int               `json:"added"`
	Pending   int               `json:"pending"`
}

// ServerState is one language server.
type ServerState struct {
	Language string      `json:"language"`
	Root     string      `json:"root"`
	Server   string      `json:"server"`
	State    ServerPhase `json:"state"` // starting, indexing, ready, crashed, missing, capped
	Detail   string      `json:"detail,omitempty"`

	// Of manage_index status alone.
	PID       int      `json:"pid,omitempty"`
	RSSBytes  int64    `json:"rssBytes,omitempty"`  // with all that it started
	Roots     []string `json:"roots,omitempty"`     // absolute, the one asked about last at the end
	IdleMs    int64    `json:"idleMs,omitempty"`    // since its last question
	ReapInMs  int64    `json:"reapInMs,omitempty"`  // until it is stopped for being idle
	RetryInMs int64    `json:"retryInMs,omitempty"` // until it may be started again
}

// GraphCounts says what became of every call site that a walk came across, up
// to the last edge shown, those of earlier pages included.
type GraphCounts struct {
	Outgoing OutgoingCounts `json:"outgoing,omitzero"` // with direction callees or both
	Inbound  InboundCounts  `json:"inbound,omitzero"`  // with direction callers or both
}

// OutgoingCounts are of the calls that the symbols make. Sites is the sum of
// Settled, External, Builtin, Value and Unresolved.
type OutgoingCounts struct {
	Symbols    int `json:"symbols"` // whose calls were looked at
	Sites      int `json:"sites"`
	Settled    int `json:"settled"`              // on a symbol of the workspace
	External   int `json:"external"`             // into the standard library or a dependency
	Builtin    int `json:"builtin,omitempty"`    // of the language itself
	Value      int `json:"value,omitempty"`      // through a value that holds a function
	Unresolved int `json:"unresolved"`           //
	Dynamic    int `json:"dynamic,omitempty"`    // declarations that a settled call may run in the place of its target
	Suppressed int `json:"suppressed,omitempty"` // of Settled and Dynamic, below minConfidence
	Services   int `json:"services,omitempty"`   // edges to what answers in another service; no sites of their own
	Imports    int `json:"imports,omitempty"`    // edges to files that files import; no sites of their own
	Unanswered int `json:"unanswered,omitempty"` // calls of services that nothing in the workspace answers
}

// InboundCounts are of the calls of the symbols.
type InboundCounts struct {
	Symbols    int `json:"symbols"`              // whose callers were looked for
	Settled    int `json:"settled"`              // call sites, those through an interface included
	Unresolved int `json:"unresolved"`           // call sites of the same name that nothing settles
	Suppressed int `json:"suppressed,omitempty"` // of Settled, below minConfidence
	Services   int `json:"services,omitempty"`   // edges from clients in other services
	Imports    int `json:"imports,omitempty"`    // edges from files that import the files
}

// Add sums up counts.
func (c *GraphCounts) Add(d *GraphCounts) {
	o, p := &c.Outgoing, &d.Outgoing
	o.Symbols, o.Sites, o.Settled, o.External, o.Builtin = o.Symbols+p.Symbols, o.Sites+p.Sites, o.Settled+p.Settled, o.External+p.External, o.Builtin+p.Builtin
	o.Value, o.Unresolved, o.Dynamic, o.Suppressed = o.Value+p.Value, o.Unresolved+p.Unresolved, o.Dynamic+p.Dynamic, o.Suppressed+p.Suppressed
	o.Services, o.Unanswered = o.Services+p.Services, o.Unanswered+p.Unanswered
	i, j := &c.Inbound, &d.Inbound
	i.Symbols, i.Settled, i.Unresolved, i.Suppressed = i.Symbols+j.Symbols, i.Settled+j.Settled, i.Unresolved+j.Unresolved, i.Suppressed+j.Suppressed
	i.Services += j.Services
	o.Imports, i.Imports = o.Imports+p.Imports, i.Imports+j.Imports
}
