package resolve

import (
	"context"

	"sextant/internal/store"
)

// World returns the resolver's world. It is for edges between services, such as from an HTTP
// request to its handler, which are no calls in source code. The world is usable as long as the
// resolver.
func (r *Resolver) World() *World { return r.w }

type reachingKey string

// Reaching returns the ids of the files with an endpoint of a role (l2meta.Role…), in ascending
// order. No resolved call depends on the result, so the look-up is not recorded.
func (w *World) Reaching(role string) []int64 {
	return w.ids(reachingKey(role), func() ([]int64, error) {
		return w.index.Reaching(w.ctx, w.view, role)
	})
}

type tellingKey struct{ role, name string }

// Telling returns, like Reaching, the ids of the files with an endpoint of a role that states a
// name: for l2meta.RoleText the name of the constant, for l2meta.RolePass the name of the callee.
func (w *World) Telling(role, name string) []int64 {
	return w.ids(tellingKey{role, name}, func() ([]int64, error) {
		return w.index.Telling(w.ctx, w.view, role, name)
	})
}

type passingKey string

// Passing returns, like Reaching, the ids of the files with a call that is passed a path whose last
// step is step: "items" for get("/orders/{id}/items").
func (w *World) Passing(step string) []int64 {
	return w.ids(passingKey(step), func() ([]int64, error) {
		return w.index.Passing(w.ctx, w.view, step)
	})
}

// LanguagesPresent returns the names of the languages that the workspace has files of, sorted. Like Reaching, it records
// no look-up.
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

// CalledAmong returns those of names that some file may call. One query for many names that are mostly
// not called costs less than Calling for each. Like Reaching, it records no look-up.
func (w *World) CalledAmong(names []string) []string {
	return w.among(names, w.index.CalledAmong)
}

// DeclaredAmong returns those of names that some symbol has, in any ASCII case. Like Reaching, it records no
// look-up.
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
