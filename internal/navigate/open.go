package navigate

import (
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// IndexOptions returns the options for [jit.Open] to open the indexes in the data folder home, with the
// tables for text (l1fts) and for symbols and calls (l2meta). words must equal Options.Words of the
// Service.
func IndexOptions(home string, words l1fts.Options) jit.Options {
	return jit.Options{Home: home, Extract: languages.Extract, Tiers: []jit.Indexer{l1fts.New(words), l2meta.Index{}},
		Schemas: []store.Schema{l1fts.Schema(), l2meta.Schema()}}
}

// Package jit learns by type assertion whether an indexer has rows to merge, or to write later. If
// l1fts.Index lost one of these methods, that work would silently stop.
var (
	_ jit.Merger  = (*l1fts.Index)(nil)
	_ jit.Trailer = (*l1fts.Index)(nil)
)
