package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/cmd/dev/internal/contrast"
	"sextant/cmd/dev/internal/quality"
	"sextant/internal/code"
	"sextant/l1fts/embed"
	"sextant/l2meta/languages"
)

// clone creates a repository with one file of n documented functions, and
// returns its commit.
func clone(t *testing.T, dir string, n, shift int) string {
	t.Helper()
	nouns, verbs := []string{"session", "cache", "token", "socket", "buffer", "queue", "user"},
		[]string{"open", "close", "flush", "rename", "copy"}
	var text strings.Builder
	text.WriteString("package store\n")
	for i := range n {
		noun, verb := nouns[(i+shift)%len(nouns)], verbs[i%len(verbs)]
		fmt.Fprintf(&text,
			"\n// f%d says how to %s a %s with number %d safely.\nfunc f%d() error { return %s(%q, %d) }\n", i,
			verb, noun, i+shift, i, verb, noun, i+shift)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "store.go"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, args := range [][]string{{"init", "-q"}, {"add", "."},
		{"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "all"}, {"rev-parse", "HEAD"}} {
		var err error
		if out, err = exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	return strings.TrimSpace(string(out))
}

// TestSameTable checks that the table depends only on the list, the questions,
// the glossary and the seed: not on the number of workers, nor on whether the
// pairs were read from an earlier run.
func TestSameTable(t *testing.T) {
	corpus := t.TempDir()
	text := fmt.Sprintf("a/one\t%s\tMIT\ttrain\na/two\t%s\tMIT\tvalidation\n",
		clone(t, filepath.Join(corpus, "a+one"), 200, 0), clone(t, filepath.Join(corpus, "a+two", "repo"), 40, 500))
	list, questions, glossary := written(t, text), written(t, questionLines(50, "keep the visitor signed in")),
		written(t, glossaryLines(20, "write out what waits"))
	pairs := t.TempDir()
	table := func(workers int, seed uint64, questions, glossary string) []byte {
		t.Helper()
		f := flags{list: list, corpus: corpus, pairs: pairs, questions: questions, glossary: glossary,
			workers: workers, rows: 96, buckets: 32,
			settings: settings{Dimensions: 32, Epochs: 2, Batch: 32, Learning: 0.01, Dropout: 0.2, NameDropout: 0.2,
				Seed: seed}}
		c, err := f.load(context.Background(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.pairs) != 200+50*questionRepeats+20*glossaryRepeats || len(c.held) != 1 ||
			len(c.held[0].candidates) != 40 {
			t.Fatalf("%d pairs, %d held out", len(c.pairs), len(c.held))
		}
		m, err := train(context.Background(), c, f.settings, workers, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return tableOf(c, m).Marshal()
	}
	first := table(1, 1, questions, glossary)
	if !bytes.Equal(first, table(3, 1, questions, glossary)) {
		t.Error("three workers make another table than one")
	}
	for name, other := range map[string][]byte{
		"seed":     table(1, 2, questions, glossary),
		"question": table(1, 1, written(t, questionLines(50, "let the guest stay")), glossary),
		"glossary": table(1, 1, questions, written(t, glossaryLines(20, "send off the rest"))),
	} {
		if bytes.Equal(first, other) {
			t.Errorf("another %s makes the same table", name)
		}
	}
}

func questionLines(n int, question string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "a/one\tstore.go\tf%d\t%s %d\n", i, question, i)
	}
	return out.String()
}

func glossaryLines(n int, meaning string) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "flush%d\t%s\n", i, meaning)
	}
	return out.String()
}

// written writes text to a file and returns its path.
func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "written")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestQuestions checks that a question belongs to the function it names, and
// only to functions of the train split.
func TestQuestions(t *testing.T) {
	list := []quality.Source{{Repository: "a/one", Split: quality.Train}, {Repository: "a/two", Split: quality.Test}}
	train := []pair{
		{repository: "a/one", Path: "a.go", Name: "f", Body: "1", Sentence: "does this",
			Paragraph: "does this and that"},
		{repository: "a/one", Path: "b.go", Name: "f", Body: "2", Sentence: "does that"},
	}
	asked, err := readQuestions(written(t,
		"# a comment\na/one\ta.go\tf\twhere is this done\na/one\ta.go\tgone\twhere it was\n"), list, train)
	if err != nil || len(asked) != 1 || asked[0].Body != "1" || asked[0].Sentence != "where is this done" ||
		asked[0].Paragraph != "" {
		t.Errorf("%+v, %v", asked, err)
	}
	if train[0].Sentence != "does this" {
		t.Error("the function's own sentence is lost")
	}
	for lines, message := range map[string]string{
		"a/two\ta.go\tf\twhere is this done\n":    "a/two is not trained on",
		"a/one\ta.go\tf where is this done\n":     "expected 4 columns",
		"a/one\ta.go\tf\tone\na/one\ta.go\tf\t\n": ":2: expected 4 columns",
	} {
		if _, err := readQuestions(written(t, lines), list, train); err == nil ||
			!strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v", lines, err)
		}
	}
}

// TestDropLeavesSomething checks that dropout keeps the name of a document that
// has nothing else.
func TestDropLeavesSomething(t *testing.T) {
	f := features{sentence: []contrast.Feature{{Row: 1, Weight: 1}},
		document: []contrast.Feature{{Row: 2, Field: embed.FieldName, Weight: 1}}}
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		if p := drop(&f, settings{Dropout: 0.3, NameDropout: 0.9}, r); len(p.Query) != 1 || len(p.Document) != 1 {
			t.Fatalf("%+v", p)
		}
	}
}

// TestWrittenIsNotMeasured checks that the questions for training concern the
// train split, and that none of them is also used to measure search.
func TestWrittenIsNotMeasured(t *testing.T) {
	list, err := quality.ReadList("../../../testdata/embedder.lock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readQuestions("../../../testdata/embedder/questions.tsv", list, nil); err != nil {
		t.Error(err)
	}
	words, err := readGlossary("../../../testdata/embedder/glossary.tsv")
	if err != nil || len(words) < 1000 {
		t.Fatalf("%d words, %v", len(words), err)
	}
	sets, err := quality.ReadAsked("../../../testdata/quality/questions")
	if err != nil {
		t.Fatal(err)
	}
	sentences, err := quality.ReadSets("../../../testdata/quality/sentences.json")
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]bool{}
	same := func(question string) string { return strings.ToLower(strings.Trim(question, "?. ")) }
	for _, s := range slices.Concat(sets, sentences) {
		for _, q := range s.Questions {
			measured[same(q.Query)] = true
		}
	}
	lines, err := quality.ReadColumns("../../../testdata/embedder/questions.tsv", 4)
	if err != nil || len(lines) < 1000 || len(measured) < 3000 {
		t.Fatalf("%d questions, %d measured, %v", len(lines), len(measured), err)
	}
	for _, l := range lines {
		if measured[same(l[3])] {
			t.Errorf("%q is measured", l[3])
		}
	}
}

// TestCutOff checks that a file that the parser gave up on is an error. If it were left out, the table would
// depend on the speed of the machine: a faster one parses the file.
func TestCutOff(t *testing.T) {
	corpus := t.TempDir()
	source := quality.Source{Repository: "a/one", Commit: clone(t, filepath.Join(corpus, "a+one"), 3, 0),
		Split: quality.Train}
	if list, err := extractPairs(context.Background(), source, corpus, languages.Extract); err != nil ||
		len(list) != 3 {
		t.Fatalf("%d pairs, %v", len(list), err)
	}
	cut := func(path string, text []byte) (code.File, error) {
		return code.File{Path: path, Text: text}, errors.New("gave up")
	}
	if _, err := extractPairs(context.Background(), source, corpus, cut); err == nil ||
		!strings.Contains(err.Error(), "store.go") {
		t.Errorf("a file that was cut off: %v", err)
	}
}
