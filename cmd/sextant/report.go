package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// The exit codes.
const (
	exitOK          = 0
	exitFailure     = 1   // the command could not do what it was asked
	exitUsage       = 2   // the command line is wrong
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// errReported ends a command whose failure has been told already.
var errReported = errors.New("reported")

// usageError is a command line that cannot be meant.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// report says what went wrong, in the words of the command line, and returns
// the exit code.
func (a *app) report(ctx context.Context, err error) int {
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
		// The SDK of the command line has no type for its own errors.
		code, text = exitUsage, strings.TrimSpace(err.Error())
	case errors.As(err, &refusal):
		text = refusal.Message
	default:
		text = err.Error()
	}
	fmt.Fprintf(a.err, "%s %s\n", a.errStyle.bad("sextant:"), text)
	return code
}

// flagOf is what an argument of the tools is called on the command line.
var flagOf = map[string]string{"limit": "--limit", "scope": "--scope", "groupBy": "--group-by", "service": "--service",
	"direction": "--direction", "depth": "--depth", "detail": "--detail", "cursor": "--cursor", "deadlineMs": "--deadline", "minConfidence": "--min-confidence", "symbolRef.file": "--file", "symbolRef": "SYMBOL", "path": "--path",
	"query": "QUERY", "start_line": "START", "end_line": "END", "open_symbol": "--symbol"}

func problems(e *contract.InvalidArguments) string {
	parts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		name, ok := flagOf[p.Field]
		if !ok {
			name = p.Field
		}
		parts[i] = name + ": " + p.Message
		if p.Field == "cursor" {
			parts[i] = "--cursor: it is none that this command printed with the same arguments and flags; leave it out to start over"
		}
	}
	return strings.Join(parts, "\n         ")
}

// failed is the error of an answer that is none. The messages of answers end
// in the next call for an agent; where a command is the next step, it is named
// instead.
func (a *app) failed(o contract.Outcome, path string) error {
	switch o.Reason {
	case contract.ReasonNotIndexed:
		return fmt.Errorf("%s is not indexed; sextant index %s makes its index", path, quote(path))
	case contract.ReasonRequiresReindex:
		return fmt.Errorf("%s has no index that this version of sextant reads; sextant index %s makes it, and so does the next question", path, quote(path))
	case contract.ReasonMissingFile:
		return fmt.Errorf("%s does not exist; sextant search path:'**/NAME*' finds a file by its name", path)
	case contract.ReasonUnsupportedLanguage:
		return fmt.Errorf("no symbols are known for the language of %s; sextant read %s prints it", path, quote(path))
	case contract.ReasonIndexFailed:
		return fmt.Errorf("the index of %s could not be made; sextant index --repair %s mends it", path, quote(path))
	}
	return errors.New(o.Message)
}

// missingSymbol is the error for a name that nothing bears.
func missingSymbol(name, in string) error {
	return fmt.Errorf("no symbol in %s is called %q; sextant outline FILE lists those of a file, sextant search %s looks for the words", in, name, quote(name))
}

// candidates says which symbols a name may mean, and how to say which.
func (a *app) candidates(message string, list []contract.Candidate, how string) error {
	fmt.Fprintf(a.err, "%s %s\n", a.errStyle.bad("sextant:"), message)
	wide := 0
	for _, c := range list {
		wide = max(wide, len(place(c)))
	}
	for _, c := range list {
		fmt.Fprintf(a.err, "  %s  %s %s\n", a.errStyle.path(fmt.Sprintf("%-*s", wide, place(c))), a.errStyle.dim(c.Kind), a.errStyle.name(c.SymbolLabel))
		if c.Signature != "" {
			fmt.Fprintf(a.err, "  %*s  %s\n", wide, "", a.errStyle.dim(c.Signature))
		}
	}
	fmt.Fprintf(a.err, "%s\n", a.errStyle.dim(how))
	return errReported
}

func place(c contract.Candidate) string {
	if c.Span.StartLine == 0 { // a folder
		return c.File
	}
	return fmt.Sprintf("%s:%d", c.File, c.Span.StartLine)
}

// quote is text as a shell takes it for one word.
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
