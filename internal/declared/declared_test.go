package declared_test

import (
	"strings"
	"testing"

	"sextant/internal/declared"
)

func TestRead(t *testing.T) {
	calls, problems := declared.Read([]declared.Entry{
		{Function: "Client::call", Transport: "http", Path: int64(1), Method: "POST", Service: int64(0)},
		{Function: "bus.emit", Transport: "publish", Topic: "orders.{}"},
	})
	if len(problems) > 0 || len(calls) != 2 {
		t.Fatalf("calls %v, problems %q", calls, problems)
	}
	c := calls[0]
	if c.Name() != "call" || c.Qualifier() != "Client" || c.Path != (declared.Role{At: 1}) ||
		c.Method != (declared.Role{At: -1, Text: "POST"}) || c.Service.At != 0 || c.Topic.Given() {
		t.Errorf("got %+v", c)
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	for _, x := range []struct {
		entry declared.Entry
		want  string
	}{
		{declared.Entry{Transport: "http", Path: int64(0)}, "want the name of a function"},
		{declared.Entry{Function: "f()", Transport: "http", Path: int64(0)}, "want the name of a function"},
		{declared.Entry{Function: "f", Transport: "soap", Path: int64(0)},
			`transport of f is "soap"; want http, publish or consume`},
		{declared.Entry{Function: "f", Transport: "http"}, "f has no path"},
		{declared.Entry{Function: "f", Transport: "http", Path: int64(99)}, "want the number of an argument"},
		{declared.Entry{Function: "f", Transport: "http", Path: 1.5}, "want the number of an argument"},
		{declared.Entry{Function: "f", Transport: "http", Path: int64(0), Method: "SEND"}, "want one of GET"},
		{declared.Entry{Function: "f", Transport: "http", Path: int64(0), Topic: int64(1)},
			"belong to publish and consume"},
		{declared.Entry{Function: "f", Transport: "publish"}, "f has no topic"},
		{declared.Entry{Function: "f", Transport: "consume", Topic: int64(0), Path: int64(1)}, "belong to http"},
	} {
		calls, problems := declared.Read([]declared.Entry{x.entry})
		if len(calls) > 0 || len(problems) != 1 || !strings.Contains(problems[0], x.want) {
			t.Errorf("%+v: calls %v, problems %q, want %q", x.entry, calls, problems, x.want)
		}
	}
	if calls, problems := declared.Read(make([]declared.Entry, declared.Max+5)); len(calls) > 0 ||
		len(problems) != declared.Max+1 {
		t.Errorf("too many entries: %d calls, %d problems", len(calls), len(problems))
	}
}
