package csharp

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// referred returns those declarations of a type that code of a project can see. If several projects
// declare the type, these are the declarations of the projects to which the project refers, directly
// or through others. Without such a reference it returns all.
func referred(w *resolve.World, project string, all []decl) []decl {
	if !slices.ContainsFunc(all, func(d decl) bool { return d.project != all[0].project }) {
		return all
	}
	known := references(w, project)
	seen := slices.DeleteFunc(slices.Clone(all), func(d decl) bool { return !slices.Contains(known, d.project) })
	if len(seen) == 0 {
		return all
	}
	return seen
}

type referencesKey string

// maxReferences bounds the number of projects to which a project refers through others.
const maxReferences = 500

// references returns the directories of the projects to which the project in a directory refers,
// directly or through others.
func references(w *resolve.World, project string) []string {
	return resolve.Derive(w, referencesKey(project), func() (out []string) {
		todo := []string{project}
		for len(todo) > 0 && len(out) < maxReferences {
			for _, to := range newBuild(w, todo[0]).references() {
				if to != project && !slices.Contains(out, to) {
					out, todo = append(out, to), append(todo, to)
				}
			}
			todo = todo[1:]
		}
		return out
	})
}

// references returns the directories of the projects that a <ProjectReference> names, unless its
// conditions certainly fail.
func (b *build) references() (out []string) {
	for _, s := range b.items {
		text, ok := b.expand(s.fields["reference"], s.dir)
		if !ok || text == "" || b.holds(s) == fails {
			continue
		}
		for _, item := range items(text) {
			if to := csharpPath(item, s.dir); b.w.Has(to) {
				out = append(out, code.Dir(to))
			}
		}
	}
	return out
}
