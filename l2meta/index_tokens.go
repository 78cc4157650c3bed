package l2meta

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sextant/internal/store"
)

// Calling returns the ids of the files that may call a function of a name, in ascending order. It
// may return too many files, never too few.
func (x Index) Calling(ctx context.Context, v *store.View, name string) (ids []int64, err error) {
	return x.having(ctx, v, CalleeToken(name))
}

// Accessing returns the ids of the files that may read or assign a member of a name without a call.
// Like Calling, it may return too many.
func (x Index) Accessing(ctx context.Context, v *store.View, name string) (ids []int64, err error) {
	return x.having(ctx, v, accessToken(name))
}

// Computing reports whether a file may declare a property of that name that runs code, with a
// getter or setter. It considers only files in languages for which counts reports true.
func (Index) Computing(ctx context.Context, v *store.View, name string,
	counts func(language string) bool) (bool, error) {
	return anyLanguage(ctx, v, counts,
		`SELECT f.language FROM callees JOIN files f ON f.id = callees.rowid WHERE callees MATCH ?`,
		`"`+computedToken(name)+`"`)
}

// Renaming returns the ids of the files that may give another name to a declaration of that name,
// by import, export or assignment. Like Calling, it may return too many.
func (x Index) Renaming(ctx context.Context, v *store.View, name string) (ids []int64, err error) {
	return x.having(ctx, v, aliasToken(name))
}

// TakingDefault returns the ids of the files that may give a name to the default export of a module whose name has
// one of the given last steps (ModuleStep). Like Calling, it may return too many.
func (Index) TakingDefault(ctx context.Context, v *store.View, steps []string) (ids []int64, err error) {
	tokens := []string{`"` + anyDefaultToken + `"`}
	for _, step := range steps {
		tokens = append(tokens, `"`+defaultToken(step)+`"`)
	}
	return store.Column[int64](ctx, v, "SELECT rowid FROM callees WHERE callees MATCH ?", strings.Join(tokens, " OR "))
}

// Importing returns the ids of the files that may import a module whose name is a path and has one of the given last
// steps (ModuleStep). Like Calling, it may return too many.
func (Index) Importing(ctx context.Context, v *store.View, steps []string) (ids []int64, err error) {
	tokens := make([]string, len(steps))
	for i, step := range steps {
		tokens[i] = `"` + importToken(step) + `"`
	}
	return store.Column[int64](ctx, v, "SELECT rowid FROM callees WHERE callees MATCH ?", strings.Join(tokens, " OR "))
}

// Extending returns the ids of the files that may declare a subtype of a type of that name. Like
// Calling, it may return too many.
func (x Index) Extending(ctx context.Context, v *store.View, name string) (ids []int64, err error) {
	return x.having(ctx, v, baseToken(name))
}

// Giving returns the ids of the files that may store a function in a property of that name, or a
// function of that name in a property. Like Calling, it may return too many.
func (x Index) Giving(ctx context.Context, v *store.View, name string) (ids []int64, err error) {
	return x.having(ctx, v, givenToken(name))
}

// Reaching returns the ids of the files with an endpoint fact of a role, such as RoleRoute, in
// ascending order.
func (x Index) Reaching(ctx context.Context, v *store.View, role string) (ids []int64, err error) {
	return x.having(ctx, v, roleToken(role))
}

// Telling returns the ids of the files with an endpoint fact of the given role whose Type begins
// with name, in ascending order. For RoleText, name is that of the constant; for RolePass, that of
// the callee.
func (x Index) Telling(ctx context.Context, v *store.View, role, name string) (ids []int64, err error) {
	return x.having(ctx, v, toldToken(role, name))
}

// Passing returns the ids of the files that may pass to a call a path whose last segment, in lower
// case, is step: "items" for get("/orders/{id}/items"). Like Calling, it may return too many.
func (x Index) Passing(ctx context.Context, v *store.View, step string) (ids []int64, err error) {
	return x.having(ctx, v, stepToken(step))
}

// LanguagesPresent returns the languages of the indexed files, sorted.
func (Index) LanguagesPresent(ctx context.Context, v *store.View) ([]string, error) {
	return store.Column[string](ctx, v, "SELECT DISTINCT language FROM files ORDER BY language")
}

// callersAtOnce is the largest number of names in one query of CalledAmong.
const callersAtOnce = 128

// CalledAmong returns the elements of names that some file may call. Most names are expected to
// have no call, so one query looks up to callersAtOnce of them.
func (x Index) CalledAmong(ctx context.Context, v *store.View, names []string) (called []string, err error) {
	for group := range slices.Chunk(names, callersAtOnce) {
		some, err := x.calledIn(ctx, v, group)
		if err != nil {
			return nil, err
		}
		called = append(called, some...)
	}
	return called, nil
}

// calledIn returns the elements of names that some file may call. One query looks up all of them;
// if it finds a file, each half of names is looked up again.
func (x Index) calledIn(ctx context.Context, v *store.View, names []string) ([]string, error) {
	tokens := make([]string, len(names))
	for i, name := range names {
		tokens[i] = `"` + CalleeToken(name) + `"`
	}
	ids, err := store.Column[int64](ctx, v, "SELECT rowid FROM callees WHERE callees MATCH ? LIMIT 1",
		strings.Join(tokens, " OR "))
	switch half := len(names) / 2; {
	case err != nil || len(ids) == 0:
		return nil, err
	case half == 0:
		return names, nil
	default:
		first, err := x.calledIn(ctx, v, names[:half])
		if err != nil {
			return nil, err
		}
		second, err := x.calledIn(ctx, v, names[half:])
		return slices.Concat(first, second), err
	}
}

// DeclaredAmong returns the elements of names that are the name of some symbol, in any ASCII case,
// in one query.
func (Index) DeclaredAmong(ctx context.Context, v *store.View, names []string) ([]string, error) {
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	at, err := store.Column[int](ctx, v, `SELECT j.key FROM json_each(?) j
		WHERE EXISTS (SELECT 1 FROM symbols s WHERE s.name = j.value COLLATE NOCASE)`, string(list))
	if err != nil {
		return nil, err
	}
	declared := make([]string, len(at))
	for i, k := range at {
		declared[i] = names[k]
	}
	return declared, nil
}

func (Index) having(ctx context.Context, v *store.View, token string) ([]int64, error) {
	return store.Column[int64](ctx, v, "SELECT rowid FROM callees WHERE callees MATCH ?", `"`+token+`"`)
}
