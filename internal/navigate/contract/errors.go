package contract

import "strings"

// InvalidArguments is a call that no state of the index could answer. It is
// written before anything is read or changed.
type InvalidArguments struct {
	Tool     string
	Problems []Problem // at least one, in the order of the tool's arguments
}

// Problem is one wrong argument.
type Problem struct {
	Field   string // as on the wire, "a.b" and "a[0]" below it
	Message string // what is wrong, what was expected, an example
}

// Error returns the whole text that the caller sees.
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

// Refusal is a path that is not read, whatever the caller does. Its JSON is
// the text that the caller sees.
type Refusal struct {
	Outcome
	Path  string `json:"path,omitempty"`
	Hints *Hints `json:"hints,omitempty"`
}

// Error returns the reason and the message.
func (e *Refusal) Error() string { return string(e.Reason) + ": " + e.Message }
