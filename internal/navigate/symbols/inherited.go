package symbols

import (
	"context"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// maxBases bounds the types that a look-up of an inherited member visits.
const maxBases = 40

// inherited returns the member that a type inherits from the nearest of its base types:
// AbstractPage.copy for "Page.copy". It looks up base types by name. It returns nil if another
// type has the name of the type or of the base type with the member.
func (s *Service) inherited(ctx context.Context, p *engine.Place, v *jit.View, label string) ([]l2meta.Row, error) {
	dot := strings.LastIndexByte(label, '.')
	if dot <= 0 {
		return nil, nil
	}
	member := label[dot+1:]
	members, err := s.Facts.Named(ctx, v, member, maxLabelRows)
	if err != nil || len(members) == 0 || len(members) == maxLabelRows {
		return nil, err
	}
	queue, seen := []string{label[:dot]}, map[string]bool{} // nearest first
	for i := 0; i < len(queue) && i < maxBases; i++ {
		types, err := s.typesCalled(ctx, p, v, queue[i])
		if err != nil {
			return nil, err
		}
		found := membersOf(types, members)
		switch {
		case i == 0 && (len(types) != 1 || len(found) > 0), len(found) > 0 && len(types) > 1:
			return nil, nil
		case len(found) > 0:
			return s.declared(ctx, v, found)
		}
		for _, t := range types {
			bases, err := s.bases(ctx, v, t)
			if err != nil {
				return nil, err
			}
			for _, b := range bases {
				if !seen[b] {
					seen[b], queue = true, append(queue, b)
				}
			}
		}
	}
	return nil, nil
}

// membersOf returns those of members that one of the types declares.
func membersOf(types, members []l2meta.Row) (out []l2meta.Row) {
	for _, t := range types {
		for _, m := range members {
			if m.Language == t.Language && m.Symbol.QualifiedName == t.Symbol.QualifiedName+"."+m.Symbol.Name {
				out = append(out, m)
			}
		}
	}
	return out
}

// typesCalled returns the types below p that a label names.
func (s *Service) typesCalled(ctx context.Context, p *engine.Place, v *jit.View, label string) ([]l2meta.Row, error) {
	rows, err := s.Facts.Named(ctx, v, LastName(label), maxLabelRows)
	if err != nil {
		return nil, err
	}
	var types []l2meta.Row
	for _, r := range rows {
		if hasMembers(r.Symbol.Kind) && code.Within(r.Path, p.Rel) {
			types = append(types, r)
		}
	}
	return s.declared(ctx, v, bestLabelled(types, NormalLabel(label), p.Root.Path()))
}

// bases returns the last names of the types that a type extends, in the order of its declaration.
func (s *Service) bases(ctx context.Context, v *jit.View, r l2meta.Row) (out []string, err error) {
	facts, err := s.Facts.Facts(ctx, v, r.FileID)
	if err != nil {
		return nil, err
	}
	for _, f := range facts.Facts() {
		if f.Kind != code.FactBase || f.Owner != r.Index {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimLeft(f.Type, "*&"), "<")
		name, _, _ = strings.Cut(name, "[")
		name, _, _ = strings.Cut(name, "(")
		out = append(out, LastName(strings.ReplaceAll(name, `\`, ".")))
	}
	return out, nil
}

// hasMembers reports whether a symbol of kind k may give members to a type: another type, or a module of Ruby that the
// type includes.
func hasMembers(k code.Kind) bool { return IsType(k) || k == code.KindModule }
