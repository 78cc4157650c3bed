package mine

import (
	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/tokens"
)

// graph links declarations with the call sites that call them or are in them.
type graph struct {
	declared []Declaration
	at       map[line]int     // declarations by the line of their name
	in       map[string][]int // file → indexes of its declarations, in order
	sites    []site
	to, from map[int][]int // indexes of sites by the declaration that they call, or that contains them
}

// line is a line of a file. It identifies the declaration whose name is on it.
type line struct {
	file string
	line int
}

// site is a call whose target a compiler resolved. from and to are indexes of declarations; from is
// -1 for a call outside of all declarations.
type site struct {
	place     tokens.Place
	name      string
	from, to  int
	ambiguous bool // whether the call may also have another target
}

func newGraph(declared []Declaration, truth []accuracy.Truth) *graph {
	g := &graph{declared: declared, at: map[line]int{}, in: map[string][]int{}, to: map[int][]int{},
		from: map[int][]int{}}
	for i, d := range declared {
		g.at[line{d.File, d.Line}] = i
		g.in[d.File] = append(g.in[d.File], i)
	}
	for _, t := range truth {
		if t.Class != accuracy.ClassStatic {
			continue
		}
		s := site{place: tokens.Place{File: t.File, Line: t.Line}, name: t.Name, from: g.enclosing(t.File, t.Line)}
		for _, target := range t.Targets {
			i, ok := g.at[line{target.File, target.Line}]
			if !ok {
				continue
			}
			s.to, s.ambiguous = i, len(t.Targets) > 1
			n := len(g.sites)
			g.sites = append(g.sites, s)
			g.to[i] = append(g.to[i], n)
			if s.from >= 0 {
				g.from[s.from] = append(g.from[s.from], n)
			}
		}
	}
	return g
}

// enclosing returns the index of the innermost declaration around a line, -1 if there is none.
func (g *graph) enclosing(file string, line int) int {
	best := -1
	for _, i := range g.in[file] {
		d := &g.declared[i]
		if d.Line <= line && line <= d.End && (best < 0 || d.End-d.Line <= g.declared[best].End-g.declared[best].Line) {
			best = i
		}
	}
	return best
}

// callers returns the targets of a Callers task, which an answer must show: the call sites of a
// declaration.
func (g *graph) callers(i int) (out []tokens.Target) {
	seen := map[tokens.Place]bool{}
	for _, n := range g.to[i] {
		if p := g.sites[n].place; !seen[p] {
			seen[p] = true
			out = append(out, tokens.Target{p})
		}
	}
	return out
}

// callees returns the functions that a declaration calls. out has them as targets of a task: an
// answer must show the call site or the function's declaration. functions has them as indexes of
// declarations.
func (g *graph) callees(i int) (out []tokens.Target, functions []int) {
	lines := map[int]tokens.Target{}
	for _, n := range g.from[i] {
		s := &g.sites[n]
		if d := &g.declared[s.to]; s.to == i || d.Type || s.ambiguous {
			continue
		}
		if lines[s.to] == nil {
			functions = append(functions, s.to)
			lines[s.to] = tokens.Target{g.declared[s.to].place()}
		}
		lines[s.to] = append(lines[s.to], s.place)
	}
	for _, f := range functions {
		out = append(out, lines[f])
	}
	return out, functions
}

// trace returns the functions that a declaration calls, followed by those that these functions
// call. direct is the number of the first.
func (g *graph) trace(i int) (out []tokens.Target, direct int) {
	out, functions := g.callees(i)
	direct = len(out)
	for _, f := range functions {
		more, _ := g.callees(f)
		out = append(out, more...)
	}
	return out, direct
}

// impact returns the tests that call a declaration directly, or through one function that is not a
// test. An answer must show each test's declaration or a call in it.
func (g *graph) impact(i int) (out []tokens.Target) {
	at := map[line]int{}
	note := func(s *site) {
		key := line{s.place.File, s.from}
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key] = n
			out = append(out, nil)
			if s.from >= 0 {
				out[n] = tokens.Target{g.declared[s.from].place()}
			}
		}
		out[n] = append(out[n], s.place)
	}
	through := map[int]bool{i: true}
	for _, n := range g.to[i] {
		s := &g.sites[n]
		if tokens.IsTest(s.place.File) {
			note(s)
		} else if s.from >= 0 && !through[s.from] && !g.declared[s.from].Type {
			through[s.from] = true
			for _, m := range g.to[s.from] {
				if s := &g.sites[m]; tokens.IsTest(s.place.File) {
					note(s)
				}
			}
		}
	}
	return out
}
