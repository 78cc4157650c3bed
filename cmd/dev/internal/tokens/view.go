package tokens

import "slices"

// View holds the lines, and ranges of lines, that the calls so far have shown.
type View struct {
	lines map[string]map[int]bool
	spans map[string][]span
}

// span is a range of lines, inclusive. If source is set, its text was shown;
// otherwise it was only named, as in "a.go:3-9 function f".
type span struct {
	from, to int
	source   bool
}

// Line records that an answer named or showed a line.
func (v *View) Line(file string, line int) {
	if v.lines == nil {
		v.lines = map[string]map[int]bool{}
	}
	if v.lines[file] == nil {
		v.lines[file] = map[int]bool{}
	}
	v.lines[file][line] = true
}

// Named records that an answer named a range of lines, without its text.
func (v *View) Named(file string, from, to int) { v.add(file, span{from, to, false}) }

// Source records that an answer showed the text of a range of lines.
func (v *View) Source(file string, from, to int) { v.add(file, span{from, to, true}) }

func (v *View) add(file string, s span) {
	if v.spans == nil {
		v.spans = map[string][]span{}
	}
	v.spans[file] = append(v.spans[file], s)
}

// Answers reports whether the calls so far have shown all targets.
func (v *View) Answers(targets []Target) bool { return len(v.Missing(targets)) == 0 }

// Missing returns the targets that the calls so far have not shown.
func (v *View) Missing(targets []Target) (out []Target) {
	for _, t := range targets {
		if !slices.ContainsFunc(t, v.Has) {
			out = append(out, t)
		}
	}
	return out
}

// Has reports whether a place was shown. A declaration also counts as shown if a range was named
// that begins between its doc comment and its name, and contains the name.
func (v *View) Has(p Place) bool {
	from := p.Line
	if p.From > 0 {
		from = p.From
	}
	for line := from; line <= p.Line; line++ {
		if v.lines[p.File][line] {
			return true
		}
	}
	return slices.ContainsFunc(v.spans[p.File], func(s span) bool {
		if s.source || s.from == s.to {
			return s.from <= p.Line && p.Line <= s.to
		}
		return p.From > 0 && p.From <= s.from && s.from <= p.Line && p.Line <= s.to
	})
}
