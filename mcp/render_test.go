package mcp

import (
	"context"
	"encoding/json"
	"testing"

	"sextant/internal/navigate/contract"
)

// TestDebugSaysTheCost checks that the debugging data hold the tokens of the answer in the format that
// is sent, without those of the debugging data.
func TestDebugSaysTheCost(t *testing.T) {
	for _, format := range []contract.Format{contract.FormatText, contract.FormatJSON} {
		debug := &contract.SearchDebug{Terms: []string{"create", "order"}, Tokens: contract.DebugTokens{FilesShown: 4000}}
		s := serve(&fake{hook: func(context.Context, contract.Request) (any, error) {
			a := searchAnswer()
			a.Hints = &contract.Hints{Debug: debug}
			return a, nil
		}}, Options{Format: format})
		text, _, err := s.Call(t.Context(), contract.ToolSearch, json.RawMessage(`{"path":"/ws","query":"create order","debug":true}`))
		if err != nil {
			t.Fatal(err)
		}
		whole := contract.Tokens(text)
		if got := debug.Tokens.Answer; got < whole/3 || got >= whole || debug.Tokens.FilesShown != 4000 {
			t.Errorf("%s: %d tokens of an answer of %d with its debugging data", format, got, whole)
		}
	}
}
