package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestControlCharactersOfNames checks that no answer has control characters of the names of files, and
// that the names that it shows instead are accepted.
func TestControlCharactersOfNames(t *testing.T) {
	s := newSite(t)
	const file = "da\tta/od\nd\x1b[31m.go"
	if err := os.MkdirAll(filepath.Join(s.ws, filepath.Dir(file)), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		file:                  "package data\n\nfunc Parcel() int { return Weigh() }\n",
		"da\tta/weigh.go":     "package data\n\nfunc Weigh() int { return Parcel() + missing() }\n",
		"da\tta/no\x07tes.md": "# Parcel\n",
		"da\tta/\rlocked.go":  "package data\n",
	} {
		if err := os.WriteFile(filepath.Join(s.ws, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(s.ws, "da\tta/\rlocked.go"), 0); err != nil {
		t.Fatal(err)
	}
	c := s.serve()
	defer c.close()
	c.track(s)
	ask := func(tool string, args map[string]any) string {
		t.Helper()
		if args["path"] == nil {
			args["path"] = s.ws
		}
		if args["format"] == nil {
			args["format"] = "text"
		}
		var r struct{ Content []struct{ Text string } }
		c.request("tools/call", map[string]any{"name": tool, "arguments": args}, &r)
		text := r.Content[0].Text
		if strings.ContainsFunc(text, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n'
		}) || strings.Contains(text, "od\nd") {
			t.Errorf("%s %v shows control characters:\n%q", tool, args, text)
		}
		return text
	}
	for tool, list := range map[string][]map[string]any{
		"search_codebase": {{"query": "Parcel"}, {"query": "must:Parcel"}, {"query": "must:Parcel", "context": 1},
			{"query": "must:Parcel", "groupBy": "file"},
			{"query": "Parcel Weigh", "limit": 1}, {"query": "Parsel"},
			{"query": "how is a parcel weighed", "debug": true}},
		"file_outline": {{"file": "."}, {"file": "da\tta"}, {"file": file}, {"file": "da\tta/odd.go"},
			{"file": "da\tta/\rlocked.go"}},
		"call_graph": {{"symbolRef": "Parcel"}, {"symbolRef": "Parcel", "detail": "bodies"},
			{"symbolRef": "Parcel", "view": "tree"},
			{"symbolRef": "Parcel", "view": "mermaid"}, {"symbolRef": "Weigh", "depth": 3, "detail": "full"},
			{"symbolRef": file}, {"symbolRef": "da\tta"},
			{"symbolRef": file + ":3"}, {"symbolRef": map[string]any{"diff": "HEAD"}}, {"symbolRef": "Parsel"}},
		"read_file": {{"file": file}, {"file": file + ":1-2"}, {"file": file + "x"}, {"open_symbol": "Parcel"},
			{"file": file, "mode": "annotated"},
			{"file": file, "identifiers": []string{"Parcel"}},
			{"open_symbol": map[string]any{"symbolLabel": "Parcel", "contractVersion": 2,
				"context": map[string]any{"preset": "call_context"}}}},
		"manage_index":   {{"action": "status", "detail": "full"}},
		"list_codebases": {{"path": s.ws}},
	} {
		for _, args := range list {
			if tool == "list_codebases" {
				args = map[string]any{"format": "text"}
			}
			ask(tool, args)
		}
	}
	found := ask("search_codebase", map[string]any{"query": "must:Parcel()"})
	shown := regexp.MustCompile(`"da\\tta/od(?:[^"\\]|\\.)*"`).FindString(found)
	if shown == "" {
		t.Fatalf("the name is not quoted:\n%s", found)
	}
	for tool, args := range map[string]map[string]any{
		"file_outline": {"file": shown}, "read_file": {"file": shown + ":1-3"},
		"call_graph": {"symbolRef": shown + ":3"}} {
		if text := ask(tool, args); !strings.Contains(text, "Parcel") {
			t.Errorf("%s does not accept %s:\n%s", tool, shown, text)
		}
	}
}
