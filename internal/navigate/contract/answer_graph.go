package contract

import (
	"sextant/internal/code"
	"sextant/internal/diagram"
)

// GraphAnswer is the answer of call_graph.
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

	// Bodies is the source of the symbols, if the request's detail is bodies: the most relevant first.
	Bodies []Body `json:"bodies,omitempty"`

	// Impact is set instead of nodes and edges if the request names a change instead of a symbol.
	Impact *Impact `json:"impact,omitempty"`

	// Folded counts the edges that are left out of the lists, such as calls in tests.
	Folded *Folded `json:"folded,omitempty"`
	// Counts has the numbers of call sites that were visited, by how they were resolved.
	Counts            *GraphCounts `json:"counts,omitempty"`
	Notes             List[Note]   `json:"notes"`
	NotesTruncated    bool         `json:"notesTruncated"`
	TotalNoteCount    int          `json:"totalNoteCount"`
	ReturnedNoteCount int          `json:"returnedNoteCount"`

	// Candidates are the symbols that an ambiguous or missing reference may refer to, the likeliest
	// first.
	Candidates              []Candidate      `json:"candidates,omitempty"`
	TestReferences          []TestReference  `json:"testReferences,omitempty"` // at most 50
	InboundCoverageEvidence *InboundCoverage `json:"inboundCoverageEvidence,omitempty"`
	Sidecar                 *Sidecar         `json:"sidecar,omitempty"`
	Cursor                  string           `json:"cursor,omitempty"`
	Truncated               *Truncation      `json:"truncated,omitempty"`
	Hints                   *Hints           `json:"hints,omitempty"`
}

// Answer returns an empty answer that repeats the request's fields.
func (r *GraphRequest) Answer() *GraphAnswer {
	return &GraphAnswer{Path: r.Path, SymbolRef: r.SymbolRef, Direction: r.Direction, Depth: r.Depth, Limit: r.Limit}
}

// Node is a symbol of the graph.
type Node struct {
	SymbolID     string   `json:"symbolId"`
	SymbolLabel  string   `json:"symbolLabel"`
	File         string   `json:"file"` // "" if External; for a folder its path, "." for the root
	Language     string   `json:"language"`
	Span         LineSpan `json:"span"` // zero if External and for a folder
	Depth        int      `json:"depth"`
	Service      string   `json:"service,omitempty"`
	CodebaseRoot string   `json:"codebaseRoot,omitempty"` // set if the symbol is in a root other than the requested one
	External     bool     `json:"external,omitempty"`     // a symbol of a dependency or the standard library
	// Within is the id of the node of the function that declares this one, if the graph has both: the
	// calls in an inner function also count as calls of the outer one.
	Within string `json:"within,omitempty"`
}

// Body is the source of a symbol of the graph.
type Body struct {
	Role        Role      `json:"role"`
	SymbolID    string    `json:"symbolId"`
	SymbolLabel string    `json:"symbolLabel"`
	Kind        code.Kind `json:"kind"`
	File        string    `json:"file"`
	Span        LineSpan  `json:"span"` // the whole symbol
	// Content is the whole text. For a long symbol, Lines is set instead. Lines has the calls and the
	// branches around them if the symbol is a caller, and the first lines if it is a callee.
	Content string        `json:"content,omitempty"`
	Lines   []MatchedLine `json:"lines,omitempty"`
}

// Role says how a symbol is related to the requested symbol.
type Role string

// The roles of bodies.
const (
	RoleSymbol Role = "symbol"
	RoleCaller Role = "caller" // calls the requested symbol, directly or through others
	RoleCallee Role = "callee"
)

// Edge is a call between two nodes, or an import of one file by another.
type Edge struct {
	Src        string        `json:"srcSymbolId"`
	Dst        string        `json:"dstSymbolId"`
	Kind       code.EdgeKind `json:"kind"` // call, import, dynamic, http, grpc, message
	Site       Site          `json:"site"`
	Confidence float64       `json:"confidence"`
	Evidence   code.Evidence `json:"evidence"`
	State      EdgeState     `json:"state"` // one of the states below
	Strategy   string        `json:"strategy"`
	Provenance string        `json:"provenance"` // how the edge was found, one line

	ConfirmedBy string `json:"confirmedBy,omitempty"` // name and version of a language server
	// Via is the interface or base class of a dispatched call. Of an edge between services it is
	// the method, route, topic, or type of the payload.
	Via        string   `json:"via,omitempty"`
	RemoteSite *Site    `json:"remoteSite,omitempty"` // the handler's end of a cross-service edge
	Arguments  []string `json:"arguments,omitempty"`  // as written, with detail full
	Source     string   `json:"source,omitempty"`     // the source line of the call site, on request
	InTest     bool     `json:"-"`                    // whether the caller is a test
}

