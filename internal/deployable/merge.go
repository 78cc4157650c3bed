package deployable

import (
	"maps"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// merge merges services and modules that are deployed together.
func (f *finder) merge() {
	f.mergeNested()
	f.mergeOuter()
	f.mergeFolders()
	f.mergeOwn()
}

// absorb merges u into another unit, which takes over u's names, manifests and properties.
func (f *finder) absorb(into, u *unit) {
	delete(f.units, u.Root)
	f.ordered = nil
	if u.rank < into.rank {
		into.Name, into.rank = u.Name, u.rank
	}
	into.alias(u.Names...)
	into.Manifests = append(into.Manifests, u.Manifests...)
	into.traits |= u.traits
	into.deployed = into.deployed || u.deployed
}

// mergeNested merges a module into the deployed service around it: web/client into web. It also
// merges a variant that is deployed under the name of that service: vote/dotnet into vote.
func (f *finder) mergeNested() {
	for _, u := range f.sorted() {
		if u.Root == "" || isTest(u) {
			continue
		}
		outer := f.owner(code.Dir(u.Root))
		if outer == nil || outer.Root == "" || !outer.deployed {
			continue
		}
		if !u.deployed || u.rank > rankKubernetes || slices.Contains(outer.Names, u.Name) {
			f.absorb(outer, u)
		}
	}
}

// mergeOuter merges all modules below a module into that module if exactly one of them is
// deployed. It skips a module that is deployed or runnable itself, or whose manifest only lists
// others.
func (f *finder) mergeOuter() {
	for _, outer := range f.sorted() {
		if outer.Root == "" || outer.deployed || outer.traits&(isGroup|isRunnable) != 0 {
			continue
		}
		var deployed, below []*unit
		for _, u := range f.inside(outer.Root) {
			if !isTest(u) {
				below = append(below, u)
				if u.deployed {
					deployed = append(deployed, u)
				}
			}
		}
		if len(deployed) == 1 {
			for _, u := range below {
				f.absorb(outer, u)
			}
		}
	}
}

// mergeFolders extends a service to the folder around it: from cart/src to cart; or from
// Ordering/Ordering.API to Ordering, with the neighbour Ordering.Domain. If no project in the
// folder is deployed, the only C# program counts as the service, provided that the names of all
// projects there begin alike.
func (f *finder) mergeFolders() {
	byParent := map[string][]*unit{}
	for _, u := range f.sorted() {
		if parent := code.Dir(u.Root); parent != "" && f.units[parent] == nil && !isTest(u) {
			byParent[parent] = append(byParent[parent], u)
		}
	}
	for _, parent := range sortedKeys(byParent) {
		list := byParent[parent]
		program := only(list, func(u *unit) bool { return u.deployed })
		family := len(list) > 1 && ofFamily(list, path.Base(parent)+".")
		if program == nil && !slices.ContainsFunc(list, func(u *unit) bool { return u.deployed }) {
			// Nothing deploys any of the projects: the service is the only program among projects
			// with a common prefix.
			program = only(list, func(u *unit) bool { return u.traits&isRunnable != 0 && u.Language == "csharp" })
			family = program != nil && len(list) > 1 && ofFamily(list, stem(path.Base(program.Root)))
		}
		if program == nil || !family && (len(list) > 1 || path.Base(list[0].Root) != "src" || !program.deployed) {
			continue
		}
		into := f.at(parent)
		into.Language = program.Language
		f.absorb(into, program)
		for _, u := range list {
			if u != program {
				f.absorb(into, u)
			}
		}
	}
}

// only returns the only unit in list that fits, nil if none does, or several.
func only(list []*unit, fits func(*unit) bool) (one *unit) {
	for _, u := range list {
		if fits(u) {
			if one != nil {
				return nil
			}
			one = u
		}
	}
	return one
}

// ofFamily reports whether the names of all directories in list begin with a prefix that ends in a dot.
func ofFamily(list []*unit, prefix string) bool {
	return prefix != "" && !slices.ContainsFunc(list,
		func(u *unit) bool { return !strings.HasPrefix(path.Base(u.Root), prefix) })
}

// stem returns the name of a project without its last part: "Ordering." for Ordering.API.
func stem(name string) string { return name[:strings.LastIndexByte(name, '.')+1] }

// ownFolders lists folders whose subfolders may each belong to one program of the module:
// internal/web to cmd/web.
var ownFolders = []string{"internal", "internal/app", "libs", "lib"}

// mergeOwn adds directories that are named after a program to its service: internal/web to cmd/web,
// libs/identity to apps/identity-service.
func (f *finder) mergeOwn() {
	for _, u := range f.sorted() {
		if u.Root == "" || u.traits&isModule != 0 && u.traits&isRunnable == 0 ||
			!u.deployed && u.traits&isRunnable == 0 {
			continue
		}
		folder := code.Dir(u.Root) // cmd, apps
		if folder == "" {
			continue
		}
		module := code.Dir(folder)
		folders := ownFolders
		if path.Base(folder) == "cmd" { // in Go, cart may be beside cmd/cart
			folders = slices.Concat(ownFolders, []string{"pkg", ""})
		}
		for _, own := range folders {
			for _, name := range []string{path.Base(u.Root), bare(path.Base(u.Root))} {
				dir := path.Join(module, own, name)
				if len(f.below(dir)) == 0 || slices.Contains(u.Also, dir) || within(u.Root, dir) || dir == u.Root {
					continue
				}
				lib := f.units[dir]
				if lib != nil && (lib.deployed || lib.traits&isRunnable != 0) {
					continue
				}
				if lib != nil {
					f.absorb(u, lib)
				}
				u.Also = append(u.Also, dir)
			}
		}
		slices.Sort(u.Also)
	}
}
