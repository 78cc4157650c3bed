package callgraph

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// root returns the row of the symbol or folder that the graph starts from. If there is none, it
// sets the outcome of the answer and returns false.
func (g *graphing) root(ctx context.Context) (row l2meta.Row, ok bool, err error) {
	a, p, ref := g.answer, g.place, symbols.WithoutLines(g.place, g.req.SymbolRef)
	if ref.File == "" && g.service.symbols.IsFile(ctx, p) {
		ref.File = p.Rel
	}
	if row, found, err := g.folderRoot(ctx, ref, true); found || err != nil {
		return row, g.answer.Status == "", err
	}
	where, err := g.service.symbols.FileOfSymbol(ctx, p, ref, traceable)
	if err == nil {
		if row, found, err := g.serviceNamed(ctx, ref, where); found || err != nil {
			return row, a.Status == "", err
		}
	}
	for range engine.MaxPasses {
		if err != nil || where.File == "" {
			break
		}
		row, ok, err = g.rootIn(ctx, where)
		if err != nil || a.Reason != contract.ReasonMissingFile || ref.File != "" {
			return row, ok, err
		}
		// The file that had the symbol is gone, and so are now its rows. It may have been renamed.
		if where, err = g.service.symbols.FileOfSymbol(ctx, p, ref, traceable); err == nil {
			a.Outcome, a.Hints = contract.Outcome{}, nil
		}
	}
	if err != nil {
		return row, false, err
	}
	if where.File == "" {
		// Symbols with that name are preferred to a file with it.
		if where.Outcome.Reason != contract.ReasonAmbiguousSymbol {
			file, found, err := g.fileNamed(ctx, ref.SymbolLabel)
			if err != nil {
				return row, false, err
			}
			if found {
				row, ok = g.fileRoot(&file)
				return row, ok, nil
			}
			if row, found, err := g.folderRoot(ctx, ref, false); found || err != nil {
				return row, g.answer.Status == "", err
			}
		}
		a.Outcome, a.Candidates = where.Outcome, where.Candidates
		return row, false, g.suggestAll(ctx)
	}
	return g.rootIn(ctx, where)
}

// stored returns a file with the symbols that the index has, verified against its bytes on disk. The
// symbols lack their signatures, belong to the cache and must not be modified; calls and imports are not
// set. Parsing the file would give the same symbols and cost more than the search of the graph. The error
// wraps engine.ErrKeepsMoving if the file changes on each attempt, or else an error of package jit.
func (g *graphing) stored(ctx context.Context, file string) (*engine.Parsed, error) {
	root := g.place.Root
	for range engine.MaxPasses {
		if _, err := root.Verify(ctx, []string{file}); err != nil {
			return nil, fmt.Errorf("verify %s: %w", file, err)
		}
		text, row, err := root.Read(ctx, file)
		if errors.Is(err, jit.ErrMoved) {
			continue
		}
		f := &engine.Parsed{File: code.File{Path: file, Language: row.Language, Class: row.Class, Text: text,
			Parsed: row.Parsed}, Row: row}
		if err != nil {
			return f, err
		}
		same := false
		err = root.View(ctx, func(v *jit.View) error {
			now, found, err := v.File(ctx, file)
			if same = found && now.Hash == row.Hash && now.ID == row.ID; err != nil || !same {
				return err
			}
			generation, err := jit.Generation(ctx, v)
			if err != nil {
				return err
			}
			known, err := resolve.New(ctx, v, g.service.Derived(root), generation).File(file)
			if known != nil {
				f.Symbols = known.Symbols
			}
			return err
		})
		if err != nil || same {
			return f, err
		}
	}
	return &engine.Parsed{}, fmt.Errorf("read %s: %w", file, engine.ErrKeepsMoving)
}

// rootIn returns the row of the symbol in its file, as the file is on disk now. If there is none,
// it sets the outcome of the answer and returns false.
func (g *graphing) rootIn(ctx context.Context, where symbols.Located) (row l2meta.Row, ok bool, err error) {
	a, p := g.answer, g.place
	f, err := g.stored(ctx, where.File)
	if err != nil {
		if a.Outcome, err = engine.Unreadable(p.Absolute(where.File), f, err); err == nil &&
			a.Reason == contract.ReasonMissingFile {
			a.Hints, err = g.service.symbols.SuggestFiles(ctx, p.Root.Path(), where.File,
				func(like string) contract.Request {
					return anew(g.req, contract.SymbolRef{File: like, SymbolLabel: g.req.SymbolRef.SymbolLabel})
				})
		}
		return row, false, err
	}
	if !f.Parsed {
		a.Outcome = symbols.NotParsed(&f.File, f.Row.BadBytes,
			"No calls are known for %s. search_codebase with must:NAME finds every mention.")
		return row, false, nil
	}
	res := symbols.ResolveIn(&f.File, where.Ref)
	if !res.Found {
		if symbols.NamesFile(&f.File, where.Ref) {
			row, ok = g.fileRoot(&f.Row)
			return row, ok, nil
		}
		if err := g.sign(ctx, f); err != nil {
			return row, false, err
		}
		// The signature of an extension function names the type that it extends.
		if res = symbols.ResolveIn(&f.File, where.Ref); !res.Found {
			a.Outcome, a.Candidates = symbols.SymbolMissing(where.File, where.Ref, &f.File, res)
			g.suggest()
			return row, false, nil
		}
	}
	if res.Moved {
		a.Warnings = append(a.Warnings, "SYMBOL_MOVED")
	}
	a.SymbolRef = symbols.RefOf(where.File, res.Named)
	span := contract.Lines(res.Symbol.Span)
	a.SymbolRef.Span = &span
	if _, calls := l2meta.Understands(f.Language); !calls {
		g.refuse(f.Language, res.Symbol)
		return row, false, g.leadToEnds(ctx, f.Row.ID, res.Index)
	}
	return l2meta.Row{FileID: f.Row.ID, Path: f.Path, Language: f.Language, Class: f.Class, Index: res.Index,
		Symbol: *res.Symbol}, true, nil
}

