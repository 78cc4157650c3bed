package contract

// The six tools.
const (
	ToolList    = "list_codebases"
	ToolSearch  = "search_codebase"
	ToolOutline = "file_outline"
	ToolGraph   = "call_graph"
	ToolRead    = "read_file"
	ToolManage  = "manage_index"
)

// Request holds the arguments of one call.
type Request interface {
	// Tool returns the name of the tool that takes the request.
	Tool() string
	// Normalize sets the defaults of zero fields, and raises negative line numbers to 0. It returns
	// *InvalidArguments with all problems, such as a number out of range, or *Refusal, or nil. It is
	// idempotent.
	Normalize() error
	// Want returns the delivery options of the request, which the caller may modify.
	Want() *Delivery
}

// Format is the encoding of an answer.
type Format string

const (
	FormatText Format = "text" // compact text; only package compact writes it
	FormatJSON Format = "json" // every field of the contract
	// FormatPack2 is an earlier name of FormatText. Normalize replaces it.
	FormatPack2 Format = "pack2"
)

// The bounds of requests; all are inclusive.
const (
	DefaultMaxTokens = 3000
	// DefaultReadTokens is the budget of read_file, and of call_graph with bodies. It is larger than
	// DefaultMaxTokens because the caller wants source.
	DefaultReadTokens = 10000
	MaxMaxTokens      = 25000
	// MinMaxTokens leaves room for one result and the fields around the results. An answer cannot be cut
	// to less.
	MinMaxTokens = 200

	DefaultSearchLimit = 10
	// LaterSearchLimit is the default after the first page of ranked results, whose text is a list of places.
	LaterSearchLimit = 40
	MaxSearchLimit   = 50
	MaxContextLines  = 10 // on either side of a match

	DefaultSymbolLimit = 500
	MaxSymbolLimit     = 5000

	DefaultDepth     = 1
	MaxDepth         = 12
	DefaultEdgeLimit = 20
	// DefaultTextEdges is the limit of edges in text format, in which an edge takes a third of the
	// tokens that it takes in JSON.
	DefaultTextEdges = 50
	MaxEdgeLimit     = 500
	// DefaultTestLimit is the limit of affected test files for a change.
	DefaultTestLimit  = 30
	DefaultConfidence = 0.5

	// DefaultDeadline and MaxDeadline are the default and the largest deadlineMs of call_graph: the
	// milliseconds for an answer, including the wait for language servers.
	DefaultDeadline = 3000
	MaxDeadline     = 120_000
	// DefaultWait and MaxWait are the default and the largest deadlineMs of manage_index with wait.
	DefaultWait = 60_000
	MaxWait     = 600_000

	// MaxQueryBytes is several screens of prose. A longer query is rejected as a mistake.
	MaxQueryBytes = 8 << 10
	// MaxPathBytes is Linux's PATH_MAX.
	MaxPathBytes = 4096
	// MaxListItems bounds customExtensions and ignorePatterns.
	MaxListItems = 1000
)

// Delivery holds the options of all tools for encoding an answer.
type Delivery struct {
	MaxTokens int    `json:"maxTokens,omitempty"` // 0 means DefaultMaxTokens, of a ReadRequest DefaultReadTokens
	Format    Format `json:"format,omitempty"`    // "" means FormatJSON; servers set their own default
	// Debug adds the size of the answer in tokens; see [AnswerTokens]. A search also explains its
	// ranking.
	Debug bool `json:"debug,omitempty"`
	// ByDefault is the format of calls that set none; "" means FormatJSON. Suggested calls name another.
	ByDefault Format `json:"-"`
	// Implied reports that the caller named no path and the default path was used.
	Implied bool `json:"-"`
	// RootKnown reports that an earlier answer has told the caller the root of the default path.
	RootKnown bool `json:"-"`
	// Clamped lists the numbers that were out of range, with their replacements.
	Clamped []string `json:"-"`
	// Price estimates the tokens of a part of the answer in its wire format. Nil means [Cost], for
	// JSON.
	Price func(part any) int `json:"-"`
	// Progress, if not nil, receives the progress of long work. It is called from one goroutine at
	// a time, must return at once, and is not called after the answer was returned.
	Progress func(Progress) `json:"-"`
}

// Want returns d. It implements a part of [Request].
func (d *Delivery) Want() *Delivery { return d }

// Progress describes how far a piece of work has come.
type Progress struct {
	Done, Total float64 // Total is 0 while it is not known; Done never decreases
	Message     string  // one line
}

// ListRequest lists the tracked roots.
type ListRequest struct {
	Delivery
}

