// Package deployable finds the services of a workspace: the directories that are deployed, with all
// names and addresses by which other services reach them. It also lists the libraries, tests and
// infrastructure.
//
// A module is a directory with a manifest (go.mod, package.json, pom.xml …), or a program in Python
// that has none: a directory with requirements.txt, manage.py or a module that makes a web
// application. It is a service if something deploys it: a Dockerfile, a compose file, a workload of
// Kubernetes, an Aspire host. If a deployment names a program within a module, that program is the
// service, and the module is a library.
//
//	docker-compose.yml   services: { web: { build: ., dockerfile: docker/Dockerfile-web, ports: ["80:8888"] } }
//	docker/Dockerfile-web  RUN go build -o /app ./cmd/web
//	⇒ web, at cmd/web, also reached as localhost:80
//
// The package reads manifests through its caller and runs nothing. Its result depends on the files
// alone.
package deployable

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// Kind is the purpose of a directory: an application, a library, tests.
type Kind string

// These constants are the kinds of services. Application and Frontend are the programs that the
// workspace is written for.
const (
	Application    Kind = "application"
	Frontend       Kind = "frontend"       // runs in browsers or on devices
	Infrastructure Kind = "infrastructure" // databases, brokers, registries, gateways without code of their own
	LoadGenerator  Kind = "loadgen"        // simulates users of the other services
	Library        Kind = "library"        // not deployed
	Test           Kind = "test"
)

// Service is a directory of the workspace that is deployed, or another module, such as a library.
type Service struct {
	// its name in a deployment or, if none names it, in its manifest, or else the name of its
	// directory
	Name      string
	Root      string   // directory relative to the root, "" is the root itself
	Also      []string // further directories that belong to it alone, sorted: internal/web for cmd/web
	Kind      Kind
	Language  string   // the language with most files, a name of internal/lang; "" if unknown
	Languages []string // all languages with a large share of its files, largest first
	Names     []string // all its names, Name first, and its addresses: "localhost:8080"
	Manifests []string // relative to the root, sorted
}

// Source is a workspace to search for services.
type Source struct {
	Name  string   // name of the root directory
	Files []string // paths of all files to consider, sorted
	// Read returns the text of a file, nil if it cannot be read.
	Read func(path string) []byte
}

// Find returns the services of a workspace, ordered by Root.
//
// An unreadable manifest still makes its directory a module. A manifest that only groups others
// (go.work, a Maven aggregator, a virtual Cargo workspace) does not.
func Find(src Source) []Service {
	f := &finder{src: src, units: map[string]*unit{}, sources: map[string]int{}, programs: map[string]bool{},
		nestedIn: map[string]map[string]string{},
		images:   map[string]string{}, manifold: map[string]bool{}, labels: map[string]*unit{}, claimed: map[string]bool{}}
	f.count()
	f.gather()
	f.modules()
	f.atHome()
	f.undeployed()
	f.deployments()
	f.merge()
	return f.services()
}

// unit is a service or module of which Find has not yet gathered all properties.
type unit struct {
	Service
	rank     int // rank of the kind of file that Name comes from, such as rankCompose
	deployed bool
	traits   trait
	folder   string   // the folded name of its directory: see Folded
	folded   []string // Names, folded
}

// These constants are the ranks of the kinds of files that a name may come from. A service takes
// the name of the lowest rank.
const (
	rankCompose = iota
	rankAspire
	rankKubernetes
	rankSetting
	rankProject
	rankManifest
	rankDirectory
)

// finder is the state of one call of Find.
type finder struct {
	src      Source
	units    map[string]*unit             // by directory
	ordered  []*unit                      // result of the method sorted; nil if units have changed since
	sources  map[string]int               // directory → source files in it and below
	nestedIn map[string]map[string]string // build context → result of nested
	programs map[string]bool              // directories of Go programs; atHome replaces them by the directories of their services
	images   map[string]string            // name of a built image → directory
	manifold map[string]bool              // names of images that are built from several directories
	labels   map[string]*unit             // "app=web" of a pod → its service
	claimed  map[string]bool              // paths of the Dockerfiles that another file assigns to a service
	texts    []document                   // deployments, in order of their paths
	strong   []manifest
	weak     []manifest

	selectors []*configtree.Node // Kubernetes resources of kind Service
}

