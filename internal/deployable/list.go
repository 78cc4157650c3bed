package deployable

import (
	"cmp"
	"path"
	"slices"

	"sextant/internal/code"
)

// services returns all units that Find has gathered as services, with their languages and kinds.
func (f *finder) services() []Service {
	f.setLanguages()
	out := make([]Service, 0, len(f.units))
	for _, u := range f.sorted() {
		if u.Name == "" {
			u.Name = path.Base(u.Root)
			if u.Root == "" {
				u.Name = f.src.Name
			}
		}
		u.Kind = f.kind(u)
		if u.Root == "" && u.traits&isGroup != 0 && len(f.units) > 1 && u.Kind != Test {
			continue // the manifest of a monorepo describes no service
		}
		if u.Root == "" && !u.deployed && len(f.units) > 1 &&
			slices.ContainsFunc(f.sorted(), func(o *unit) bool { return o.deployed }) {
			u.Kind = Library
		}
		u.Names = slices.DeleteFunc(u.Names, func(n string) bool { return n == u.Name })
		u.Names = append([]string{u.Name}, u.Names...)
		slices.Sort(u.Manifests)
		u.Manifests = slices.Compact(u.Manifests)
		out = append(out, u.Service)
	}
	slices.SortFunc(out, func(a, b Service) int { return cmp.Compare(a.Root, b.Root) })
	return out
}

// Index finds the service of a file.
type Index struct {
	at map[string]int
}

// NewIndex indexes services by their directories.
func NewIndex(services []Service) Index {
	x := Index{make(map[string]int, len(services))}
	for i := range services {
		for _, dir := range append([]string{services[i].Root}, services[i].Also...) {
			if _, taken := x.at[dir]; !taken {
				x.at[dir] = i
			}
		}
	}
	return x
}

// Of returns the index of the service that contains the file at p: the service with the nearest
// directory. It reports false if there is none.
func (x Index) Of(p string) (int, bool) {
	for dir := code.Dir(p); ; dir = code.Dir(dir) {
		if i, ok := x.at[dir]; ok {
			return i, true
		}
		if dir == "" {
			return 0, false
		}
	}
}

// sourceLanguages maps extensions to languages.
var sourceLanguages = map[string]string{
	"go": "go", "py": "python", "rb": "ruby", "php": "php", "rs": "rust", "java": "java", "kt": "kotlin",
	"scala": "scala", "cs": "csharp", "razor": "csharp", "cshtml": "csharp",
	"js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "ts": "typescript",
	"tsx": "typescript", "mts": "typescript", "vue": "vue",
	"c": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "swift": "swift", "ex": "elixir", "lua": "lua", "sh": "bash",
	"sql": "sql", "svelte": "svelte",
}

// families maps a language to all languages that have the same kind of manifest, such as
// package.json. The language of a service is the one of its family with most files.
var families = map[string][]string{
	"javascript": {"javascript", "typescript", "svelte", "vue"},
	"java":       {"java", "kotlin", "scala"},
}

// minorShare is the least share of a service's files, in percent, at which a language is listed.
const minorShare = 20

// shellShare is the least share, in percent, at which shell scripts are listed as a language. It is
// larger than minorShare because most services have scripts for other purposes.
const shellShare = 40

// setLanguages sets the languages of each unit by the number of its files in each. SQL is listed
// only if a unit has no other language.
func (f *finder) setLanguages() {
	units := f.sorted()
	list := make([]Service, len(units))
	for i, u := range units {
		list[i] = u.Service
	}
	index := NewIndex(list)
	counts := make([]map[string]int, len(units))
	for _, p := range f.src.Files {
		l := sourceLanguages[extension(path.Base(p))]
		i, ok := index.Of(p)
		if l == "" || !ok {
			continue
		}
		if counts[i] == nil {
			counts[i] = map[string]int{}
		}
		counts[i][l]++
	}
	for i, u := range units {
		u.setLanguages(counts[i])
	}
}

// ranked returns the languages with a large enough share of the files that are counted, those with
// most files first.
func ranked(counts map[string]int) (out []string) {
	total := 0
	for l, n := range counts {
		if l != "sql" {
			total += n
		}
	}
	for l, n := range counts {
		switch share := 100 * n; {
		case l == "sql" && total > 0:
		case l == "bash" && share < shellShare*total:
		case share >= minorShare*total:
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	return out
}

func (u *unit) setLanguages(counts map[string]int) {
	u.Languages = append(u.Languages, ranked(counts)...)
	family := families[u.Language]
	if u.Language != "" && family == nil {
		if !slices.Contains(u.Languages, u.Language) && len(u.Languages) == 0 {
			u.Languages = []string{u.Language}
		}
		return
	}
	// A package.json beside a Gemfile may only be for the assets of a page. If the unit has no
	// sources in the languages of its manifest, the language with most files counts.
	if i := slices.IndexFunc(u.Languages, func(l string) bool { return slices.Contains(family, l) }); i >= 0 {
		u.Language = u.Languages[i]
	} else if i := slices.IndexFunc(u.Languages, func(l string) bool { return l != "sql" && l != "bash" }); i >= 0 {
		u.Language = u.Languages[i]
	}
	if len(u.Languages) == 0 && u.Language != "" {
		u.Languages = []string{u.Language}
	}
}
