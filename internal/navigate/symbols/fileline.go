package symbols

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// atLine resolves a label such as "server.go:42" or "server.go:42-60". It returns the symbol with these lines, or
// else the innermost one around the first of them, or the file if that is outside of every symbol. found is false if
// the label has another form or no file has that name.
func (s *Service) atLine(ctx context.Context, p *engine.Place, label string) (where Located, found bool, err error) {
	at, ok := contract.ParsePlace(label)
	if !ok {
		return where, false, nil
	}
	if _, err := p.Root.Sync(ctx); err != nil {
		return where, false, err
	}
	if paths, err := s.filesEnding(ctx, p, label); err != nil || len(paths) > 0 {
		return where, false, err // a file is called so
	}
	file := strings.TrimPrefix(strings.TrimPrefix(at.File, p.Root.Path()+"/"), "./")
	paths, err := s.filesEnding(ctx, p, file)
	if err != nil || len(paths) == 0 {
		return where, false, err
	}
	if _, err := p.Root.Verify(ctx, paths); err != nil {
		return where, false, fmt.Errorf("verify %s: %w", file, err)
	}
	rows, lines, err := s.around(ctx, p, paths, at)
	switch {
	case err != nil || len(rows)+lines == 0:
		return where, false, err
	case len(rows) == 0:
		return Located{Outcome: contract.CondMissingSymbol.Outcome("%s has no line %d: its lines are 1 to %d. Repeat "+
			"with one of them, or with the file alone.", paths[0], at.First, lines)}, true, nil
	case len(rows) > 1:
		return Located{Outcome: contract.CondAmbiguous.Outcome("%d files are called %q. Repeat with the path of the "+
			"one that is meant, as in %q.", len(rows), file, fmt.Sprintf("%s:%d", rows[0].Path, at.First)),
			Candidates: CandidatesOf(rows)}, true, nil
	}
	return Located{File: rows[0].Path,
		Ref: contract.SymbolRef{File: rows[0].Path, SymbolID: string(RowID(rows[0])),
			SymbolLabel: rows[0].Symbol.QualifiedName}}, true, nil
}

// WithoutLines returns ref without the lines after its file, as in "server.go:42", unless a file is called so.
func WithoutLines(p *engine.Place, ref contract.SymbolRef) contract.SymbolRef {
	if at, ok := contract.ParsePlace(ref.File); ok && !p.Has(ref.File) {
		ref.File = at.File
	}
	return ref
}

// filesEnding returns the path file if that is below p and indexed, or else the paths below p that end
// with file, at most MaxCandidates.
func (s *Service) filesEnding(ctx context.Context, p *engine.Place, file string) (paths []string, err error) {
	err = p.Root.View(ctx, func(v *jit.View) error {
		refs, err := v.FilesNamed(ctx, path.Base(file))
		for _, f := range refs {
			if code.Within(f.Path, p.Rel) && (f.Path == file || strings.HasSuffix(f.Path, "/"+file)) {
				paths = append(paths, f.Path)
			}
		}
		return err
	})
	if slices.Contains(paths, file) {
		paths = []string{file}
	}
	return paths[:min(len(paths), MaxCandidates)], err
}

// around returns, for each file that has the first line of a place, the symbol with the lines of the place, or else
// the innermost one around the first, or the file if there is none. lines is the number of lines of the longest file.
func (s *Service) around(ctx context.Context, p *engine.Place, paths []string, at contract.FilePlace) (out []l2meta.Row,
	lines int, err error) {
	err = p.Root.View(ctx, func(v *jit.View) error {
		for _, file := range paths {
			f, known, err := v.File(ctx, file)
			if err != nil {
				return err
			}
			if !known {
				continue
			}
			lines = max(lines, f.Lines)
			if at.First < 1 || at.First > f.Lines {
				continue
			}
			rows, err := s.Facts.AtLine(ctx, v, f.ID, at.First)
			if err != nil {
				return err
			}
			row := l2meta.Row{FileID: f.ID, Path: f.Path, Language: f.Language, Class: f.Class, Index: -1,
				Symbol: FileSymbol(f.Path)}
			if o := OwnerOf(rows, at.First); o >= 0 {
				row = rows[o]
			}
			for _, r := range rows {
				if r.Symbol.Span.StartLine == at.First && r.Symbol.Span.EndLine == at.Last && at.Last > at.First {
					row = r
					break
				}
			}
			out = append(out, row)
		}
		return nil
	})
	return out, lines, err
}
