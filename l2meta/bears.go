package l2meta

import (
	"context"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
)

// Bears returns the names by which code may call a declaration of f although no symbol of f has
// that name: keys of objects, assigned members, other names of imports and exports (Aliases), and
// the names in FactHidden facts, which may include code.AnyName.
func Bears(f *code.File) (out []string) {
	seen := map[string]bool{"": true}
	for i := range f.Symbols {
		seen[f.Symbols[i].Name] = true
	}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for i := range f.Imports {
		add(f.Imports[i].Alias)
	}
	for i := range f.Exports {
		if name := f.Exports[i].Name; name != "*" { // "*" re-exports all names of a module
			add(name)
		}
	}
	for _, a := range Aliases(f) {
		add(a.Name)
	}
	for i := range f.Facts {
		if name, ok := borneBy(&f.Facts[i], f.Symbols); ok {
			add(name)
		}
	}
	return out
}

// borneBy returns the name of the member that a fact is about: "size" for `box.size = 3`. It
// returns false for a fact that is about no member, such as one about a local variable.
func borneBy(fact *code.Fact, symbols []code.Symbol) (name string, ok bool) {
	switch fact.Kind {
	case code.FactHidden:
		// "*" means that a macro composes the name
		return fact.Name, fact.Name == code.AnyName || !strings.Contains(fact.Name, "*")
	case code.FactField, code.FactAlias, code.FactGiven:
		return LastOfPath(fact.Name), true
	case code.FactVar, code.FactAssign, code.FactMade:
		text := strings.TrimRight(fact.Name, "=")
		local := fact.Owner >= 0 && symbols[fact.Owner].Kind.Callable() || fact.Scope != [2]int{}
		name = LastOfPath(text)
		return name, name != text || !local
	}
	return "", false
}

// Borne reports whether a file declares a symbol of exactly that name, or has the name among those
// that Bears returns. It considers only files in languages for which counts reports true.
func (Index) Borne(ctx context.Context, v *store.View, name string, counts func(language string) bool) (bool, error) {
	found, err := anyLanguage(ctx, v, counts, `SELECT f.language FROM symbols s JOIN files f ON f.id = s.id>>20
		WHERE s.name = ?1 COLLATE NOCASE AND s.name = ?1`, name)
	if found || err != nil {
		return found, err
	}
	return anyLanguage(ctx, v, counts,
		`SELECT f.language FROM callees JOIN files f ON f.id = callees.rowid WHERE callees MATCH ?`,
		`"`+bearToken(name)+`"`)
}

// anyLanguage reports whether the query returns a language for which counts reports true.
func anyLanguage(ctx context.Context, v *store.View, counts func(language string) bool, query string,
	args ...any) (bool, error) {
	rows, err := v.Query(ctx, query, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var language string
		if err := rows.Scan(&language); err != nil {
			return false, err
		}
		if counts(language) {
			return true, nil
		}
	}
	return false, rows.Err()
}
