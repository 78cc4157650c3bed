package typescript

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// autoImported returns the value of a name that f neither declares nor imports, but that Nuxt
// imports for it. The name is an export of a file in the folders composables and utils of the
// application. The configuration may name folders below these, so files at any depth count. If
// several files export the name, the configuration chooses one; then it returns no value, but
// found is true.
func autoImported(w *resolve.World, f *resolve.File, name string) (v resolve.Value, found bool) {
	app, ok := nuxtOf(w, f.Dir)
	if !ok {
		return resolve.Value{}, false
	}
	rows, all := w.Named(name)
	var at *resolve.File
	for _, row := range rows {
		if w.Family(row.Language) != familyName || row.Name != name || row.Parent >= 0 {
			continue
		}
		from := w.ByID(row.FileID)
		if from == nil || from == at || !code.Within(from.Path, app) || !autoImports(from.Path) {
			continue
		}
		if moduleMember(w, from, name).Kind == resolve.Unknown {
			continue
		}
		if at != nil {
			return resolve.Value{}, true
		}
		at = from
	}
	if at == nil || !all {
		return resolve.Value{}, !all
	}
	return moduleMember(w, at, name), true
}

// autoImports reports whether Nuxt imports the exports of a file by itself.
func autoImports(file string) bool {
	folders := strings.Split(path.Dir(file), "/")
	return slices.Contains(folders, "composables") || slices.Contains(folders, "utils")
}

// nuxtOf returns the folder of the nearest package around dir; ok is false unless it depends on Nuxt.
func nuxtOf(w *resolve.World, dir string) (app string, ok bool) {
	type key struct{ dir string }
	found := resolve.Derive(w, key{dir}, func() *string {
		for ; ; dir = code.Dir(dir) {
			if manifest := w.File(path.Join(dir, "package.json")); manifest != nil {
				if manifest.Leaf("/dependencies/nuxt") != "" || manifest.Leaf("/devDependencies/nuxt") != "" {
					return &dir
				}
				return nil
			}
			if dir == "" {
				return nil
			}
		}
	})
	if found == nil {
		return "", false
	}
	return *found, true
}

// frameworkAlias splits a specifier that starts with an alias of a framework: "~/a" of Nuxt,
// "@/a" of Nuxt and of Vue's project templates, "$lib/a" of SvelteKit. The tsconfig of a
// repository lacks these aliases, because the framework generates its configuration or defines
// them in a program. rest is the path after the alias. folders lists the folders of the package
// to which the alias may lead; it is nil if there is no alias. No package name starts with one of
// these aliases.
func frameworkAlias(spec string) (rest string, folders []string) {
	alias, rest, _ := strings.Cut(spec, "/")
	switch alias {
	case "~", "@":
		return rest, []string{"src", "app", ""}
	case "~~", "@@":
		return rest, []string{""}
	case "$lib":
		return rest, []string{"src/lib"}
	}
	return "", nil
}

// inSources returns the file at rest in the first of the folders of the nearest package that has it, or
// nil.
func (k moduleKey) inSources(w *resolve.World, rest string, folders []string) *resolve.File {
	for dir := k.dir; ; dir = code.Dir(dir) {
		if w.Has(path.Join(dir, "package.json")) {
			for _, folder := range folders {
				if f := k.file(w, path.Join(dir, folder, rest), 0); f != nil && f.Language != "" {
					return f
				}
			}
			return nil
		}
		if dir == "" {
			return nil
		}
	}
}
