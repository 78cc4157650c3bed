package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/cmd/dev/internal/quality"
	"sextant/cmd/dev/internal/tokens"
	"sextant/cmd/dev/internal/tokens/mine"
)

// mine draws new tasks about the selected repositories. They replace the tasks about these
// repositories in the committed list.
func (r *runner) mine(ctx context.Context) error {
	list, err := r.selected()
	if err != nil {
		return err
	}
	done, err := r.prepare()
	if err != nil {
		return err
	}
	defer done()
	file := filepath.Join(r.data, "tasks.jsonl")
	held, err := tokens.ReadTasks(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var asked []tokens.Task
	for _, earlier := range r.heldOutOf {
		tasks, err := tokens.ReadTasks(earlier)
		if err != nil {
			return err
		}
		asked = append(asked, tasks...)
	}
	for i := range list {
		drawn, err := r.mineOne(ctx, &list[i], asked)
		if err != nil {
			return fmt.Errorf("%s: %w", list[i].name, err)
		}
		held = slices.DeleteFunc(held, func(t tokens.Task) bool { return t.Repository == list[i].name })
		held = append(held, drawn...)
		count := map[tokens.Kind]int{}
		for _, t := range drawn {
			count[t.Kind]++
		}
		fmt.Println(list[i].name, len(drawn), count)
	}
	if err := r.sort(held); err != nil {
		return err
	}
	return tokens.WriteTasks(file, held)
}

// sort orders tasks by the order of their repositories in the lock file.
func (r *runner) sort(tasks []tokens.Task) error {
	list, err := readLock(filepath.Join(r.data, "repositories.lock"))
	if err != nil {
		return err
	}
	order := map[string]int{}
	for i, l := range list {
		order[l.name] = i
	}
	slices.SortStableFunc(tasks, func(a, b tokens.Task) int { return order[a.Repository] - order[b.Repository] })
	return nil
}

// mineOne draws tasks about one repository. No task has the answer of one in asked, the tasks of
// earlier draws.
func (r *runner) mineOne(ctx context.Context, repo *repository, asked []tokens.Task) ([]tokens.Task, error) {
	src := mine.Source{Name: repo.name, Asked: asked, Times: r.times}
	for _, k := range r.kinds {
		src.Kinds = append(src.Kinds, tokens.Kind(k))
	}
	var err error
	if src.Dir, err = r.workTree(ctx, repo); err != nil {
		return nil, err
	}
	if src.Declarations, err = mine.Declarations(ctx, repo.language, src.Dir); err != nil {
		return nil, err
	}
	if !src.Traced() {
		return mine.Tasks(&src, r.seed)
	}
	truth := filepath.Join(r.home, "truth", repo.name+".jsonl")
	if _, err := os.Stat(truth); errors.Is(err, fs.ErrNotExist) {
		if err := accuracy.MakeWholeTruth(ctx, repo.language, src.Dir, truth); err != nil {
			return nil, err
		}
	}
	if src.Truth, err = accuracy.ReadTruthFile(truth); err != nil {
		return nil, err
	}
	return mine.Tasks(&src, r.seed)
}

// workTree returns a directory with the repository that compilers can read. It is the source of the
// Go distribution, a copy with renamed identifiers, or else the clone itself, in which dependencies
// may be installed.
func (r *runner) workTree(ctx context.Context, repo *repository) (string, error) {
	if repo.source == accuracy.GoDistribution {
		return goSource(ctx, repo.commit)
	}
	clone, err := quality.Find(r.corpus, repo.source)
	if err != nil {
		return "", err
	}
	if repo.renamed {
		dir := filepath.Join(r.home, "trees", repo.name+".renamed")
		return dir, repo.rename(ctx, clone, dir)
	}
	entry := accuracy.Entry{Repo: repo.source, Commit: repo.commit}
	if _, err := entry.Dir(ctx, r.corpus); err != nil {
		return "", err // the file does not exist at the commit
	}
	return clone.Dir, nil
}
