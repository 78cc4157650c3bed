package ruby

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// fixtures lists the calls of RSpec and of minitest that name the value of their block.
var fixtures = map[string]bool{"let": true, "let!": true, "let_it_be": true, "subject": true, "subject!": true}

// fixture records the value of let(:job) { Job.new } and of subject { Job.new } as a variable of the
// group of tests around it. A group within sees it too, unless it gives the name another value.
func fixture(w *syntax.Walk, n syntax.Node, name string, args, block syntax.Node) {
	if !fixtures[name] || block < 0 || blockAround(w, n) != "" {
		return
	}
	first := w.FirstNamed(args)
	names := []string{}
	if w.Is(first, "simple_symbol", "string") {
		names = append(names, strings.Trim(w.Str(first), `:"'`))
	}
	if strings.HasPrefix(name, "subject") {
		names = append(names, "subject")
		impliedAway(w)
	}
	last := syntax.None
	for c := range w.Named(w.Field(block, "body")) {
		if !w.IsComment(c) {
			last = c
		}
	}
	if last < 0 {
		return
	}
	for _, value := range outcomes(w, last, nil) {
		for _, name := range names {
			w.Fact(code.FactAssign, w.Encloser, name, w.Line(value), n)
		}
	}
}

// impliedAway removes the subject that the class of a group implies, because the group gives another.
func impliedAway(w *syntax.Walk) {
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		return f.Owner == w.Encloser && f.Kind == code.FactAssign && f.Name == "subject" && implied(w, f)
	})
}

// implied reports whether a fact is in the head of the group, where no call of subject is.
func implied(w *syntax.Walk, f code.Fact) bool {
	return f.Span.EndByte <= w.Out.Symbols[w.Encloser].Body[0]
}
