package main

import (
	"fmt"

	"sextant/internal/navigate"
	"sextant/l1fts"
	"sextant/l1fts/embed"
)

// oneShotScan is how many vectors a command that answers once may read from
// the database: a person waits a second for an answer, and there is no second
// question for which they could be in memory.
const oneShotScan = 1_000_000

// words is how the index of words and vectors is opened: with the embedder
// that SEXTANT_EMBEDDER names.
func (a *app) words() (l1fts.Options, navigate.Fusion, error) {
	var opt l1fts.Options
	if a.once {
		opt.ScanLimit = oneShotScan
	}
	switch name := a.env("SEXTANT_EMBEDDER"); name {
	case "off":
		return opt, navigate.FuseScores, nil
	case "", "builtin":
		opt.Embedder = embed.Builtin()
		return opt, navigate.FuseScores, nil
	default:
		return opt, navigate.FuseScores, fmt.Errorf("SEXTANT_EMBEDDER=%q: expected builtin or off", name)
	}
}
