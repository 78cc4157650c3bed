package ruby

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

type apartKey struct{ class, name string }

// apart returns the singleton methods called name of a class that are defined outside of the class:
// def Job.make, and def make in class << Job.
func (r reader) apart(class, name string) []resolve.Ref {
	simple := class[strings.LastIndexByte(class, '.')+1:]
	return resolve.Derive(r.w, apartKey{class, name}, func() (out []resolve.Ref) {
		rows, _ := r.w.Named(name)
		for _, row := range rows {
			if row.Language != "ruby" || row.Kind != code.KindMethod ||
				!strings.HasSuffix("."+row.QualifiedName, "."+simple+"."+name) {
				continue
			}
			ref := r.w.Ref(row)
			if !ref.Valid() {
				continue
			}
			path, ok := owner(ref.File, ref.Index)
			if !ok {
				continue
			}
			s := ref.Symbol()
			if x := r.constant(place{ref.File, s.Parent, s.Span.StartByte}, path); x.kind == known && x.class == class {
				out = append(out, ref)
			}
		}
		return out
	})
}

// either returns the sides of "a || b"; one for any other expression.
func either(text string) (sides []string) {
	if !strings.Contains(text, " || ") {
		return nil
	}
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			if i = closing(text, i); i < 0 {
				return nil
			}
		case '"', '\'':
			if i = quoted(text, i); i < 0 {
				return nil
			}
		case '?', '=':
			if i > 0 && text[i-1] == ' ' { // "a ? b || c : d" and "a = b || c" are no alternatives
				return nil
			}
		case '|':
			if strings.HasPrefix(text[i:], "|| ") && i > 0 && text[i-1] == ' ' {
				sides = append(sides, strings.TrimSpace(text[start:i]))
				start = i + 2
			}
		}
	}
	return append(sides, strings.TrimSpace(text[start:]))
}
