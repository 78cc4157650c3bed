package engine

import (
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// Place is the path of a request, located in the root that contains it.
type Place struct {
	Root *jit.Root
	Path string // as in the request
	Rel  string // relative to the root, "" for the root itself
	// begun reports whether this request caused the root to be indexed.
	begun bool
}

// Absolute returns the absolute path of a file of the root.
func (p *Place) Absolute(file string) string {
	return filepath.Join(p.Root.Path(), filepath.FromSlash(file))
}

// Find returns the root-relative path of a file that a caller named, either relative to the root,
// as answers do, or relative to the request's path.
func (p *Place) Find(file string) string {
	file = filepath.ToSlash(filepath.Clean(file))
	if below := path.Join(p.Rel, file); !exists(p.Absolute(file)) && exists(p.Absolute(below)) {
		return below
	}
	return file
}

// Has reports whether a caller's name of a file or folder is that of one on disk. A file may be called
// "notes:12-15", which otherwise means lines of "notes".
func (p *Place) Has(file string) bool { return file != "" && exists(p.Absolute(p.Find(file))) }

func exists(abs string) bool {
	_, err := os.Lstat(abs)
	return err == nil
}

// LostRoot is the error for a tracked root whose folder is gone. Its index stays until it is
// cleared, in case the folder is on a disk that is not mounted.
type LostRoot struct{ Path string }

func (e *LostRoot) Error() string { return e.Path + " is tracked, and is no folder any more" }

// Answer returns the outcome and the suggested calls for a request to the lost root.
func (e *LostRoot) Answer() (contract.Outcome, *contract.Hints) {
	return contract.CondMissingPath.Outcome("%v. Bring it back, then repeat the call; manage_index clear forgets it.",
			e),
		&contract.Hints{Clear: contract.Suggest(&contract.ManageRequest{Action: contract.ManageClear, Path: e.Path}),
			NextSteps: []contract.Action{*contract.Suggest(&contract.ListRequest{})}}
}

// open opens the root that contains path. The error is a *LostRoot if the root's folder is gone, and
// wraps jit.ErrNotTracked if no root contains path.
func (s *Engine) open(ctx context.Context, path string) (*Place, error) {
	root, rel, err := s.Roots.Resolve(ctx, path)
	if err != nil {
		if owner, _, ownerErr := s.Roots.Owner(ctx, path); ownerErr == nil && !IsFolder(owner) {
			return nil, &LostRoot{owner} // its folder is gone
		}
		return nil, err
	}
	if !IsFolder(root.Path()) {
		return nil, &LostRoot{root.Path()}
	}
	return &Place{Root: root, Path: path, Rel: rel}, nil
}

// Locate opens the root that contains path. If there is none, or if the root's folder is gone, it
// returns a nil Place, an outcome that says so, and suggested calls.
func (s *Engine) Locate(ctx context.Context, path string) (*Place, contract.Outcome, *contract.Hints, error) {
	p, err := s.open(ctx, path)
	var lost *LostRoot
	switch {
	case err == nil:
		return p, contract.Outcome{Status: contract.StatusOK}, nil, nil
	case errors.As(err, &lost):
		outcome, hints := lost.Answer()
		return nil, outcome, hints, nil
	case !errors.Is(err, jit.ErrNotTracked):
		return nil, contract.Outcome{}, nil, err
	}
	outcome, hints := s.untracked(ctx, path)
	return nil, outcome, hints, nil
}

// untracked returns the answer for a path that no tracked root contains.
func (s *Engine) untracked(ctx context.Context, path string) (contract.Outcome, *contract.Hints) {
	info, statErr := os.Stat(path)
	if errors.Is(statErr, os.ErrNotExist) {
		return contract.CondMissingPath.Outcome("%s does not exist, and no tracked codebase contains it. Give an "+
				"existing absolute path; list_codebases names the tracked ones.", path),
			&contract.Hints{NextSteps: []contract.Action{*contract.Suggest(&contract.ListRequest{})}}
	}
	create := path
	if statErr == nil && !info.IsDir() {
		create = filepath.Dir(path)
	}
	if top, around := s.otherCheckout(ctx, path); top != "" {
		return contract.CondNotIndexed.Outcome("%s is in %s, a checkout of its own that is not indexed yet; the "+
				"index of %s, around it, has nothing of it. Call manage_index with action create, then repeat this "+
				"call.", path, top, around),
			&contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate, Path: top}),
				Status: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: top})}
	}
	return contract.CondNotIndexed.Outcome("%s is not indexed yet. Call manage_index with action create, then "+
			"repeat this call; it answers while the index is being made.", path),
		&contract.Hints{Create: contract.Suggest(&contract.ManageRequest{Action: contract.ManageCreate, Path: create}),
			Status: contract.Suggest(&contract.ManageRequest{Action: contract.ManageStatus, Path: create})}
}

// otherCheckout returns the checkout of a path that is below a tracked root but not part of it, and
// that root; "" for any other path.
func (s *Engine) otherCheckout(ctx context.Context, path string) (top, root string) {
	list, err := s.Roots.List(ctx)
	if err != nil {
		return "", "" // an unreadable list of roots tells nothing about the path
	}
	for _, t := range list {
		if len(t.Path) > len(root) && s.Roots.Apart(t.Path, path) {
			root = t.Path
		}
	}
	if root == "" {
		return "", ""
	}
	return s.Roots.Top(path), root
}

// IsFolder reports whether path is an existing folder or a symbolic link to one.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
