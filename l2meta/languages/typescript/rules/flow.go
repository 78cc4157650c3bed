package rules

import (
	"slices"
	"strings"

	"sextant/l2meta/syntax"
)

// This file finds the code that runs only if an expression is true, and the code that runs only
// if it is false. It also finds the assignments in that code after which a name may have another
// value.

// flow holds the assignments and functions of a file.
type flow struct {
	writes    map[string][]write // by the assigned name or path, in document order
	functions []deferred         // in document order
}

// write is an assignment to a name.
type write struct {
	at, end int
	loops   []int // start offsets of the loops around the assignment, the outermost first
}

// deferred is the code of a function, which may run later than the code around it, or earlier.
type deferred struct {
	in      bound
	hoisted bool // whether it may run before the code that precedes it
}

// maxLoops bounds the loops that are recorded around one write. The other constants bound the
// writes and functions that are examined within one piece of code.
const (
	maxLoops    = 8
	maxWrites   = 64
	maxDeferred = 256
)

// readFlow collects the assignments and functions of a file.
func readFlow(w *syntax.Walk) flow {
	f := flow{writes: map[string][]write{}}
	type loop struct{ start, end int }
	var loops []loop
	for i := range w.Nodes {
		at := syntax.Node(i)
		for len(loops) > 0 && loops[len(loops)-1].end <= w.Start(at) {
			loops = loops[:len(loops)-1]
		}
		target := syntax.None
		switch w.Kind(at) {
		case "while_statement", "do_statement", "for_statement":
			loops = append(loops, loop{w.Start(at), w.End(at)})
		case "for_in_statement":
			loops = append(loops, loop{w.Start(at), w.End(at)})
			if w.Field(at, "kind") < 0 {
				target = w.Field(at, "left")
			}
		case "function_declaration", "generator_function_declaration", "class_declaration",
			"abstract_class_declaration":
			f.functions = append(f.functions, deferred{boundIn(w, at), true})
		case "arrow_function", "function_expression", "generator_function", "method_definition":
			f.functions = append(f.functions, deferred{boundIn(w, at), false})
		case "assignment_expression", "augmented_assignment_expression":
			target = w.Field(at, "left")
		case "update_expression":
			target = w.Field(at, "argument")
		}
		if target < 0 {
			continue
		}
		wr := write{at: w.Start(at), end: w.End(at)}
		if len(loops) > maxLoops {
			wr.loops = []int{0} // 0 is before all code: the write may run at any time
		}
		for _, l := range loops[:min(len(loops), maxLoops)] {
			wr.loops = append(wr.loops, l.start)
		}
		f.write(w, target, wr)
	}
	return f
}

// write records the names that an assignment to target sets: a name, a path such as a.b, or the
// names in a pattern.
func (f *flow) write(w *syntax.Walk, target syntax.Node, wr write) {
	if path, ok := pathOf(w, target, maxTestPath+1); ok {
		f.writes[path] = append(f.writes[path], wr)
		return
	}
	if !w.Is(target, "array_pattern", "object_pattern") {
		return
	}
	for d := range w.Descendants(target) {
		if w.Is(d, "identifier", "shorthand_property_identifier_pattern") {
			f.writes[w.Str(d)] = append(f.writes[w.Str(d)], wr)
		}
	}
}

// where returns the parts of the code that run only if the expression at node at is true: b and {
// c } for the expression a in if (a && b) { c }. Unless holds is set, it returns the parts that
// run only if the expression is false.
func (f *flow) where(w *syntax.Walk, at syntax.Node, holds bool) (out []bound) {
	from, to := w.End(at), 0 // from the end of the test to the end of the expression that contains it
	p := w.Parent(at)
	for range maxClimb {
		switch {
		case w.Is(p, "parenthesized_expression"):
		case w.Is(p, "unary_expression") && w.Is(w.Field(p, "operator"), "!"):
			holds = !holds
			out = between(out, from, to)
			from, to = w.End(p), 0
		case w.Is(p, "binary_expression") &&
			w.Is(w.Field(p, "operator"), map[bool]string{true: "&&", false: "||"}[holds]):
			to = w.End(p)
		default:
			return append(between(out, from, to), f.branches(w, p, at, holds)...)
		}
		at, p = p, w.Parent(p)
	}
	return between(out, from, to)
}

