package csharp

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// step is one element of an MSBuild project file: a property, an import, a reference to a project
// or a using directive, with the conditions under which it applies.
type step struct {
	fields     map[string]string
	conditions []string
	dir        string // directory of the project file
}

func steps(f *resolve.File) (out []step) {
	for _, fact := range f.Leaves("/steps/") {
		at, field, _ := strings.Cut(strings.TrimPrefix(fact.Name, "/steps/"), "/")
		i, err := strconv.Atoi(at)
		if err != nil {
			continue
		}
		for len(out) <= i {
			out = append(out, step{fields: map[string]string{}, dir: f.Dir})
		}
		if strings.HasPrefix(field, "conditions/") {
			out[i].conditions = append(out[i].conditions, fact.Type)
		} else {
			out[i].fields[field] = fact.Type
		}
	}
	return out
}

// build evaluates the MSBuild files of one project, as far as their text allows: first properties
// and imports, in order, then the using directives.
type build struct {
	w          *resolve.World
	project    string            // directory of the project
	properties map[string]string // properties with known values, by name in lower case
	items      []step
	read       map[string]bool
	isProject  bool // whether the directory has a project file
}

// buildUsings returns the usings that MSBuild files add to all files of the project in a
// directory. If the directory has several projects, it returns only those of
// Directory.Build.props and Directory.Build.targets, which the projects share.
func buildUsings(w *resolve.World, project string) []using {
	b := newBuild(w, project)
	if !b.isProject {
		return nil
	}
	return append(b.usings(), b.implicit()...)
}

// newBuild reads the MSBuild files of the project in a directory.
func newBuild(w *resolve.World, project string) *build {
	b := &build{w: w, project: project, properties: map[string]string{}, read: map[string]bool{}}
	var own []string
	for _, f := range w.Dir(project) {
		if strings.HasSuffix(f.Path, ".csproj") {
			own = append(own, f.Path)
		}
	}
	if len(own) == 0 {
		return b
	}
	b.isProject = true
	b.file(b.above(project, "Directory.Build.props"))
	if len(own) == 1 {
		b.file(own[0])
	}
	b.file(b.above(project, "Directory.Build.targets"))
	return b
}

// implicit returns the usings that the SDK adds if a project sets ImplicitUsings. It returns
// those of every kind of project, because a using of a namespace without declarations in the
// workspace has no effect.
func (b *build) implicit() (out []using) {
	switch strings.ToLower(b.properties["implicitusings"]) {
	case "enable", "true":
		for _, module := range implicit {
			out = append(out, using{module: module})
		}
	}
	return out
}

// implicit lists the namespaces outside of System that an SDK may add to the usings of a project:
// Microsoft.NET.Sdk.Web, .Worker and .WindowsDesktop.
var implicit = []string{
	"Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http",
	"Microsoft.AspNetCore.Routing",
	"Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting",
	"Microsoft.Extensions.Logging",
}

// above returns the path of the file called name in dir or the nearest directory above; "" if
// there is none.
func (b *build) above(dir, name string) string {
	for {
		if p := path.Join(dir, name); b.w.Has(p) {
			return p
		}
		if dir == "" {
			return ""
		}
		dir = code.Dir(dir)
	}
}

// file adds the elements of the project file at p to the steps to evaluate, and those of the files that it
// imports. Each file is read once.
func (b *build) file(p string) {
	if p == "" || b.read[p] {
		return
	}
	b.read[p] = true
	f := b.w.File(p)
	if f == nil {
		return
	}
	for _, s := range steps(f) {
		name, isProperty := s.fields["property"]
		imported, isImport := s.fields["import"]
		switch {
		case isProperty:
			b.set(s, strings.ToLower(name))
		case isImport:
			if to, ok := b.expand(imported, s.dir); ok && b.holds(s) == csharpHolds {
				b.file(csharpPath(to, s.dir))
			}
		default:
			b.items = append(b.items, s)
		}
	}
}

func (b *build) set(s step, name string) {
	holds := b.holds(s)
	if holds == fails {
		return
	}
	text, kept := s.fields["value"]
	if value, ok := b.expand(text, s.dir); ok && kept && holds == csharpHolds {
		b.properties[name] = value
	} else {
		delete(b.properties, name)
	}
}

