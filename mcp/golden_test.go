package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"sextant/internal/golden"
	"sextant/internal/navigate/contract"
)

// sample is one answer, or one error, of a tool.
type sample struct {
	name   string
	tool   string
	args   string
	answer any // nil with err
	err    error
}

// goldens returns answers of every shape.
func goldens() []sample {
	none := contract.ListAnswer{Owner: contract.RuntimeOwner{PID: 1, Version: "1.0.0"}}
	search, graph := `{"path":"/ws","query":"create order"}`,
		`{"path":"/ws","symbolRef":{"symbolLabel":"Router.Create"}}`
	read, manage := `{"path":"/ws/orders/api/router.go"}`, `{"action":"status","path":"/ws"}`
	return []sample{
		{name: "list_codebases", tool: contract.ToolList, args: `{}`, answer: listAnswer()},
		{name: "list_codebases_none", tool: contract.ToolList, args: `{}`, answer: none},
		{name: "search_codebase", tool: contract.ToolSearch, args: search, answer: searchAnswer()},
		{name: "search_codebase_exhaustive", tool: contract.ToolSearch, args: search, answer: exhaustiveAnswer()},
		{name: "search_codebase_near_names", tool: contract.ToolSearch,
			args: `{"path":"/ws","query":"Router.Craete"}`, answer: nearAnswer()},
		{name: "search_codebase_not_indexed", tool: contract.ToolSearch, args: search, answer: notIndexedAnswer()},
		{name: "search_codebase_failed", tool: contract.ToolSearch, args: search, err: errors.New("disk I/O error")},
		{name: "file_outline", tool: contract.ToolOutline, args: `{"path":"/ws","file":"orders/api/router.go"}`,
			answer: outlineAnswer()},
		{name: "file_outline_folder", tool: contract.ToolOutline, args: `{"path":"/ws","file":"orders"}`,
			answer: folderAnswer()},
		{name: "call_graph", tool: contract.ToolGraph, args: graph, answer: graphAnswer()},
		{name: "call_graph_bodies", tool: contract.ToolGraph,
			args:   `{"path":"/ws","symbolRef":{"symbolLabel":"Router.Create"},"detail":"bodies"}`,
			answer: bodiesAnswer()},
		{name: "call_graph_no_callers", tool: contract.ToolGraph, args: graph, answer: noCallersAnswer()},
		{name: "call_graph_ambiguous", tool: contract.ToolGraph, args: graph, answer: ambiguousAnswer()},
		{name: "read_file_plain", tool: contract.ToolRead, args: read, answer: readAnswer()},
		{name: "read_file_annotated", tool: contract.ToolRead, args: read, answer: annotatedAnswer()},
		{name: "read_file_symbol_context", tool: contract.ToolRead, args: read, answer: contextAnswer()},
		{name: "read_file_identifiers", tool: contract.ToolRead,
			args:   `{"path":"/ws","open_symbol":"Router.Create","identifiers":["token","ttl"]}`,
			answer: excerptAnswer()},
		{name: "read_file_outside", tool: contract.ToolRead, args: read, err: contract.CondOutside.Refuse("/etc/passwd",
			&contract.Hints{NextSteps: []contract.Action{*contract.Suggest(&contract.ListRequest{})}},
			"/etc/passwd is in no tracked codebase: list_codebases says which are.")},
		{name: "manage_index_status", tool: contract.ToolManage, args: manage, answer: statusAnswer()},
		{name: "manage_index_blocked", tool: contract.ToolManage, args: manage, answer: blockedAnswer()},
		{name: "invalid_arguments", tool: contract.ToolSearch, args: `{"path":"src","limit":"many","colour":1}`},
	}
}

// TestGoldens compares every shape, as text and as JSON, with its golden file.
func TestGoldens(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			s := serve(&fake{hook: func(context.Context, contract.Request) (any, error) { return g.answer, g.err }},
				Options{})
			json, isError, err := s.Call(t.Context(), g.tool, with(g.args, `"format":"json"`))
			if err != nil {
				t.Fatal(err)
			}
			if isError != (g.answer == nil) {
				t.Errorf("isError is %v", isError)
			}
			var b strings.Builder
			text, also, err := s.Call(t.Context(), g.tool, with(g.args, `"format":"text"`))
			if err != nil || also != isError {
				t.Fatalf("as text: %v, isError %v: %s", err, also, text)
			}
			fmt.Fprintf(&b, "%s %s\nisError: %v\n-- text --\n%s\n-- json --\n%s\n", g.tool, g.args, isError, text, json)
			golden.File(t, filepath.Join("..", "testdata", "tools", g.name+".txtar"), b.String())
		})
	}
}

// with returns arguments with one more.
func with(args, more string) json.RawMessage {
	return json.RawMessage(strings.Replace(args[:len(args)-1]+","+more+"}", "{,", "{", 1))
}

// checkCall checks a suggested call against the arguments of its tool.
func checkCall(t *testing.T, name string, args json.RawMessage) {
	t.Helper()
	for _, own := range tools() {
		if own.name == name {
			if _, err := own.decode(args, defaults{format: contract.FormatJSON}); err != nil {
				t.Errorf("%s %s is not executable: %v", name, args, err)
			}
			return
		}
	}
	t.Errorf("suggested tool %q does not exist", name)
}

// TestSuggestedCallsRun checks every {"tool","args"} in every golden.
func TestSuggestedCallsRun(t *testing.T) {
	seen := 0
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			if args, ok := v["args"].(map[string]any); ok {
				raw, err := json.Marshal(args)
				if err != nil {
					t.Fatal(err)
				}
				seen++
				checkCall(t, v["tool"].(string), raw)
			}
			for _, item := range v {
				walk(item)
			}
		}
	}
	for _, g := range goldens() {
		raw, err := contract.Encode(g.answer)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		walk(v)
	}
	if seen < 15 {
		t.Errorf("only %d suggested calls were seen", seen)
	}
}

// TestNarrowingIsAnnounced checks that the schema of call_graph has the arguments by which a large
// answer is narrowed. A model uses no argument that it has not read of.
func TestNarrowingIsAnnounced(t *testing.T) {
	raw := string(schema(callGraph().fields))
	for _, name := range []string{"include", "exclude", "expand", "limit", "cursor"} {
		if !strings.Contains(raw, `"`+name+`":{`) {
			t.Errorf("the schema has no %q", name)
		}
	}
}

// TestSchemasAreSmall bounds the tokens that every session spends on schemas.
func TestSchemasAreSmall(t *testing.T) {
	judge, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, own := range tools() {
		if n := len(own.about); n >= 2048 {
			t.Errorf("%s: description of %d bytes", own.name, n)
		}
		raw, err := json.Marshal(own.announce())
		if err != nil {
			t.Fatal(err)
		}
		n, err := judge.Count(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d tokens", own.name, n)
		total += n
	}
	t.Logf("all: %d tokens", total)
	if total > 1600 {
		t.Errorf("the six tools cost %d tokens", total)
	}
	words := strings.ToLower(func() (all string) {
		for _, own := range tools() {
			all += own.title + " " + own.about + "\n"
		}
		return all
	}())
	for _, word := range []string{"find code", "calls", "trace", "outline", "declarations", "defined", "used",
		"search", "index"} {
		if !strings.Contains(words, word) {
			t.Errorf("no description has the words %q", word)
		}
	}
}
