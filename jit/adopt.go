package jit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Adopt tracks path on demand, for a request about it. Unlike a root that Track
// added, an adopted root is no longer used once a tracked root that it is part
// of is indexed. A root that is already tracked is not changed.
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

// dropGone clears the adopted roots, those indexed on demand, whose folder was removed: agents make
// a worktree for each task, and nobody clears its index afterwards. dropGone keeps a root whose
// parent folder is missing too, because its disk may not be mounted. It keeps all roots that users
// track.
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
			_ = rs.Clear(ctx, t.Path) // it fails while a process builds the index; the next Adopt tries again
		}
	}
}
