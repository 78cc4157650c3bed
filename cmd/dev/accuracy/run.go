package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sextant/cmd/dev/internal/accuracy"
)

// runner measures one repository after another and collects the figures.
type runner struct {
	*options
	languages map[string]*language
	absent    []string
}

// language holds the measurements of one language.
type language struct {
	golden  accuracy.Golden
	splits  map[accuracy.Split]*accuracy.Score
	lacking bool // whether a repository or a tool is missing
}

func (r *runner) language(name string) *language {
	if r.languages[name] == nil {
		r.languages[name] = &language{golden: accuracy.Golden{Language: name},
			splits: map[accuracy.Split]*accuracy.Score{}}
	}
	return r.languages[name]
}

// measure measures one repository. It records a missing prerequisite, such as a compiler, in absent
// and returns no error for it.
func (r *runner) measure(ctx context.Context, entry *accuracy.Entry) error {
	dir, truth, err := r.truth(ctx, entry)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.absent = append(r.absent, fmt.Sprintf("%s: %v", entry.Language, err))
		r.language(entry.Language).lacking = true
		return nil
	}
	if r.truthOnly {
		fmt.Printf("%-12s %-40s %8d sites\n", entry.Language, entry.Repo, len(truth))
		return nil
	}
	began := time.Now()
	score, verdicts, err := r.judge(ctx, entry, dir, truth)
	if err != nil {
		return fmt.Errorf("%s: %w", entry.Repo, err)
	}
	fmt.Printf("%s (%s, %s, %.1f s)\n", entry.Repo, entry.Language, entry.Split, time.Since(began).Seconds())
	printScore(score)
	if r.sites != "" {
		if err := r.list(entry.Repo, verdicts); err != nil {
			return err
		}
	}
	r.samples(dir, verdicts)
	r.keep(entry, score)
	return nil
}

// truth returns the work tree of e and the truth about it: its call sites with the targets that a
// compiler found, or that were checked by hand. It runs the compiler if no truth is stored, or with
// --refresh.
func (r *runner) truth(ctx context.Context, e *accuracy.Entry) (dir string, truth []accuracy.Truth, err error) {
	if dir, err = e.Dir(ctx, r.corpus); err != nil {
		return "", nil, err
	}
	if !accuracy.HasOracle(e.Language) {
		truth, err = accuracy.ReadHand(e)
		if err == nil && len(truth) == 0 {
			err = fmt.Errorf("%s has no hand-checked site in %s", e.Repo, accuracy.HandFile(e.Language))
		}
		return dir, truth, err
	}
	file := e.TruthFile(r.corpus)
	if _, err := os.Stat(file); r.refresh || errors.Is(err, fs.ErrNotExist) {
		if err := accuracy.MakeTruth(ctx, e.Language, dir, file); err != nil {
			return "", nil, err
		}
	}
	truth, err = accuracy.ReadTruthFile(file)
	return dir, truth, err
}

// judge indexes the work tree and compares the answer for each call site with the truth, the target
// that a compiler found. It returns the counts, and the verdicts to print (answers with the truth
// about them): all with --sites, or else the missed and wrong ones.
func (r *runner) judge(ctx context.Context, e *accuracy.Entry, dir string,
	truth []accuracy.Truth) (*accuracy.Score, []accuracy.Verdict, error) {
	score := accuracy.NewScore()
	var verdicts []accuracy.Verdict
	sites := accuracy.NewSites(truth)
	err := r.indexed(ctx, dir, func(x *index) error {
		for _, file := range sites.Files {
			of := sites.Of(file)
			if !x.has(file) {
				score.Unindexed += len(of)
				continue
			}
			answers, err := x.answers(file, e.Language)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			out, unjudged := accuracy.Judge(file, of, answers, x.has)
			score.Unjudged += unjudged
			for i := range out {
				score.Add(&out[i])
				if r.sites != "" || out[i].Missed() || out[i].Wrong() {
					verdicts = append(verdicts, out[i])
				}
			}
		}
		return nil
	})
	return score, verdicts, err
}

// keep adds the figures of a repository to those of its language, which finish
// prints.
func (r *runner) keep(e *accuracy.Entry, score *accuracy.Score) {
	l := r.language(e.Language)
	kind := "compiler"
	if !accuracy.HasOracle(e.Language) {
		kind = "hand"
	}
	l.golden.Repositories = append(l.golden.Repositories, accuracy.Measured{
		Repo: e.Repo, Commit: e.Version(), Licence: e.Licence, Split: e.Split, Truth: kind,
		Figures: accuracy.Publish(score),
	})
	if l.splits[e.Split] == nil {
		l.splits[e.Split] = accuracy.NewScore()
	}
	l.splits[e.Split].Merge(score)
}

// finish prints the figures of each language. With --write it writes the golden files, which hold
// the committed figures. Without, it compares the figures with the committed ones.
func (r *runner) finish() error {
	var failed []string
	for _, name := range slices.Sorted(maps.Keys(r.languages)) {
		lang := r.languages[name]
		lang.golden.Splits = map[accuracy.Split]accuracy.Figures{}
		for split, score := range lang.splits {
			lang.golden.Splits[split] = accuracy.Publish(score)
			fmt.Printf("\n%s, all of %s\n", name, split)
			printScore(score)
			f := lang.golden.Splits[split]
			fmt.Print(accuracy.StrategyTable(&f))
		}
		if lang.lacking || r.partial() {
			continue // the figures do not cover the whole language
		}
		if r.write {
			if err := lang.golden.Write(); err != nil {
				return err
			}
			continue
		}
		if same, err := lang.golden.Agrees(); err != nil {
			return err
		} else if !same {
			failed = append(failed, name)
		}
	}
	if r.write {
		if err := writeDocument(); err != nil {
			return err
		}
	}
	if r.calibrate {
		return errors.Join(r.writeCalibration(), r.absentees())
	}
	if err := r.absentees(); err != nil {
		return err
	}
	if len(failed) > 0 && r.all {
		return fmt.Errorf("the figures of %s are not those of %s; --write takes them", strings.Join(failed, ", "),
			accuracy.GoldenDir)
	}
	return nil
}

// writeDocument writes docs/accuracy.md, and its summary into README.md.
func writeDocument() error {
	goldens, err := accuracy.ReadGoldens()
	if err != nil {
		return err
	}
	uses, err := accuracy.AllUses()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join("docs", "accuracy.md"), []byte(accuracy.Document(goldens, uses...)),
		0o644); err != nil {
		return err
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	before, rest, opened := strings.Cut(string(readme), blockStart)
	_, after, closed := strings.Cut(rest, blockEnd)
	if !opened || !closed {
		return fmt.Errorf("README.md has no block %s … %s", blockStart, blockEnd)
	}
	return os.WriteFile("README.md", []byte(before+blockStart+"\n"+accuracy.Brief(goldens)+blockEnd+after), 0o644)
}

// These constants are the marks around the summary in README.md.
const (
	blockStart = "<!-- accuracy -->"
	blockEnd   = "<!-- /accuracy -->"
)

// absentees prints the prerequisites that were missing, such as a compiler. With --all or --write
// it returns an error if there are any.
func (r *runner) absentees() error {
	for _, a := range r.absent {
		fmt.Fprintln(os.Stderr, "absent:", a)
	}
	if len(r.absent) > 0 && (r.all || r.write) {
		return fmt.Errorf("%d repositories were not measured", len(r.absent))
	}
	return nil
}
