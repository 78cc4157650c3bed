package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/golden"
	"sextant/internal/lang"
)

// TestReadme compares the tables of the README with the code that they
// describe. With -update it rewrites them.
func TestReadme(t *testing.T) {
	file := filepath.Join("..", "..", "README.md")
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := newApp(streams{out: io.Discard, err: io.Discard, env: func(string) string { return "" }})
	text := string(was)
	for name, table := range map[string]string{"tools": toolTable(a), "languages": languageTable()} {
		from, to := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
		head, rest, ok := strings.Cut(text, from)
		_, tail, closed := strings.Cut(rest, to)
		if !ok || !closed {
			t.Fatalf("%s: no place for the table between %q and %q", file, from, to)
		}
		text = head + from + table + to + tail
	}
	if text == string(was) {
		return
	}
	if !golden.Updating() {
		t.Fatalf("%s: its tables do not match the code; go test ./cmd/sextant -run TestReadme -update rewrites them",
			file)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func toolTable(a *app) string {
	var b strings.Builder
	b.WriteString("| tool | | |\n|---|---|---|\n")
	for _, tool := range a.server().Tools() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", tool.Name, tool.Title, firstSentence(tool.Description))
	}
	return b.String()
}

func languageTable() string {
	rows := []struct {
		depth lang.Depth
		what  string
		names []string
	}{{depth: lang.Calls, what: "symbols, calls, imports"}, {depth: lang.Symbols, what: "symbols"},
		{depth: lang.Text, what: "text, as any other text file"}}
	for _, l := range lang.All() {
		for i := range rows {
			if rows[i].depth == l.Depth {
				rows[i].names = append(rows[i].names, l.Name)
			}
		}
	}
	var b strings.Builder
	b.WriteString("| known | languages |\n|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s |\n", r.what, strings.Join(r.names, ", "))
	}

	return b.String()
}
