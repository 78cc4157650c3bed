package elixir

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// isModule reports whether k is the kind of a module, which defmodule, defprotocol or defimpl
// declares.
func isModule(k code.Kind) bool {
	return k == code.KindModule || k == code.KindInterface
}

// moduleAround returns symbol i if it is a module, or else the module around it; the zero Ref if there is none.
func moduleAround(f *resolve.File, i int) resolve.Ref {
	for ; i >= 0; i = f.Symbols[i].Parent {
		if isModule(f.Symbols[i].Kind) {
			return f.Ref(i)
		}
	}
	return resolve.Ref{}
}

// fullName returns the full name of a module: A.B for defmodule B in defmodule A. It returns "" for
// the zero Ref.
func (r reader) fullName(m resolve.Ref) string {
	if !m.Valid() {
		return ""
	}
	name := m.Symbol().Name
	if resolve.HasModifier(m.Symbol(), absolute) {
		return name
	}
	for at := m.Symbol().Parent; at >= 0; at = m.File.Symbols[at].Parent {
		if s := &m.File.Symbols[at]; isModule(s.Kind) && len(name) < maxName {
			name = s.Name + "." + name
		}
	}
	return name
}

// maxName bounds the length in bytes of the full names of modules that are resolved.
const maxName = 200

type declaredKey string

// declared returns the declarations of a module by its full name. The symbol of a nested module
// has only the last parts of that name, so declared looks up each suffix: A.B.C, B.C and C.
func (r reader) declared(full string) []resolve.Ref {
	return resolve.Derive(r.w, declaredKey(full), func() (out []resolve.Ref) {
		for end, more := full, true; more && len(full) <= maxName; _, end, more = strings.Cut(end, ".") {
			rows, _ := r.w.Named(end)
			for _, row := range rows {
				if row.Language != "elixir" || !isModule(row.Kind) {
					continue
				}
				if m := r.w.Ref(row); m.Valid() && r.fullName(m) == full &&
					!quoted(m.File, m.Symbol().NameSpan.StartByte) {
					out = append(out, m)
				}
			}
		}
		return out
	})
}

// chosen returns the declaration of the module full to which code of f refers: the declaration in
// f, or else the only one in the Mix project of f, or else the only one in the workspace. It
// returns the zero Ref if there is none; several reports that more than one is left. A module
// that a script (.exs) declares counts only for that script, and for other scripts if no compiled
// file declares the module.
func (r reader) chosen(f *resolve.File, full string) (m resolve.Ref, several bool) {
	all := r.declared(full)
	compiled := slices.ContainsFunc(all, func(m resolve.Ref) bool { return !isScript(m.File) })
	all = slices.DeleteFunc(slices.Clone(all), func(m resolve.Ref) bool {
		return m.File != f && isScript(m.File) && (compiled || !isScript(f))
	})
	if len(all) < 2 {
		return one(all), false
	}
	project := r.project(f.Dir)
	for _, near := range []func(resolve.Ref) bool{
		func(m resolve.Ref) bool { return m.File == f },
		func(m resolve.Ref) bool { return r.project(m.File.Dir) == project && m.File.Class != code.ClassTest },
		func(m resolve.Ref) bool { return r.project(m.File.Dir) == project },
	} {
		if some := slices.DeleteFunc(slices.Clone(all), func(m resolve.Ref) bool { return !near(m) }); len(some) > 0 {
			return one(some), len(some) > 1
		}
	}
	return resolve.Ref{}, true
}

// isScript reports whether a file is run as a script, rather than compiled with its project.
func isScript(f *resolve.File) bool { return path.Ext(f.Path) == ".exs" }

// one returns the only declaration of a list; the zero Ref if there are none or several.
func one(all []resolve.Ref) resolve.Ref {
	if len(all) != 1 {
		return resolve.Ref{}
	}
	return all[0]
}

type projectKey string

// project returns the directory of the nearest mix.exs at or above dir, "" for the root.
func (r reader) project(dir string) string {
	if dir == "" {
		return ""
	}
	return resolve.Derive(r.w, projectKey(dir), func() string {
		if r.w.Has(dir + "/mix.exs") {
			return dir
		}
		return r.project(code.Dir(dir))
	})
}

type libraryKey struct{ dir, head string }

// isLibrary reports whether a module belongs to a library that the mix.exs of f's project, or the
// one at the root, lists as a dependency.
func (r reader) isLibrary(f *resolve.File, module string) bool {
	head, _, _ := strings.Cut(module, ".")
	return resolve.Derive(r.w, libraryKey{f.Dir, head}, func() bool {
		for _, at := range []string{strings.TrimPrefix(r.project(f.Dir)+"/mix.exs", "/"), "mix.exs"} {
			mix := r.w.File(at)
			if mix == nil {
				continue
			}
			for _, leaf := range mix.Leaves(dependencies) {
				if names(leaf.Name[len(dependencies):], head) {
					return true
				}
			}
		}
		return false
	})
}

// names reports whether the name of a library corresponds to head, the first part of a module's
// name: nimble_options and NimbleOptions, httpoison and HTTPoison, ecto_sql and Ecto, telemetry
// and :telemetry.
func names(library, head string) bool {
	head = strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(head, ":")), "_", "")
	for i := range len(library) + 1 {
		ends := i == len(library) || library[i] == '_'
		if ends && strings.ReplaceAll(library[:i], "_", "") == head {
			return head != ""
		}
	}
	return false
}
