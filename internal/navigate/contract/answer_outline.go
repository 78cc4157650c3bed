package contract

import "sextant/internal/code"

// OutlineAnswer is the answer of file_outline.
type OutlineAnswer struct {
	Outcome
	Path              string      `json:"path"`
	CodebaseRoot      string      `json:"codebaseRoot"`
	File              string      `json:"file"`
	FreshnessDecision *Freshness  `json:"freshnessDecision,omitempty"`
	Warnings          []string    `json:"warnings,omitempty"`   // CODE or CODE:detail, sorted
	Outline           *Outline    `json:"outline"`              // null unless ok or ambiguous
	Folder            *FolderMap  `json:"folder,omitempty"`     // instead of Outline, if File is a folder
	Skeleton          string      `json:"skeleton,omitempty"`   // with detail skeleton
	Unexported        int         `json:"unexported,omitempty"` // symbols that the argument exported left out
	Fields            int         `json:"fields,omitempty"`     // fields that only detail full shows
	HasMore           bool        `json:"hasMore"`
	Cursor            string      `json:"cursor,omitempty"`
	Truncated         *Truncation `json:"truncated,omitempty"`
	Hints             *Hints      `json:"hints,omitempty"`
}

// Outline lists the symbols of a file, sorted by start, end, label, id.
type Outline struct {
	Symbols List[OutlineSymbol] `json:"symbols"`
}

// OutlineSymbol is one declaration.
type OutlineSymbol struct {
	SymbolID       string               `json:"symbolId"`
	SymbolLabel    string               `json:"symbolLabel"`
	Kind           code.Kind            `json:"kind"`
	Name           string               `json:"name"`
	QualifiedName  string               `json:"qualifiedName"`
	Span           code.Span            `json:"span"`
	Language       string               `json:"language"`
	Signature      string               `json:"signature"`
	Parameters     List[code.Parameter] `json:"parameters"`
	Returns        string               `json:"returns,omitempty"`
	Annotations    List[string]         `json:"annotations"`
	Doc            string               `json:"doc,omitempty"` // the first sentence of the documentation
	Exported       *bool                `json:"exported,omitempty"`
	ParentPath     List[string]         `json:"parentQualifiedNamePath"`
	ParentSymbolID string               `json:"parentSymbolId,omitempty"`
	SymbolKey      string               `json:"symbolKey"`
	CallGraphHint  CallGraphHint        `json:"callGraphHint"`
}
