package main

import (
	"context"
	"fmt"
	"path/filepath"

	"sextant/internal/quality"
	"sextant/l2meta"
)

const (
	sentencesEach = 120 // questions a repository
	commitsEach   = 60
	// fewest questions tell something of a repository.
	fewest = 25
)

// mine writes the questions of both splits.
func (r *runner) mine(ctx context.Context) error {
	list, err := quality.ReadList(r.list)
	if err != nil {
		return err
	}
	var sentences, commits []quality.Set
	for _, s := range list {
		if s.Split == quality.Train {
			continue
		}
		clone, err := quality.Find(r.corpus, s.Repository)
		if err != nil {
			return err
		}
		set := quality.Set{Repository: s.Repository, Commit: s.Commit, Split: s.Split}
		if set.Questions, err = clone.Sentences(ctx, s.Commit, l2meta.Extract, sentencesEach); err != nil {
			return err
		}
		told := len(set.Questions)
		if told >= fewest {
			sentences = append(sentences, set)
		}
		if set.Questions, err = clone.Commits(ctx, s.Commit, commitsEach); err != nil {
			return err
		}
		if len(set.Questions) >= fewest {
			commits = append(commits, set)
		}
		fmt.Printf("%-28s %4d sentences %4d commits\n", s.Repository, told, len(set.Questions))
	}
	if err := quality.WriteSets(filepath.Join(r.data, "sentences.json"), sentences); err != nil {
		return err
	}
	return quality.WriteSets(filepath.Join(r.data, "commits.json"), commits)
}
