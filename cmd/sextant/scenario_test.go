package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sextant/internal/golden"
)

// TestScenarios runs each testdata/scenarios/*.txtar against a server, with the
// watcher and without. Both must give the answers at the end of the file.
//
// The comment of a scenario describes it. Its files are
//
//	ws/PATH   the workspace before it is indexed
//	new/NAME  texts that steps copy into the workspace
//	steps     one step per line, in order:
//	          put NAME PATH          overwrite PATH with new/NAME, in place
//	          swap NAME PATH         write a temporary file and rename it to PATH
//	          keeping-time NAME PATH like put, then restore the mtime of PATH
//	          mv PATH PATH, rm PATH, mkdir PATH, link TARGET PATH, chmod MODE PATH
//	          git ARG…               with user and branch set; "git init" begins
//	          away, back             kill the server, start it again
//	          ask TOOL JSON          call a tool; $WORK is the workspace
//	answers   the answers of the ask steps, with $WORK for the workspace and
//	          without freshness details; -update writes them
func TestScenarios(t *testing.T) {
	golden.Each(t, "../../testdata/scenarios/*.txtar", func(t *testing.T, a *golden.Archive) {
		watched := play(t, a)
		a.Answer(t, "answers", watched)
		if d := golden.Difference(play(t, a, "--no-watch"), watched); d != "" {
			t.Errorf("without the watcher, the answers differ in %s", d)
		}
	})
}

// stage is a running scenario.
type stage struct {
	*site
	*client
	texts   map[string][]byte // new/NAME
	answers strings.Builder
}

func play(t *testing.T, a *golden.Archive, args ...string) string {
	s := &stage{site: newSite(t, args...), texts: map[string][]byte{}}
	var steps string
	for _, f := range a.Files {
		where, name, _ := strings.Cut(f.Name, "/")
		switch {
		case where == "ws":
			s.must(errors.Join(os.MkdirAll(filepath.Dir(s.abs(name)), 0o755), os.WriteFile(s.abs(name), f.Data, 0o644)))
		case where == "new":
			s.texts[name] = f.Data
		case f.Name == "steps":
			steps = string(f.Data)
		case f.Name != "answers":
			t.Fatalf("a scenario has no file %s", f.Name)
		}
	}
	s.env = append(s.env, "SEXTANT_FORMAT=text")
	s.client = s.serve()
	s.track(s.site)
	for line := range strings.Lines(steps) {
		if line = strings.TrimSpace(line); line != "" {
			s.step(line)
		}
	}
	s.client.close()
	return s.answers.String()
}

func (s *stage) abs(p string) string { return filepath.Join(s.ws, filepath.FromSlash(p)) }

func (s *stage) must(err error) {
	s.site.t.Helper()
	if err != nil {
		s.site.t.Fatal(err)
	}
}

func (s *stage) step(line string) {
	s.site.t.Helper()
	args := strings.Fields(line)
	verb, args := args[0], args[1:]
	if n, ok := arity[verb]; ok && n != len(args) {
		s.site.t.Fatalf("%s takes %d arguments: %s", verb, n, line)
	}
	switch verb {
	case "put", "swap", "keeping-time":
		s.put(verb, args[0], args[1])
	case "mv":
		s.must(os.Rename(s.abs(args[0]), s.abs(args[1])))
	case "rm":
		s.must(os.RemoveAll(s.abs(args[0])))
	case "mkdir":
		s.must(os.MkdirAll(s.abs(args[0]), 0o755))
	case "link":
		s.must(os.Symlink(args[0], s.abs(args[1])))
	case "chmod":
		mode, err := strconv.ParseUint(args[0], 8, 12)
		s.must(errors.Join(err, os.Chmod(s.abs(args[1]), os.FileMode(mode))))
	case "git":
		if out, err := gitCommand(s.ws, args...).CombinedOutput(); err != nil {
			s.site.t.Fatalf("%s: %v\n%s", line, err, out)
		}
	case "away":
		s.kill()
	case "back":
		s.client = s.serve()
	case "ask":
		_, call, _ := strings.Cut(line, " ")
		tool, params, _ := strings.Cut(call, " ")
		s.question(tool, params)
	default:
		s.site.t.Fatalf("no such step: %s", line)
	}
}

// arity is the number of arguments of each step that takes a fixed number.
var arity = map[string]int{"put": 2, "swap": 2, "keeping-time": 2, "mv": 2, "rm": 1, "mkdir": 1, "link": 2,
	"chmod": 2, "away": 0, "back": 0}

func (s *stage) put(verb, name, path string) {
	s.site.t.Helper()
	text, ok := s.texts[name]
	if !ok {
		s.site.t.Fatalf("%s: no file new/%s", verb, name)
	}
	at := s.abs(path)
	if verb == "swap" {
		at += ".tmp"
	}
	old, statErr := os.Stat(at)
	s.must(errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, text, 0o644)))
	switch verb {
	case "swap":
		s.must(os.Rename(at, s.abs(path)))
	case "keeping-time":
		s.must(statErr)
		s.must(os.Chtimes(at, old.ModTime(), old.ModTime()))
	}
}

func (s *stage) question(tool, params string) {
	s.site.t.Helper()
	raw := json.RawMessage(strings.ReplaceAll(params, "$WORK", s.ws))
	if !json.Valid(raw) {
		s.site.t.Fatalf("ask %s: not JSON: %s", tool, params)
	}
	text, isError := s.call(tool, raw)
	text = strings.ReplaceAll(text, s.ws, "$WORK")
	fmt.Fprintf(&s.answers, "> %s %s\n", tool, params)
	if isError {
		s.answers.WriteString("(error) ")
	}
	s.answers.WriteString(gateWork.ReplaceAllString(text, ""))
	if !strings.HasSuffix(text, "\n") {
		s.answers.WriteByte('\n')
	}
}

// gateWork matches the freshness details of an answer. They differ between
// runs, and between watching and sweeping.
var gateWork = regexp.MustCompile(`"freshnessDecision":\{[^{}]*(\{[^{}]*\}[^{}]*)*\},?| fresh=\w+( reindexed=\d+)?`)
