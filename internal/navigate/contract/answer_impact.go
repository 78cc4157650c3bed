package contract

import "sextant/internal/code"

// Impact lists the code that a change affects. Its lists may be cut; the totals count everything.
type Impact struct {
	// From and To are the compared commits. To is "" for the files on disk; both are "" in a
	// repository without commits.
	From         string            `json:"from"`
	To           string            `json:"to"`
	Files        List[ChangedFile] `json:"files"` // by path
	TotalFiles   int               `json:"totalFiles"`
	TotalSymbols int               `json:"totalSymbols"`
	// Uncompared is the number of changed files that were not compared before the deadline. TotalSymbols
	// omits their symbols.
	Uncompared int `json:"uncomparedFiles,omitempty"`
	// Tests are the affected test files, the likeliest first.
	Tests      List[ConcernedTest] `json:"tests"`
	TotalTests int                 `json:"totalTests"`
	// Callers are the symbols that call a changed symbol, directly or through others, the most
	// certain first. Symbols in changed files and in tests are left out.
	Callers      List[ConcernedCaller] `json:"callers"`
	TotalCallers int                   `json:"totalCallers"`
	// Services are the services that reach the change by a call into another service.
	Services List[ConcernedService] `json:"services"`
	// Unwalked names the parts that the lists leave out because of a bound or the deadline.
	Unwalked List[string] `json:"unwalked"`
}

// ChangeState says how a file or symbol was changed.
type ChangeState string

// The states of a change.
const (
	ChangeModified ChangeState = "modified"
	ChangeAdded    ChangeState = "added"
	ChangeRemoved  ChangeState = "removed"
	ChangeRenamed  ChangeState = "renamed" // of a file, with or without other changes
)

// ChangedFile is a file that differs between the two sides of the comparison.
type ChangedFile struct {
	File    string              `json:"file"`
	Was     string              `json:"was,omitempty"` // the earlier path of a renamed file
	State   ChangeState         `json:"state"`
	Service string              `json:"service,omitempty"`
	Symbols List[ChangedSymbol] `json:"symbols"`
	// MoreSymbols counts the symbols that the token budget left out.
	MoreSymbols int `json:"moreSymbols,omitempty"`
	// OtherLines reports whether lines outside of all symbols differ, such as imports.
	OtherLines bool `json:"otherLines,omitempty"`
	// Uncompared reports whether the deadline passed before the symbols that differ were found.
	Uncompared bool `json:"uncompared,omitempty"`
}

// ChangedSymbol is a symbol whose own text differs.
type ChangedSymbol struct {
	SymbolID    string      `json:"symbolId"`
	SymbolLabel string      `json:"symbolLabel"`
	Kind        code.Kind   `json:"kind"`
	State       ChangeState `json:"state"`
	Span        LineSpan    `json:"span"` // of a removed symbol, where it was
}

// TestEvidence says why a test file is believed to be affected.
type TestEvidence string

// The kinds of evidence, the surest first.
const (
	TestChanged  TestEvidence = "changed"   // the test itself differs
	TestCalls    TestEvidence = "calls"     // a chain of calls leads from it to a changed symbol
	TestMayCall  TestEvidence = "may_call"  // as TestCalls, but through a call that may dispatch elsewhere
	TestImports  TestEvidence = "imports"   // it imports a changed file
	TestNamedFor TestEvidence = "named_for" // its path contains words from the names of the changed files and symbols
	TestMentions TestEvidence = "mentions"  // its text contains words of the changed code
)

// ConcernedTest is a test file that a change affects.
type ConcernedTest struct {
	File     string              `json:"file"`
	Evidence TestEvidence        `json:"evidence"`           // the strongest evidence
	Distance int                 `json:"distance,omitempty"` // number of calls from the test to the changed symbol
	Target   string              `json:"target,omitempty"`   // the changed symbol that it reaches
	Tests    List[TestReference] `json:"tests"`              // affected tests in the file, the surest first
	Total    int                 `json:"total"`              // length of Tests before it was cut
	Service  string              `json:"service,omitempty"`
}

// ConcernedCaller is production code that reaches a changed symbol.
type ConcernedCaller struct {
	SymbolID    string        `json:"symbolId"`
	SymbolLabel string        `json:"symbolLabel"`
	File        string        `json:"file"`
	Line        int           `json:"line"` // of the call
	Kind        code.EdgeKind `json:"kind"`
	Distance    int           `json:"distance"`
	Target      string        `json:"target"` // the symbol that it calls on the way to the change
	Service     string        `json:"service,omitempty"`
}

// ConcernedService is a service that reaches a change in another service.
type ConcernedService struct {
	Service string        `json:"service"`
	Kind    code.EdgeKind `json:"kind"`
	Via     string        `json:"via"` // the route or method
	File    string        `json:"file"`
	Line    int           `json:"line"`
	To      string        `json:"to,omitempty"` // the service that it calls
}
