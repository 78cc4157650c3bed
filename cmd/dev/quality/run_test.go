package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"sextant/cmd/dev/internal/quality"
)

// TestAnswers checks that quality asks a question if the tree has a file with one of its answers.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "lib"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "lib", "a.py"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	a, stub := quality.Answer{File: "lib/a.py", Symbol: "f"}, quality.Answer{File: "stubs/a.pyi", Symbol: "f"}
	asked := tree{dir: dir}
	for want, answers := range map[bool][]quality.Answer{true: {stub, a}, false: {stub}} {
		if got := asked.answers(&quality.Question{Answers: answers}); got != want {
			t.Errorf("%v: %t", answers, got)
		}
	}
}

// TestWriteReports checks that a run of one kind of questions keeps the figures
// of the others.
func TestWriteReports(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.json")
	for _, reports := range [][]report{{{Kind: "sentences", Limit: 1}, {Kind: "commits", Limit: 2}},
		{{Kind: "sentences", Limit: 3}}} {
		if err := writeReports(file, reports); err != nil {
			t.Fatal(err)
		}
	}
	var got []report
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || len(got) != 2 || got[0].Kind != "commits" || got[0].Limit != 2 || got[1].Limit != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestMissesOfTheTestSplitStayHidden checks that misses of the test split
// cannot be printed, so that nothing is fitted to them.
func TestMissesOfTheTestSplitStayHidden(t *testing.T) {
	for split, refused := range map[string]bool{"test": true, "validation": false} {
		r := runner{data: t.TempDir(), home: t.TempDir(), split: split, misses: true}
		if err := r.run(t.Context()); (err != nil) != refused {
			t.Errorf("%s: %v", split, err)
		}
	}
}
