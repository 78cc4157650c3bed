package workspace

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
)

// Service is a deployable or a module of the workspace, found by its manifests.
type Service struct {
	Name      string   // name in the manifest, else that of the directory
	Root      string   // directory relative to the root, "" is the root itself
	Language  string   // a name of internal/lang; "" if unknown
	Manifests []string // relative to the root, sorted
}

// IsManifest reports whether the file at p may define a service or list
// services: go.mod, go.work, package.json, pyproject.toml, pom.xml, a
// Dockerfile, a compose file and the like.
func IsManifest(p string) bool {
	_, ok := manifestOf(p)
	return ok
}

// RuleFileName reports whether a file of that name, in any directory,
// influences what is ignored. If one changes, the set of indexed files may
// change.
func RuleFileName(base string) bool {
	return base == ".git" || base == gitRuleFile || slices.Contains(ownRuleFiles[:], base) ||
		slices.Contains(configFiles[:], base)
}

// EvidenceName reports whether the presence of a file of that name decides
// whether a directory is the output of a tool: with Cargo.toml, the directory
// target beside it is one.
func EvidenceName(base string) bool {
	return traitsOf([]dirent{{name: base}})&^(hasGit|hasGitRules|hasOwnRules) != 0
}

// Services returns the services of the workspace, ordered by Root. It reads the
// manifests in files, the paths of all indexed files.
//
// An unreadable manifest counts by its name alone. Manifests in vendored code
// and in fixtures do not count. A manifest that only groups others (go.work, a
// Maven aggregator, a virtual Cargo workspace) makes no service of its
// directory. A Dockerfile or a compose file makes one only if its directory is
// in none yet.
func (t *Tree) Services(files []string) []Service {
	var strong, weak []manifest
	for _, p := range files {
		m, ok := manifestOf(p)
		if !ok {
			continue
		}
		if c := Classify(p, nil); c == code.ClassVendor || c == code.ClassFixture {
			continue
		}
		text, _, err := t.Read(p, maxManifestBytes)
		if err == nil {
			m.read(text)
		}
		if m.kind.weak || m.groups {
			weak = append(weak, m)
		} else if !m.empty {
			strong = append(strong, m)
		}
	}
	found := map[string]*Service{}
	for _, m := range byPriority(strong) {
		m.join(found)
	}
	for _, m := range byPriority(weak) {
		attach(found, m)
	}
	out := make([]Service, 0, len(found))
	for _, s := range found {
		if s.Name == "" {
			s.Name = path.Base(filepath.ToSlash(filepath.Join(t.root, s.Root)))
		}
		slices.Sort(s.Manifests)
		s.Manifests = slices.Compact(s.Manifests)
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Service) int { return cmp.Compare(a.Root, b.Root) })
	setLanguages(out, files)
	return out
}

// byPriority sorts list so that the manifest that names the service comes
// first.
func byPriority(list []manifest) []manifest {
	slices.SortFunc(list, func(a, b manifest) int {
		return cmp.Or(cmp.Compare(a.kind.rank, b.kind.rank), cmp.Compare(a.path, b.path))
	})
	return list
}

// join adds the manifest to the service of its directory, which it creates if
// necessary.
func (m *manifest) join(found map[string]*Service) {
	dir := code.Dir(m.path)
	s := found[dir]
	if s == nil {
		s = &Service{Root: dir, Language: m.kind.language, Name: m.name}
		found[dir] = s
	}
	if s.Name == "" {
		s.Name = m.name
	}
	s.Manifests = append(s.Manifests, m.path)
}

// attach adds a manifest that groups or deploys others to the services it
// mentions.
func attach(found map[string]*Service, m manifest) {
	dir := code.Dir(m.path)
	for _, name := range slices.Sorted(maps.Keys(m.contexts)) { // only a compose file has contexts
		context := m.contexts[name]
		if at := path.Join(dir, context); at != "." && !strings.HasPrefix(at, "..") {
			if s := owner(found, at); s != nil {
				s.Manifests = append(s.Manifests, m.path)
			} else {
				found[at] = &Service{Name: name, Root: at, Manifests: []string{m.path}}
			}
		}
	}
	switch s := owner(found, dir); {
	case m.groups || len(m.contexts) > 0:
		if s := found[dir]; s != nil {
			s.Manifests = append(s.Manifests, m.path)
		}
	case m.kind.deploysOnly && m.name != "": // settings.gradle names the service of its own directory
		if s := found[dir]; s != nil {
			s.Name = cmp.Or(s.Name, m.name)
			s.Manifests = append(s.Manifests, m.path)
		}
	case s != nil:
		s.Manifests = append(s.Manifests, m.path)
	case !m.kind.deploysOnly:
		m.join(found)
	}
}

// owner returns the service with the longest root that is dir or contains it,
// or nil.
func owner(found map[string]*Service, dir string) *Service {
	for ; ; dir = code.Dir(dir) {
		if s := found[dir]; s != nil || dir == "" {
			return s
		}
	}
}

// Owner returns the index of the service that contains the file at p, the one
// with the longest root; -1 if there is none. services are ordered as Services
// returns them.
func Owner(services []Service, p string) int {
	for dir := code.Dir(p); ; dir = code.Dir(dir) {
		if i, ok := slices.BinarySearchFunc(services, dir,
			func(s Service, d string) int { return cmp.Compare(s.Root, d) }); ok {
			return i
		}
		if dir == "" {
			return -1
		}
	}
}

// sourceLanguages maps extensions to languages, for services whose manifests
// leave the language open.
var sourceLanguages = map[string]string{
	"go": "go", "py": "python", "rb": "ruby", "php": "php", "rs": "rust", "java": "java", "kt": "kotlin",
	"scala": "scala", "cs": "csharp",
	"js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript", "ts": "typescript",
	"tsx": "typescript", "mts": "typescript",
	"c": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "swift": "swift", "ex": "elixir", "lua": "lua", "sh": "bash",
	"sql": "sql", "svelte": "svelte",
}

// families are the languages that one kind of manifest is used for. The number
// of files decides which of them a service is written in.
var families = map[string][]string{
	"javascript": {"javascript", "typescript", "svelte"},
	"java":       {"java", "kotlin", "scala"},
}

// setLanguages sets languages that manifests leave open to the one with most
// files.
func setLanguages(services []Service, files []string) {
	counts := make([]map[string]int, len(services))
	for _, p := range files {
		l := sourceLanguages[extension(path.Base(p))]
		if l == "" {
			continue
		}
		if i := Owner(services, p); i >= 0 {
			if counts[i] == nil {
				counts[i] = map[string]int{}
			}
			counts[i][l]++
		}
	}
	for i := range services {
		s := &services[i]
		family := families[s.Language]
		if s.Language != "" && family == nil {
			continue
		}
		best := 0
		for l, n := range counts[i] {
			if family != nil && !slices.Contains(family, l) {
				continue
			}
			if n > best || n == best && l < s.Language {
				s.Language, best = l, n
			}
		}
	}
}