// SearchRequest searches code.
type SearchRequest struct {
	Path  string `json:"path"`
	Query string `json:"query"`
	// Scope is runtime (default), docs or mixed. Mixed is the default of an exhaustive query, such as
	// must:TODO.
	Scope       Scope       `json:"scope,omitempty"`
	ResultMode  ResultMode  `json:"resultMode,omitempty"`  // grouped (default), raw
	GroupBy     Grouping    `json:"groupBy,omitempty"`     // symbol (default), file
	RankingMode RankingMode `json:"rankingMode,omitempty"` // auto_changed_first (default), default
	Limit       int         `json:"limit,omitempty"`       // 1 to MaxSearchLimit; 0 means the default of its page
	// Unlimited is set by Normalize if there is no limit: the matches of an exhaustive query may then be a
	// few more than the default, because another call for the last ones would cost more than they do.
	Unlimited bool `json:"-"`
	// CountOnly counts the matches of an exhaustive query, such as must:TODO, and shows none. Of the
	// results of other queries it shows the best one only.
	CountOnly bool   `json:"countOnly,omitempty"`
	Service   string `json:"service,omitempty"` // only this service of the workspace
	Context   int    `json:"context,omitempty"` // lines around each match of an exhaustive query, 0 to MaxContextLines
	Detail    Detail `json:"detail,omitempty"`  // compact (default), full
	Cursor    string `json:"cursor,omitempty"`  // of the previous answer; the search continues there

	// The fields below are of a later version of the contract. DisclosureLimit bounds the results
	// shown and is at most Limit; 0 means Limit.
	DisclosureLimit    int       `json:"disclosureLimit,omitempty"`
	DebugMode          DebugMode `json:"debugMode,omitempty"` // none (default), summary, ranking, freshness, full
	IncludeResultIndex bool      `json:"includeResultIndex,omitempty"`

	Delivery
}

// OutlineRequest lists the symbols of one file, or maps a folder.
type OutlineRequest struct {
	Path             string      `json:"path"`
	File             string      `json:"file,omitempty"`         // relative to the codebase root; "" means Path itself
	Written          string      `json:"-"`                      // File before Normalize took lines from it, else ""
	StartLine        int         `json:"start_line,omitempty"`   // 0 means the first
	EndLine          int         `json:"end_line,omitempty"`     // 0 means the last
	LimitSymbols     int         `json:"limitSymbols,omitempty"` // 1 to MaxSymbolLimit; 0 means DefaultSymbolLimit
	ResolveMode      ResolveMode `json:"resolveMode,omitempty"`  // outline (default), exact
	SymbolIDExact    string      `json:"symbolIdExact,omitempty"`
	SymbolLabelExact string      `json:"symbolLabelExact,omitempty"`
	Detail           Detail      `json:"detail,omitempty"` // summary (default), full, skeleton
	// Exported omits symbols that only their file or package can use. Nil means true for text
	// answers of files with more than 200 symbols and for folders, else false.
	Exported *bool  `json:"exported,omitempty"`
	Cursor   string `json:"cursor,omitempty"` // of the previous answer; the outline continues there

	Delivery
}

// SymbolRef names a symbol by its id, or by its label (the qualified name), optionally with its
// file. In a GraphRequest it can name a change instead; see Diff.
type SymbolRef struct {
	File             string    `json:"file,omitempty"` // may carry lines, as in "server.go:10", which do not count
	SymbolID         string    `json:"symbolId,omitempty"`
	SymbolInstanceID string    `json:"symbolInstanceId,omitempty"`
	SymbolLabel      string    `json:"symbolLabel,omitempty"`
	Span             *LineSpan `json:"span,omitempty"`
	// Diff is a revision to compare the files on disk with ("" means HEAD), or a range of two
	// commits, "A..B". Nil means that the reference names a symbol.
	Diff *string `json:"diff,omitempty"`
}

// LineSpan is a range of whole lines, 1-based and inclusive.
type LineSpan struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// GraphRequest requests the callers and callees of a symbol.
type GraphRequest struct {
	Path      string    `json:"path"`
	SymbolRef SymbolRef `json:"symbolRef"`
	Direction Direction `json:"direction,omitempty"` // both (default), callers, callees
	Depth     int       `json:"depth,omitempty"`     // 0 means DefaultDepth
	// Limit bounds the edges; 0 means DefaultEdgeLimit. For a change it bounds the test files.
	Limit         int        `json:"limit,omitempty"`
	View          View       `json:"view,omitempty"`          // graph (default), tree, mermaid
	Detail        Detail     `json:"detail,omitempty"`        // compact (default), full, which adds arguments; bodies
	Verify        VerifyMode `json:"verify,omitempty"`        // auto (default), off, wait
	DeadlineMs    int        `json:"deadlineMs,omitempty"`    // 1 to MaxDeadline; 0 means DefaultDeadline
	CrossService  *bool      `json:"crossService,omitempty"`  // whether to follow requests to services; nil means true
	MinConfidence *float64   `json:"minConfidence,omitempty"` // 0 to 1; nil means DefaultConfidence
	// Expand names the kinds of edges to show instead of counting them. JSON, trees and diagrams
	// show all.
	Expand []Fold `json:"expand,omitempty"`
	// Include lists the places whose symbols are shown, and Exclude places whose symbols are left
	// out. A place is a gitignore pattern for paths or the name of a service.
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// Source adds the source line of each call site. Nil means true for text, unless Detail is
	// DetailBodies.
	Source *bool  `json:"source,omitempty"`
	Cursor string `json:"cursor,omitempty"`

	Delivery
}

