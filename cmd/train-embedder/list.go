package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// The parts that a repository may play. No repository plays two, and none of
// the last two is ever trained on.
const (
	splitTrain      = "train"
	splitValidation = "validation" // what hyper-parameters are chosen on
	splitTest       = "test"       // what is reported
)

// source is one line of the list: where text comes from.
type source struct {
	repository string // owner/name on GitHub, or a Go module's path, or GOROOT
	commit     string // or the module's version, or Go's
	licence    string
	split      string
}

// name is the source's name as that of a file.
func (s source) name() string { return strings.ReplaceAll(s.repository, "/", "+") }

// readList reads lines of repository, commit, licence and split, separated by
// tabs; lines of # are comments.
func readList(file string) ([]source, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []source
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
		s := source{parts[0], parts[1], parts[2], parts[3]}
		switch {
		case seen[s.repository]:
			return nil, fmt.Errorf("%s: %s stands in it twice", file, s.repository)
		case s.split != splitTrain && s.split != splitValidation && s.split != splitTest:
			return nil, fmt.Errorf("%s: %s is of no known split: %q", file, s.repository, s.split)
		}
		seen[s.repository] = true
		list = append(list, s)
	}
	return list, lines.Err()
}
