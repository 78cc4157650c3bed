package languages_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"sextant/internal/code"
	"sextant/internal/golden"
	"sextant/internal/lang"
	"sextant/l2meta/languages"
	"sextant/l2meta/languages/languagetest"
	"sextant/l2meta/resolve"
)

// decoyLanguages returns the languages whose decoys must all pass: those with rules of resolution.
func decoyLanguages() (names []string) {
	for _, l := range lang.All() {
		if l.Depth == lang.Calls || languages.All[l.Name].Settler != nil && languages.All.Family(l.Name) == l.Name {
			names = append(names, l.Name)
		}
	}
	return names
}

var decoys = flag.String("decoys", "", "also try the decoys of this language")

// TestDecoys resolves every marked call of FOLDER/testdata/decoys/LANGUAGE/TRAP.txtar, small
// workspaces in which a name does not refer to the obvious declaration. Marks follow "~~",
// separated by ";":
//
//	decl LABEL         the line has the declaration LABEL
//	CALLEE must LABEL  the call settles on LABEL's line; "|" separates alternatives
//	CALLEE only LABEL  it settles there, or stays open
//	CALLEE none        it has no edge
//	CALLEE open        it has no edge, and may be of the workspace
//	CALLEE external    it has no edge, because its declaration is outside of the workspace
//	CALLEE value       it has no edge, because a variable or property holds the function
//	CALLEE text        there is no call: the name is in a comment or a string, or is a variable
//	CALLEE by RUNG     it settles by this strategy
//	CALLEE runs LABEL  the declarations that may run instead of the target, separated by "|"; "-" means none
//
// A trap also has calls of the same form that must settle, so that a resolver which settles nothing
// fails.
func TestDecoys(t *testing.T) {
	t.Parallel()
	names := decoyLanguages()
	if *decoys != "" {
		names = append(names, *decoys)
	}
	for _, language := range names {
		traps, err := filepath.Glob(filepath.Join("*", "testdata", "decoys", language, "*.txtar"))
		if err != nil || len(traps) == 0 {
			t.Fatalf("%s has no decoys: %v", language, err)
		}
		for _, path := range traps {
			t.Run(language+"/"+strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
				t.Parallel()
				tryDecoy(t, path)
			})
		}
	}
}

// decoyMark is an expectation about the calls of a name on a line.
type decoyMark struct {
	file   string
	line   int
	callee string
	word   string // must, only, by, runs, or one of lone
	labels []string
}

// decoy is a workspace with its expectations.
type decoy struct {
	files    map[string]string
	declared map[string]string // label → "file:line"
	marks    []decoyMark
}

func readDecoy(t *testing.T, path string) decoy {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := decoy{files: map[string]string{}, declared: map[string]string{}}
	for _, f := range txtar.Parse(text).Files {
		d.files[f.Name] = string(f.Data)
		for i, line := range strings.Split(string(f.Data), "\n") {
			_, marks, ok := strings.Cut(line, "~~ ")
			if !ok {
				continue
			}
			for mark := range strings.SplitSeq(marks, ";") {
				d.read(t, decoyMark{file: f.Name, line: i + 1}, strings.Fields(mark))
			}
		}
	}
	return d
}

func (d *decoy) read(t *testing.T, m decoyMark, words []string) {
	t.Helper()
	at := fmt.Sprintf("%s:%d", m.file, m.line)
	switch {
	case len(words) >= 2 && words[0] == "decl":
		d.declared[words[1]] = at
	case len(words) >= 3 && slices.Contains([]string{"must", "only", "by", "runs"}, words[1]):
		m.callee, m.word, m.labels = words[0], words[1], strings.Split(words[2], "|")
		d.marks = append(d.marks, m)
	case len(words) >= 2 && loneWord(words[1]) != "":
		m.callee, m.word = words[0], loneWord(words[1])
		d.marks = append(d.marks, m)
	default:
		t.Fatalf("%s: cannot read the mark %q", at, words)
	}
}

// lone are the expectations without a label, and the outcomes that they name. "none" is any but Settled.
var lone = map[string]resolve.Outcome{"none": resolve.Settled, "text": resolve.Settled, "open": resolve.Open,
	"external": resolve.External, "value": resolve.FuncValue}

