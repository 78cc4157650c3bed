package resolve

import (
	"context"

	"sextant/internal/store"
)

// World returns the resolver's world. Code that finds edges between services uses it: an edge
// from an HTTP request to its handler, for example, is no call in source code. The world is
// usable as long as the resolver.
func (r *Resolver) World() *World { return r.w }

type reachingKey string

// Reaching returns the ids of the files that have an endpoint of a role, in ascending order. A
// role is l2meta.RoleRoute for a route or l2meta.RoleFetch for an HTTP request, for example. No
// resolved call depends on the result, so the look-up is not recorded as a dependency (reads.go).
func (w *World) Reaching(role string) []int64 {
	return w.ids(reachingKey(role), func() ([]int64, error) {
		return w.index.Reaching(w.ctx, w.view, role)
	})
}

type tellingKey struct{ role, name string }

// Telling returns the ids of the files that have an endpoint with a role and a name, in ascending
// order. For l2meta.RoleText that is the name of a constant, for l2meta.RolePass the name of a
// callee. The look-up is not recorded as a dependency (reads.go).
func (w *World) Telling(role, name string) []int64 {
	return w.ids(tellingKey{role, name}, func() ([]int64, error) {
		return w.index.Telling(w.ctx, w.view, role, name)
	})
}

type passingKey string

// Passing returns the ids of the files with a call that passes a URL path whose last segment is
// step: "items" for get("/orders/{id}/items"). It may return too many files. The look-up is not
// recorded as a dependency (reads.go).
func (w *World) Passing(step string) []int64 {
	return w.ids(passingKey(step), func() ([]int64, error) {
		return w.index.Passing(w.ctx, w.view, step)
	})
}

// LanguagesPresent returns the names of the languages that the workspace has files of, sorted. The
// look-up is not recorded as a dependency (reads.go).
func (w *World) LanguagesPresent() []string {
	if w.Err() != nil {
		return nil
	}
	names, err := w.index.LanguagesPresent(w.ctx, w.view)
	if !w.ok(err) {
		return nil
	}
	return names
}

// CalledAmong returns the elements of names that some file may call. One query for many names that
// are mostly not called costs less than Calling for each. The look-up is not recorded as a
// dependency (reads.go).
func (w *World) CalledAmong(names []string) []string {
	return w.among(names, w.index.CalledAmong)
}

// DeclaredAmong returns the elements of names that are the name of some symbol, in any ASCII case.
// The look-up is not recorded as a dependency (reads.go).
func (w *World) DeclaredAmong(names []string) []string {
	return w.among(names, w.index.DeclaredAmong)
}

func (w *World) among(names []string,
	find func(context.Context, *store.View, []string) ([]string, error)) []string {
	if len(names) == 0 || w.Err() != nil {
		return nil
	}
	found, err := find(w.ctx, w.view, names)
	if !w.ok(err) {
		return nil
	}
	return found
}
