package ruby

import (
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

type projectKey string

// project returns the directory of the gem or program that contains dir: the nearest one, dir
// itself or above it, with a Gemfile or a gemspec. It returns "" for the root.
func (r reader) project(dir string) string {
	if dir == "" {
		return ""
	}
	return resolve.Derive(r.w, projectKey(dir), func() string {
		for _, f := range r.w.Dir(dir) {
			if base := path.Base(f.Path); base == "Gemfile" || base == "gems.rb" ||
				strings.HasSuffix(base, ".gemspec") {
				return dir
			}
		}
		return r.project(code.Dir(dir))
	})
}

type requiredKey int64

// maxRequired bounds the number of files that required returns for one file.
const maxRequired = 500

// required returns the files that f requires by literal names, and the files that these require
// in turn. It does not return f itself.
func (r reader) required(f *resolve.File) []*resolve.File {
	return resolve.Derive(r.w, requiredKey(f.ID), func() []*resolve.File {
		seen := []*resolve.File{f}
		for i := 0; i < len(seen) && len(seen) < maxRequired; i++ {
			for _, m := range seen[i].Imports {
				if g := r.module(seen[i], m.Module); g != nil && !slices.Contains(seen, g) {
					seen = append(seen, g)
				}
			}
		}
		return seen[1:]
	})
}

// module returns the file that f requires under a name. It returns nil if the workspace has no
// such file, or if several are equally near.
func (r reader) module(f *resolve.File, name string) *resolve.File {
	if !strings.HasSuffix(name, ".rb") {
		name += ".rb"
	}
	if strings.HasPrefix(name, ".") {
		return r.w.File(path.Join(f.Dir, name))
	}
	project := r.project(f.Dir)
	for _, dir := range []string{"lib", "test", "spec", "", "test/lib"} {
		if g := r.w.File(path.Join(project, dir, name)); g != nil && g != f {
			return g
		}
	}
	var found *resolve.File
	for _, ref := range r.w.Base(path.Base(name)) {
		if !strings.HasSuffix("/"+ref.Path, "/lib/"+name) || ref.Language != "ruby" {
			continue
		}
		if found != nil {
			return nil
		}
		found = r.w.Load(ref)
	}
	return found
}

func (Language) Imports(w *resolve.World, f *resolve.File, i *code.Import) []*resolve.File {
	return []*resolve.File{reader{w}.module(f, i.Module)}
}
