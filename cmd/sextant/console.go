package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
	"sextant/jit"
)

// console prints answers on standard output, and notes, warnings and errors on standard error.
type console struct {
	streams
	style    style           // colours of standard output
	errStyle style           // colours of standard error
	json     bool            // --json: print the whole answer as JSON
	told     map[string]bool // problems of ignore and configuration rules that were printed already
}

func newConsole(io streams) console {
	return console{streams: io, told: map[string]bool{},
		style: newStyle(io, io.outTerminal), errStyle: newStyle(io, io.errTerminal)}
}

func (c *console) sheet() sheet    { return sheet{c.out, c.style, c.outColumns} }
func (c *console) errSheet() sheet { return sheet{c.err, c.errStyle, c.errColumns} }

// warn prints a warning on standard error.
func (c *console) warn(text string) {
	// If standard error cannot be written, there is no other place to report it.
	_ = c.errSheet().say(typeset.Line{{Role: typeset.Caution, Text: "warning:"}, {Text: " " + text}})
}

// tell prints a line about the progress of the command on standard error.
func (c *console) tell(format string, args ...any) {
	_ = c.errSheet().say(typeset.Text(fmt.Sprintf(format, args...)))
}

// aside prints a line about the answer, such as how to continue, on standard
// error.
func (c *console) aside(format string, args ...any) {
	_ = c.errSheet().say(typeset.Line{{Role: typeset.Dim, Text: fmt.Sprintf(format, args...)}})
}

// fault prints an error on standard error, line by line.
func (c *console) fault(text string) {
	first, rest, more := strings.Cut(text, "\n")
	lines := []typeset.Line{{{Role: typeset.Bad, Text: "sextant:"}, {Text: " " + first}}}
	if more {
		for line := range strings.SplitSeq(rest, "\n") {
			lines = append(lines, typeset.Text(line))
		}
	}
	_ = c.errSheet().say(lines...)
}

// tellProblems prints the problems in the ignore and configuration files of a root
// as warnings, each once.
func (c *console) tellProblems(root *jit.Root) {
	for _, p := range root.Problems() {
		if !c.told[p] {
			c.warn(p)
			c.told[p] = true
		}
	}
}

// wasTold reports whether a warning repeats a problem that tellProblems has printed.
func (c *console) wasTold(note string) bool {
	for problem := range c.told {
		if strings.Contains(note, problem) {
			return true
		}
	}
	return false
}

// printWarnings prints warnings on standard error. It omits warnings about configuration files if
// tellProblems has printed their problems.
func (c *console) printWarnings(ws contract.Warnings) {
	for _, w := range ws {
		if w.Code == jit.WarnConfig && len(c.told) > 0 {
			continue
		}
		c.warn(w.Message)
	}
}

// printJSON prints v as JSON. It returns errReported if status is not ok, for
// the exit code.
func (c *console) printJSON(v any, status contract.Status) error {
	text, err := contract.Encode(v)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(c.out, "%s\n", text); err == nil && status != contract.StatusOK {
		return errReported
	}
	return err
}

// jsonFlag adds --json to cmd.
func (c *console) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.json, "json", false, "print the whole answer as JSON")
}
