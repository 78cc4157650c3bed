package services

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// One call may subscribe to a topic, and another one on the same value is given the function that handles the messages:
//
//	await consumer.subscribe({topic: "orders"});
//	await consumer.run({eachMessage: book});

// handler returns the expression of the handler that the selectors of m find, "" for none, and the declaration that
// consumes the messages: the one around the call, or the one that passes a function without a name to a call of m.Run.
func (mr *messageReader) handler(s *source.Selection, m *Message) (owner int, expr string) {
	if len(m.Run) > 0 {
		return mr.running(s, m)
	}
	for _, sel := range m.Handler {
		if expr, _ := s.Find(sel); expr != "" {
			return s.Call.Caller, expr
		}
	}
	return s.Call.Caller, ""
}

// running returns the handler that another call on the same value is given, as handler does. The handler is "" if the
// file has no such call or several, or if the function around that call is given the handler itself.
func (mr *messageReader) running(s *source.Selection, m *Message) (owner int, expr string) {
	run := mr.run(s, m)
	if run == nil {
		return s.Call.Caller, ""
	}
	given := mr.Select(run)
	for _, sel := range m.Handler {
		expr, _ := given.Find(sel)
		if expr == "" {
			continue
		}
		if folding.IsFunction(expr) {
			return run.Caller, ""
		}
		expr, _, _ = strings.Cut(expr, ".bind(")
		if mr.Folder.Parameter(folding.LastWord(expr), run.NameSpan.StartByte) == "" {
			return s.Call.Caller, expr
		}
	}
	return s.Call.Caller, ""
}

// run returns the only call of m.Run on the value that the selection's call is made on, nil if there is none or
// several. Of several, the one in the same function counts.
func (mr *messageReader) run(s *source.Selection, m *Message) (found *code.Call) {
	several := false
	for i := range mr.File.Calls {
		c := &mr.File.Calls[i]
		if c.Kind != code.CallPlain || c.Receiver != s.Call.Receiver || !slices.Contains(m.Run, c.Callee) ||
			mr.ClassAround(c.Caller) != mr.ClassAround(s.Call.Caller) {
			continue
		}
		if c.Caller == s.Call.Caller {
			return c
		}
		found, several = c, several || found != nil
	}
	if several || strings.TrimSpace(s.Call.Receiver) == "" {
		return nil
	}
	return found
}
