package manage

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
)

// status answers manage_index status. It never creates a database.
func (s *Service) status(ctx context.Context, a *contract.ManageAnswer, req *contract.ManageRequest) error {
	if root, _, err := s.Roots.Owner(ctx, req.Path); err == nil {
		if this, other := s.Roots.Kept(root); !this && engine.IsFolder(root) {
			unbuilt(a, root, other)
			return nil
		}
	}
	p, outcome, hints, err := s.Locate(ctx, req.Path)
	if err != nil {
		return err
	}
	if p == nil {
		a.Outcome, a.Hints, a.State = outcome, hints, contract.IndexNotIndexed
		if outcome.Reason == contract.ReasonMissingPath {
			a.State = contract.IndexMissing
		}
		return nil
	}
	return s.describe(ctx, a, p.Root, req.Detail == contract.DetailFull)
}

// describe adds the state of a root to the answer. With full set, it lists all services and the
// languages, else at most 20 services.
func (s *Service) describe(ctx context.Context, a *contract.ManageAnswer, root *jit.Root, full bool) error {
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	known, err := s.Inventory(ctx, root)
	if err != nil {
		return err
	}
	s.fillOperation(a, root, &status, known.Merkle)
	c := known.Coverage
	a.Coverage = &contract.Coverage{Parsed: c.Parsed, ParseErrors: c.ParseErrors, TextOnly: c.Indexed - c.Parsed,
		Skipped: maps.Clone(c.Skipped), Apart: root.Apart()}
	a.Disk = &contract.Disk{Bytes: status.Bytes}
	if err := s.tiers(ctx, a, root, c); err != nil {
		return err
	}
	a.Services = engine.StatesOf(known.Services)
	if full {
		a.LanguageCapability = s.languageCapabilities(c)
	} else if len(a.Services) > 20 {
		a.Services = a.Services[:20]
	}
	fresh := contract.Freshness{Mode: contract.FreshRecent, CheckedAt: engine.Stamp(s.Clock()),
		LastSyncAt: engine.Stamp(status.LastSync)}
	if !status.LastSync.IsZero() {
		fresh.AgeMs = s.Clock().Sub(status.LastSync).Milliseconds()
	}
	a.FreshnessDecision = &fresh
	s.stateOutcome(a, root, &status, c)
	if s.Missing != "" {
		a.Warnings.Add(contract.Warning{Code: "EMBEDDER_UNAVAILABLE", Severity: contract.SeverityDegraded,
			Message: "Semantic search is unavailable: " + s.Missing + "."})
	}
	if len(root.Problems()) > 0 {
		a.Warnings.Add(engine.ConfigWarning(root))
	}
	return nil
}

// tiers adds the state of the three tiers: text and vectors, symbols and calls, language servers. c
// counts the files of the root.
func (s *Service) tiers(ctx context.Context, a *contract.ManageAnswer, root *jit.Root, c jit.Coverage) error {
	symbols, err := s.Symbols(ctx, root)
	if err != nil {
		return err
	}
	words, err := s.Chunks(ctx, root)
	if err != nil {
		return err
	}
	a.SymbolQuality = symbolQuality(c, symbols)
	a.Tiers = &contract.TierStates{
		L1: contract.L1State{Files: c.Indexed, Chunks: words.Chunks, Vectors: words.Vectors,
			Embedder: cmp.Or(words.Model, "off")},
		L2: contract.L2State{Symbols: symbols.Symbols, Calls: symbols.Calls,
			ByLanguage: maps.Clone(symbols.ByLanguage)},
	}
	if s.servers != nil {
		a.Tiers.L3 = s.servers.Pool()
	}
	return nil
}

// stateOutcome sets the outcome and the state of the answer. c is the coverage of the
// index.
func (s *Service) stateOutcome(a *contract.ManageAnswer, root *jit.Root, status *jit.Status, c jit.Coverage) {
	switch status.State {
	case jit.StateNotIndexed:
		_, other := s.Roots.Kept(root.Path())
		unbuilt(a, root.Path(), other)
	case jit.StateReady:
		a.Status, a.State = contract.StatusOK, contract.IndexReady
		a.Message = fmt.Sprintf("%s is ready: %d files indexed, %d skipped.", root.Path(), c.Indexed, c.Files-c.Indexed)
		switch {
		case status.Stuck != "":
			a.Message += fmt.Sprintf(" Changed files could not be indexed: %s.", status.Stuck)
		case status.Pending > 0:
			a.Message += fmt.Sprintf(" %s changed since and are being indexed.",
				contract.Plural(status.Pending, "file"))
		}
	case jit.StateFailed:
		a.State = contract.IndexFailed
		a.Outcome = engine.BuildFailed(root.Path(), status.Error)
		a.Hints = &contract.Hints{Repair: contract.Suggest(&contract.ManageRequest{Action: contract.ManageRepair,
			Path: root.Path()})}
	default:
		a.Status, a.Reason, a.State = contract.StatusOK, contract.ReasonIndexing, contract.IndexIndexing
		a.Message = fmt.Sprintf("%s is being indexed; search answers meanwhile with what is there.", root.Path())
		if status.Halted {
			a.Message = fmt.Sprintf(
				"The indexing of %s was interrupted. The next question goes on with it, and answers "+
					"meanwhile with what is there.", root.Path())
			a.Hints = &contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate,
				Path: root.Path()})}
			return
		}
		a.Hints = &contract.Hints{Status: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus,
			Path: root.Path()})}
	}
}

// unbuilt sets the outcome for a tracked root without an index that can be read.
func unbuilt(a *contract.ManageAnswer, root string, otherVersion bool) {
	why := "has no index"
	a.State = contract.IndexNotIndexed
	if otherVersion {
		a.State = contract.IndexRequiresReindex
		why = "was indexed by another version of sextant"
	}
	a.Outcome = contract.CondRequiresReindex.Outcome(
		"%s %s. The next question makes its index; manage_index create makes it now.", root, why)
	a.Hints = &contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate,
		Path: root})}
}

// richShare and mixedShare are the least shares of files with symbols at which a root counts as
// rich and as mixed.
const (
	richShare  = 0.6
	mixedShare = 0.2
)

// symbolQuality grades the share of the parsed files that have symbols.
func symbolQuality(c jit.Coverage, counts *l2meta.Counts) string {
	switch share := float64(counts.FilesWithSymbols) / float64(max(c.Parsed, 1)); {
	case c.Indexed == 0:
		return "unknown"
	case c.Parsed == 0:
		return "search_only"
	case share >= richShare:
		return "symbol_rich"
	case share >= mixedShare:
		return "mixed"
	}
	return "symbol_sparse"
}

func (s *Service) languageCapabilities(c jit.Coverage) (out []contract.LanguageCapability) {
	for name, files := range c.Languages {
		declares, calls := l2meta.Understands(name)
		out = append(out, contract.LanguageCapability{Language: symbols.OrPlain(name), Files: files, Symbols: declares,
			CallGraph: calls})
	}
	sortLanguages(out)
	return out
}