// ReadRequest requests the text of a file or of a symbol in it.
type ReadRequest struct {
	// Path is an absolute path of a file. It may be a root or a folder if File is set, or if the
	// symbol is given by its label or by a reference with a file.
	Path       string      `json:"path"`
	File       string      `json:"file,omitempty"`       // relative to the codebase root, or to Path
	Written    string      `json:"-"`                    // File before Normalize took lines from it, else ""
	StartLine  int         `json:"start_line,omitempty"` // 0 means the first
	EndLine    int         `json:"end_line,omitempty"`   // 0 means the last
	Mode       ReadMode    `json:"mode,omitempty"`       // plain (default), annotated
	OpenSymbol *OpenSymbol `json:"open_symbol,omitempty"`
	SymbolRef  *SymbolRef  `json:"symbolRef,omitempty"` // instead of OpenSymbol
	// Identifiers limit the answer to the lines that contain one of them, and to the lines that
	// open the branches around those.
	Identifiers []string `json:"identifiers,omitempty"`

	Delivery
}

// OpenSymbol selects the symbol or the lines to read.
type OpenSymbol struct {
	// ContractVersion 2 requests a symbol_context answer; 0 and 1 mean the plain form.
	ContractVersion  int            `json:"contractVersion,omitempty"`
	SymbolID         string         `json:"symbolId,omitempty"`
	SymbolInstanceID string         `json:"symbolInstanceId,omitempty"`
	SymbolLabel      string         `json:"symbolLabel,omitempty"`
	StartLine        int            `json:"start_line,omitempty"`
	EndLine          int            `json:"end_line,omitempty"`
	Context          *SymbolContext `json:"context,omitempty"` // with ContractVersion 2
}

// SymbolContext sets the amount of context around a symbol.
type SymbolContext struct {
	Preset   Preset `json:"preset,omitempty"`   // definition (default), implementation, call_context
	MaxLines int    `json:"maxLines,omitempty"` // 0 means as many as the token budget allows
}

// ManageRequest requests a change of the index, or its state.
type ManageRequest struct {
	Action ManageAction `json:"action"` // create, reindex, sync, status, clear, repair
	Path   string       `json:"path"`
	// Force makes create also index a folder that is part of a tracked codebase, on its own, and
	// build an existing index anew. It makes reindex do what AllowUnnecessaryReindex does.
	Force                   bool     `json:"force,omitempty"`
	AllowUnnecessaryReindex bool     `json:"allowUnnecessaryReindex,omitempty"` // reindex even if a sync suffices
	CustomExtensions        []string `json:"customExtensions,omitempty"`        // each with or without its dot
	IgnorePatterns          []string `json:"ignorePatterns,omitempty"`          // gitignore lines
	Detail                  Detail   `json:"detail,omitempty"`                  // summary (default), full; status only
	Wait                    bool     `json:"wait,omitempty"`                    // for the end of create, reindex or sync
	DeadlineMs              int      `json:"deadlineMs,omitempty"`              // of Wait; 0 means DefaultWait

	// Ignored names arguments that other tools know but this action ignores. The answer warns of
	// each.
	Ignored []string `json:"-"`

	Delivery
}

// Tool implements [Request].
func (*ListRequest) Tool() string { return ToolList }

// Tool implements [Request].
func (*SearchRequest) Tool() string { return ToolSearch }

// Tool implements [Request].
func (*OutlineRequest) Tool() string { return ToolOutline }

// Tool implements [Request].
func (*GraphRequest) Tool() string { return ToolGraph }

// Tool implements [Request].
func (*ReadRequest) Tool() string { return ToolRead }

// Tool implements [Request].
func (*ManageRequest) Tool() string { return ToolManage }

// Reference returns the symbol that the request names in any of its forms, or nil if it names none.
func (r *ReadRequest) Reference() *SymbolRef {
	if o := r.OpenSymbol; o != nil {
		return &SymbolRef{SymbolID: o.SymbolID, SymbolInstanceID: o.SymbolInstanceID, SymbolLabel: o.SymbolLabel}
	}
	return r.SymbolRef
}
