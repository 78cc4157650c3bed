package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// These constants are the exit codes of the program.
const (
	exitOK          = 0
	exitFailure     = 1   // the command failed
	exitUsage       = 2   // the command line is wrong
	exitInterrupted = 130 // 128 + SIGINT, as in shells
)

// errReported is the error of a command that has already printed its error
// message.
var errReported = errors.New("reported")

// usageError is an error in the command line; the program exits with exitUsage.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// report prints err on standard error and returns the exit code, 0 for nil.
func (c *console) report(ctx context.Context, err error) int {
	var usage *usageError
	var invalid *contract.InvalidArguments
	var refusal *contract.Refusal
	code, text := exitFailure, ""
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailure
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		code, text = exitInterrupted, "interrupted. What is indexed stays; the next command goes on from there."
	case errors.As(err, &invalid):
		code, text = exitUsage, problems(invalid)
	case errors.As(err, &usage), strings.HasPrefix(err.Error(), "unknown command"):
		// cobra has no error type for an unknown command.
		code, text = exitUsage, strings.TrimSpace(err.Error())
	case exclusive(err) != "":
		code, text = exitUsage, exclusive(err)
	case errors.As(err, &refusal):
		text = refusal.Message
	default:
		text = err.Error()
	}
	c.fault(text)
	return code
}

// exclusive returns a message if err means that flags exclude each other; "" for any other error.
// cobra has no type for that error: "if any flags in the group [a b c] are set none of the others
// can be; [a b] were all set".
func exclusive(err error) string {
	_, set, ok := strings.Cut(err.Error(), "] are set none of the others can be; [")
	if !ok {
		return ""
	}
	names, _, _ := strings.Cut(set, "]")
	return "--" + strings.ReplaceAll(names, " ", " and --") + " exclude each other; give one of them"
}

// flagOf maps an argument of the tools to its name on the command line.
var flagOf = map[string]string{"limit": "--limit", "scope": "--scope", "groupBy": "--group-by", "service": "--service",
	"direction": "--direction", "depth": "--depth", "detail": "--detail", "cursor": "--cursor",
	"deadlineMs": "--deadline", "minConfidence": "--min-confidence", "symbolRef.file": "--file", "symbolRef": "SYMBOL",
	"symbolRef.diff": "REVISION", "path": "--path", "expand": "--expand", "include": "--include",
	"exclude": "--exclude", "identifiers": "--identifiers", "verify": "--verify",
	"query": "QUERY", "start_line": "START", "end_line": "END", "open_symbol": "--symbol"}

// problems lists the invalid arguments by their names on the command line, one
// per line.
func problems(e *contract.InvalidArguments) string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		argument, _, _ := strings.Cut(p.Field, "[") // "expand[0]" is a value of --expand
		name, ok := flagOf[argument]
		if !ok {
			name = p.Field
		}
		parts[i] = name + ": " + p.Message
		if p.Field == "cursor" {
			parts[i] = "--cursor: expected one that this command printed with the same arguments and flags; " +
				"leave it out to start over"
		}
	}
	return strings.Join(parts, "\n         ")
}

// failed returns the error for an answer whose status is not ok. The message of
// an answer names the next tool call; failed names the command to run instead,
// if there is one.
func failed(o contract.Outcome, path string) error {
	switch o.Reason {
	case contract.ReasonNotIndexed:
		return fmt.Errorf("%s is not indexed; sextant index %s makes its index", path, quote(path))
	case contract.ReasonRequiresReindex:
		return fmt.Errorf("%s has no index that this version of sextant reads; sextant index %s makes it, "+
			"and so does the next question", path, quote(path))
	case contract.ReasonMissingFile:
		return fmt.Errorf("%s does not exist; sextant search path:'**/NAME*' finds a file by its name", path)
	case contract.ReasonUnsupportedLanguage:
		return fmt.Errorf("no symbols are known for the language of %s; sextant read %s prints it", path, quote(path))
	case contract.ReasonNotParsed:
		return fmt.Errorf("the parser gave up on %s, so its symbols are not known; sextant read FILE prints a file",
			path)
	case contract.ReasonDeadline:
		return errors.New("the time limit ended before there was an answer; repeat the command, which goes on where " +
			"this one stopped (graph and impact take a longer --deadline)")
	case contract.ReasonIndexFailed:
		return fmt.Errorf("%s; the next question tries again", cause(o))
	}
	return errors.New(o.Message)
}

// cause returns the first sentence of an outcome's message as the text of an error. The other
// sentences name tools, which people do not call.
func cause(o contract.Outcome) string {
	what, _, _ := strings.Cut(strings.TrimSuffix(o.Message, "."), ". ")
	if what == "" {
		return string(o.Reason)
	}
	return code.Decapitalized(what)
}

// missingSymbol returns the error for a symbol that does not exist in the codebase at a path,
// which is the parameter in.
func missingSymbol(name, in string) error {
	return fmt.Errorf("no symbol in %s is called %q; sextant outline FILE lists those of a file, sextant search %s "+
		"looks for the words", in, name, quote(name))
}

// candidates prints message, the symbols that a name may refer to, and how to
// choose one. It returns errReported.
func (c *console) candidates(message string, list []contract.Candidate, how string) error {
	c.fault(message)
	sheet := c.errSheet()
	places := make([]string, len(list))
	lines := make([]string, len(list))
	for i, one := range list {
		lines[i] = strings.TrimPrefix(place(one), one.File)
		places[i] = code.QuotePath(one.File) + lines[i]
	}
	column := sheet.column(places)
	for i, one := range list {
		at := append(typeset.Text("  "), column(code.QuotePath(one.File), lines[i])...)
		_ = sheet.say(append(at, typeset.Part{Role: typeset.Dim, Text: one.Kind + " "},
			typeset.Part{Role: typeset.Name, Text: one.SymbolLabel}))
		if one.Signature != "" {
			_ = sheet.say(typeset.Line{{Text: strings.Repeat(" ", at.Width())},
				{Role: typeset.Source, Text: one.Signature}})
		}
	}
	c.aside("%s", how)
	return errReported
}

// place returns FILE:LINE of a candidate, or the path alone if it is a folder.
func place(c contract.Candidate) string {
	if c.Span.StartLine == 0 { // a folder has no lines
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Span.StartLine)
}

// quote returns text as one word for a POSIX shell.
func quote(text string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || r == '+' || r == '@' || r == ':' || r == '=' ||
			r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if text != "" && strings.TrimLeftFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
