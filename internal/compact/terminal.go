package compact

import (
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// Terminal holds the functions that adapt paths and arguments for a person at a terminal. A drawing
// has otherwise the same lines as the text for an agent.
type Terminal struct {
	// Shown returns the form in which to print a path, which is relative to the root.
	Shown func(file string) string
	// Flag returns the command-line flag that sets an argument of the request, such as
	// "--cursor r1", or "" if there is none.
	Flag func(argument, value string) string
}

// Drawing is an answer drawn for a terminal.
type Drawing struct {
	Lines []typeset.Line
	Notes []string // warnings
}

// Draw draws an answer for a terminal. Lines of source have their numbers, and arguments
// that continue an answer are written as command-line flags.
func Draw(req contract.Request, answer any, t Terminal) (Drawing, error) {
	w := &writer{implied: true, terminal: &t}
	err := w.answer(req, answer)
	return w.drawing, err
}

func plain(text string) typeset.Part  { return typeset.Part{Role: typeset.Plain, Text: text} }
func dim(text string) typeset.Part    { return typeset.Part{Role: typeset.Dim, Text: text} }
func named(text string) typeset.Part  { return typeset.Part{Role: typeset.Name, Text: text} }
func quoted(text string) typeset.Part { return typeset.Part{Role: typeset.Source, Text: text} }
func placed(text string) typeset.Part { return typeset.Part{Role: typeset.Lines, Text: text} }

// file returns a path, which is relative to the root, with quotes if its characters need
// them.
func (w *writer) file(name string) typeset.Part {
	if w.terminal != nil {
		name = w.terminal.Shown(name)
	}
	return typeset.Part{Role: typeset.Path, Text: code.QuotePath(name)}
}

// span returns the lines to write after a path, ":12-20"; it is empty if s has no lines.
func span(s contract.LineSpan) typeset.Part {
	if s.StartLine < 1 {
		return placed("")
	}
	return placed(":" + lines(s))
}

// number returns the beginning of a line of source: its number on a terminal, where a
// person looks for it, and two spaces in text.
func (w *writer) number(line int) typeset.Part {
	if w.terminal == nil {
		return plain("  ")
	}
	return dim(fmt.Sprintf("  %5d  ", line))
}

// option returns an argument with which a further call shows more, `cursor: "r1"` or, on a
// terminal, "--cursor r1", with three spaces before it.
func (w *writer) option(argument string, value any) typeset.Part {
	if w.terminal == nil {
		text, err := contract.Encode(value)
		if err != nil {
			text = fmt.Append(nil, value)
		}
		return plain("   " + argument + ": " + string(text))
	}
	text := fmt.Sprint(value)
	if list, ok := value.([]string); ok {
		text = strings.Join(list, ",")
	}
	if flag := w.terminal.Flag(argument, text); flag != "" {
		return dim("   " + flag)
	}
	return plain("")
}
