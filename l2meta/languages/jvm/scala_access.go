package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// Access resolves a name or a selection without arguments that calls a function without parameter
// lists:
//
//	def size = items.length
//	...
//	show(cart.size)   calls size
func (s Scala) Access(w *resolve.World, f *resolve.File, c *code.Call) resolve.Verdict {
	reference := *c
	reference.Kind = code.CallReference
	v := s.Settle(w, f, &reference)
	if v.Outcome != resolve.Open {
		return v
	}
	j, p := newJVM(w), place{file: f, at: c.Caller, pos: c.NameSpan.StartByte}
	if c.Receiver == "" || j.terms.eval(p, scalaReference(c.Receiver)).typ.kind != unknown {
		return resolve.Verdict{Outcome: resolve.NoCall} // a value, which is not called
	}
	return v
}
