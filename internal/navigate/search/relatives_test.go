package search_test

import (
	"slices"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

// TestRelatives checks that what is named like one of the best results is found, though it has none of the
// words: another declaration of the name, and one whose name the name begins with.
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
