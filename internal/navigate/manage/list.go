package manage

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
)

// ListCodebases answers list_codebases. It lists a root that cannot be opened as failed and never
// omits one.
func (s *Service) ListCodebases(ctx context.Context, req contract.ListRequest) (contract.ListAnswer, error) {
	type listing struct {
		contract.ListAnswer
		late bool
	}
	l, err := engine.Bounded(ctx, s.Engine, contract.Within(&req), func(ctx context.Context) (listing, error) {
		a, err := s.listOnce(ctx)
		return listing{ListAnswer: a}, err
	}, func() listing { return listing{late: true} })
	if l.late {
		return contract.ListAnswer{}, contract.CondBusy.Refuse("", nil, "%s",
			contract.TooLate(contract.ToolList, contract.AnswerLimit).Message)
	}
	return l.ListAnswer, err
}

// listed returns a list with the single root t, in the field for its state: Ready, Indexing,
// RequiresReindex or Failed.
func (s *Service) listed(ctx context.Context, t jit.Tracked) (a contract.ListAnswer, err error) {
	if !engine.IsFolder(t.Path) {
		a.Failed = append(a.Failed, contract.StoppedRoot{Path: t.Path, Reason: string(contract.ReasonMissingPath)})
		return a, nil
	}
	if this, other := s.Roots.Kept(t.Path); !this {
		a.RequiresReindex = append(a.RequiresReindex, contract.StoppedRoot{Path: t.Path, Reason: unbuiltReason(other)})
		return a, nil
	}
	root, _, err := s.Roots.Resolve(ctx, t.Path)
	if err != nil || root.Path() != t.Path { // t is now part of a root around it, which is listed itself
		return a, err
	}
	err = s.listRoot(ctx, &a, root)
	return a, err
}

// listRoot adds the root to the field of a for its state.
func (s *Service) listRoot(ctx context.Context, a *contract.ListAnswer, root *jit.Root) error {
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	switch status.State {
	case jit.StateReady:
		known, err := s.Inventory(ctx, root)
		if err != nil {
			return err
		}
		symbols, err := s.Symbols(ctx, root)
		if err != nil {
			return err
		}
		r := contract.ReadyRoot{Path: root.Path(), SymbolQuality: symbolQuality(known.Coverage, symbols),
			Files: known.Coverage.Indexed, Symbols: symbols.Symbols, LastSync: engine.Stamp(status.LastSync)}
		for _, sv := range known.Services {
			r.Services = append(r.Services, rootService(&sv.Service))
		}
		slices.SortFunc(r.Services, func(x, y contract.RootService) int { return cmp.Compare(x.Path, y.Path) })
		a.Ready = append(a.Ready, r)
	case jit.StateNotIndexed:
		_, other := s.Roots.Kept(root.Path())
		a.RequiresReindex = append(a.RequiresReindex,
			contract.StoppedRoot{Path: root.Path(), Reason: unbuiltReason(other)})
	case jit.StateFailed:
		a.Failed = append(a.Failed, contract.StoppedRoot{Path: root.Path(), Reason: status.Error})
	default:
		percent := 0.0
		if status.FilesTotal > 0 {
			percent = 100 * float64(status.FilesDone) / float64(status.FilesTotal)
		}
		a.Indexing = append(a.Indexing, contract.IndexingRoot{Path: root.Path(), Percent: percent})
	}
	return nil
}

// unbuiltReason returns the reason why a tracked root has no index that can be read:
// either another version of the program made it, or there is none.
func unbuiltReason(otherVersion bool) string {
	if otherVersion {
		return FingerprintMismatch
	}
	return string(contract.ReasonNotIndexed)
}

// FingerprintMismatch is the reason given for an index that cannot be read because
// another version of the program made it.
const FingerprintMismatch = "fingerprint_mismatch"

func sortLanguages(list []contract.LanguageCapability) {
	slices.SortFunc(list, func(x, y contract.LanguageCapability) int {
		return cmp.Or(cmp.Compare(y.Files, x.Files), cmp.Compare(x.Language, y.Language))
	})
}

// listOnce lists all roots, within the time that ctx leaves.
func (s *Service) listOnce(ctx context.Context) (contract.ListAnswer, error) {
	a := contract.ListAnswer{Owner: contract.RuntimeOwner{PID: os.Getpid(), Version: s.Version}}
	tracked, err := s.Roots.List(ctx)
	if err != nil {
		return a, err
	}
	for _, t := range tracked {
		part, err := engine.Steady(s.Engine, t.Path, func(ctx context.Context) (contract.ListAnswer, error) {
			return s.listed(ctx, t)
		})(ctx)
		if errors.Is(err, jit.ErrNotTracked) {
			continue // cleared since the list was read
		}
		if err != nil {
			part = contract.ListAnswer{Failed: []contract.StoppedRoot{{Path: t.Path, Reason: err.Error()}}}
		}
		a.Add(part)
	}
	return a, nil
}

func rootService(s *jit.Service) contract.RootService {
	out := contract.RootService{Name: s.Name, Path: s.Root, Kind: string(s.Kind), Language: s.Language,
		Names: s.Names[1:]}
	if len(s.Languages) > 1 {
		out.Languages = s.Languages
	}
	return out
}
