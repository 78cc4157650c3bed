package quality

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// These constants are the splits, which are groups of repositories. Each repository belongs to
// one of them. Those of Validation and Test are never trained on.
const (
	Train      = "train"
	Validation = "validation" // used to choose hyper-parameters
	Test       = "test"       // used for reported figures
)

// Source is one line of the list: a repository to take text from.
type Source struct {
	Repository string // owner/name on GitHub, or a Go module's path, or GOROOT
	Commit     string // or the module's version, or Go's
	Licence    string
	Split      string
}

// FileName returns the source's name in a form usable as a file name.
func (s Source) FileName() string { return strings.ReplaceAll(s.Repository, "/", "+") }

// ReadList reads lines of repository, commit, licence and split.
func ReadList(file string) ([]Source, error) {
	lines, err := ReadColumns(file, 4)
	if err != nil {
		return nil, err
	}
	var list []Source
	seen := map[string]bool{}
	for _, l := range lines {
		s := Source{l[0], l[1], l[2], l[3]}
		switch {
		case seen[s.Repository]:
			return nil, fmt.Errorf("%s: %s stands in it twice", file, s.Repository)
		case s.Split != Train && s.Split != Validation && s.Split != Test:
			return nil, fmt.Errorf("%s: %s is of no known split: %q", file, s.Repository, s.Split)
		}
		seen[s.Repository] = true
		list = append(list, s)
	}
	return list, nil
}

// ReadColumns splits the lines of a file at tabs. It returns an error unless
// each line has that many columns, none of them empty. Empty lines and lines
// that start with # are skipped.
func ReadColumns(file string, columns int) (lines [][]string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	n := 0
	for l := range strings.Lines(string(text)) {
		n++
		l = strings.TrimRight(l, "\r\n")
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		f := strings.Split(l, "\t")
		if len(f) != columns || slices.Contains(f, "") {
			return nil, fmt.Errorf("%s:%d: expected %d columns with tabs between them, got %q", file, n, columns, l)
		}
		lines = append(lines, f)
	}
	return lines, nil
}
