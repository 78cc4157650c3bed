package tokens

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Kind is a kind of question.
type Kind string

const (
	Locate     Kind = "locate"     // asks for the declaration of a name
	Describe   Kind = "describe"   // asks for a declaration by key words of its doc comment
	Recall     Kind = "recall"     // asks for a declaration by a sentence of its doc comment, which is blanked
	Definition Kind = "definition" // what does this call site call?
	Callers    Kind = "callers"    // which call sites call this function?
	Trace      Kind = "trace"      // what does this function call, two levels deep?
	Outline    Kind = "outline"    // what does this file export?
	Impact     Kind = "impact"     // which tests call this function, directly or through one other?
	Literal    Kind = "literal"    // which line holds this text?
)

// Kinds lists all kinds, in the order of reports.
var Kinds = []Kind{Locate, Describe, Recall, Definition, Callers, Trace, Outline, Impact, Literal}

// Place is a line of a file. A declaration begins at line From, where its doc
// comment or annotations do; From is 0 for a call site.
type Place struct {
	File string `json:"file"` // path relative to the repository, '/'-separated
	Line int    `json:"line"` // 1-based
	From int    `json:"from,omitempty"`
}

// Target is a part of the answer to a task, such as one caller, with the places that show it. It is
// in view if one of these places was shown.
type Target []Place

// Task is a question, and the targets that an answer must show.
type Task struct {
	Repository string `json:"repository"` // a name of the lock file
	Kind       Kind   `json:"kind"`
	Name       string `json:"name,omitempty"`   // last name of a symbol
	Symbol     string `json:"symbol,omitempty"` // qualified name of the symbol
	File       string `json:"file,omitempty"`   // file of the symbol or, for Definition, of the call site
	Line       int    `json:"line,omitempty"`   // for Definition, the line of the call site
	Type       bool   `json:"type,omitempty"`   // whether the symbol is a type, whose calls are constructions
	Text       string `json:"text,omitempty"`   // the description or the literal
	// Blank is the comment from which the sentence of a Recall task was taken. The comment is blank
	// in the searched tree, because much code has no comments.
	Blank   *Lines   `json:"blank,omitempty"`
	Targets []Target `json:"targets"`
}

// Lines is a range of lines of a file, inclusive.
type Lines struct {
	File string `json:"file"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// ReadTasks reads one task per line.
func ReadTasks(file string) (out []Task, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for n := 1; lines.Scan(); n++ {
		var t Task
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		if t.Repository == "" || t.Kind == "" || len(t.Targets) == 0 {
			return nil, fmt.Errorf("%s:%d: a task needs a repository, a kind and targets", file, n)
		}
		out = append(out, t)
	}
	return out, lines.Err()
}

// WriteTasks writes one task per line, for ReadTasks.
func WriteTasks(file string, tasks []Task) error {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for i := range tasks {
		if err := enc.Encode(&tasks[i]); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// Blanked returns text with the comments blanked from which the descriptions of
// tasks were taken. The number of lines stays the same.
func Blanked(path string, text []byte, tasks []Task) []byte {
	var lines [][]byte
	for i := range tasks {
		b := tasks[i].Blank
		if b == nil || b.File != path {
			continue
		}
		if lines == nil {
			lines = bytes.Split(text, []byte("\n"))
		}
		for n := b.From; n <= b.To && n <= len(lines); n++ {
			lines[n-1] = nil
		}
	}
	if lines == nil {
		return text
	}
	return bytes.Join(lines, []byte("\n"))
}

// IsTest reports whether a path looks like that of a test.
func IsTest(path string) bool { return testPath.MatchString(strings.ToLower(path)) }

var testPath = regexp.MustCompile(
	`(^|/)(tests?|__tests__|spec)/|_test\.|\.(test|spec)\.|(^|/)test_|(^|/)conftest\.|[a-z]tests?\.java$`)

// Common reports whether a word of three letters or more is so common that it
// does not help to find code.
func Common(word string) bool { return common[strings.ToLower(word)] }

var common = map[string]bool{"the": true, "and": true, "for": true, "with": true, "that": true, "this": true,
	"from": true, "are": true, "not": true, "when": true, "into": true, "its": true, "has": true, "was": true,
	"how": true, "what": true, "where": true, "which": true, "does": true, "will": true, "can": true, "all": true,
	"any": true, "given": true, "returns": true, "return": true, "use": true, "used": true, "using": true, "set": true,
	"get": true, "new": true, "one": true, "them": true, "they": true, "then": true, "than": true, "but": true,
	"have": true, "been": true, "may": true, "must": true, "should": true, "each": true, "only": true, "also": true}
