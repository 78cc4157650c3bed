package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"sextant/internal/navigate/contract"
)

// A call may use the names that other tools have for an argument, in any spelling, and
// in lists. Two names for one argument, and an unknown name, are refused.
func TestOtherNames(t *testing.T) {
	var asked []contract.Request
	s := serve(&fake{hook: func(_ context.Context, r contract.Request) (any, error) {
		asked = append(asked, r)
		return searchAnswer(), nil
	}}, Options{})
	ask := func(tool, args string) (isError bool) {
		t.Helper()
		asked = nil
		_, isError, err := s.Call(t.Context(), tool, json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		return isError
	}
	if ask(contract.ToolSearch, `{"root_path":"/ws","q":"x","maxResults":7}`); len(asked) != 1 {
		t.Fatal("search was not asked")
	} else if r := asked[0].(*contract.SearchRequest); r.Path != "/ws" || r.Query != "x" || r.Limit != 7 {
		t.Errorf("search: %+v", r)
	}
	if ask(contract.ToolSearch, `{"path":"/ws","query":"must:x","limit":0}`); len(asked) != 1 ||
		!asked[0].(*contract.SearchRequest).CountOnly {
		t.Errorf("limit 0: %+v", asked)
	}
	if ask(contract.ToolGraph, `{"repo":"/ws","symbol_id":"Server.Handle","max_depth":2}`); len(asked) != 1 {
		t.Fatal("call_graph was not asked")
	} else if r := asked[0].(*contract.GraphRequest); r.Path != "/ws" ||
		r.SymbolRef.SymbolLabel != "Server.Handle" || r.Depth != 2 {
		t.Errorf("call_graph: %+v", r)
	}
	if ask(contract.ToolRead, `{"path":"/ws","name":"F"}`); len(asked) != 1 {
		t.Fatal("read_file was not asked")
	} else if r := asked[0].(*contract.ReadRequest); r.OpenSymbol == nil || r.OpenSymbol.SymbolLabel != "F" {
		t.Errorf("read_file: %+v", r)
	}
	if ask(contract.ToolOutline, `{"path":"/ws","filePath":"a.go","dir":"/other"}`) == false {
		t.Error("path was given twice, under two names, and not refused")
	}
	if ask(contract.ToolSearch, `{"path":"/ws","queries":["a","b"]}`); len(asked) != 2 {
		t.Errorf("%d questions of a list", len(asked))
	}
	if !ask(contract.ToolSearch, `{"path":"/ws","query":"x","nonsense":1}`) {
		t.Error("an unknown argument is not refused")
	}
}

// TestRelativePath checks that a relative path is taken from the directory of calls, as answers name
// folders, whether or not something is there. Paths of another kind are refused.
func TestRelativePath(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "src", "api"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := func(args string) string {
		t.Helper()
		req, err := searchCodebase().decode(json.RawMessage(args), defaults{contract.FormatText, func() string {
			return dir
		}})
		if err != nil {
			return "refused"
		}
		return req.(*contract.SearchRequest).Path
	}
	for args, want := range map[string]string{
		`{"query":"x"}`:                     dir,
		`{"query":"x","path":"src/api/"}`:   filepath.Join(dir, "src", "api"),
		`{"query":"x","path":"."}`:          dir,
		`{"query":"x","path":"nowhere"}`:    filepath.Join(dir, "nowhere"),
		`{"query":"x","path":"../x/y"}`:     filepath.Join(dir, "..", "x", "y"),
		`{"query":"x","path":"~/src"}`:      "refused",
		`{"query":"x","path":"file:///r"}`:  "refused",
		`{"query":"x","path":"C:\\r"}`:      "refused",
		`{"query":"x","path":"/elsewhere"}`: "/elsewhere",
	} {
		if got := path(args); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}