// document is a file that deploys or names services.
type document struct {
	path, text string
	read       func(*finder, document)
	rank       int // position in the order of reading; see the function order
}

// count counts the source files in and below each directory, and records the directories of Go
// programs.
func (f *finder) count() {
	for _, p := range f.src.Files {
		dir := code.Dir(p)
		f.sources[dir] += 0
		if sourceLanguages[extension(path.Base(p))] == "" {
			continue
		}
		if path.Base(p) == "main.go" {
			f.programs[dir] = true
		}
		for ; ; dir = code.Dir(dir) {
			f.sources[dir]++
			if dir == "" {
				break
			}
		}
	}
}

// at returns the unit, a service or module, of a directory. It creates the unit if there is none.
func (f *finder) at(dir string) *unit {
	u := f.units[dir]
	if u == nil {
		u = &unit{Service: Service{Root: dir}, rank: rankDirectory, folder: Folded(path.Base(dir))}
		f.units[dir], f.ordered = u, nil
	}
	return u
}

// call adds a name to a service. It becomes the Name if its rank is lower than that of each name so
// far.
func (u *unit) call(name string, rank int) {
	if name == "" || strings.ContainsAny(name, "${}") {
		return
	}
	if rank < u.rank {
		u.Name, u.rank = name, rank
	}
	u.alias(name)
}

// alias adds a name or address by which a unit is reached.
func (u *unit) alias(names ...string) {
	for _, name := range names {
		if name != "" && !strings.ContainsAny(name, "${}") && !slices.Contains(u.Names, name) {
			u.Names, u.folded = append(u.Names, name), append(u.folded, Folded(name))
		}
	}
}

// has reports whether a name of the unit, folded, equals the folded name.
func (u *unit) has(folded string) bool { return slices.Contains(u.folded, folded) }

// owner returns the unit (service or module) of dir or of the nearest directory above it; nil if
// there is none.
func (f *finder) owner(dir string) *unit {
	for ; ; dir = code.Dir(dir) {
		if u := f.units[dir]; u != nil || dir == "" {
			return u
		}
	}
}

// sorted returns the units, ordered by directory. The caller must not change the slice. It keeps its
// elements when units are added or merged meanwhile.
func (f *finder) sorted() []*unit {
	if f.ordered == nil {
		f.ordered = slices.SortedFunc(maps.Values(f.units), func(a, b *unit) int { return cmp.Compare(a.Root, b.Root) })
	}
	return f.ordered
}

// inside returns the units below a directory, ordered by directory.
func (f *finder) inside(dir string) []*unit {
	all := f.sorted()
	if dir == "" {
		return slices.DeleteFunc(slices.Clone(all), func(u *unit) bool { return u.Root == "" })
	}
	order := func(u *unit, root string) int { return cmp.Compare(u.Root, root) }
	from, _ := slices.BinarySearchFunc(all, dir+"/", order)
	to, _ := slices.BinarySearchFunc(all, dir+"0", order) // the byte after "/"
	return all[from:to]
}

// below returns the files below a directory.
func (f *finder) below(dir string) []string {
	if dir == "" {
		return f.src.Files
	}
	from, _ := slices.BinarySearch(f.src.Files, dir+"/")
	to, _ := slices.BinarySearch(f.src.Files, dir+"0") // the byte after "/"
	return f.src.Files[from:to]
}

// within reports whether dir is below outer.
func within(dir, outer string) bool {
	return dir != outer && (outer == "" || strings.HasPrefix(dir, outer+"/"))
}

// Folded returns a name in lower case and without separators. It is equal for order-service and
// OrderService.
func Folded(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		if r == '-' || r == '_' || r == '.' || r == ' ' || r == '/' || r == '@' {
			return -1
		}
		return r
	}, name)
}

// bare returns a folded name without the suffix "service" or "svc": "order" for order-service.
func bare(name string) string {
	s := Folded(name)
	for _, word := range []string{"service", "svc"} {
		if t := strings.TrimSuffix(s, word); t != "" {
			s = t
		}
	}
	return s
}

// extension returns the extension of a file name in lower case, without the dot; ""
// for a name that begins with its only dot.
func extension(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return ""
	}
	return strings.ToLower(name[i+1:])
}
