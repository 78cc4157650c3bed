package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"sextant/cmd/dev/internal/quality"
	"sextant/internal/code"
	"sextant/internal/navigate"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta/languages"
)

// tokens is the kind of question that searches for a literal: a token that
// occurs on a single line of all searched files, and is declared nowhere.
const tokens = "tokens"

// tokensEach is the number of tokens per repository.
const tokensEach = 25

// readTokens returns the repositories of a list as sets without questions. Their questions are
// drawn after indexing.
func readTokens(file string) (sets []quality.Set, err error) {
	list, err := quality.ReadList(file)
	for _, s := range list {
		sets = append(sets, quality.Set{Repository: s.Repository, Commit: s.Commit, Split: s.Split})
	}
	return sets, err
}

// drawTokens draws questions, a rare token each, from the files that a search covers by default: no
// documents, generated files, fixtures or vendored files.
func (e *engine) drawTokens(ctx context.Context, seed uint64) ([]quality.Question, error) {
	rare := quality.NewRareTokens()
	err := e.root.View(ctx, func(v *jit.View) error {
		return v.Files(ctx, func(row jit.FileRow) error {
			if row.Skip != "" || row.Class == code.ClassDocs || row.Class == code.ClassGenerated ||
				row.Class == code.ClassFixture || row.Class == code.ClassVendor {
				return nil
			}
			text, err := os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(row.Path)))
			if err != nil {
				return err
			}
			parsed, err := languages.Extract(row.Path, text)
			if err != nil {
				return nil // a file that cannot be parsed declares nothing
			}
			var names []string
			for i := range parsed.Symbols {
				names = append(names, parsed.Symbols[i].Name)
			}
			rare.Add(row.Path, string(text), names)
			return nil
		})
	})
	return rare.Draw(seed, tokensEach), err
}

// askTokens chooses random tokens of a repository and searches for each. For each it records the
// rank of the first result whose preview shows the token's line.
func (f *figures) askTokens(ctx context.Context, e *engine, r *runner) error {
	questions, err := e.drawTokens(ctx, r.seed)
	if err != nil {
		return err
	}
	for i := range questions {
		q := &questions[i]
		for way, service := range map[string]*navigate.Service{complete: e.complete, lexical: e.lexical} {
			rank, found, err := e.showing(ctx, service, q)
			if err != nil {
				return err
			}
			f.ranks[way] = append(f.ranks[way], rank)
			if way == complete && r.misses && (rank == 0 || rank > 5) {
				fmt.Printf("rank %d: %s, wanted %s:%d\n", rank, q.Query, q.Answers[0].File, q.Answers[0].Line)
				for _, a := range found[:min(len(found), 5)] {
					fmt.Printf("    found  %s %s %d\n", a.File, a.Symbol, a.Line)
				}
			}
		}
	}
	return nil
}

// showing returns the rank, from 1, of the first result whose preview contains
// the line of the token; 0 if none does.
func (e *engine) showing(ctx context.Context, s *navigate.Service,
	q *quality.Question) (rank int, found []quality.Answer, err error) {
	req := contract.SearchRequest{Path: e.dir, Query: q.Query, Limit: depth}
	if err := req.Normalize(); err != nil {
		return 0, nil, err
	}
	req.MaxTokens = contract.MaxMaxTokens
	answer, err := s.Search(ctx, req)
	if err != nil {
		return 0, nil, fmt.Errorf("%q: %w", q.Query, err)
	}
	want := q.Answers[0]
	for i, result := range answer.Results {
		g, ok := result.(*contract.Group)
		if !ok {
			continue
		}
		found = append(found, quality.Answer{File: g.File, Symbol: g.SymbolLabel, Line: g.Span.StartLine})
		if p := g.PreviewSpan; rank == 0 && g.File == want.File && p != nil && p.StartLine <= want.Line &&
			want.Line <= p.EndLine {
			rank = i + 1
		}
	}
	return rank, found, nil
}
