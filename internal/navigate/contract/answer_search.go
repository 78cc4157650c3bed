package contract

import "sextant/internal/code"

// SearchAnswer is the answer of search_codebase.
type SearchAnswer struct {
	Outcome
	Path         string     `json:"path"`
	CodebaseRoot string     `json:"codebaseRoot,omitempty"`
	Query        string     `json:"query"`
	Scope        Scope      `json:"scope"`
	GroupBy      Grouping   `json:"groupBy"`
	ResultMode   ResultMode `json:"resultMode"`
	Limit        int        `json:"limit"`
	Confidence   Level      `json:"confidence,omitempty"` // High, Medium, Low; Low means that no result is a good match
	Tiers        *Tiers     `json:"tiers,omitempty"`

	FreshnessDecision Freshness         `json:"freshnessDecision"`
	FreshnessSummary  *FreshnessSummary `json:"freshnessSummary,omitempty"`
	Warnings          Warnings          `json:"warnings,omitempty"`

	// Matches is set if the query is exhaustive, such as must:TODO: its answer has every match.
	Matches *Matches           `json:"matches,omitempty"`
	Results List[SearchResult] `json:"results"` // all *Group or all *Chunk
	// Named is the number of leading results whose name equals the query; 0 if the query is no name or
	// the named results do not fit on one page. From is the number of results on earlier pages, and List
	// identifies the query in the cursors of ranked results.
	Named      int           `json:"-"`
	From       int           `json:"-"`
	List       uint16        `json:"-"`
	Index      []ResultIndex `json:"resultIndex,omitempty"`
	Pagination *Pagination   `json:"pagination,omitempty"`
	Cursor     string        `json:"cursor,omitempty"` // "" on the last page
	Truncated  *Truncation   `json:"truncated,omitempty"`

	// DidYouMean is set if no symbol has the queried name. It lists the most similar names, nearest
	// first.
	DidYouMean []NearName `json:"didYouMean,omitempty"`
	// Beside lists what the likeliest files declare besides the results. The first page has it if no result is
	// a good match and several are in one file, and the last of several pages.
	Beside                []Beside    `json:"beside,omitempty"`
	RecommendedNextAction *NextAction `json:"recommendedNextAction,omitempty"`
	Hints                 *Hints      `json:"hints,omitempty"`
}

// Beside lists functions and types of a file that are not among the results, in document order.
type Beside struct {
	File    string             `json:"file"`
	Symbols List[BesideSymbol] `json:"symbols"`
	Omitted int                `json:"omitted"` // symbols that are not listed
}

// BesideSymbol is a symbol of Beside.
type BesideSymbol struct {
	SymbolLabel string    `json:"symbolLabel"`
	Kind        code.Kind `json:"kind"`
	Span        LineSpan  `json:"span"`
}

// NearName is an existing name that is similar to the queried one.
type NearName struct {
	// SymbolLabel is a qualified name, a name that several symbols share, or the path of a file.
	SymbolLabel string `json:"symbolLabel"`
	Symbols     int    `json:"symbols"` // number of symbols with this name, 0 for a file
	Kind        string `json:"kind"`    // of the first symbol; "file" for a file
	File        string `json:"file"`    // of the first symbol
	Line        int    `json:"line"`    // of the first symbol
	// Edits is the edit distance in letters, where a swap of neighbours is one edit. It is 0 if only '_',
	// '-' or case differ.
	Edits int     `json:"edits"`
	Next  *Action `json:"next"` // the same search, for this name
}

// FreshnessSummary says how up to date the index was for a search, and whether files that git reports as
// changed ranked higher.
type FreshnessSummary struct {
	SyncMode                                FreshnessMode `json:"syncMode"`
	LastSyncAt                              *string       `json:"lastSyncAt"` // null before the first sync
	ChangedFileCount                        int           `json:"changedFileCount"`
	GitDirtyFilesConsidered                 bool          `json:"gitDirtyFilesConsidered"`
	ChangedFilesBoostApplied                bool          `json:"changedFilesBoostApplied"`
	ChangedFilesBoostSkippedForLargeChanges bool          `json:"changedFilesBoostSkippedForLargeChangeSet"`
}

