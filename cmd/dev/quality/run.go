package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/quality"
)

// runner holds the flags of one run of the program.
type runner struct {
	corpus, data, home, split, list string
	repositories, kinds             []string
	ways                            []string
	limit                           int
	seed                            uint64
	all, write, keep, misses        bool
}

// These constants are the compared ways to search.
const (
	byLines    = "ripgrep"  // files by the number of lines that ripgrep finds
	byKeywords = "keywords" // files by the words that ripgrep finds in them, weighted by rarity
	byWords    = "words"    // search by words, with BM25 of FTS5
	byMeaning  = "meaning"  // search by meaning, with the embedder
	lexical    = "lexical"  // search_codebase without an embedder
	complete   = "search"   // the whole tool search_codebase
)

// figures holds the measurements of one repository. The keys of ranks are the
// ways to search.
type figures struct {
	repository string
	ranks      map[string][]int
	byFile     []int // ranks of a right file in the results of search_codebase, whatever the symbol
	missing    int   // number of questions about things that do not exist
	low        int   // number of such questions that were answered with low confidence
	unsure     int   // number of questions with an answer that were answered with low confidence
}

// run measures each kind of question, prints the reports, and writes them with
// --write. It refuses to print missed questions of the test split.
func (r *runner) run(ctx context.Context) error {
	if r.misses && r.split == quality.Test {
		return errors.New(
			"misses are shown of the validation split alone: nothing is to be fitted to the questions of the other")
	}
	remove, err := r.makeHome()
	if err != nil {
		return err
	}
	defer remove()
	var reports []report
	for _, kind := range r.kinds {
		sets, err := r.sets(kind)
		if err != nil {
			return err
		}
		var measured []figures
		for i := range sets {
			f, err := r.measure(ctx, kind, &sets[i])
			if errors.Is(err, errAbsent) && !r.all {
				fmt.Printf("%-9s %-28s not measured: %v\n", kind, sets[i].Repository, err)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s of %s: %w", kind, sets[i].Repository, err)
			}
			fmt.Println(f.line(kind))
			measured = append(measured, f)
		}
		if len(measured) > 0 {
			reports = append(reports, summarise(kind, r.split, r.limit, measured))
			reports[len(reports)-1].print(os.Stdout)
		}
	}
	if !r.write {
		return nil
	}
	return writeReports(filepath.Join(r.data, "figures-"+r.split+".json"), reports)
}

// makeHome creates a temporary directory for indexes unless --home names one. The caller must
// call remove when it no longer needs the directory.
func (r *runner) makeHome() (remove func(), err error) {
	if r.home != "" {
		return func() {}, nil
	}
	if r.home, err = os.MkdirTemp("", "quality-*"); err != nil {
		return nil, err
	}
	return func() { os.RemoveAll(r.home) }, nil
}

// writeReports replaces the reports of the same kinds in a file and keeps the
// others.
func writeReports(file string, reports []report) error {
	var held []report
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &held)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	held = slices.DeleteFunc(held, func(old report) bool {
		return slices.ContainsFunc(reports, func(now report) bool { return now.Kind == old.Kind })
	})
	held = append(held, reports...)
	slices.SortFunc(held, func(a, b report) int { return strings.Compare(a.Kind, b.Kind) })
	if text, err = json.MarshalIndent(held, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

var errAbsent = errors.New("its clone is not there")

// sets returns the questions of a kind for this run.
func (r *runner) sets(kind string) ([]quality.Set, error) {
	var sets []quality.Set
	var err error
	switch kind {
	case "questions":
		sets, err = quality.ReadAsked(filepath.Join(r.data, "questions"))
	case tokens:
		sets, err = readTokens(filepath.Join(r.data, "tokens.lock"))
	default:
		sets, err = quality.ReadSets(filepath.Join(r.data, kind+".json"))
	}
	if errors.Is(err, fs.ErrNotExist) && !r.all {
		fmt.Println(kind, "are not there:", err)
		return nil, nil
	}
	sets = slices.DeleteFunc(sets, func(s quality.Set) bool {
		return s.Split != r.split || len(r.repositories) > 0 && !slices.Contains(r.repositories, s.Repository)
	})
	for i := range sets {
		if q := sets[i].Questions; r.limit > 0 && len(q) > r.limit {
			sets[i].Questions = q[len(q)-r.limit:]
		}
	}
	return sets, err
}

// measure runs the questions of one set.
func (r *runner) measure(ctx context.Context, kind string, set *quality.Set) (figures, error) {
	measured := figures{repository: set.Repository, ranks: map[string][]int{}}
	if kind == tokens {
		return measured, r.overTree(ctx, kind, set, func(eng *engine, _ *tree) error {
			return measured.askTokens(ctx, eng, r)
		})
	}
	err := r.overTrees(ctx, kind, set, func(eng *engine, q *quality.Question) error {
		return measured.ask(ctx, eng, kind, q, r)
	})
	return measured, err
}

// overTrees calls ask for each question of a set, with the index of the tree that the question
// is about. It leaves out sentences about files that the tree lacks, because they are no longer classified
// as source.
func (r *runner) overTrees(ctx context.Context, kind string, set *quality.Set,
	ask func(*engine, *quality.Question) error) error {
	return r.overTree(ctx, kind, set, func(eng *engine, t *tree) error {
		left := 0
		for i := range set.Questions {
			q := &set.Questions[i]
			if kind == "commits" {
				if err := t.bring(ctx, q.Commit); err != nil {
					return err
				}
			}
			if kind == "sentences" && !t.answers(q) {
				left++
				continue
			}
			if err := ask(eng, q); err != nil {
				return err
			}
		}
		if left > 0 {
			fmt.Printf("%-9s %-28s %4d left out: their files are no source\n", kind, set.Repository, left)
		}
		return nil
	})
}

// overTree calls use with the index of a set's tree. It returns errAbsent if there is no
// clone.
func (r *runner) overTree(ctx context.Context, kind string, set *quality.Set,
	use func(*engine, *tree) error) (err error) {
	clone, err := quality.Find(r.corpus, set.Repository)
	if err != nil {
		return errAbsent
	}
	t := tree{clone: clone, dir: filepath.Join(r.home, "trees", kind, strings.ReplaceAll(set.Repository, "/", "+")),
		kind: kind}
	if !r.keep {
		defer func() { err = errors.Join(err, t.remove()) }()
	}
	at := set.Commit
	if kind == "commits" {
		at = set.Questions[0].Commit
	}
	if err := t.bring(ctx, at); err != nil {
		return errors.Join(errAbsent, err)
	}
	eng, err := open(ctx, filepath.Join(r.home, "index"), t.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, eng.close()) }()
	return use(eng, &t)
}

