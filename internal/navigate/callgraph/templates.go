package callgraph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/lang"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// This file warns about templates of pages that seem to call the requested symbol. The index
// reads them as plain text, so their calls are no edges: <% if user.can_flag?(story) %> in a view
// of Rails.

// WarnTemplates is the code of that warning.
const WarnTemplates = "TEMPLATES_UNREAD"

const (
	// maxTemplatesRead is the largest number of templates that are read for one name.
	maxTemplatesRead = 64
	// shownTemplates is the largest number of their lines in a warning.
	shownTemplates = 6
)

// templates adds a warning that names the lines of templates which seem to call the requested symbol.
func (g *graphing) templates(ctx context.Context, row *l2meta.Row) error {
	name := calledName(&row.Symbol)
	if g.req.Direction == contract.DirectionCallees || !row.Symbol.Kind.Callable() {
		return nil
	}
	var places []string
	err := g.place.Root.View(ctx, func(v *jit.View) error {
		if has, err := g.hasTemplates(ctx, v); err != nil || !has {
			return err
		}
		files, err := g.templatesHolding(ctx, v, name, row.Language)
		for _, file := range files {
			text, err := g.place.Root.ReadNow(file, nil)
			if err != nil {
				continue // the file was removed meanwhile
			}
			for _, line := range linesCalling(string(text), name) {
				places = append(places, fmt.Sprintf("%s:%d", file, line))
			}
		}
		return err
	})
	if len(places) == 0 || err != nil {
		return err
	}
	slices.Sort(places)
	left := ""
	if n := len(places) - shownTemplates; n > 0 {
		places, left = places[:shownTemplates], fmt.Sprintf(" and %d more", n)
	}
	g.answer.Warnings = append(g.answer.Warnings, WarnTemplates+":templates, whose calls are not resolved, mention "+
		name+": "+strings.Join(places, ", ")+left)
	return nil
}

type hasTemplatesKey struct{}

// hasTemplates reports whether the root has a template. Most roots have none, and need no look-up of the name.
func (g *graphing) hasTemplates(ctx context.Context, v *jit.View) (bool, error) {
	generation, err := jit.Generation(ctx, v)
	if err != nil {
		return false, err
	}
	w := resolve.New(ctx, v, g.service.Derived(g.place.Root), generation).World()
	return resolve.DeriveDetached(w, hasTemplatesKey{}, func() bool {
		return g.place.Root.HasNamed(func(base string) bool {
			_, ok := lang.InTemplate(base)
			return ok
		})
	}), w.Err()
}

// templatesHolding returns the paths of at most maxTemplatesRead templates with code of a language that contain name.
// It returns none for a name that too many files contain.
func (g *graphing) templatesHolding(ctx context.Context, v *jit.View, name, language string) (out []string, err error) {
	files, _, err := g.service.Words(g.place.Root).Holding(ctx, v, name, l1fts.Query{}, l1fts.Filter{}, maxMentioning)
	for _, f := range files {
		l, ok := lang.InTemplate(f.Path)
		if ok && f.Class != code.ClassTest && languages.All.Together(l.Name, language) && len(out) < maxTemplatesRead {
			out = append(out, f.Path)
		}
	}
	return out, err
}

// linesCalling returns the lines, 1-based, on which text seems to call name: behind a dot or before a parenthesis.
func linesCalling(text, name string) (out []int) {
	for n, line := range strings.Split(text, "\n") {
		for at := 0; ; {
			i := strings.Index(line[at:], name)
			if i < 0 {
				break
			}
			at += i
			end := at + len(name)
			apart := (at == 0 || !symbols.WordByte(line[at-1])) && (end == len(line) || !symbols.WordByte(line[end]))
			// at the beginning of a line of Haml, .name is a class of CSS
			sent := at > 1 && line[at-1] == '.' && line[at-2] > ' '
			if apart && (sent || end < len(line) && line[end] == '(') {
				out = append(out, n+1)
				break
			}
			at = end
		}
	}
	return out
}
