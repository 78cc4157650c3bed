package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"sextant/internal/navigate/contract"
)

// meter counts 1,000 tokens a file, and keeps the costs that it gets.
type meter struct {
	mu    sync.Mutex // guards the fields below
	spent []contract.AnswerTokens
	tools []string
	asked int // calls of FileTokens
}

func (m *meter) FileTokens(files []string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	return 1000 * len(files)
}

func (m *meter) Spent(tool string, cost contract.AnswerTokens) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tools, m.spent = append(m.tools, tool), append(m.spent, cost)
}

// TestDebugSaysTheCost checks that the debugging data hold the tokens of the answer in the format that
// is sent, without those of the debugging data.
func TestDebugSaysTheCost(t *testing.T) {
	for _, format := range []contract.Format{contract.FormatText, contract.FormatJSON} {
		debug := &contract.SearchDebug{Terms: []string{"create", "order"}}
		s := serve(&fake{hook: func(context.Context, contract.Request) (any, error) {
			a := searchAnswer()
			a.Hints = &contract.Hints{Debug: debug}
			return a, nil
		}}, Options{Format: format, FileTokens: (&meter{}).FileTokens})
		text, _, err := s.Call(t.Context(), contract.ToolSearch,
			json.RawMessage(`{"path":"/ws","query":"create order","debug":true}`))
		if err != nil {
			t.Fatal(err)
		}
		whole := contract.Tokens(text)
		if got := debug.Tokens.Answer; got < whole/3 || got >= whole || debug.Tokens.FilesShown < 1000 {
			t.Errorf("%s: %+v of an answer of %d with its debugging data", format, debug.Tokens, whole)
		}
	}
}

// TestEveryToolSaysItsCost checks that each tool says with debug what its answer without it costs, and
// that the meter receives the cost of every answer.
func TestEveryToolSaysItsCost(t *testing.T) {
	calls := map[string]string{
		contract.ToolList:    `{`,
		contract.ToolOutline: `{"path":"/ws","file":"a.go",`,
		contract.ToolGraph:   `{"path":"/ws","symbolRef":"a.go:f",`,
		contract.ToolRead:    `{"path":"/ws/a.go",`,
		contract.ToolManage:  `{"action":"status","path":"/ws",`,
	}
	for tool, args := range calls {
		for _, format := range []string{"text", "json"} {
			m := &meter{}
			s := serve(&fake{}, Options{FileTokens: m.FileTokens, Spent: m.Spent})
			ask := func(debug string) string {
				text, isError, err := s.Call(t.Context(), tool, json.RawMessage(args+debug+`"format":"`+format+`"}`))
				if err != nil || isError {
					t.Fatalf("%s: %v %s", tool, err, text)
				}
				return text
			}
			plain, explained := ask(""), ask(`"debug":true,`)
			_, said, found := strings.Cut(explained, `"tokens":{"answer":`)
			var told int
			if err := json.NewDecoder(strings.NewReader(said)).Decode(&told); !found || err != nil {
				t.Errorf("%s as %s says no cost: %s", tool, format, explained)
				continue
			}
			if told != contract.Tokens(plain) || m.spent[0].Answer != told {
				t.Errorf("%s as %s: told %d, metered %+v; it costs %d", tool, format, told, m.spent,
					contract.Tokens(plain))
			}
			if len(m.spent) != 2 || m.spent[1] != m.spent[0] {
				t.Errorf("%s as %s: metered %+v, with debug as without", tool, format, m.spent)
			}
		}
	}
}

// TestCostsAreComputedOnce checks that FileTokens is called once for an answer if Options.Spent is set or the
// request has debug, and else not at all.
func TestCostsAreComputedOnce(t *testing.T) {
	for _, c := range []struct {
		kept  bool
		debug string
		want  int
	}{{false, "", 0}, {true, "", 1}, {false, `,"debug":true`, 1}, {true, `,"debug":true`, 1}} {
		m := &meter{}
		opts := Options{FileTokens: m.FileTokens}
		if c.kept {
			opts.Spent = m.Spent
		}
		_, isError, err := serve(&fake{}, opts).Call(t.Context(), contract.ToolOutline,
			json.RawMessage(`{"path":"/ws","file":"a.go"`+c.debug+`}`))
		if err != nil || isError {
			t.Fatal(err, isError)
		}
		if m.asked != c.want {
			t.Errorf("kept %t%s: files counted %d times, want %d", c.kept, c.debug, m.asked, c.want)
		}
	}
}