// EdgeState says whether a language server confirmed an edge.
type EdgeState string

// The states of an edge.
const (
	StateConfirmed EdgeState = "confirmed" // a language server confirmed it
	StateCandidate EdgeState = "candidate" // no server confirmed it, and none is checking it
	StatePending   EdgeState = "pending"   // a server may still confirm or refute it
)

// Folded counts the edges that are counted instead of shown, up to the last edge that is shown. The
// request shows them if it lists their kind in expand.
type Folded struct {
	Tests     int `json:"tests,omitempty"`     // calls in tests
	TestFiles int `json:"testFiles,omitempty"` // number of files with such calls
	// TestSites are the calls in tests if they are few and call the symbol itself, in the order of
	// edges; nil otherwise.
	TestSites    []Site `json:"-"`
	Dynamic      int    `json:"dynamic,omitempty"`      // possible calls and implementations
	DynamicFiles int    `json:"dynamicFiles,omitempty"` // number of files with such calls
	Filtered     int    `json:"filtered,omitempty"`     // edges left out by the arguments include and exclude
}

// Site is the position of a call.
type Site struct {
	File      string `json:"file"`
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine,omitempty"` // if it differs from StartLine
}

// NoteType names the kind of a note.
type NoteType string

// The types of a note.
const (
	NoteUnresolved            NoteType = "unresolved_edge"         // a call or import without a known target
	NoteDynamic               NoteType = "dynamic_edge"            // a call through a value that holds a function
	NoteMissingMetadata       NoteType = "missing_symbol_metadata" // never returned
	NoteSuppressed            NoteType = "suppressed_edge"         // an edge below minConfidence
	NoteRefuted               NoteType = "refuted_edge"            // a call whose target a language server refuted
	NoteExternal              NoteType = "external_call"           // calls of one module outside the workspace
	NoteCycle                 NoteType = "cycle"                   // symbols or files in a circle of calls or imports
	NoteUnresolvedServiceCall NoteType = "unresolved_service_call" // a request that no service in the workspace answers
)

// Note is a fact about the graph that is not an edge, such as a call that could not be resolved.
type Note struct {
	Type     NoteType `json:"type"`
	SymbolID string   `json:"symbolId,omitempty"` // of the caller
	Target   string   `json:"target,omitempty"`   // the callee, as written or by label
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Detail   string   `json:"detail"`
}

// Candidate is a symbol that a reference may refer to.
type Candidate struct {
	SymbolID    string   `json:"symbolId"`
	SymbolLabel string   `json:"symbolLabel"`
	File        string   `json:"file"`
	Span        LineSpan `json:"span"`
	Kind        string   `json:"kind,omitempty"`
	Language    string   `json:"language,omitempty"`
	Service     string   `json:"service,omitempty"`
	Signature   string   `json:"signature,omitempty"` // of an overload, which has the same label as others
}

// TestReference is a test that mentions the symbol.
type TestReference struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Label string `json:"label,omitempty"` // of the test
}

// InboundCoverage says how far "no callers" can be trusted.
type InboundCoverage struct {
	FilesConsidered      int               `json:"filesConsidered"`
	FilesWithParseErrors int               `json:"filesWithParseErrors"`
	SameNameCallSites    int               `json:"sameNameCallSites"` // call sites of this name that stayed unresolved
	IndexComplete        bool              `json:"indexComplete"`
	Verification         VerificationState `json:"verification"` // equal to Verification.State
	UncoveredLanguages   []string          `json:"uncoveredLanguages,omitempty"`
	// UsesNotTraced means that the symbol is read rather than called: a constant, a field. Only calls
	// are traced.
	UsesNotTraced bool `json:"usesNotTraced,omitempty"`
	// OperatorsNotTraced means that the symbol is an operator: only calls by its name are traced, and uses in
	// expressions, a == b, are not.
	OperatorsNotTraced bool `json:"operatorsNotTraced,omitempty"`
	// Serves lists the routes that the symbol handles and the messages that it consumes. Requests
	// that come from outside the workspace, or whose address could not be resolved, are missing from
	// its callers.
	Serves []Served `json:"serves,omitempty"`
}

// Served is a route or a message, "GET /orders/{}", and the place that declares it.
type Served struct {
	Via string `json:"via"`
	Site
}

