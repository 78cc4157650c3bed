package contract

// ReadAnswer is the answer of read_file. In plain mode it is Text alone, unless the outcome is not
// ok.
type ReadAnswer struct {
	// Text is the answer in plain mode: the bytes on disk. It is valid only if Plain is true.
	Text  []byte `json:"-"`
	Plain bool   `json:"-"`
	// Continuation is the line after a Text that was cut. It says how to read on and has no final
	// newline.
	Continuation string `json:"-"`
	// Behind says how Text differs from the requested lines in a way that Continuation cannot tell: the
	// requested lines are after the end of the file and the last line is shown instead, or the line
	// does not fit and is cut. Else it is "".
	Behind string `json:"-"`

	Kind string `json:"kind,omitempty"` // "symbol_context" for contractVersion 2
	Outcome
	Path              string         `json:"path"` // the absolute file
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
	// ok, requires_reindex, unsupported, ambiguous; annotated only
	OutlineStatus string           `json:"outlineStatus,omitempty"`
	Outline       *Outline         `json:"outline,omitempty"`
	HasMore       bool             `json:"hasMore"`
	Candidates    []Candidate      `json:"candidates,omitempty"` // for an ambiguous or missing symbol
	Related       []RelatedExcerpt `json:"related,omitempty"`    // with the presets implementation and call_context
	Truncated     *Truncation      `json:"truncated,omitempty"`
	Hints         *Hints           `json:"hints,omitempty"`
}

// Excerpt has the lines of a symbol or a file that hold identifiers, with the lines that open the
// branches around them.
type Excerpt struct {
	Lines   List[MatchedLine] `json:"lines"`
	Missing []string          `json:"missing,omitempty"` // identifiers that no line holds
}

// RelatedExcerpt is a piece of source that belongs to a symbol's context.
type RelatedExcerpt struct {
	Role    string   `json:"role"` // caller, callee, implementation, parent
	File    string   `json:"file"`
	Span    LineSpan `json:"span"`
	Label   string   `json:"label,omitempty"`
	Content string   `json:"content"`
}
