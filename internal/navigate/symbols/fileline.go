package symbols

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// FileLine matches a file and a line as answers write them: server.go:42.
var FileLine = regexp.MustCompile(`(?s)^(.+):(\d{1,9})$`)

// atLine resolves a label such as "server.go:42". It returns the innermost symbol around that line,
// or the file if the line is outside of every symbol. found is false if the label has another form
// or no file has that name.
func (s *Service) atLine(ctx context.Context, p *engine.Place, label string) (where Located, found bool, err error) {
	m := FileLine.FindStringSubmatch(label)
	if m == nil {
		return where, false, nil
	}
	if _, err := p.Root.Sync(ctx); err != nil {
		return where, false, err
	}
	file := strings.TrimPrefix(strings.TrimPrefix(m[1], p.Root.Path()+"/"), "./")
	line, _ := strconv.Atoi(m[2])
	paths, err := s.filesEnding(ctx, p, file)
	if err != nil || len(paths) == 0 {
		return where, false, err
	}
	if _, err := p.Root.Verify(ctx, paths); err != nil {
		return where, false, fmt.Errorf("verify %s: %w", file, err)
	}
	rows, err := s.around(ctx, p, paths, line)
	switch {
	case err != nil || len(rows) == 0:
		return where, false, err
	case len(rows) > 1:
		return Located{Outcome: contract.CondAmbiguous.Outcome("%d files are called %q. Repeat with the path of the "+
			"one that is meant, as in %q.", len(rows), file, fmt.Sprintf("%s:%d", rows[0].Path, line)),
			Candidates: CandidatesOf(rows)}, true, nil
	}
	return Located{File: rows[0].Path,
		Ref: contract.SymbolRef{File: rows[0].Path, SymbolID: string(RowID(rows[0])),
			SymbolLabel: rows[0].Symbol.QualifiedName}}, true, nil
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

// around returns, for each file, the innermost symbol around a line, or the file if there is no
// such symbol.
func (s *Service) around(ctx context.Context, p *engine.Place, paths []string, line int) (out []l2meta.Row, err error) {
	err = p.Root.View(ctx, func(v *jit.View) error {
		for _, file := range paths {
			f, known, err := v.File(ctx, file)
			if err != nil {
				return err
			}
			if !known {
				continue
			}
			rows, err := s.Facts.OfFile(ctx, v, f.ID)
			if err != nil {
				return err
			}
			row := l2meta.Row{FileID: f.ID, Path: f.Path, Language: f.Language, Class: f.Class, Index: -1,
				Symbol: FileSymbol(f.Path)}
			if o := OwnerOf(rows, line); o >= 0 {
				row = rows[o]
			}
			out = append(out, row)
		}
		return nil
	})
	return out, err
}
