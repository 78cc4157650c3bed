package grep

import (
	"fmt"
	"slices"

	"sextant/cmd/dev/internal/tokens"
)

const (
	nearby = 3  // lines to read before and after a call site
	half   = 20 // lines to read before and after a word of a description
)

// reading answers a task by listing the files that match, and then reading the text around the
// matches.
func (t *turn) reading() {
	switch task := t.task; task.Kind {
	case tokens.Locate, tokens.Definition:
		for _, d := range t.lang.declarations(task.Name, task.Symbol) {
			t.open(d.search, "rg -l "+t.lang.flag, d.text, 0, narrow-1)
		}
		t.open(named(task.Name), "rg -l -w", task.Name, half, half)
	case tokens.Describe, tokens.Recall:
		t.describe(t.readIn)
	case tokens.Callers:
		s, pattern := t.calls(task.Name)
		t.open(s, "rg -l "+t.lang.flag, pattern, nearby, nearby)
		t.open(named(task.Name), "rg -l -w", task.Name, nearby, nearby)
	case tokens.Trace:
		t.trace(true)
	case tokens.Outline:
		t.outline(false)
	case tokens.Impact:
		t.impact(func(s search, command, pattern string) {
			t.open(s, "rg -l"+command[len("rg -n"):], pattern, nearby, nearby)
		})
	case tokens.Literal:
		t.open(search{words: []string{task.Text}}, "rg -l -F", task.Text, nearby, nearby)
	}
}

// open lists the files that match, and then reads lines before and after the matches in each. Tests
// come last.
func (t *turn) open(s search, command, pattern string, before, after int) {
	hits := t.repo.find(s)
	files, _ := ranked(hits)
	listed := slices.Sorted(slices.Values(files))
	if !t.run(command+" "+quoted(pattern), func(p *printed) {
		for _, f := range listed {
			fmt.Fprintln(&p.text, t.repo.files[f].path)
		}
	}) {
		return
	}
	slices.SortStableFunc(files, func(a, b int) int {
		return tested(t.repo.files[a].path) - tested(t.repo.files[b].path)
	})
	for _, i := range files {
		f := &t.repo.files[i]
		option := fmt.Sprintf("rg -n -B%d -A%d", before, after)
		if before == after {
			option = fmt.Sprintf("rg -n -C%d", after)
		}
		only := s
		only.files = nil
		if !t.run(fmt.Sprintf("%s %s %s", option, quoted(pattern), quoted(f.path)),
			func(p *printed) { p.around(f, f.find(only), before, after) }) {
			return
		}
	}
}

// tested returns 1 for the path of a test and 0 for any other, for sorting.
func tested(path string) int {
	if tokens.IsTest(path) {
		return 1
	}
	return 0
}

// readIn reads around the words of a description in each file, and then the files as a whole.
func (t *turn) readIn(files []int, words search, pattern string) {
	words.files = nil
	for _, i := range files {
		f := &t.repo.files[i]
		if !t.run(fmt.Sprintf("rg -n -i -C%d %s %s", half, quoted(pattern), quoted(f.path)),
			func(p *printed) { p.around(f, f.find(words), half, half) }) {
			return
		}
	}
	for _, i := range files {
		f := &t.repo.files[i]
		if t.read(f, 1, len(f.ends)); t.over {
			return
		}
	}
}
