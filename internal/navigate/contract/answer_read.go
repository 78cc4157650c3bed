package contract

// ReadAnswer is the answer of read_file. In plain mode it is Text alone, unless the outcome is not
// ok.
type ReadAnswer struct {
	// Text is the answer in plain mode: the bytes on disk. It is valid only if Plain is true.
	Text  []byte `json:"-"`
	Plain bool   `json:"-"`
	// Continuation is the line to print after Text if Text was cut. It says how to read the rest and
	// has no final newline.
	Continuation string `json:"-"`
	// Behind explains a difference between Text and the requested lines that Continuation cannot
	// explain: the requested lines are after the end of the file, so Text is the last line, or a line
	// is too long and was cut. Otherwise it is "".
	Behind string `json:"-"`

	Kind string `json:"kind,omitempty"` // "symbol_context" for contractVersion 2
	Outcome
	Path              string         `json:"path"` // absolute path of the file
	CodebaseRoot      string         `json:"codebaseRoot,omitempty"`
	File              string         `json:"file,omitempty"`
	Mode              ReadMode       `json:"mode"`
	Span              *LineSpan      `json:"span,omitempty"` // of Content
	Symbol            *OutlineSymbol `json:"symbol,omitempty"`
	Context           *SymbolContext `json:"context,omitempty"`
	Content           string         `json:"content"`
	Excerpt           *Excerpt       `json:"excerpt,omitempty"` // instead of Content, with identifiers
	FreshnessDecision *Freshness     `json:"freshnessDecision,omitempty"`
	Warnings          Warnings       `json:"warnings,omitempty"`
	// OutlineStatus is ok, requires_reindex, unsupported or ambiguous. It is set in mode annotated only.
	OutlineStatus string           `json:"outlineStatus,omitempty"`
	Outline       *Outline         `json:"outline,omitempty"`
	HasMore       bool             `json:"hasMore"`
	Candidates    []Candidate      `json:"candidates,omitempty"` // for an ambiguous or missing symbol
	Related       []RelatedExcerpt `json:"related,omitempty"`    // never set, as the presets are ignored
	Truncated     *Truncation      `json:"truncated,omitempty"`
	Hints         *Hints           `json:"hints,omitempty"`
}

// Excerpt has the lines of a symbol or file that contain a requested identifier, and the lines that
// open the branches around them, such as if and for.
type Excerpt struct {
	Lines   List[MatchedLine] `json:"lines"`
	Missing []string          `json:"missing,omitempty"` // identifiers that no line contains
}

// RelatedExcerpt is a piece of source that belongs to a symbol's context. No answer has one yet.
type RelatedExcerpt struct {
	Role    string   `json:"role"` // caller, callee, implementation, parent
	File    string   `json:"file"`
	Span    LineSpan `json:"span"`
	Label   string   `json:"label,omitempty"`
	Content string   `json:"content"`
}
