package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sextant/cmd/dev/internal/quality"
	"sextant/l2meta/languages"
)

const (
	sentencesEach = 120 // largest number of questions per repository
	commitsEach   = 60
	// fewest is the least number of questions of a repository; a repository with
	// fewer is dropped.
	fewest = 25
)

// mine creates the questions of both splits and writes them to files.
func (r *runner) mine(ctx context.Context) error {
	list, err := quality.ReadList(r.list)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(s quality.Source) bool { return s.Split == quality.Train })
	sentences, commits := make([]quality.Set, len(list)), make([]quality.Set, len(list))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for i, s := range list {
		group.Go(func() (err error) {
			sentences[i], commits[i], err = r.mineOne(ctx, s)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	few := func(s quality.Set) bool { return len(s.Questions) < fewest }
	sentences, commits = slices.DeleteFunc(sentences, few), slices.DeleteFunc(commits, few)
	if err := quality.WriteSets(filepath.Join(r.data, "sentences.json"), sentences); err != nil {
		return err
	}
	return quality.WriteSets(filepath.Join(r.data, "commits.json"), commits)
}

// mineOne creates the questions of one repository.
func (r *runner) mineOne(ctx context.Context, s quality.Source) (sentences, commits quality.Set, err error) {
	clone, err := quality.Find(r.corpus, s.Repository)
	if err != nil {
		return sentences, commits, err
	}
	sentences = quality.Set{Repository: s.Repository, Commit: s.Commit, Split: s.Split}
	commits = sentences
	if sentences.Questions, err = clone.Sentences(ctx, s.Commit, languages.Extract, sentencesEach); err != nil {
		return sentences, commits, err
	}
	commits.Questions, err = clone.Commits(ctx, s.Commit, commitsEach)
	fmt.Printf("%-28s %4d sentences %4d commits\n", s.Repository, len(sentences.Questions), len(commits.Questions))
	return sentences, commits, err
}
