package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/quality"
	"sextant/l2meta"
)

// clone makes a repository of a file with n documented functions, and returns
// its commit.
func clone(t *testing.T, dir string, n, shift int) string {
	t.Helper()
	nouns, verbs := []string{"session", "cache", "token", "socket", "buffer", "queue", "user"}, []string{"open", "close", "flush", "rename", "copy"}
	var text strings.Builder
	text.WriteString("package store\n")
	for i := range n {
		noun, verb := nouns[(i+shift)%len(nouns)], verbs[i%len(verbs)]
		fmt.Fprintf(&text, "\n// f%d says how to %s a %s with number %d safely.\nfunc f%d() error { return %s(%q, %d) }\n", i, verb, noun, i+shift, i, verb, noun, i+shift)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "store.go"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out []byte
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "all"}, {"rev-parse", "HEAD"}} {
		var err error
		if out, err = exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	return strings.TrimSpace(string(out))
}

// The list, the seed and nothing else make the table: not the number of
// workers, and not whether the pairs were read from an earlier run.
func TestSameTable(t *testing.T) {
	corpus := t.TempDir()
	list := filepath.Join(corpus, "list")
	lines := fmt.Sprintf("a/one\t%s\tMIT\ttrain\na/two\t%s\tMIT\tvalidation\n", clone(t, filepath.Join(corpus, "a+one"), 200, 0), clone(t, filepath.Join(corpus, "a+two", "repo"), 40, 500))
	if err := os.WriteFile(list, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	written := func(name, text string) string {
		file := filepath.Join(corpus, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	questions := written("questions", "# a comment\na/one\tstore.go\tf7\tkeep the visitor signed in\na/one\tstore.go\tgone\tno such function\na/two\tstore.go\tf7\theld out\n")
	glossary := written("glossary", "flush\twrite out what waits\nrename\tgive another label\n")
	pairs := t.TempDir()
	table := func(workers int, seed uint64) []byte {
		t.Helper()
		f := flags{list: list, corpus: corpus, pairs: pairs, questions: questions, glossary: glossary, workers: workers, rows: 96, buckets: 32,
			settings: settings{Dimensions: 32, Epochs: 2, Batch: 32, Learning: 0.01, Dropout: 0.2, NameDropout: 0.2, Seed: seed}}
		c, err := f.load(context.Background(), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.pairs) != 200+questionTimes+2*glossaryTimes || len(c.held) != 1 || len(c.held[0].candidates) != 40 {
			t.Fatalf("%d pairs, %d held out", len(c.pairs), len(c.held))
		}
		m, err := train(context.Background(), c, f.settings, workers, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return tableOf(c, m).Marshal()
	}
	first := table(1, 1)
	if !bytes.Equal(first, table(3, 1)) {
		t.Error("three workers make another table than one")
	}
	if bytes.Equal(first, table(1, 2)) {
		t.Error("another seed makes the same table")
	}
}

// A line that lacks a column is named.
func TestWrittenByHand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "glossary")
	if err := os.WriteFile(file, []byte("flush\twrite out what waits\nrename give another label\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := readGlossary(file); err == nil || !strings.Contains(err.Error(), "glossary:2: 1 columns; expected 2") {
		t.Errorf("a line without a tab: %v", err)
	}
}

// A file that the parser gave up on is not left out in silence: on a faster
// machine it would not be.
func TestCutOff(t *testing.T) {
	corpus := t.TempDir()
	source := quality.Source{Repository: "a/one", Commit: clone(t, filepath.Join(corpus, "a+one"), 3, 0), Split: quality.Train}
	if list, err := extractPairs(context.Background(), source, corpus, l2meta.Extract); err != nil || len(list) != 3 {
		t.Fatalf("%d pairs, %v", len(list), err)
	}
	cut := func(path string, text []byte) (code.File, error) {
		return code.File{Path: path, Text: text}, errors.New("gave up")
	}
	if _, err := extractPairs(context.Background(), source, corpus, cut); err == nil || !strings.Contains(err.Error(), "store.go") {
		t.Errorf("a file that was cut off: %v", err)
	}
}
