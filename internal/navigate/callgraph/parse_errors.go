package callgraph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// This file warns about source files that the grammar could parse only in part: calls and
// declarations in the other part are not in the index.

const (
	// maxBrokenRead is the largest number of files with parse errors that are searched
	// for a name.
	maxBrokenRead = 64
	// maxMentioning is the largest number of files that the full-text index lists for a
	// name. If more may contain it, all files with parse errors are suspected to call it.
	maxMentioning = 1024
)

// parseErrors adds a warning about files with parse errors: those of the symbols whose callees are
// listed, and those that may contain calls of the requested symbol.
func (g *graphing) parseErrors(ctx context.Context, part *graphPart, row *l2meta.Row) error {
	known, err := g.service.Coverage(ctx, g.place.Root)
	if err != nil || len(known.Broken) == 0 {
		return err
	}
	broken := known.Broken
	found := map[string]bool{}
	if g.req.Direction != contract.DirectionCallers {
		for file := range part.walk.calling() {
			if _, ok := broken[file]; ok {
				found[file] = true
			}
		}
	}
	vague := 0
	if g.req.Direction != contract.DirectionCallees && row.Symbol.Kind != code.KindFile {
		if vague, err = g.mentions(ctx, calledName(&row.Symbol), row.Language, broken, found); err != nil {
			return err
		}
	}
	if text := missingCalls(broken, found, vague); text != "" {
		g.answer.Warnings = append(g.answer.Warnings, "PARSE_ERRORS:"+text)
	}
	return nil
}

// calling returns the paths of the files that declare the symbols whose callees are listed.
func (w *walk) calling() map[string]bool {
	files := map[string]bool{}
	for _, s := range w.sides {
		for id, state := range s.state {
			if n := w.nodes[id]; !s.up && state.done && n != nil {
				files[n.File] = true
			}
		}
	}
	return files
}

// calledName returns the name that calls of a symbol use: for a constructor, the name of
// its type.
func calledName(s *code.Symbol) string {
	if owner := strings.TrimSuffix(s.QualifiedName, "."+s.Name); s.Kind == code.KindConstructor &&
		owner != s.QualifiedName {
		return owner[strings.LastIndexByte(owner, '.')+1:]
	}
	return s.Name
}

// mentions adds to found the files with parse errors that mention name where the index
// has neither a declaration nor a call of it. If there are too many to read, it adds none
// and returns their number as vague.
func (g *graphing) mentions(ctx context.Context, name, language string, broken map[string]jit.FileRow,
	found map[string]bool) (vague int, err error) {
	suspects := map[string]bool{}
	for path, f := range broken {
		if languages.All.Together(f.Language, language) {
			suspects[path] = true
		}
	}
	err = g.place.Root.View(ctx, func(v *jit.View) error {
		if len(suspects) > maxBrokenRead {
			if vague, err = g.holding(ctx, v, name, suspects); err != nil || vague > 0 {
				return err
			}
		}
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		links := resolve.New(ctx, v, g.service.Derived(g.place.Root), generation)
		for path := range suspects {
			f, err := links.File(path)
			if err != nil {
				return err
			}
			if text, err := g.place.Root.ReadNow(path, nil); err == nil && mentionsUnparsed(f, string(text), name) {
				found[path] = true
			}
		}
		return nil
	})
	return vague, err
}

// holding removes from suspects the files that do not contain name. If too many files may
// contain it, it returns the number of suspects as vague, else 0.
func (g *graphing) holding(ctx context.Context, v *jit.View, name string,
	suspects map[string]bool) (vague int, err error) {
	files, few, err := g.service.Words(g.place.Root).Holding(ctx, v, name, l1fts.Query{}, l1fts.Filter{}, maxMentioning)
	if err != nil {
		return 0, err
	}
	if !few {
		return len(suspects), nil
	}
	holds := map[string]bool{}
	for _, c := range files {
		holds[c.Path] = true
	}
	maps.DeleteFunc(suspects, func(path string, _ bool) bool { return !holds[path] })
	if len(suspects) > maxBrokenRead {
		return len(suspects), nil
	}
	return 0, nil
}

// mentionsUnparsed reports whether text, the content of f, contains name at a place where f has no
// declaration, call or import of it. f is nil if the index has no symbols of the file.
func mentionsUnparsed(f *resolve.File, text, name string) bool {
	known := map[int]bool{}
	var imports []code.Import
	if f != nil {
		imports = f.Imports
		for i := range f.Symbols {
			known[f.Symbols[i].NameSpan.StartByte] = true
		}
		for _, i := range f.CallsOf(name) {
			known[f.Calls()[i].NameSpan.StartByte] = true
		}
	}
	imported := func(at int) bool {
		return slices.ContainsFunc(imports, func(m code.Import) bool {
			return m.Span.StartByte <= at && at < m.Span.EndByte
		})
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		whole := (at == 0 || !symbols.WordByte(text[at-1])) && (end == len(text) || !symbols.WordByte(text[end]))
		if whole && !known[at] && !imported(at) {
			return true
		}
		at = end
	}
}

// missingCalls returns a warning about calls that may be missing: with the files in found, the worst
// first or, if vague is not 0, with the number of files that were too many to search. It returns "" if
// there are none.
func missingCalls(broken map[string]jit.FileRow, found map[string]bool, vague int) string {
	var files []jit.FileRow
	for path := range found {
		files = append(files, broken[path])
	}
	named := symbols.NameBroken(files)
	switch {
	case vague > 0:
		return fmt.Sprintf("calls may be missing: %s could not be parsed as a whole", contract.Plural(vague, "file"))
	case named != "":
		return "calls may be missing in what could not be parsed of " + named
	}
	return ""
}