// loneWord returns the word of lone with which text begins: the mark may be inside a string, whose end
// follows. It returns "" if there is none.
func loneWord(text string) string {
	for word := range lone {
		if strings.HasPrefix(text, word) {
			return word
		}
	}
	return ""
}

func tryDecoy(t *testing.T, path string) {
	d := readDecoy(t, path)
	words := map[string]int{}
	languagetest.World(t, d.files, func(r *resolve.Resolver) {
		defer golden.File(t, path+".golden", d.verdicts(t, r))
		for _, m := range d.marks {
			words[m.word]++
			found := callsOn(t, r, m)
			if (len(found) == 0) != (m.word == "text") {
				t.Errorf("%s:%d: %d calls of %s", m.file, m.line, len(found), m.callee)
			}
			for _, s := range found {
				switch {
				case m.word == "runs":
					d.checkRuns(t, r, m, s)
				case m.word != "by":
					d.check(t, m, s)
				case s.Outcome != resolve.Settled || string(s.Strategy) != m.labels[0]:
					t.Errorf("%s:%d: %s settles by %q (%s), want %s", m.file, m.line, m.callee,
						s.Strategy, s.Reason, m.labels[0])
				}
			}
		}
	})
	if words["must"]+words["runs"]+words["by"] == 0 || len(d.marks) < 2 {
		t.Errorf("a trap needs calls that must settle beside those that mislead: %v", words)
	}
}

// callsOn returns the calls of a mark's callee on its line.
func callsOn(t *testing.T, r *resolve.Resolver, m decoyMark) (out []resolve.Site) {
	t.Helper()
	f := r.World().File(m.file)
	if f == nil {
		t.Fatalf("%s is not indexed", m.file)
	}
	list, err := r.Sites(f.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		// an access of a field, or a variable that is used as a value
		plain := s.Outcome == resolve.NoCall && s.Call.Kind != code.CallDecorator
		if s.Call.Callee == m.callee && int(s.Call.NameSpan.StartLine) == m.line && !plain {
			out = append(out, s)
		}
	}
	return out
}

func (d *decoy) check(t *testing.T, m decoyMark, s resolve.Site) {
	t.Helper()
	var want []string
	for _, label := range m.labels {
		at, ok := d.declared[label]
		if !ok {
			t.Fatalf("%s:%d: nothing declares %s", m.file, m.line, label)
		}
		want = append(want, at)
	}
	if outcome, ok := lone[m.word]; ok && outcome != resolve.Settled && outcome != s.Outcome {
		t.Errorf("%s:%d: the outcome of %s is %d (%s %s), want %s", m.file, m.line, m.callee, s.Outcome,
			s.Reason, s.Module, m.word)
	}
	if s.Outcome != resolve.Settled {
		if m.word == "must" && s.Call.Kind != code.CallReference {
			t.Errorf("%s:%d: %s does not settle on %s: %s %s", m.file, m.line, m.callee, want, s.Reason, s.Module)
		}
		return
	}
	got := fmt.Sprintf("%s:%d", s.Target.File.Path, s.Target.Symbol().NameSpan.StartLine)
	if !slices.Contains(want, got) {
		t.Errorf("%s:%d: %s settles on %s (%s, %s), want %s %s", m.file, m.line, m.callee, got, s.Strategy,
			s.Provenance, m.word, want)
	}
}

// checkRuns compares the declarations that may run at a call site with those in a mark.
func (d *decoy) checkRuns(t *testing.T, r *resolve.Resolver, m decoyMark, s resolve.Site) {
	t.Helper()
	runs, err := r.Dispatched(&s)
	if err != nil {
		t.Fatal(err)
	}
	if s.Outcome != resolve.Settled {
		t.Errorf("%s:%d: %s does not settle: %s %s", m.file, m.line, m.callee, s.Reason, s.Module)
		return
	}
	var got, want []string
	for _, run := range runs {
		got = append(got, fmt.Sprintf("%s:%d", run.Target.File.Path, run.Target.Symbol().NameSpan.StartLine))
	}
	for _, label := range m.labels {
		if at, ok := d.declared[label]; ok {
			want = append(want, at)
		} else if label != "-" {
			t.Fatalf("%s:%d: nothing declares %s", m.file, m.line, label)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s:%d: %s may run %q in the place of %s, want %q", m.file, m.line, m.callee, got,
			s.Target.Symbol().QualifiedName, want)
	}
}
