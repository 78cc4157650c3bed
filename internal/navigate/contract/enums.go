package contract

// The enumerations below give each value as it appears on the wire. In a request, "" selects the
// default.

// Scope selects the classes of files that a search covers.
type Scope string

const (
	ScopeRuntime Scope = "runtime" // source, tests, configuration, build files
	ScopeMixed   Scope = "mixed"   // every indexed file
	ScopeDocs    Scope = "docs"    // documents
)

// ResultMode selects the form of search results.
type ResultMode string

const (
	ResultsGrouped ResultMode = "grouped" // results with facts about their symbols
	ResultsRaw     ResultMode = "raw"     // pieces of source text
)

// Grouping selects the unit of a search result.
type Grouping string

const (
	GroupBySymbol Grouping = "symbol"
	GroupByFile   Grouping = "file"
)

// RankingMode selects the files that rank higher than others.
type RankingMode string

const (
	// RankChangedFirst RankingMode = "auto_changed_first" // prefers the files that git reports as
	// changed
	RankChangedFirst RankingMode = "auto_changed_first"
	RankDefault      RankingMode = "default" // RankDefault RankingMode = "default" // prefers no files
)

// Detail sets the amount of detail in an answer.
type Detail string

const (
	DetailCompact  Detail = "compact"  // search_codebase, call_graph
	DetailSummary  Detail = "summary"  // file_outline, manage_index
	DetailSkeleton Detail = "skeleton" // file_outline: the text without bodies
	DetailFull     Detail = "full"     // all tools
	DetailBodies   Detail = "bodies"   // call_graph: the source of the symbols
)

// DebugMode selects the debugging data in a search answer.
type DebugMode string

const (
	DebugNone      DebugMode = "none"
	DebugSummary   DebugMode = "summary"
	DebugRanking   DebugMode = "ranking" // ranking, and the candidates
	DebugFreshness DebugMode = "freshness"
	DebugFull      DebugMode = "full" // all data, and the candidates
)

// ResolveMode selects the symbols that file_outline lists.
type ResolveMode string

const (
	ResolveOutline ResolveMode = "outline" // all symbols of the file
	ResolveExact   ResolveMode = "exact"   // only the symbol that the request names
)

// Direction sets the direction in which call_graph follows calls.
type Direction string

const (
	DirectionBoth    Direction = "both"
	DirectionCallers Direction = "callers"
	DirectionCallees Direction = "callees"
)

// View selects the drawing of a graph.
type View string

const (
	ViewGraph   View = "graph" // no drawing: lists of symbols and calls
	ViewTree    View = "tree"
	ViewMermaid View = "mermaid"
)

// VerifyMode selects the language servers that call_graph queries.
type VerifyMode string

const (
	VerifyAuto VerifyMode = "auto" // the servers that are ready
	VerifyOff  VerifyMode = "off"  // no servers
	VerifyWait VerifyMode = "wait" // all servers of the languages, until the deadline
)

// ReadMode selects the form in which read_file shows text.
type ReadMode string

const (
	ReadPlain     ReadMode = "plain"
	ReadAnnotated ReadMode = "annotated" // the text with its outline
)

// Preset names the context of a symbol that a caller of read_file requests. Normalize checks it;
// every answer then has the definition alone.
type Preset string

const (
	PresetDefinition     Preset = "definition"
	PresetImplementation Preset = "implementation"
	PresetCallContext    Preset = "call_context"
)

// ManageAction names an action of manage_index.
type ManageAction string

const (
	ManageCreate  ManageAction = "create"
	ManageReindex ManageAction = "reindex"
	ManageSync    ManageAction = "sync"
	ManageStatus  ManageAction = "status"
	ManageClear   ManageAction = "clear"
	ManageRepair  ManageAction = "repair"
)

// Cause names the limit that cut an answer short.
type Cause string

const (
	CauseLimit     Cause = "limit"
	CauseMaxTokens Cause = "maxTokens"
	CauseDeadline  Cause = "deadline"
)

// TierState describes whether one way to search, by words or by meaning, works.
type TierState string

const (
	TierOK       TierState = "ok"
	TierOff      TierState = "off"
	TierBuilding TierState = "building"
	TierFailed   TierState = "failed"
)

// VerificationState describes how far language servers have verified a graph.
type VerificationState string

const (
	VerificationOff         VerificationState = "off"         // no server takes part
	VerificationUnavailable VerificationState = "unavailable" // no server is available
	VerificationPartial     VerificationState = "partial"     // some answers are missing
	VerificationComplete    VerificationState = "complete"
)

// ServerPhase is the state of a language server.
type ServerPhase string

const (
	ServerStarting ServerPhase = "starting" // it is being started
	ServerIndexing ServerPhase = "indexing" // it runs, but is not known to be ready
	ServerReady    ServerPhase = "ready"    // it answers
	ServerCrashed  ServerPhase = "crashed"  // it ended, hung or could not start; it is restarted later
	ServerMissing  ServerPhase = "missing"  // its program is not installed
	ServerCapped   ServerPhase = "capped"   // not started, because as many servers as may run are busy
)

// Fold names a kind of edge that the text format counts instead of showing.
type Fold string

const (
	FoldTests   Fold = "tests"   // calls in tests, if there are many
	FoldDynamic Fold = "dynamic" // possible calls and implementations, if there are many
)
