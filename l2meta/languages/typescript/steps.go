package typescript

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// ModuleSteps returns the last steps of the names under which modules may import f, and some that lead elsewhere:
//
//	src/views/page.ts        page of "./views/page"
//	src/views/index.ts       views of "@/views", and "." of "./" and ".."
//	libs/shared/src/main.ts  shared of "@shop/shared", a package with that folder or that name
//	src/http/client.ts       backend, for the alias "backend" in a tsconfig.json or an export of that name
func (Language) ModuleSteps(w *resolve.World, f *resolve.File) []string {
	var s moduleSteps
	for _, name := range []string{f.Path, ".", "~", "@", "~~", "@@", "$lib"} {
		s.add(name)
	}
	var exported []rewrite
	for dir := f.Dir; ; dir = code.Dir(dir) {
		s.add(dir)
		if manifest := w.File(path.Join(dir, "package.json")); manifest != nil {
			s.add(manifest.Leaf("/name"))
			exported = append(exported, subpaths(manifest)...)
		}
		if dir == "" {
			break
		}
	}
	leading := slices.Clone(s)
	for _, x := range slices.Concat(exported, rewrites(w)) {
		for _, step := range leading {
			if name, ok := x.written(step); ok {
				s.add(name)
			}
		}
	}
	return s
}

// moduleSteps is a list of last steps of names of modules, without duplicates.
type moduleSteps []string

func (s *moduleSteps) add(name string) {
	if step := l2meta.ModuleStep(name); !slices.Contains(*s, step) {
		*s = append(*s, step)
	}
}

// rewrite is a rule of a tsconfig.json or package.json for names of modules: "backend" means src/http/client.ts,
// or "@lib-*" for libs/*-lib/index.ts. For a rule with a "*" it holds the text before and behind the "*" in its step of
// the name ("@lib-" and "") and of the path ("" and "-lib").
type rewrite struct {
	name, nameTail, target, targetTail string
	starred                            bool
}

// newRewrite returns the rule for a pattern of names and its target. It returns false if names by the rule end in a
// step of the path, as those of "@/*" for src/* do.
func newRewrite(pattern, target string) (x rewrite, ok bool) {
	head, tail, starred := strings.Cut(pattern, "*")
	if !starred {
		return rewrite{name: pattern, target: l2meta.ModuleStep(target)}, true
	}
	to, toTail, _ := strings.Cut(target, "*")
	toTail, _, _ = strings.Cut(toTail, "/")
	toTail, _, _ = strings.Cut(toTail, ".")
	if strings.HasPrefix(tail, ".") || strings.HasPrefix(tail, "/") {
		tail = ""
	}
	x = rewrite{head[strings.LastIndexByte(head, '/')+1:], tail,
		strings.ToLower(to[strings.LastIndexByte(to, '/')+1:]), strings.ToLower(toTail), true}
	return x, x.name+x.nameTail+x.target+x.targetTail != ""
}

// written returns the name that leads to a path with a step, by the rule x; false if none does.
func (x rewrite) written(step string) (name string, ok bool) {
	if !x.starred {
		return x.name, step == x.target
	}
	rest, begins := strings.CutPrefix(step, x.target)
	rest, ends := strings.CutSuffix(rest, x.targetTail)
	return x.name + rest + x.nameTail, begins && ends
}

// subpaths returns the rules of "exports" and "imports" of a package.json, such as those of "./client" and "#db".
func subpaths(manifest *resolve.File) (out []rewrite) {
	for _, field := range []string{"/exports", "/imports"} {
		for _, fact := range manifest.Leaves(field) {
			key, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(fact.Name, field), "/"), "/")
			if x, ok := newRewrite(pointer.Replace(key), fact.Type); ok {
				out = append(out, x)
			}
		}
	}
	return out
}

// rewrites returns the rules of all tsconfig and jsconfig files of the workspace.
func rewrites(w *resolve.World) []rewrite {
	type key struct{}
	return resolve.Derive(w, key{}, func() (out []rewrite) {
		seen := map[string]bool{}
		for _, ref := range slices.Concat(w.BasesBetween("jsconfig", "jsconfih"), w.BasesBetween("tsconfig", "tsconfih")) {
			dir := code.Dir(ref.Path)
			if seen[dir] {
				continue
			}
			seen[dir] = true
			for _, c := range configs(w, dir) {
				for _, a := range c.aliases {
					for _, target := range a.targets {
						if x, ok := newRewrite(a.pattern, target); ok && !slices.Contains(out, x) {
							out = append(out, x)
						}
					}
				}
			}
		}
		return out
	})
}
