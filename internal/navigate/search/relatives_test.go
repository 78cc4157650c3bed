package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestRelatives checks that symbols named like one of the best results are found, although they
// contain none of the words: another declaration of the name, and a symbol whose name is the
// beginning of that name.
func TestRelatives(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"store/store.go": `package store

type Store interface {
	// ExpireSessions removes the sessions that nobody has used for an hour.
	ExpireSessions()
}

// OpenTemporaryWith makes an empty database at a place that is gone after the test.
func OpenTemporaryWith(o Options) *DB { return nil }

func OpenTemporary() *DB { return OpenTemporaryWith(Options{}) }
`,
		"memory/memory.go": "package memory\n\ntype Memory struct{}\n\nfunc (m *Memory) ExpireSessions() {\n" +
			"\tm.all = nil\n}\n",
	})
	for query, want := range map[string]string{
		"removes the sessions that nobody used for an hour":            "Memory.ExpireSessions",
		"makes an empty database at a place that is gone after a test": "OpenTemporary",
	} {
		labels := labelsOf(b.Search(contract.SearchRequest{Query: query, Limit: 50}))
		if at := slices.Index(labels, want); at < 1 {
			t.Errorf("%s: found %v, want %s after the one with the words", query, labels, want)
		}
	}
}

// TestWrappersOfFewFiles checks that the callers of a function are candidates, unless many files call it.
func TestWrappersOfFewFiles(t *testing.T) {
	for files, want := range map[int]bool{1: true, 4: true, 5: false} {
		all := map[string]string{"a/weave.go": "package a\n\n// weave puts the sorted union of both lists into the first one.\n" +
			"func weave(out, s, b IDs) {}\n"}
		for i := range files {
			all[fmt.Sprintf("a/zug%d.go", i)] = fmt.Sprintf("package a\n\nfunc zug%d() {\n\tweave(nil, nil, nil)\n}\n", i)
		}
		labels := labelsOf(navigatetest.Of(t, all).Search(contract.SearchRequest{
			Query: "puts the sorted union of both lists into the first one", Limit: 50}))
		if slices.Contains(labels, "zug0") != want {
			t.Errorf("called in %d files: found %v", files, labels)
		}
	}
}

// TestLinked checks that a short function that calls one of the best results is found, though it has none of the
// words, and so is an interface that the type of one implements.
func TestLinked(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{
		"store/merge.go": `package store

func (s IDs) zug(b IDs) IDs {
	out := make(IDs, len(s)+len(b))
	weave(out, s, b)
	return out
}

// weave puts the sorted union of both lists into the first one.
func weave(out, s, b IDs) {}
`,
		"store/weave.go": "package store\n\nfunc long() {\n" + strings.Repeat("\tx()\n", 12) +
			"\tweave(nil, nil, nil)\n}\n",
		"ref/Weak.java": `package ref;

public class Weak<T> implements Ref<T> {
    // Avoids a leak of memory, since nothing holds the object while it is not in use.
    public T hold() { return object.get(); }
}
`,
		"ref/Ref.java":   "package ref;\n\npublic interface Ref<T> extends Base {\n    T hold();\n}\n",
		"other/Ref.java": "package other;\n\npublic interface Base {}\n",
	})
	for query, want := range map[string]string{
		"returns the sorted union of two lists":                         "IDs.zug",
		"avoids a leak of memory while nothing holds the object in use": "Ref",
	} {
		labels := labelsOf(b.Search(contract.SearchRequest{Query: query, Limit: 50}))
		if at := slices.Index(labels, want); at < 1 {
			t.Errorf("%s: found %v, want %s after the one with the words", query, labels, want)
		}
		if slices.Contains(labels, "long") {
			t.Errorf("%s: found %v, with a long caller", query, labels)
		}
	}
}
