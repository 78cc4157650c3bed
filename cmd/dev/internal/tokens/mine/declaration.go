package mine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/tokens"
)

// Declaration is a declaration in a repository. Lines are 1-based, and ranges include their last
// line.
type Declaration struct {
	File      string `json:"file"`
	Name      string `json:"name"`
	Qualified string `json:"qualified"` // name with its type: Server.Close
	Line      int    `json:"line"`      // line of the name
	End       int    `json:"end"`
	From      int    `json:"from"` // first line, with comments and annotations above
	Exported  bool   `json:"exported"`
	// whether it is no function: a class, an interface, an alias; in Go also a constant or variable
	Type    bool   `json:"type"`
	Doc     string `json:"doc"`
	DocFrom int    `json:"doc_from"` // first line of the doc comment; 0 if there is none
	DocEnd  int    `json:"doc_end"`
}

func (d *Declaration) place() tokens.Place {
	return tokens.Place{File: d.File, Line: d.Line, From: d.From}
}

// parsers maps a language to the program that lists the declarations of its files, one as JSON per
// line. Go files are parsed in this process.
var parsers = map[string][]string{
	"typescript": {"node", "testdata/oracles/declarations.mjs"},
	"python":     {"python3", "testdata/oracles/declarations.py"},
}

// Declarations returns the declarations below dir, by file and line.
func Declarations(ctx context.Context, language, dir string) (out []Declaration, err error) {
	switch language {
	case "go":
		out, err = goDeclarations(dir)
	case "java":
		out, err = tagged(ctx, dir)
	default:
		command := parsers[language]
		if command == nil {
			return nil, fmt.Errorf("no parser for %s", language)
		}
		var lines [][]byte
		if lines, err = output(ctx, append(command, dir)...); err != nil {
			return nil, err
		}
		out = make([]Declaration, len(lines))
		for i, line := range lines {
			if err := json.Unmarshal(line, &out[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Declaration) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return out, err
}

// output runs a program and returns the lines of its standard output.
func output(ctx context.Context, command ...string) (lines [][]byte, err error) {
	text, err := exec.CommandContext(ctx, command[0], command[1:]...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return nil, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	scan := bufio.NewScanner(bytes.NewReader(text))
	scan.Buffer(nil, len(text)+1)
	for scan.Scan() {
		if len(scan.Bytes()) > 0 {
			lines = append(lines, slices.Clone(scan.Bytes()))
		}
	}
	return lines, scan.Err()
}
