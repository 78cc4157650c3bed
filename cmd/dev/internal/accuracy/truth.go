package accuracy

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// Class is the kind of a callee, according to a compiler.
type Class string

const (
	// ClassStatic is a function, method or constructor of the workspace, bound
	// statically.
	ClassStatic Class = "static"
	// ClassInterface is a method of an interface, trait or abstract type of the
	// workspace.
	ClassInterface Class = "interface"
	// ClassValue is a call through a variable, field, parameter or result.
	ClassValue Class = "value"
	// ClassExternal is a callee outside the workspace.
	ClassExternal Class = "external"
	// ClassUnknown is a call site that the compiler cannot resolve; answers for it are never
	// judged.
	ClassUnknown Class = "unknown"
)

// Place is the line of a declared name; File is relative to the repository.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Truth is the true answer for one call site, from an oracle (a program that runs a compiler) or
// from a person.
type Truth struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Column  int     `json:"column"` // column, counted in bytes
	Name    string  `json:"name"`
	Class   Class   `json:"class"`
	Targets []Place `json:"targets,omitempty"` // targets, for ClassStatic and ClassInterface
	Module  string  `json:"module,omitempty"`  // module, for ClassExternal if it is known
	Write   bool    `json:"write,omitempty"`   // for an access, whether the member is assigned

	// Repo and Commit are set only in hand-checked files.
	Repo   string `json:"repo,omitempty"`
	Commit string `json:"commit,omitempty"`
}

func (t *Truth) position() position { return position{t.Line, t.Column} }

type position struct{ line, column int }

// maxTruthLine is the largest number of bytes of a line about one call site; a line with a
// hundred overloads as targets has some 10,000.
const maxTruthLine = 1 << 20

// ReadTruth decodes lines with the true answers for call sites, one per line. The error names the
// first malformed line.
func ReadTruth(r io.Reader) (out []Truth, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxTruthLine)
	for n := 1; lines.Scan(); n++ {
		var t Truth
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("line %d of the truth: %w", n, err)
		}
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("line %d of the truth: %w", n, err)
		}
		out = append(out, t)
	}
	return out, lines.Err()
}

// check returns an error if t lacks a position, a class or, for a class with
// targets, a target.
func (t *Truth) check() error {
	if t.File == "" || t.Line < 1 || t.Column < 1 {
		return fmt.Errorf("no position in %+v", *t)
	}
	switch t.Class {
	case ClassStatic, ClassInterface:
		if len(t.Targets) == 0 {
			return fmt.Errorf("%s:%d:%d: class %s without a target", t.File, t.Line, t.Column, t.Class)
		}
	case ClassValue, ClassExternal, ClassUnknown:
	default:
		return fmt.Errorf("%s:%d:%d: class %q", t.File, t.Line, t.Column, t.Class)
	}
	return nil
}

// ReadTruthFile reads the truth in a file; see ReadTruth.
func ReadTruthFile(name string) ([]Truth, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out, err := ReadTruth(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
}

// WriteTruth writes truth as sorted lines without duplicates. A file may belong to several builds,
// such as a package and its tests; then it merges the answers for each site.
func WriteTruth(w io.Writer, truth []Truth) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, t := range merged(truth) {
		if err := enc.Encode(t); err != nil {
			return err
		}
	}
	return out.Flush()
}

// merged sorts truth and merges the answers for one site. A known class takes precedence over
// ClassUnknown; the targets of equal classes are combined.
func merged(truth []Truth) []Truth {
	truth = slices.Clone(truth)
	slices.SortStableFunc(truth, func(a, b Truth) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			compareBool(a.Write, b.Write))
	})
	out := truth[:0]
	for _, t := range truth {
		n := len(out)
		if n > 0 && out[n-1].File == t.File && out[n-1].position() == t.position() && out[n-1].Write == t.Write {
			out[n-1].join(t)
			continue
		}
		out = append(out, t)
	}
	return out
}

// join merges another answer for the same site into t.
func (t *Truth) join(other Truth) {
	if t.Class == ClassUnknown {
		*t = other
		return
	}
	if t.Class != other.Class {
		return
	}
	for _, p := range other.Targets {
		if !slices.Contains(t.Targets, p) {
			t.Targets = append(slices.Clone(t.Targets), p)
		}
	}
}

// Sites holds the true answers for call sites, grouped by file.
type Sites struct {
	Files []string // sorted
	by    map[string][]Truth
}

// NewSites groups truth by file.
func NewSites(truth []Truth) *Sites {
	s := &Sites{by: map[string][]Truth{}}
	for _, t := range merged(truth) {
		if s.by[t.File] == nil {
			s.Files = append(s.Files, t.File)
		}
		s.by[t.File] = append(s.by[t.File], t)
	}
	return s
}

// Of returns the sites of a file, in order.
func (s *Sites) Of(file string) []Truth { return s.by[file] }

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