// Matches counts all matches of an exhaustive query, such as must:TODO, shown or not.
type Matches struct {
	Files int `json:"files"`
	Lines int `json:"lines"`
	// Complete is false while the index is incomplete, and if files or folders are unreadable. The
	// counts are then lower bounds.
	Complete bool `json:"complete"`
	// Unread is true if only unreadable files and folders make Complete false, so that waiting does not
	// help. A warning names them.
	Unread bool `json:"-"`
	// OutOfScope counts the matches in files outside the requested scope; nil if there are none.
	OutOfScope *OutOfScope `json:"outOfScope,omitempty"`
}

// OutOfScope counts matches that are not shown because of the scope.
type OutOfScope struct {
	Files   int            `json:"files"`
	Lines   int            `json:"lines"`
	Classes map[string]int `json:"classes"` // class of file → files
}

// MatchedLine is a line that contains a match, or a line near one.
type MatchedLine struct {
	Line int    `json:"line"`
	Text string `json:"text"` // without its line end; long ones are cut around the match with "…"
	// Column is the 1-based byte position of the first match in the uncut line; 0 without a match.
	Column int `json:"-"`
}

// ResultIndex is one entry of the short list of results that the argument includeResultIndex requests.
type ResultIndex struct {
	Rank  int    `json:"rank"` // 1-based
	File  string `json:"file"`
	Label string `json:"label"`
}

// Pagination states that the results are complete within the limit.
type Pagination struct {
	Continuation string `json:"continuation"` // always "complete"
	Returned     int    `json:"returned"`
	Total        int    `json:"total"` // before limit and budget
}

// SearchResult is a *Group or a *Chunk.
type SearchResult interface {
	// Place returns the position of the result.
	Place() (file string, span LineSpan)
}

// Group is a result for a symbol or a file, with all its matches.
type Group struct {
	Kind             string     `json:"kind"` // "group"
	GroupID          string     `json:"groupId"`
	File             string     `json:"file"`
	Span             LineSpan   `json:"span"`
	Service          string     `json:"service,omitempty"`
	Language         string     `json:"language"`
	Class            code.Class `json:"class,omitempty"` // of the file, if it is not source
	SymbolKind       string     `json:"symbolKind,omitempty"`
	SymbolLabel      string     `json:"symbolLabel"`
	SymbolID         string     `json:"symbolId,omitempty"`
	SymbolKey        string     `json:"symbolKey,omitempty"`
	SymbolInstanceID string     `json:"symbolInstanceId,omitempty"`
	PreviewSpan      *LineSpan  `json:"previewSpan,omitempty"`
	SymbolSpan       *LineSpan  `json:"symbolSpan,omitempty"`
	Preview          string     `json:"preview"` // at most 5 lines, as on disk
	// Overloads are the line ranges of further matching declarations of the same name in the file, in
	// order.
	Overloads    []LineSpan    `json:"overloads,omitempty"`
	MatchedLines []MatchedLine `json:"matchedLines,omitempty"`
	ContextLines []MatchedLine `json:"contextLines,omitempty"` // around the matched ones, by line
	MatchedBy    List[string]  `json:"matchedBy"`              // exact, lexical, semantic, path
	Confidence   Level         `json:"confidence,omitempty"`
	Score        float64       `json:"score"`

	IndexedAt           string        `json:"indexedAt"` // RFC 3339, UTC
	StalenessBucket     string        `json:"stalenessBucket"`
	CollapsedChunkCount int           `json:"collapsedChunkCount"`
	CallGraphHint       CallGraphHint `json:"callGraphHint"`
	Capabilities        Capabilities  `json:"capabilities"`

	*Navigation // on the first three results, and on all with detail full
}

// Place implements [SearchResult].
func (g *Group) Place() (string, LineSpan) { return g.File, g.Span }

// Capabilities rates the calls that are possible on a result, from High to Unavailable.
type Capabilities struct {
	OpenSymbol       Level `json:"openSymbol"`
	CallGraphCallers Level `json:"callGraphCallers"`
	CallGraphCallees Level `json:"callGraphCallees"`
	SemanticMatch    Level `json:"semanticMatch"`
}

// Navigation suggests the next calls on a result.
type Navigation struct {
	NextActions           *NextActions        `json:"nextActions,omitempty"`
	NavigationFallback    *NavigationFallback `json:"navigationFallback,omitempty"`
	RecommendedNextAction *Action             `json:"recommendedNextAction,omitempty"`
	InboundRecovery       *Action             `json:"inboundRecovery,omitempty"` // a search for its name with must:
	Fallbacks             []Action            `json:"fallbacks,omitempty"`
}

