package services

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// One call may subscribe to a topic, and another one on the same value is given the function that handles the messages:
//
//	await consumer.subscribe({topic: "orders"});
//	await consumer.run({eachMessage: book});

// handler returns the expression of the handler that the selectors of m find, "" for none, and the declaration that
// consumes the messages: the one around the call, or the one that passes a function without a name to a call of m.Run.
func (s *selection) handler(m *Message) (owner int, expr string) {
	if len(m.Run) > 0 {
		return s.running(m)
	}
	for _, sel := range m.Handler {
		if expr, _ := s.find(sel); expr != "" {
			return s.c.Caller, expr
		}
	}
	return s.c.Caller, ""
}

// running returns the handler that another call on the same value is given, as handler does. The handler is "" if the
// file has no such call or several, or if the function around that call is given the handler itself.
func (s *selection) running(m *Message) (owner int, expr string) {
	run := s.run(m)
	if run == nil {
		return s.c.Caller, ""
	}
	given := &selection{src: s.src, c: run, args: s.src.Arguments(run)}
	for _, sel := range m.Handler {
		expr, _ := given.find(sel)
		if expr == "" {
			continue
		}
		if folding.IsFunction(expr) {
			return run.Caller, ""
		}
		expr, _, _ = strings.Cut(expr, ".bind(")
		if s.src.fold.Parameter(folding.LastWord(expr), run.NameSpan.StartByte) == "" {
			return s.c.Caller, expr
		}
	}
	return s.c.Caller, ""
}

// run returns the only call of m.Run on the value that the selection's call is made on, nil if there is none or
// several. Of several, the one in the same function counts.
func (s *selection) run(m *Message) (found *code.Call) {
	several := false
	for i := range s.src.File.Calls {
		c := &s.src.File.Calls[i]
		if c.Kind != code.CallPlain || c.Receiver != s.c.Receiver || !slices.Contains(m.Run, c.Callee) ||
			s.src.within(c.Caller) != s.src.within(s.c.Caller) {
			continue
		}
		if c.Caller == s.c.Caller {
			return c
		}
		found, several = c, several || found != nil
	}
	if several || strings.TrimSpace(s.c.Receiver) == "" {
		return nil
	}
	return found
}
