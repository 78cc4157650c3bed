package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

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