func between(list []bound, from, to int) []bound {
	if to > from {
		list = append(list, bound{from, to})
	}
	return list
}

// branches returns the parts of the statement or conditional expression p that run only if its
// condition is true. Unless holds is set, it returns those that run only if the condition is false.
func (f *flow) branches(w *syntax.Walk, p, condition syntax.Node, holds bool) (out []bound) {
	if w.Field(p, "condition") != condition {
		return nil
	}
	yes, no := w.Field(p, "consequence"), w.Field(p, "alternative")
	if !holds {
		yes, no = no, yes
	}
	switch w.Kind(p) {
	case "ternary_expression":
		return []bound{boundIn(w, yes)}
	case "while_statement", "for_statement":
		if holds {
			return []bound{{w.End(condition), w.End(p)}}
		}
	case "if_statement":
		if yes >= 0 {
			out = append(out, boundIn(w, yes))
		}
		if block := w.Parent(p); no >= 0 && leaves(w, no) &&
			w.Is(block, "statement_block", "program", "switch_case", "switch_default") {
			out = append(out, bound{w.End(p), w.End(block)})
		}
	}
	return out
}

// leaves reports whether control never reaches the code after a statement, because the statement
// ends in return, throw, break or continue. For a case of a switch, that of the last statement in
// the case counts.
func leaves(w *syntax.Walk, at syntax.Node) bool {
	for range maxClimb {
		switch w.Kind(at) {
		case "return_statement", "throw_statement", "break_statement", "continue_statement":
			return true
		case "statement_block", "else_clause", "switch_case", "switch_default":
			last := syntax.None
			for c := range w.Named(at) {
				last = c
			}
			at = last
		default:
			return false
		}
	}
	return false
}

func (n *narrowing) leaves(at syntax.Node) bool { return leaves(n.Walk, at) }

// sure returns the parts of a range of code where a path has the same value as at the start of
// the range: before it is assigned, and outside of functions that may run at another time.
func (f *flow) sure(path string, in bound) (out []bound) {
	for prefix := path; ; {
		in[1] = min(in[1], f.firstWrite(prefix, in))
		i := strings.LastIndexByte(prefix, '.')
		if i < 0 {
			break
		}
		prefix = prefix[:i]
	}
	fixed := path == Root(path) && len(f.writes[path]) == 0
	i, _ := slices.BinarySearchFunc(f.functions, in[0], func(fn deferred, at int) int { return fn.in[0] - at })
	for last := i + maxDeferred; i < len(f.functions) && f.functions[i].in[0] < in[1]; i++ {
		fn := f.functions[i]
		if i == last || len(out) == maxPieces {
			in[1] = fn.in[0]
			break
		}
		if fn.in[0] < in[0] || fixed && !fn.hoisted {
			continue
		}
		out = between(out, in[0], fn.in[0])
		in[0] = max(in[0], fn.in[1])
	}
	return between(out, in[0], in[1])
}

// firstWrite returns the first offset in some code at which a path may have another value than at
// its start; the largest int if there is none.
func (f *flow) firstWrite(path string, in bound) int {
	writes := f.writes[path]
	first := int(^uint(0) >> 1)
	i, _ := slices.BinarySearchFunc(writes, in[0], func(wr write, at int) int { return wr.at - at })
	for n := 0; i < len(writes) && writes[i].at < in[1]; i, n = i+1, n+1 {
		if n == maxWrites {
			return in[0]
		}
		at := writes[i].end
		for _, l := range writes[i].loops {
			if l >= in[0] || l == 0 {
				at = l
				break
			}
		}
		first = min(first, at)
	}
	return first
}
