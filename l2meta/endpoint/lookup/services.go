package lookup

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/resolve"
)

// place adds the directories of a service to l.roots.
func (l *ServiceList) place(s Service) {
	for _, dir := range append([]string{s.Root}, s.Also...) {
		if dir != "" {
			l.roots[dir] = s.Root
		}
	}
}

// Spellings returns the names of a service, including the name of its directory.
func (s *Service) Spellings() []string {
	out := append([]string{s.Name}, s.Names...)
	if s.Root != "" {
		out = append(out, path.Base(s.Root))
	}
	return out
}

// Deployed removes the roots of libraries and tests from a list of service roots, unless nothing else is in it.
func (l *ServiceList) Deployed(roots []string) []string {
	beside := func(root string) bool {
		return slices.ContainsFunc(l.All, func(s Service) bool { return s.Root == root && s.Beside })
	}
	if len(roots) < 2 || !slices.ContainsFunc(roots, func(r string) bool { return !beside(r) }) {
		return roots
	}
	return slices.DeleteFunc(roots, beside)
}

// IsTests reports whether the service at root consists of tests.
func (l *ServiceList) IsTests(root string) bool { return l.tests[root] }

// Local returns the root of the only service that listens on a port of the developer's machine;
// ok is false if no service does, or if several do.
func (l *ServiceList) Local(port string) (root string, ok bool) {
	if port == "" {
		return "", false
	}
	for _, s := range l.All {
		if !slices.Contains(s.Names, "localhost:"+port) {
			continue
		}
		if ok {
			return "", false
		}
		root, ok = s.Root, true
	}
	return root, ok && root != ""
}

// Service is a service of the workspace.
type Service struct {
	Name string
	Root string // relative to the root of the workspace, "" for the workspace root itself

	Also   []string // other directories that belong to this service alone
	Names  []string // all names, Name included, and addresses: "localhost:8080"
	Beside bool     // whether it is a library or tests; a name refers to it only if no service has that name
	Tests  bool     // whether its programs are tests, or try other services by hand
	Plays  bool     // whether it is a load generator: the paths in its code are those of the service that it calls
}

// ServiceList is the services of a workspace.
type ServiceList struct {
	All    []Service
	tests  map[string]bool   // roots of services that consist of tests
	roots  map[string]string // directory → Root of its service
	family string            // folded word with which most names begin: "ftgo" of ftgo-order-service; "" for none
	Named  map[string][]int  // folded name, or name of the directory → indexes in all, ascending
	like   map[string][]int  // the same as Named, for the names that the function bare returns
}

// dashes replaces dots and underscores between the words of a service's name by dashes.
var dashes = strings.NewReplacer(".", "-", "_", "-")

func newServiceList(all []Service) *ServiceList {
	l := &ServiceList{All: all, tests: map[string]bool{}, roots: make(map[string]string, len(all)),
		Named: map[string][]int{}, like: map[string][]int{}}
	for _, s := range all {
		if s.Tests {
			l.tests[s.Root] = true
		}
	}
	begin := map[string]int{}
	for _, s := range all {
		l.place(s)
		if word, rest, ok := strings.Cut(dashes.Replace(s.Name), "-"); ok &&
			rest != "" {
			if begin[Folded(word)]++; begin[Folded(word)] > 2 && 2*begin[Folded(word)] > len(all) {
				l.family = Folded(word)
			}
		}
	}
	for i := range all {
		for _, name := range all[i].Spellings() {
			enter(l.Named, Folded(name), i)
			enter(l.like, l.bare(name), i)
		}
	}
	return l
}

// enter adds index i of a service to the list under a name, unless it was the last one added there.
func enter(by map[string][]int, name string, i int) {
	if list := by[name]; len(list) == 0 || list[len(list)-1] != i {
		by[name] = append(list, i)
	}
}

// Root returns the Root of the service that contains a file, or "" if no service does.
func (l *ServiceList) Root(file string) string {
	for i := strings.LastIndexByte(file, '/'); i > 0; i = strings.LastIndexByte(file, '/') {
		if file = file[:i]; l.roots[file] != "" {
			return l.roots[file]
		}
	}
	return ""
}

// Called returns the root of the service with a name or folder. Case and separators do not matter.
func (l *ServiceList) Called(name string) (root string, ok bool) {
	if list := l.Named[Folded(name)]; len(list) > 0 {
		return l.All[list[0]].Root, true
	}
	return "", false
}

// Alike returns the indexes of the services whose names differ from name only by a word such as "service".
func (l *ServiceList) Alike(name string) []int {
	if short := bare(name); len(short) > 2 {
		return l.like[short]
	}
	return nil
}

// bare returns a service name in lower case, without separators, without the common first word of the workspace's
// services and without suffixes such as "service".
func (l *ServiceList) bare(name string) string {
	s := bare(name)
	if t := strings.TrimPrefix(s, l.family); l.family != "" && t != "" {
		return t
	}
	return s
}

// bare returns a name in lower case, without separators, without suffixes such as "service" and without the sign of a
// plural: "order" of orders-service.
func bare(name string) string {
	s := Folded(appWord.ReplaceAllString(name, ""))
	for _, word := range []string{"microservice", "service", "svc", "server", "api"} {
		if t := strings.TrimSuffix(s, word); t != "" {
			s = t
		}
	}
	if t := strings.TrimSuffix(s, "s"); len(t) > 2 && !strings.HasSuffix(t, "s") {
		return t
	}
	return s
}

// appWord matches the word for an application at the end of a name of several words: go-app.
var appWord = regexp.MustCompile(`(?i)[-_.]app$`)

// IsPlace reports whether a path is a place other than the root of a service.
func (l *ServiceList) IsPlace(p string) bool { return p != "" && l.roots[p] == "" }

// InPlace reports whether a file is in one of the places that are no roots of services.
func (l *ServiceList) InPlace(file string, places []string) bool {
	return slices.ContainsFunc(places, func(p string) bool {
		return l.IsPlace(p) && (file == p || strings.HasPrefix(file, p+"/"))
	})
}

// Outside reports whether a folder contains services. Then it is not the folder of a program, but
// only the folder from which images are built.
func (l *ServiceList) Outside(folder string) bool {
	return slices.ContainsFunc(l.All, func(s Service) bool { return strings.HasPrefix(s.Root, folder+"/") })
}

type servicesKey struct{}

// Services returns the Services of the workspace, computed once per generation of the index; none once the context
// has ended. The manifests that declare them are files of the index.
func (ws *Workspace) Services() *ServiceList {
	if ws.list == nil {
		ws.list = resolve.Derive(ws.World, servicesKey{}, func() *ServiceList { return newServiceList(ws.known()) })
	}
	if ws.list == nil {
		return newServiceList(nil)
	}
	return ws.list
}