// sign adds signatures, which distinguish overloads, to the symbols of a stored file.
// Results that refer to the symbols without signatures must be resolved again.
func (g *graphing) sign(ctx context.Context, f *engine.Parsed) error {
	return g.place.Root.View(ctx, func(v *jit.View) error {
		signatures, err := g.service.Facts.Signatures(ctx, v, f.Row.ID)
		f.Symbols = slices.Clone(f.Symbols) // the original slice belongs to the cache
		for i, text := range signatures[:min(len(signatures), len(f.Symbols))] {
			f.Symbols[i].Signature = text
		}
		return err
	})
}

// fileNamed returns the indexed file whose path is label or, if there is none, the only file whose path
// ends with label. It finds only files in languages with a grammar.
func (g *graphing) fileNamed(ctx context.Context, label string) (file jit.FileRow, found bool, err error) {
	err = g.place.Root.View(ctx, func(v *jit.View) error {
		refs, err := v.FilesNamed(ctx, path.Base(label))
		if err != nil {
			return err
		}
		var hits []int64
		for _, r := range refs {
			switch {
			case !code.Within(r.Path, g.place.Rel):
			case r.Path == label:
				file, found, err = v.FileByID(ctx, r.ID)
				return err
			case strings.HasSuffix(r.Path, "/"+label):
				hits = append(hits, r.ID)
			}
		}
		if len(hits) != 1 {
			return nil
		}
		file, found, err = v.FileByID(ctx, hits[0])
		return err
	})
	return file, err == nil && found && (file.Parsed || file.BadBytes > 0), err
}

// fileRoot returns, as the root, the row of a file's code outside of all symbols. If the parser
// gave up on the file, or neither calls nor imports of its language are known, it sets the outcome
// of the answer and returns false.
func (g *graphing) fileRoot(f *jit.FileRow) (l2meta.Row, bool) {
	row := l2meta.Row{FileID: f.ID, Path: f.Path, Language: f.Language, Class: f.Class, Index: -1,
		Symbol: symbols.FileSymbol(f.Path)}
	g.answer.SymbolRef = contract.SymbolRef{File: f.Path, SymbolID: string(symbols.RowID(row)),
		SymbolLabel: row.Symbol.Name, Span: &contract.LineSpan{StartLine: 1, EndLine: max(f.Lines, 1)}}
	if !f.Parsed {
		g.answer.Outcome = symbols.NotParsed(&code.File{Path: f.Path, Language: f.Language}, f.BadBytes, "")
		return row, false
	}
	if _, calls := l2meta.Understands(f.Language); !calls && !languages.All.FollowsImports(f.Language) {
		g.refuse(f.Language, &row.Symbol)
		return row, false
	}
	return row, true
}

// suggestAll suggests a request for each candidate or, if there are none, a search. If the label looks
// like a file's name, requests for similar files come first.
func (g *graphing) suggestAll(ctx context.Context) error {
	a, label := g.answer, g.req.SymbolRef.SymbolLabel
	g.suggest()
	file := label
	if at, ok := contract.ParsePlace(label); ok {
		file = at.File
	}
	if a.Reason != contract.ReasonMissingSymbol || !symbols.NamedFile.MatchString(file) {
		return nil
	}
	files, err := g.service.symbols.SuggestFiles(ctx, g.place.Root.Path(), file, func(like string) contract.Request {
		return anew(g.req, contract.SymbolRef{SymbolLabel: like + strings.TrimPrefix(label, file)})
	})
	if err == nil && files != nil {
		a.Hints.NextSteps = append(files.NextSteps, a.Hints.NextSteps...)
	}
	return err
}

// suggest adds a request for each candidate, or a search if there are no candidates. It adds nothing
// for a path that does not exist.
func (g *graphing) suggest() {
	a := g.answer
	a.Hints = &contract.Hints{}
	if a.Reason == contract.ReasonMissingPath {
		return
	}
	for _, c := range a.Candidates[:min(len(a.Candidates), symbols.MaxSuggested)] {
		a.Hints.NextSteps = append(a.Hints.NextSteps,
			*contract.Suggest(anew(g.req, contract.SymbolRef{File: c.File, SymbolID: c.SymbolID,
				SymbolLabel: c.SymbolLabel})).Because("if " + c.SymbolLabel + " in " + c.File + " is meant"))
	}
	if at, ok := contract.ParsePlace(g.req.SymbolRef.SymbolLabel); ok && len(a.Candidates) == 0 {
		a.Hints.NextSteps = []contract.Action{*contract.Suggest(&contract.SearchRequest{Path: g.req.Path,
			Query: "path:**/" + path.Base(at.File)}).Because("finds a file by its name")}
		return
	}
	if name := symbols.LastName(g.req.SymbolRef.SymbolLabel); len(a.Candidates) == 0 && name != "" {
		a.Hints.NextSteps = []contract.Action{*contract.Suggest(&contract.SearchRequest{Path: g.req.Path,
			Query: name}).Because("finds names and words like it")}
	}
}