// NextActions are the next calls on a result; inapplicable ones are nil.
type NextActions struct {
	OpenSymbol    *Action `json:"openSymbol,omitempty"`
	OutlineWindow *Action `json:"outlineWindow,omitempty"`
	CallGraph     *Action `json:"callGraph,omitempty"`
	TraceCallers  *Action `json:"traceCallers,omitempty"`
	TraceCallees  *Action `json:"traceCallees,omitempty"`
}

// NavigationFallback suggests how to go on from a result without a symbol.
type NavigationFallback struct {
	Message           string          `json:"message"`
	Context           FallbackContext `json:"context"`
	ReadSpan          *Action         `json:"readSpan"`
	FileOutlineWindow *Action         `json:"fileOutlineWindow,omitempty"`
}

// FallbackContext is the place that the fallback reads.
type FallbackContext struct {
	CodebaseRoot string `json:"codebaseRoot"`
	RelativeFile string `json:"relativeFile"`
	AbsolutePath string `json:"absolutePath"`
	StartLine    int    `json:"startLine"`
	EndLine      int    `json:"endLine"`
}

// Chunk is a result of resultMode raw.
type Chunk struct {
	Kind             string        `json:"kind"` // "chunk"
	File             string        `json:"file"`
	Span             LineSpan      `json:"span"`
	Service          string        `json:"service,omitempty"`
	Language         string        `json:"language"`
	Class            code.Class    `json:"class,omitempty"` // of the file, if it is not source
	SymbolKind       string        `json:"symbolKind,omitempty"`
	SymbolLabel      string        `json:"symbolLabel,omitempty"`
	SymbolID         string        `json:"symbolId,omitempty"`
	SymbolKey        string        `json:"symbolKey,omitempty"`
	SymbolInstanceID string        `json:"symbolInstanceId,omitempty"`
	Content          string        `json:"content"`
	MatchedLines     []MatchedLine `json:"matchedLines,omitempty"`
	ContextLines     []MatchedLine `json:"contextLines,omitempty"` // around the matched ones, by line
	MatchedBy        List[string]  `json:"matchedBy"`
	Score            float64       `json:"score"`
	IndexedAt        string        `json:"indexedAt"`
	StalenessBucket  string        `json:"stalenessBucket"`
}

// Place implements [SearchResult].
func (c *Chunk) Place() (string, LineSpan) { return c.File, c.Span }

// SearchDebug explains the ranking of a search answer. It is in hints.debug if debug or debugMode
// requests it.
type SearchDebug struct {
	Terms      []string       `json:"terms"` // words of the query, as used in ranking
	Filter     DebugFilter    `json:"filter"`
	Lanes      map[string]int `json:"lanes"` // exact, lexical, semantic, path → number of candidates found
	Phases     []DebugPhase   `json:"phases"`
	Candidates []DebugRank    `json:"candidates,omitempty"` // the best ones, within the token budget
	Tokens     AnswerTokens   `json:"tokens"`
}

// DebugFilter lists the conditions that a file must satisfy.
type DebugFilter struct {
	Prefix   string       `json:"prefix,omitempty"`
	Classes  []code.Class `json:"classes,omitempty"` // empty for all
	Services []string     `json:"services,omitempty"`
	Changed  int          `json:"changed"` // files that git reports as changed, if they rank higher
}

// DebugPhase is a timed part of the last search pass.
type DebugPhase struct {
	Name   string `json:"name"`
	Micros int64  `json:"micros"`
}

// DebugRank explains the rank of one candidate.
type DebugRank struct {
	Place     string   `json:"place"` // file:line
	Label     string   `json:"label,omitempty"`
	Score     float64  `json:"score"`
	Worth     float64  `json:"worth"` // score without the boosts for changed files and for rare words of the query
	Lexical   float64  `json:"lexical"`
	Cosine    float64  `json:"cosine"`
	Naming    float64  `json:"naming"`  // share of the query's words in its name
	Covered   float64  `json:"covered"` // share of the query's words in its text
	Held      float64  `json:"held"`    // share of a question's words, or synonyms of them, in its text
	MatchedBy []string `json:"matchedBy"`
	Shown     bool     `json:"shown"`
}
