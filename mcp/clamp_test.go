package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestNumbersOutOfRange checks that a number out of range is clamped, and that
// the answer says so in either format.
func TestNumbersOutOfRange(t *testing.T) {
	for _, c := range []struct {
		tool, args, said string
		used             func(contract.Request) int
		want             int
	}{
		{contract.ToolSearch, `{"path":"/ws","query":"x","limit":-1}`, "limit is -1 and may be 1 to 50: 1 is used",
			func(r contract.Request) int { return r.(*contract.SearchRequest).Limit }, 1},
		{contract.ToolSearch, `{"path":"/ws","query":"x","limit":1e400}`,
			"limit is 1e400 and may be 1 to 50: 50 is used",
			func(r contract.Request) int { return r.(*contract.SearchRequest).Limit }, 50},
		{contract.ToolSearch, `{"path":"/ws","query":"x","max_tokens":1}`,
			"maxTokens is 1 and may be 200 to 25000: 200 is used",
			func(r contract.Request) int { return r.Want().MaxTokens }, 200},
		{contract.ToolGraph, `{"path":"/ws","symbolRef":"F","depth":13}`, "depth is 13 and may be 1 to 12: 12 is used",
			func(r contract.Request) int { return r.(*contract.GraphRequest).Depth }, 12},
		{contract.ToolGraph, `{"path":"/ws","symbolRef":"F","deadlineMs":-5}`,
			"deadlineMs is -5 and may be 1 to 120000: 1 is used",
			func(r contract.Request) int { return r.(*contract.GraphRequest).DeadlineMs }, 1},
		{contract.ToolGraph, `{"path":"/ws","symbolRef":"F","minConfidence":9}`,
			"minConfidence is 9 and may be 0 to 1: 1 is used",
			func(r contract.Request) int { return int(*r.(*contract.GraphRequest).MinConfidence) }, 1},
		{contract.ToolGraph, `{"path":"/ws","symbolRef":"F","minConfidence":-1e999}`,
			"minConfidence is -1e999 and may be 0 to 1: 0 is used",
			func(r contract.Request) int { return int(*r.(*contract.GraphRequest).MinConfidence) }, 0},
		{contract.ToolOutline, `{"path":"/ws","file":"a.go","limitSymbols":100000}`,
			"limitSymbols is 100000 and may be 1 to 5000: 5000 is used",
			func(r contract.Request) int { return r.(*contract.OutlineRequest).LimitSymbols }, 5000},
		{contract.ToolManage, `{"path":"/ws","action":"status","deadlineMs":1e12}`,
			"deadlineMs is 1e12 and may be 1 to 600000: 600000 is used",
			func(r contract.Request) int { return r.(*contract.ManageRequest).DeadlineMs }, 600000},
	} {
		used := -1
		s := serve(&fake{hook: func(_ context.Context, r contract.Request) (any, error) {
			used = c.used(r)
			return map[string]any{contract.ToolSearch: searchAnswer(), contract.ToolGraph: graphAnswer(),
				contract.ToolOutline: outlineAnswer(), contract.ToolManage: statusAnswer()}[c.tool], nil
		}}, Options{})
		for _, format := range []string{"text", "json"} {
			text, isError, err := s.Call(t.Context(), c.tool, with(c.args, `"format":"`+format+`"`))
			if err != nil || isError || used != c.want || !strings.Contains(text, c.said) {
				t.Errorf("%s as %s: %v, %v, used %d: %s", c.args, format, err, isError, used, text)
			}
		}
	}
	s := serve(&fake{}, Options{})
	for _, args := range []string{`{"path":"/ws","query":"x","limit":"many"}`,
		`{"path":"/ws","query":"x","limit":2.5}`} {
		if text, isError, _ := s.Call(t.Context(), contract.ToolSearch, json.RawMessage(args)); !isError {
			t.Errorf("%s: %s", args, text)
		}
	}
}
