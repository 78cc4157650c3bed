package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const unclear = `// Package a is what a reader stops at. It is said
// to be had.
package a

// Rows is the number of rows, whoever counts.
func Rows() int { return 1 } // were it one

// Table is one table: those that are known.
type Table struct{}

/* What is
known. */
var known = "somebody"
`

const clear = `// Package b says what it does. It quotes "whoever" and ` + "`to be had`" + `:
//
//	x := somebody // is what an example shows
package b

// Rows returns the rows of the one that was opened, which is whole.
func Rows() int { return 1 }

// Load is like Rows, for other callers.
func Load() {}

// known is a table; it lists the names that stand where they were declared.
var known []string
`

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a/a.go": unclear, "b/b.go": clear, "b/testdata/c.go": unclear} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	packages, err := measure(dir)
	if err != nil || len(packages) != 2 {
		t.Fatalf("%+v, %v", packages, err)
	}
	var got []string
	for _, f := range packages[0].found {
		got = append(got, fmt.Sprintf("%d %s", f.line, f.text))
	}
	slices.Sort(got)
	want := []string{"1 is what", "1 is said", "2 to be had", "5 whoever", "5 Rows is", "6 were it",
		"8 : those that", "11 What"}
	slices.Sort(want)
	if !slices.Equal(got, want) || packages[0].lines != 7 {
		t.Errorf("%d lines, got\n%q, want\n%q", packages[0].lines, got, want)
	}
	if len(packages[1].found) > 0 {
		t.Errorf("%+v", packages[1].found)
	}
}

func TestCheck(t *testing.T) {
	packages := []measured{
		{path: "a", lines: 100, found: []found{{file: "a/a.go", line: 7, text: "is what", habit: &habits[0]}}},
		{path: "b", lines: 100},
	}
	for bound, fails := range map[float64]bool{0: true, 9: true, 10: false, 11: false} {
		var out bytes.Buffer
		err := check(&out, packages, map[string]float64{"a": bound}, false)
		if (err != nil) != fails || strings.Contains(out.String(), `a/a.go:7: "is what"`) != fails ||
			strings.Contains(out.String(), "b: 0") {
			t.Errorf("bound %.0f: %v\n%s", bound, err, &out)
		}
	}
}

// A bound falls to the measured rate, and never rises.
func TestLowered(t *testing.T) {
	packages := []measured{
		{path: "a", lines: 300, found: make([]found, 1)}, // 3.3
		{path: "b", lines: 100, found: make([]found, 2)}, // 20
		{path: "c", lines: 100},
	}
	bounds, err := parseBounds("# comment\na 5\nb 7\nc 8\ngone 9\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := formatBounds(lowered(bounds, packages)); got != boundsHead+"a 4\nb 7\n" {
		t.Error(got)
	}
	if _, err := parseBounds("a x\n"); err == nil {
		t.Error("a bound that is no number passes")
	}
}
