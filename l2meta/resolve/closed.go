package resolve

import (
	"context"

	"sextant/internal/code"
	"sextant/internal/store"
)

// This file implements the closed-world rule: a call leaves the workspace if nothing in the
// workspace has the callee's name.
//
//	resp = client.get(url)   the type of client belongs to a library without readable source
//	resp.json()              external if no Python file declares anything named json, else open
//
//
// The rule is applied after all other rules, and only to calls of members: x.f(), and f() in
// languages in which that calls a member of self. Other bare names are resolved by scopes. The
// evidence is weaker than a declaration outside the workspace, so language servers are queried
// about these calls, too (Verdict.Undeclared).

// leadsOutside reports whether a call that no other rule resolved is external, because no
// declaration of the workspace can be called by its name. It reports false while the index is
// partial.
func (w *World) leadsOutside(f *File, c *code.Call) bool {
	l := w.languages[f.Language]
	if !l.Closed || c.Receiver == "" && !l.BareMembers || c.Callee == "" ||
		c.Kind != code.CallPlain && c.Kind != code.CallReference {
		return false
	}
	if w.incomplete() {
		w.taint(0) // do not keep this result: the index may become complete within the same generation
		return false
	}
	if _, local := f.Bindings(c.Caller, c.Callee); len(local) > 0 {
		return false // the callee is a parameter, a function that runs on x: x.block()
	}
	if w.Bears(f.Language, c.Callee) || w.Bears(f.Language, code.AnyName) {
		return false
	}
	m, makes := l.Settler.(maker)
	return !makes || !m.Makes(w, c.Callee)
}

// bearingKey is the key under which Bears stores its result for a name, in the files of one
// language family.
type bearingKey struct{ family, name string }

// Bears reports whether any file in language's family declares name, or declares something that
// code may call by that name, as through an alias (see l2meta.Bears). It reports true after an error.
func (w *World) Bears(language, name string) bool {
	family := w.Family(language)
	return Derive(w, bearingKey{family, name}, func() bool {
		if w.Err() != nil {
			return true
		}
		w.noteBearing(name)
		found, err := w.index.Borne(w.ctx, w.view, name, func(l string) bool { return w.Family(l) == family })
		return !w.ok(err) || found
	})
}

// partiality caches whether the index of a view holds only a part of the root. The field is holds
// this result; it is valid if asked is true.
type partiality struct{ asked, is bool }

// WhilePartial sets the function that reports whether the index of a view holds only a part of the
// root. While it reports true, declarations may be missing from the index. The closed-world rule
// does not apply then.
func (c *Cache) WhilePartial(ask func(ctx context.Context, v *store.View) (bool, error)) {
	c.partial = ask
}

func (w *World) incomplete() bool {
	if !w.partial.asked {
		is, err := w.snap.cache.isPartial(w.ctx, w.view)
		w.partial = partiality{true, is || !w.ok(err)}
	}
	return w.partial.is
}

func (c *Cache) isPartial(ctx context.Context, v *store.View) (bool, error) {
	if c.partial == nil {
		return false, nil
	}
	return c.partial(ctx, v)
}
