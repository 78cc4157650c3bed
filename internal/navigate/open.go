package navigate

import (
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// IndexOptions returns the options with which [jit.Open] opens indexes with every tier in the data
// folder home. words must equal Options.Words of the Service.
func IndexOptions(home string, words l1fts.Options) jit.Options {
	return jit.Options{Home: home, Extract: languages.Extract, Tiers: []jit.Indexer{l1fts.New(words), l2meta.Index{}},
		Schemas: []store.Schema{l1fts.Schema(), l2meta.Schema()}}
}

// jit finds a tier's housekeeping by type assertion. If l1fts.Index lost one of
// these methods, its housekeeping would silently stop.
var (
	_ jit.Merger  = (*l1fts.Index)(nil)
	_ jit.Trailer = (*l1fts.Index)(nil)
)