// Sidecar describes the index in a field whose name older clients expect. It is not a separate file.
type Sidecar struct {
	BuiltAt   string `json:"builtAt"` // RFC 3339, UTC
	NodeCount int    `json:"nodeCount"`
	EdgeCount int    `json:"edgeCount"`
}

// Verification says how far language servers have verified the edges, and counts the edges that they
// confirmed, refuted and added, and those that they have yet to check.
type Verification struct {
	State     VerificationState `json:"state"` // complete, partial, unavailable, off
	Servers   List[ServerState] `json:"servers"`
	Confirmed int               `json:"confirmed"`
	Refuted   int               `json:"refuted"`
	Added     int               `json:"added"`
	Pending   int               `json:"pending"`
}

// ServerState describes one language server.
type ServerState struct {
	Language string      `json:"language"`
	Root     string      `json:"root"`
	Server   string      `json:"server"`
	State    ServerPhase `json:"state"` // starting, indexing, ready, crashed, missing, capped
	Detail   string      `json:"detail,omitempty"`

	// The fields below are set by manage_index status only.
	PID       int      `json:"pid,omitempty"`
	RSSBytes  int64    `json:"rssBytes,omitempty"`  // of the server and its child processes
	Roots     []string `json:"roots,omitempty"`     // absolute, the most recently used one last
	IdleMs    int64    `json:"idleMs,omitempty"`    // since its last request
	ReapInMs  int64    `json:"reapInMs,omitempty"`  // until it is stopped as idle
	RetryInMs int64    `json:"retryInMs,omitempty"` // until it may be restarted
}

// GraphCounts counts all call sites that were visited up to the last edge shown, by how they were
// resolved. It includes those of earlier pages.
type GraphCounts struct {
	Outgoing OutgoingCounts `json:"outgoing,omitzero"` // with direction callees or both
	Inbound  InboundCounts  `json:"inbound,omitzero"`  // with direction callers or both
}

// OutgoingCounts counts the calls that the symbols make. Sites is the sum of Settled, External,
// Builtin, Value and Unresolved.
type OutgoingCounts struct {
	Symbols    int `json:"symbols"` // symbols whose calls were read
	Sites      int `json:"sites"`
	Settled    int `json:"settled"`              // calls resolved to a symbol of the workspace
	External   int `json:"external"`             // calls into the standard library or a dependency
	Builtin    int `json:"builtin,omitempty"`    // calls of functions built into the language
	Value      int `json:"value,omitempty"`      // calls of a value that holds a function
	Unresolved int `json:"unresolved"`           // calls without a known target
	Dynamic    int `json:"dynamic,omitempty"`    // other declarations that a resolved call may dispatch to
	Suppressed int `json:"suppressed,omitempty"` // those of Settled and Dynamic below minConfidence
	Services   int `json:"services,omitempty"`   // edges to handlers in other services; they are not among Sites
	Imports    int `json:"imports,omitempty"`    // edges to imported files; they are not among Sites
	Unanswered int `json:"unanswered,omitempty"` // requests to services that no route in the workspace answers
}

// InboundCounts counts the calls to the symbols.
type InboundCounts struct {
	Symbols    int `json:"symbols"`              // symbols whose callers were searched
	Settled    int `json:"settled"`              // resolved call sites, including dispatch through an interface
	Unresolved int `json:"unresolved"`           // unresolved call sites of the same name
	Suppressed int `json:"suppressed,omitempty"` // those of Settled below minConfidence
	Services   int `json:"services,omitempty"`   // edges from clients in other services
	Imports    int `json:"imports,omitempty"`    // edges from importing files
}

// Add adds the counts of d to c.
func (c *GraphCounts) Add(d *GraphCounts) {
	o, p := &c.Outgoing, &d.Outgoing
	o.Symbols, o.Sites, o.Settled, o.External, o.Builtin = o.Symbols+p.Symbols, o.Sites+p.Sites, o.Settled+p.Settled,
		o.External+p.External, o.Builtin+p.Builtin
	o.Value, o.Unresolved, o.Dynamic, o.Suppressed = o.Value+p.Value, o.Unresolved+p.Unresolved, o.Dynamic+p.Dynamic,
		o.Suppressed+p.Suppressed
	o.Services, o.Unanswered = o.Services+p.Services, o.Unanswered+p.Unanswered
	i, j := &c.Inbound, &d.Inbound
	i.Symbols, i.Settled, i.Unresolved, i.Suppressed = i.Symbols+j.Symbols, i.Settled+j.Settled,
		i.Unresolved+j.Unresolved, i.Suppressed+j.Suppressed
	i.Services += j.Services
	o.Imports, i.Imports = o.Imports+p.Imports, i.Imports+j.Imports
}