// ask searches for one question in the selected ways, and always with search_codebase, and records
// the ranks of the answer.
func (f *figures) ask(ctx context.Context, eng *engine, kind string, question *quality.Question, run *runner) error {
	files, functions := kind == "commits", kind == "sentences"
	found, low, err := eng.search(ctx, eng.complete, question.Query, files, functions)
	if err != nil {
		return err
	}
	if run.misses {
		miss(os.Stdout, question, found, low)
	}
	if question.Unanswerable {
		if f.missing++; low {
			f.low++
		}
		return nil
	}
	note := func(way string, found []quality.Answer) { f.ranks[way] = append(f.ranks[way], question.Rank(found)) }
	note(complete, found)
	f.byFile = append(f.byFile, question.FileRank(found))
	if low {
		f.unsure++
	}
	var keywords *quality.Keywords
	for _, way := range run.ways {
		switch way {
		case complete:
			continue
		case lexical:
			found, _, err = eng.search(ctx, eng.lexical, question.Query, files, functions)
		case byWords:
			found, err = eng.byWords(ctx, question.Query, files, functions)
		case byMeaning:
			found, err = eng.byMeaning(ctx, question.Query, files, functions)
		case byLines, byKeywords:
			if !files {
				continue // these ways find files, not symbols
			}
			if keywords == nil {
				keywords, err = quality.NewKeywords(eng.dir)
			}
			if err == nil && way == byLines {
				found = keywords.ByLines(question.Query)
			} else if err == nil {
				found = keywords.ByWords(question.Query)
			}
		default:
			err = fmt.Errorf("no way to search is called %q; they are %v", way, allWays)
		}
		if err != nil {
			return err
		}
		note(way, found)
	}
	return nil
}

var allWays = []string{byLines, byKeywords, byWords, byMeaning, lexical, complete}

// miss prints a question that was not answered among the first five results, or whose confidence is
// wrong: low for a right answer, or not low for a question without answer.
func miss(out io.Writer, q *quality.Question, found []quality.Answer, low bool) {
	rank := q.Rank(found)
	if !q.Unanswerable && rank > 0 && rank <= 5 && !low || q.Unanswerable && low {
		return
	}
	fmt.Fprintf(out, "rank %d, low %t: %s\n", rank, low, q.Query)
	for _, a := range q.Answers {
		fmt.Fprintf(out, "    wanted %s %s %d\n", a.File, a.Symbol, a.Line)
	}
	for _, a := range found[:min(len(found), 6)] {
		fmt.Fprintf(out, "    found  %s %s %d\n", a.File, a.Symbol, a.Line)
	}
}

// line formats the figures of a repository in one line.
func (f *figures) line(kind string) string {
	out := fmt.Sprintf("%-9s %-28s %4d", kind, f.repository, len(f.ranks[complete]))
	for _, way := range allWays {
		if ranks := f.ranks[way]; len(ranks) > 0 {
			m := quality.Measure(ranks)
			out += fmt.Sprintf("  %s %.3f/%.2f", way, m.MRR, m.At5)
		}
	}
	if f.missing > 0 {
		out += fmt.Sprintf("  low %d/%d, and %d that have answers", f.low, f.missing, f.unsure)
	}
	return out
}

// round rounds to four digits.
func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }
