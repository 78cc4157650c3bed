package quality_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/cmd/dev/internal/quality"
	"sextant/l2meta/languages"
)

func TestDocQueries(t *testing.T) {
	for _, c := range []struct{ doc, name, sentence, paragraph string }{
		{"NewServer makes a server that listens on addr. It does not start it.\n\nMore.", "NewServer",
			"makes a server that listens on addr", "makes a server that listens on addr. It does not start it."},
		{"Returns the {@link Session} of a user.\n@param user the user", "open", "Returns the Session of a user",
			"Returns the Session of a user."},
		{"<summary>Removes all expired entries.</summary>", "Prune", "Removes all expired entries",
			"Removes all expired entries."},
		{"@param x the value", "f", "", ""},
		{"Copyright 2020 the authors of this file.", "f", "", ""},
		{"Short one.", "f", "", ""},
		{"Compute the *dot product* of :class:`Vector` objects\n\nArgs:\n  x: a", "dot",
			"Compute the * product* of `Vector` objects", ""},
	} {
		s, p := quality.DocQueries(c.doc, c.name)
		if s != c.sentence || p != c.paragraph {
			t.Errorf("%q: %q and %q, want %q and %q", c.doc, s, p, c.sentence, c.paragraph)
		}
	}
}

// TestStrip checks that doc comments are blanked, every byte keeps its offset,
// and other comments and strings stay.
func TestStrip(t *testing.T) {
	for path, text := range map[string]string{
		"a.go": "package a\n\n// keep\n\n// Drop says drop.\n// drop too\nfunc Drop() {\n\t// keep this\n" +
			"\tprint(\"keep\")\n}\n",
		"a.py": "def f(x):\n    \"\"\"drop this\n    and drop\n    \"\"\"\n    return \"keep\"\n\n" +
			"class C:\n    'drop'\n    x = 'keep'\n",
		"A.java": "class A {\n  /* keep */\n\n  /** drop\n   * drop */\n  void f() { g(\"keep\"); /* keep */ }\n}\n",
		"a.rs":   "/// drop\n#[inline]\nfn f() -> u8 { 1 /* keep */ }\n",
		"a.rb":   "# drop\n# drop\ndef f\n  'keep' # keep\nend\n",
	} {
		f, err := languages.Extract(path, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := string(quality.Strip(&f))
		if strings.Contains(got, "drop") || strings.Count(got, "keep") != strings.Count(text, "keep") ||
			len(got) != len(text) || strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s became\n%s", path, got)
		}
	}
}

func TestRank(t *testing.T) {
	q := quality.Question{Answers: []quality.Answer{{File: "a.go", Symbol: "Server.Handle"}, {File: "b.go"},
		{File: "c.go", Symbol: "f", Line: 7}}}
	for want, results := range [][]quality.Answer{
		{{File: "a.go", Symbol: "Handle"}, {File: "c.go", Symbol: "f", Line: 9}},
		{{File: "a.go", Symbol: "web.Server.Handle"}},
		{{File: "x.go"}, {File: "b.go", Symbol: "any"}},
		{{File: "x.go"}, {File: "y.go"}, {File: "c.go", Symbol: "f", Line: 7}},
	} {
		if got := q.Rank(results); got != want {
			t.Errorf("%v: rank %d, want %d", results, got, want)
		}
	}
}

// TestFileRank checks that another symbol of a right file counts, as one of a wrong file does not.
func TestFileRank(t *testing.T) {
	q := quality.Question{Answers: []quality.Answer{{File: "a.go", Symbol: "Server.Handle"}, {File: "c.go", Line: 7}}}
	for want, results := range [][]quality.Answer{
		{{File: "b.go", Symbol: "Server.Handle"}},
		{{File: "c.go", Symbol: "f", Line: 9}, {File: "a.go", Symbol: "Server.Handle"}},
		{{File: "b.go"}, {File: "a.go", Symbol: "main"}},
	} {
		if got := q.FileRank(results); got != want {
			t.Errorf("%v: rank %d, want %d", results, got, want)
		}
	}
}

// TestRankOfOverloads checks that overloads in one result share its rank, and that results after them have the next.
func TestRankOfOverloads(t *testing.T) {
	var results []quality.Answer
	for _, a := range []quality.Answer{
		{File: "a.go", Symbol: "f", Line: 1}, {File: "b.go", Symbol: "f", Line: 1}, {File: "a.go", Symbol: "f", Line: 5},
		{File: "a.go", Symbol: "f", Line: 9}, {File: "a.go"}, {File: "a.go"}, {File: "b.go", Symbol: "g", Line: 7},
	} {
		results = quality.Join(results, a)
	}
	if n := quality.Results(results); n != 5 {
		t.Errorf("%d results of %+v", n, results)
	}
	for want, a := range map[int]quality.Answer{
		1: {File: "a.go", Symbol: "f", Line: 9}, 2: {File: "b.go", Symbol: "f"}, 5: {File: "b.go", Symbol: "g"},
	} {
		q := quality.Question{Answers: []quality.Answer{a}}
		if got := q.Rank(results); got != want {
			t.Errorf("%+v has rank %d, want %d, in %+v", a, got, want, results)
		}
	}
}

func TestMeasure(t *testing.T) {
	m := quality.Measure([]int{1, 2, 0, 10})
	if math.Abs(m.MRR-0.4) > 1e-9 || m.At1 != 0.25 || m.At5 != 0.5 || m.At10 != 0.75 || m.Interval[0] > m.MRR ||
		m.Interval[1] < m.MRR {
		t.Errorf("%+v", m)
	}
	mean, interval := quality.Difference([]int{1, 1, 1, 2}, []int{2, 2, 2, 2})
	if mean != 0.375 || interval[0] <= 0 || interval[1] > 0.5 {
		t.Errorf("difference %g in %v", mean, interval)
	}
}

// repository creates a clone whose last commits change one file each.
func repository(t *testing.T) (quality.Clone, string) {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.org"},
			args...)...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", name)
	}
	git("init", "-q")
	write("a.go", "package a\n\n// Open opens the file of the session store.\nfunc Open() error { return nil }\n")
	write("b.go", "package a\n\nfunc close() { println(1) }\n")
	git("commit", "-qm", "first")
	write("b.go", "package a\n\nfunc close() { println(2) }\n")
	git("commit", "-qm", "fix(store): print the right number when closing (#12)")
	write("b.go", "package a\n\nfunc close() { println(3) }\n")
	git("commit", "-qm", "Bump the number to three")
	return quality.Clone{Dir: dir}, git("rev-parse", "HEAD")
}

func TestMining(t *testing.T) {
	ctx := context.Background()
	clone, head := repository(t)
	questions, err := clone.Sentences(ctx, head, languages.Extract, 10)
	if err != nil || len(questions) != 1 || questions[0].Query != "opens the file of the session store" ||
		questions[0].Answers[0] != (quality.Answer{File: "a.go", Symbol: "Open", Line: 4}) {
		t.Errorf("sentences %v, %v", questions, err)
	}
	questions, err = clone.Commits(ctx, head, 10)
	if err != nil || len(questions) != 1 || questions[0].Query != "print the right number when closing" ||
		!slices.Equal(questions[0].Answers, []quality.Answer{{File: "b.go"}}) {
		t.Fatalf("commits %v, %v", questions, err)
	}
	dir := filepath.Join(t.TempDir(), "tree")
	if err := clone.Checkout(ctx, questions[0].Commit, dir, quality.IsSource, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1", "3"} {
		if text, err := os.ReadFile(filepath.Join(dir, "b.go")); err != nil ||
			!strings.Contains(string(text), "println("+want+")") {
			t.Errorf("the tree holds %s, %v", text, err)
		}
		if err := clone.Update(ctx, questions[0].Commit, head, dir); err != nil {
			t.Fatal(err)
		}
	}
	k, err := quality.NewKeywords(dir)
	if found := k.ByWords("where is the session store opened"); err != nil || len(found) != 1 ||
		found[0].File != "a.go" {
		t.Errorf("keywords find %v, %v", found, err)
	}
}

// TestKeywords checks that a file with many lines of one common word ranks
// first by lines, and one with the rare words first by words.
func TestKeywords(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"long.go":  "open\nOPEN open\nopen file",
		"right.go": "open the ledger",
		"tie.go":   "an opened\nreopen\nopen it\n",
		"none.go":  "the the the",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	k, err := quality.NewKeywords(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := func(list []quality.Answer) (out []string) {
		for _, a := range list {
			out = append(out, a.File)
		}
		return out
	}
	if got := names(k.ByLines("open the ledger")); !slices.Equal(got, []string{"long.go", "tie.go", "right.go"}) {
		t.Errorf("by lines: %v", got)
	}
	if got := names(k.ByWords("open the ledger")); !slices.Equal(got, []string{"right.go", "long.go", "tie.go"}) {
		t.Errorf("by words: %v", got)
	}
}

// TestAsked checks that hand-written questions are in the test split, except
// those in the folder validation, and that the answers of each are distinct.
func TestAsked(t *testing.T) {
	sets, err := quality.ReadAsked("../../../../testdata/quality/questions")
	if err != nil {
		t.Fatal(err)
	}
	splits := map[string]int{}
	for _, s := range sets {
		splits[s.Split] += len(s.Questions)
		for _, q := range s.Questions {
			if q.Unanswerable != (len(q.Answers) == 0) || q.Query == "" {
				t.Errorf("%s: %q has %d answers", s.Repository, q.Query, len(q.Answers))
			}
		}
	}
	if splits[quality.Test] != 150 || splits[quality.Validation] != 1018 {
		t.Errorf("questions by split: %v", splits)
	}
}

func TestSets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sets.json")
	sets := []quality.Set{{Repository: "a/b", Commit: "c", Split: "test",
		Questions: []quality.Question{{Query: "q <1>", Answers: []quality.Answer{{File: "f", Line: 2}}},
			{Query: "r"}}}, {Repository: "d/e"}}
	if err := quality.WriteSets(file, sets); err != nil {
		t.Fatal(err)
	}
	got, err := quality.ReadSets(file)
	if err != nil || len(got) != 2 || len(got[0].Questions) != 2 || got[0].Questions[0].Query != "q <1>" ||
		got[1].Repository != "d/e" {
		t.Errorf("%v, %v", got, err)
	}
}
