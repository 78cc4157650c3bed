package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/cmd/dev/internal/tokens"
)

const data = "../../../testdata/tokens"

// TestPage checks that docs/tokens.md shows the committed figures.
func TestPage(t *testing.T) {
	want, err := pageOf(data)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/tokens.md")
	if err != nil || string(page) != want {
		t.Errorf("docs/tokens.md does not show testdata/tokens/figures.jsonl: run make tokens TOKENS=--write; %v", err)
	}
}

// TestReadme checks that the README shows the figures of the draw that is held
// out.
func TestReadme(t *testing.T) {
	f, err := tokens.ReadFigures(filepath.Join(data, heldOut, "figures.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil || !strings.Contains(string(readme), f.Short()) {
		t.Errorf("README.md does not show the figures of the held-out draw: %v; they are\n%s", err, f.Short())
	}
}

// TestHeldOut checks that the second draw asks for no answer of the first.
func TestHeldOut(t *testing.T) {
	first, err := tokens.ReadTasks(filepath.Join(data, "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := tokens.ReadTasks(filepath.Join(data, heldOut, "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		repository string
		kind       tokens.Kind
		place      tokens.Place
	}
	asked := map[answer]bool{}
	for _, task := range first {
		asked[answer{task.Repository, task.Kind, task.Targets[0][0]}] = true
	}
	for _, task := range second {
		if asked[answer{task.Repository, task.Kind, task.Targets[0][0]}] {
			t.Errorf("asked twice: %+v", task)
		}
	}
}

// TestTasks checks that each repository of the lock file has tasks of all
// kinds, and that the figures are about these tasks.
func TestTasks(t *testing.T) {
	for _, dir := range []string{data, filepath.Join(data, heldOut)} {
		checkTasks(t, dir)
	}
}

func checkTasks(t *testing.T, data string) {
	t.Helper()
	list, err := readLock(filepath.Join(data, "repositories.lock"))
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := tokens.ReadTasks(filepath.Join(data, "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := tokens.ReadFigures(filepath.Join(data, "figures.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]map[tokens.Kind]int{}
	for _, task := range tasks {
		if count[task.Repository] == nil {
			count[task.Repository] = map[tokens.Kind]int{}
		}
		count[task.Repository][task.Kind]++
	}
	for _, r := range list {
		for _, kind := range tokens.Kinds {
			if count[r.name][kind] == 0 {
				t.Errorf("%s has no task of kind %s", r.name, kind)
			}
		}
	}
	for _, c := range f.Cells {
		if !slices.ContainsFunc(list, func(r repository) bool { return r.name == c.Repository && r.size == c.Size }) ||
			c.Tasks != count[c.Repository][c.Kind] {
			t.Errorf("the figures are about other tasks: %+v", c)
		}
	}
}

// TestNext checks that an agent goes on as an answer suggests, and ends.
func TestNext(t *testing.T) {
	const late = "not_ready deadline: call_graph was not ready within 3s.\n" +
		`try: call_graph {"symbolRef":"f","deadlineMs":12000}`
	for _, c := range []struct {
		answer string
		args   map[string]any
		key    string
		want   any // nil for an end
	}{
		{`{"results":[],"cursor":"abc"}`, nil, "cursor", "abc"},
		{"+8 more: a.go (2)   cursor: c2\n", nil, "cursor", "c2"},
		{"+8 more   cursor: \"r1\"\n", nil, "cursor", "r1"},
		{"+8 more   cursor: \"r1\"\n", map[string]any{"cursor": "r1"}, "cursor", nil},
		{"+41 tests   expand: [\"tests\"]\n", nil, "expand", []any{"tests"}},
		{"+3 possible   expand: [\"dynamic\"]\n", map[string]any{"expand": []any{"tests"}}, "expand",
			[]any{"tests", "dynamic"}},
		{"+41 tests   expand: [\"tests\"]\n", map[string]any{"expand": []any{"tests"}}, "expand", nil},
		{"all there is\n", nil, "cursor", nil},
		{"+? more edges (deadline)   cursor: \"g0.x\"   deadlineMs: 12000\n", nil, "deadlineMs", json.Number("12000")},
		{"+? more edges (deadline)   cursor: \"g0.x\"   deadlineMs: 12000\n", map[string]any{"cursor": "g0.x"},
			"cursor", "g0.x"},
		{"+? more edges (deadline)   deadlineMs: 30000\n", nil, "deadlineMs", json.Number("30000")},
		{"+? more edges (deadline)   deadlineMs: 30000\n", map[string]any{"deadlineMs": json.Number("30000")}, "", nil},
		{late, nil, "deadlineMs", json.Number("12000")},
		{late, map[string]any{"deadlineMs": json.Number("12000")}, "deadlineMs", nil},
	} {
		got := next(&tokens.Request{Tool: "call_graph", Args: c.args, Answer: c.answer})
		switch {
		case got == nil && c.want != nil, got != nil && c.want == nil:
			t.Errorf("%q: %+v", c.answer, got)
		case got == nil:
		case !same(got.Args[c.key], c.want):
			t.Errorf("%q: %+v", c.answer, got.Args)
		}
	}
}

func same(a, b any) bool {
	x, ok := a.([]any)
	y, _ := b.([]any)
	return ok && slices.Equal(x, y) || !ok && a == b
}

// TestMerge checks that requests go out as one where the tool takes a list.
func TestMerge(t *testing.T) {
	search := func(query string, limit int) *tokens.Request {
		args := map[string]any{"query": query}
		if limit > 0 {
			args["limit"] = limit
		}
		return &tokens.Request{Tool: "search_codebase", Args: args}
	}
	requests := []*tokens.Request{search("a", 0), search("b", 0), search("c", 50)}
	for kind, want := range map[any]int{"string": 3, "array": 2} {
		s := &toolset{schema: map[string]schema{"search_codebase": {}}}
		learnt := s.schema["search_codebase"]
		learnt.Properties = map[string]property{"query": {Type: kind}}
		s.schema["search_codebase"] = learnt
		if got := s.Merge(requests); len(got) != want {
			t.Errorf("%v: %d calls, want %d", kind, len(got), want)
		}
	}
}
