package kotlin

import (
	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// access records x.p as an access, because reading or assigning a property may run its getter or
// setter. It skips names in imports and annotations, and the names of called functions, x.p(…).
func access(w *syntax.Walk, n, name, receiver syntax.Node) {
	if called := w.Parent(n); !w.Is(called, "call_expression", "import", "annotation") ||
		w.Is(called, "call_expression") && called+1 != n {
		w.Access(name, receiver, false)
	}
}

// reading lists the kinds of syntax nodes in which a bare name is read or assigned.
var reading = []string{"assignment", "binary_expression", "block", "comparison_expression",
	"elvis_expression", "function_body",
	"if_expression", "in_expression", "index_expression", "interpolation", "is_expression", "lambda_literal",
	"navigation_expression",
	"parenthesized_expression", "range_expression", "return_expression", "statements", "throw_expression",
	"unary_expression",
	"value_argument", "when_entry", "when_subject", "property_declaration", "control_structure_body"}

// bareAccess records a bare name p that an expression reads or assigns, because it may be a property of
// an enclosing type. When the whole file is read, keepAccesses drops names that cannot be properties.
func bareAccess(w *syntax.Walk, n syntax.Node) {
	parent := w.Parent(n)
	if !w.Is(parent, reading...) || w.Is(parent, "navigation_expression") && parent+1 != n ||
		w.Is(parent, "value_argument") && w.Is(w.After(n), "=") {
		return
	}
	w.AccessAs(n, "", false)
}

// keepAccesses drops accesses of bare names that cannot be properties with a getter or setter. It
// keeps a name if this file declares such a property. It also keeps a name that this file does not
// declare at all, if an enclosing type may inherit it.
func keepAccesses(w *syntax.Walk) {
	computed, declared := map[string]bool{},
		map[string]bool{"it": true, "field": true, "null": true, "true": true, "false": true}
	for i := range w.Out.Symbols {
		s := &w.Out.Symbols[i]
		declared[s.Name] = true
		computed[s.Name] = computed[s.Name] || s.Computed
		for _, p := range s.Parameters {
			declared[p.Name] = true
		}
	}
	derived := map[int]bool{}
	for i := range w.Out.Facts {
		if f := &w.Out.Facts[i]; f.Kind == code.FactBase || f.Kind == code.FactImpl {
			derived[f.Owner] = true
		} else {
			declared[f.Name] = true
		}
	}
	kept := w.Out.Accesses[:0]
	for _, c := range w.Out.Accesses {
		if c.Receiver != "" || computed[c.Callee] || !declared[c.Callee] && inherits(w, c, derived) {
			kept = append(kept, c)
		}
	}
	w.Out.Accesses = kept
}

// inherits reports whether a bare name may be a property that an enclosing type inherits: the type
// has a base, and the name begins with a lower-case letter. derived holds the symbols of the types
// with bases.
func inherits(w *syntax.Walk, c code.Call, derived map[int]bool) bool {
	if c.Callee[0] < 'a' || c.Callee[0] > 'z' {
		return false
	}
	for at := c.Caller; at >= 0; at = w.Out.Symbols[at].Parent {
		if derived[at] {
			return true
		}
	}
	return false
}
