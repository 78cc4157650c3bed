package quality

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// The parts that a repository may play. No repository plays two, and none of
// the last two is ever trained on.
const (
	Train      = "train"
	Validation = "validation" // what hyper-parameters are chosen on
	Test       = "test"       // what is reported
)

// Source is one line of the list: where text comes from.
type Source struct {
	Repository string // owner/name on GitHub, or a Go module's path, or GOROOT
	Commit     string // or the module's version, or Go's
	Licence    string
	Split      string
}

// FileName is the source's name as that of a file.
func (s Source) FileName() string { return strings.ReplaceAll(s.Repository, "/", "+") }

// ReadList reads lines of repository, commit, licence and split, separated by
// tabs; lines of # are comments.
func ReadList(file string) ([]Source, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []Source
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		parts := strings.Split(text, "\t")
		if len(parts) != 4 {
			return nil, fmt.Errorf("%s: %q has not four columns", file, text)
		}
		s := Source{parts[0], parts[1], parts[2], parts[3]}
		switch {
		case seen[s.Repository]:
			return nil, fmt.Errorf("%s: %s stands in it twice", file, s.Repository)
		case s.Split != Train && s.Split != Validation && s.Split != Test:
			return nil, fmt.Errorf("%s: %s is of no known split: %q", file, s.Repository, s.Split)
		}
		seen[s.Repository] = true
		list = append(list, s)
	}
	return list, lines.Err()
}