// usings returns the usings that are certainly added and certainly not removed.
func (b *build) usings() (out []using) {
	for _, s := range b.items {
		holds := b.holds(s)
		if text, ok := b.expand(s.fields["using"], s.dir); ok && holds == csharpHolds {
			for _, module := range items(text) {
				out = append(out, using{s.fields["alias"], module, strings.EqualFold(s.fields["static"], "true")})
			}
		}
		if text, ok := b.expand(s.fields["remove"], s.dir); ok && holds != fails {
			removed := items(text)
			out = slices.DeleteFunc(out, func(u using) bool { return slices.Contains(removed, u.module) })
		}
	}
	return out
}

// items splits a list of items, "A;B", and skips wildcards and references to other lists.
func items(text string) (out []string) {
	for _, item := range strings.Split(text, ";") {
		if item = strings.TrimPrefix(strings.TrimSpace(item), "global::"); item != "" &&
			!strings.ContainsAny(item, "@%*") {
			out = append(out, item)
		}
	}
	return out
}

// csharpPath returns path p, which a file in directory dir states, relative to the root of the
// workspace. A leading slash in p denotes that root.
func csharpPath(p, dir string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if rooted, ok := strings.CutPrefix(p, "/"); ok {
		return path.Clean(rooted)
	}
	return path.Join(dir, p)
}

var (
	reference = regexp.MustCompile(`\$\((\w+)\)`)
	fileAbove = regexp.MustCompile(
		`(?i)\$\(\[MSBuild\]::GetPathOfFileAbove\(\s*['"]?([^'",()]+)['"]?\s*(?:,\s*['"]?([^'",()]*)['"]?\s*)?\)\)`)
)

// expand replaces each $(Property) in a text from a file in dir by its value; false if a value is
// unknown. A directory gets a leading slash, which denotes the root of the workspace.
func (b *build) expand(text, dir string) (string, bool) {
	known := true
	text = reference.ReplaceAllStringFunc(text, func(reference string) string {
		switch name := strings.ToLower(reference[2 : len(reference)-1]); name {
		case "msbuildthisfiledirectory":
			return strings.TrimSuffix("/"+dir, "/") + "/"
		case "msbuildprojectdirectory":
			return "/" + b.project
		default:
			value, ok := b.properties[name]
			known = known && ok
			return value
		}
	})
	text = fileAbove.ReplaceAllStringFunc(text, func(call string) string {
		m := fileAbove.FindStringSubmatch(call)
		from := csharpPath(m[2], dir)
		if strings.HasPrefix(from, "..") {
			return ""
		}
		if found := b.above(strings.TrimPrefix(from, "."), m[1]); found != "" {
			return "/" + found
		}
		return ""
	})
	return text, known && !strings.Contains(text, "$(")
}

// unsure, csharpHolds and fails are the results of a condition: it may be true, is true, or is
// false.
const (
	unsure = iota
	csharpHolds
	fails
)

// holds evaluates all conditions of a step: it returns csharpHolds if all are true, fails if one
// is false, and unsure otherwise.
func (b *build) holds(s step) int {
	all := csharpHolds
	for _, c := range s.conditions {
		for _, part := range and.Split(c, -1) {
			switch b.condition(part, s.dir) {
			case fails:
				return fails
			case unsure:
				all = unsure
			}
		}
	}
	return all
}

var (
	and     = regexp.MustCompile(`(?i)\s+and\s+`)
	compare = regexp.MustCompile(`^\s*('[^']*'|[^'\s]+)\s*(==|!=)\s*('[^']*'|[^'\s]+)\s*$`)
	exists  = regexp.MustCompile(`(?i)^\s*exists\(\s*'([^']*)'\s*\)\s*$`)
)

// condition evaluates one condition: a comparison, or a test for the existence of a file in the
// workspace.
func (b *build) condition(text, dir string) int {
	text, ok := b.expand(text, dir)
	if !ok {
		return unsure
	}
	if m := exists.FindStringSubmatch(text); m != nil {
		if b.w.Has(csharpPath(m[1], dir)) {
			return csharpHolds
		}
		return unsure // the file may be generated by a build
	}
	m := compare.FindStringSubmatch(text)
	if m == nil {
		return unsure
	}
	if strings.EqualFold(strings.Trim(m[1], "'"), strings.Trim(m[3], "'")) == (m[2] == "==") {
		return csharpHolds
	}
	return fails
}
