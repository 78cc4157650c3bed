package navigate

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"sextant/jit"
)

// ListCodebases answers list_codebases. A root that cannot be opened is listed
// as failed, never left out.
func (s *ManageService) ListCodebases(ctx context.Context, req ListRequest) (ListAnswer, error) {
	type listing struct {
		ListAnswer
		late bool
	}
	l, err := Bounded(ctx, s.Engine, Within(&req), func(ctx context.Context) (listing, error) {
		a, err := s.listOnce(ctx)
		return listing{ListAnswer: a}, err
	}, func() listing { return listing{late: true} })
	if l.late {
		return ListAnswer{}, CondBusy.Refuse("", nil, "%s", TooLate(ToolList, AnswerLimit).Message)
	}
	return l.ListAnswer, err
}

// listed lists one root.
func (s *ManageService) listed(ctx context.Context, t jit.Tracked) (a ListAnswer, err error) {
	if !IsFolder(t.Path) {
		a.Failed = append(a.Failed, StoppedRoot{Path: t.Path, Reason: string(ReasonMissingPath)})
		return a, nil
	}
	if this, other := s.Roots.Kept(t.Path); !this {
		a.RequiresReindex = append(a.RequiresReindex, StoppedRoot{Path: t.Path, Reason: unbuiltReason(other)})
		return a, nil
	}
	root, _, err := s.Roots.Resolve(ctx, t.Path)
	if err != nil {
		return a, err
	}
	return a, s.listRoot(ctx, &a, root)
}

func (s *ManageService) listRoot(ctx context.Context, a *ListAnswer, root *jit.Root) error {
	status, err := root.Status(ctx)
	if err != nil {
		return err
	}
	switch status.State {
	case jit.StateReady:
		counts, _, _, err := s.counts(ctx, root)
		if err != nil {
			return err
		}
		r := ReadyRoot{Path: root.Path(), SymbolQuality: symbolQuality(status.Coverage, counts), Files: status.Coverage.Indexed,
			Symbols: counts.Symbols, LastSync: Stamp(status.LastSync)}
		for _, sv := range status.Services {
			r.Services = append(r.Services, RootService{Name: sv.Name, Path: sv.Root, Language: sv.Language})
		}
		slices.SortFunc(r.Services, func(x, y RootService) int { return cmp.Compare(x.Path, y.Path) })
		a.Ready = append(a.Ready, r)
	case jit.StateNotIndexed:
		_, other := s.Roots.Kept(root.Path())
		a.RequiresReindex = append(a.RequiresReindex, StoppedRoot{Path: root.Path(), Reason: unbuiltReason(other)})
	case jit.StateFailed:
		a.Failed = append(a.Failed, StoppedRoot{Path: root.Path(), Reason: status.Error})
	default:
		percent := 0.0
		if status.FilesTotal > 0 {
			percent = 100 * float64(status.FilesDone) / float64(status.FilesTotal)
		}
		a.Indexing = append(a.Indexing, IndexingRoot{Path: root.Path(), Percent: percent})
	}
	return nil
}

// unbuiltReason is why a tracked root has no index that can be read: there is
// one of another version of the program, or none at all.
func unbuiltReason(otherVersion bool) string {
	if otherVersion {
		return FingerprintMismatch
	}
	return string(ReasonNotIndexed)
}

// FingerprintMismatch is why an index is not read that another version of the
// program made.
const FingerprintMismatch = "fingerprint_mismatch"

func sortLanguages(list []LanguageCapability) {
	slices.SortFunc(list, func(x, y LanguageCapability) int {
		return cmp.Or(cmp.Compare(y.Files, x.Files), cmp.Compare(x.Language, y.Language))
	})
}

// listOnce is ListCodebases within the time that ctx leaves.
func (s *ManageService) listOnce(ctx context.Context) (ListAnswer, error) {
	a := ListAnswer{Owner: RuntimeOwner{PID: os.Getpid(), Version: s.Version}}
	tracked, err := s.Roots.List(ctx)
	if err != nil {
		return a, err
	}
	for _, t := range tracked {
		part, err := Steady(ctx, s.Engine, t.Path, func() (ListAnswer, error) { return s.listed(ctx, t) })
		if errors.Is(err, jit.ErrNotTracked) {
			continue // cleared since the list was read
		}
		if err != nil {
			part = ListAnswer{Failed: []StoppedRoot{{Path: t.Path, Reason: err.Error()}}}
		}
		a.Add(part)
	}
	return a, nil
}
