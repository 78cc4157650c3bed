package mcp

import (
	"fmt"
	"strings"
	"testing"
)

// TestTooLongRequestIsAnswered checks that the error for a request that is too long bears its id, wherever that
// stands in the message.
func TestTooLongRequestIsAnswered(t *testing.T) {
	c := connect(t, serve(&fake{}, Options{}))
	long := `"` + strings.Repeat(`x\"},{[,:`, maxMessage/8) + `"`
	for _, test := range []struct{ message, id string }{
		{`{"jsonrpc":"2.0","id":17,"method":"tools/call","params":{"id":1,"x":%s}}`, `17`},
		{`{"method":"tools/call","params":{"x":[{"id":1},%s],"id":2},"jsonrpc":"2.0","id":"a \"b\""}`, `"a \"b\""`},
		{` { "method" : "tools/call" , "params" : %s , "id" : 5 } `, `5`},
		{`{"id":1e3,"method":"ping","params":%s}`, `1e3`},
		{`{"jsonrpc":"2.0","method":"notifications/x","params":{"id":4,"x":%s}}`, `null`},
		{`{"jsonrpc":"2.0","id":6,"result":{"method":%s}}`, `null`},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping","params":%s}`, `null`},
		{`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, `null`},
		{`{"a":1}}}}]]],"id":9,"method":%s`, `null`},
	} {
		c.send(fmt.Sprintf(test.message, long))
		if m := c.receive(); m.Error == nil || m.Error.Code != -32600 || strings.TrimSpace(string(m.ID)) != test.id {
			t.Errorf("%s: id %s, error %+v", test.message, m.ID, m.Error)
		}
	}
}
