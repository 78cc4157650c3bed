package jit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Adopt is Track for the sake of a question. The root owns its files while no
// tracked root that it is a part of does. One that is tracked stays as it is.
func (rs *Roots) Adopt(ctx context.Context, path string) (*Root, error) {
	if real, err := realPath(path); err == nil {
		if t, found, err := rs.catalog.Owner(ctx, real); err == nil && found && t.Path == real {
			return rs.opened(ctx, t)
		}
	}
	r, err := rs.track(ctx, path, asked{Adopted: true})
	if err == nil {
		rs.dropGone(ctx)
	}
	return r, err
}

// dropGone clears the adopted roots whose folder was removed: agents make a
// worktree for each task, and nobody thinks of its index afterwards. A folder
// whose parent is missing too may lie on a disk that is not mounted, and stays
// listed, as does what somebody tracked.
func (rs *Roots) dropGone(ctx context.Context) {
	list, err := rs.catalog.Roots(ctx)
	if err != nil {
		return
	}
	for _, t := range list {
		a, err := askedOf(t)
		if err != nil || !a.Adopted {
			continue
		}
		_, here := os.Stat(t.Path)
		_, parent := os.Stat(filepath.Dir(t.Path))
		if errors.Is(here, fs.ErrNotExist) && parent == nil {
			_ = rs.Clear(ctx, t.Path) // who builds it at this moment keeps it until the next question
		}
	}
}
