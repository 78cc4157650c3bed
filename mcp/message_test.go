package mcp

import (
	"strings"
	"testing"
)

// TestIDsAreRepeated checks that each response has the id of its request as the client wrote it, also where the
// request is no message, since the client waits for it.
func TestIDsAreRepeated(t *testing.T) {
	c := connect(t, serve(&fake{}, Options{}))
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for _, x := range []struct{ line, id, message string }{
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "9007199254740993", ""},
		{`{"jsonrpc":"2.0","id":18446744073709551615,"method":"tools/list"}`, "18446744073709551615", ""},
		{`{"jsonrpc":"2.0","id":-9007199254740993,"method":"no/such"}`, "-9007199254740993", "tools/list and tools/call"},
		{`{"jsonrpc":"2.0","id":1.50,"method":"ping"}`, "1.50", ""},
		{call(123456789, "no_such_tool", `{}`), "123456789", "expected one of list_codebases"},
		{`{"jsonrpc":"2.0","id":"ä\u0041","method":"ping"}`, `"ä\u0041"`, ""},
		{"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "1", ""},
		{`{"jsonrpc":"2.0","id":2,"method":7}`, "2", "method, which are strings"},
		{`{"jsonrpc":"2.0","id":3}`, "3", `expected "method"`},
		{`{"jsonrpc":"1.0","id":4,"method":"ping"}`, "4", `expected "jsonrpc": "2.0"`},
		{`{"jsonrpc":"2.0","id":5,"method":"ping","params":` + deep + `}`, "5", "nested too deeply"},
		{`{"jsonrpc":"2.0","id":6,"method":"ping",}`, "6", "not JSON"},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`, "7", `"name": "search_codebase"`},
		{`{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":7}}`, "8", `"protocolVersion": "20`},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"?"}}`, "9", "cursor: unknown"},
		{`{"jsonrpc":"2.0","id":10,"method":"tools/list","params":5}`, "10", "expected none, or an object"},
		{`[{"jsonrpc":"2.0","id":11,"method":"ping"}]`, "11", "send each request by itself"},
		{`[]`, "null", "empty batch"},
		{`[1,{"jsonrpc":"2.0","method":"notifications/initialized"}]`, "null", "batches are not supported"},
		{`null`, "null", `expected "method"`},
		{`{}`, "null", `expected "method"`},
	} {
		c.send(x.line)
		m := c.receive()
		got := ""
		if m.Error != nil {
			got = m.Error.Message
		}
		if string(m.ID) != x.id || x.message == "" && m.Error != nil || !strings.Contains(got, x.message) {
			t.Errorf("%.80s: id %s, error %q; want id %s, error %q", x.line, m.ID, got, x.id, x.message)
		}
	}
	c.send(`[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]`)
	for _, id := range []string{`"a"`, `"b"`} {
		if m := c.receive(); string(m.ID) != id || m.Error == nil {
			t.Errorf("a batch: id %s, error %v; want id %s", m.ID, m.Error, id)
		}
	}
}
