package navigate

import (
	"cmp"
	"context"
	"os"
	"slices"

	"sextant/jit"
)

// listed lists one root.
func (s *Service) listed(ctx context.Context, t jit.Tracked) (a ListAnswer, err error) {
	if !isFolder(t.Path) {
		a.Failed = append(a.Failed, StoppedRoot{Path: t.Path, Reason: string(ReasonMissingPath)})
		return a, nil
	}
	if this, other := s.roots.Kept(t.Path); !this {
		a.RequiresReindex = append(a.RequiresReindex, StoppedRoot{Path: t.Path, Reason: unbuiltReason(other)})
		return a, nil
	}
	root, _, err := s.roots.Resolve(ctx, t.Path)
	if err != nil {
		return a, err
	}
	return a, s.listRoot(ctx, &a, root)
}

// add appends the roots that b lists.
func (a *ListAnswer) add(b ListAnswer) {
	a.Ready = append(a.Ready, b.Ready...)
	a.Indexing = append(a.Indexing, b.Indexing...)
	a.RequiresReindex = append(a.RequiresReindex, b.RequiresReindex...)
	a.Failed = append(a.Failed, b.Failed...)
}

func (s *Service) listRoot(ctx context.Context, a *ListAnswer, root *jit.Root) error {
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
			Symbols: counts.Symbols, LastSync: stamp(status.LastSync)}
		for _, sv := range status.Services {
			r.Services = append(r.Services, RootService{Name: sv.Name, Path: sv.Root, Language: sv.Language})
		}
		slices.SortFunc(r.Services, func(x, y RootService) int { return cmp.Compare(x.Path, y.Path) })
		a.Ready = append(a.Ready, r)
	case jit.StateNotIndexed:
		_, other := s.roots.Kept(root.Path())
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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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
