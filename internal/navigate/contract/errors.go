package contract

import "strings"

// InvalidArguments is the error of a call whose arguments are wrong in every state of the index. It
// is returned before anything is read or changed.
type InvalidArguments struct {
	Tool     string
	Problems []Problem // at least one, in the order of the tool's arguments
}

// Problem is one wrong argument.
type Problem struct {
	Field   string // name on the wire, with nested fields as "a.b" and "a[0]"
	Message string // the mistake, the expected value, an example
}

// Error returns the full text shown to the caller.
func (e *InvalidArguments) Error() string {
	var b strings.Builder
	b.WriteString("Error: Invalid arguments for '" + e.Tool + "'.")
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(" " + p.Field + ": " + p.Message)
	}
	return b.String()
}

// Refusal is the error of a call that gets no answer: for a path that Sextant never reads, or
// because the program is busy, cancelled or failing. Its JSON is the text shown to the caller.
type Refusal struct {
	Outcome
	Path  string `json:"path,omitempty"`
	Hints *Hints `json:"hints,omitempty"`
}

// Error returns the reason and the message.
func (e *Refusal) Error() string { return string(e.Reason) + ": " + e.Message }
