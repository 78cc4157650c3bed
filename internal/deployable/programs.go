package deployable

import (
	"path"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// One Go module may have the programs of many services. A folder with a program in its cmd is a service of its own:
// services/orders/cmd/main.go and app/orders/cmd/server/main.go.

// atHome replaces the directory of each program in f.programs by that of its service. It needs
// the modules, so it runs after they are known.
func (f *finder) atHome() {
	for _, dir := range sortedKeys(f.programs) {
		if home := f.home(dir); home != dir {
			delete(f.programs, dir)
			f.programs[home] = true
		}
	}
}

// home returns the directory of the service whose program is in dir: orders for orders/cmd and orders/cmd/server. It
// returns dir itself if the directory with the cmd is a module.
func (f *finder) home(dir string) string {
	home := dir
	switch parent := code.Dir(dir); {
	case path.Base(dir) == "cmd":
		home = parent
	case path.Base(parent) == "cmd":
		home = code.Dir(parent)
	}
	if home == "" || f.units[home] != nil {
		return dir
	}
	return home
}

// leastPrograms is the least number of programs at which the programs of a Go module count as
// services of their own.
const leastPrograms = 2

// undeployed creates a unit for each Go program of a service that nothing deploys, if its module
// has several such programs.
func (f *finder) undeployed() {
	byModule := map[*unit][]string{}
	for _, dir := range sortedKeys(f.programs) {
		if u := f.owner(dir); u != nil && (u.Root == dir || isOfService(dir, u.Root)) {
			if u.Root == dir && u.traits&isModule == 0 {
				u = f.owner(code.Dir(dir))
			}
			if u != nil && u.Language == "go" && u.Root != dir {
				byModule[u] = append(byModule[u], dir)
			}
		}
	}
	for _, dirs := range byModule {
		if len(dirs) < leastPrograms {
			continue
		}
		for _, dir := range dirs {
			u := f.at(dir)
			u.Language = "go"
			u.traits |= isRunnable
			if layers[path.Base(dir)] {
				u.call(path.Base(code.Dir(dir)), rankProject)
			}
		}
	}
}

// isOfService reports whether a directory with a program of the module at root is that of a
// service. It looks at the folder around the directory, as in services/orders, and at the
// directory's own name, as in orders-service. It returns false for examples and tools.
func isOfService(dir, root string) bool {
	inside := strings.TrimPrefix(strings.TrimPrefix(dir, root), "/")
	if notServices.MatchString(inside) {
		return false
	}
	return serviceFolder.MatchString(inside) || serviceName.MatchString(path.Base(dir))
}

var (
	// notServices matches the directories of examples and tools.
	notServices = regexp.MustCompile(`(?i)(?:^|/)_?(?:examples?|samples?|demos?|tests?|e2e|tools?|scripts?|hack|vendor|` +
		`third_party|benchmarks?|internal|pkg|testdata|docs)(?:/|$)`)
	// serviceFolder matches the directories below folders of services.
	serviceFolder = regexp.MustCompile(`(?i)^(?:\w+/)?(?:micro)?-?(?:services?|svcs?|apps?|backends?)/`)
	// serviceName matches the names of the directories of services.
	serviceName = regexp.MustCompile(`(?i)[a-z][-_]?(?:service|svc|gateway|worker|api)$`)
)

// layers lists names of directories that are named after a layer of a service instead of the
// service: service in cart/service.
var layers = map[string]bool{"service": true, "server": true, "svc": true, "app": true, "api": true}

// settingsFile matches the files of settings of Go programs: configs/config.yaml, etc/orders.yaml.
var settingsFile = regexp.MustCompile(`(?:^|/)(?:configs?|conf|etc)/[\w.-]+$|(?:^|/)config[\w.-]*$`)

// listenKeys lists the paths of keys to the address or the port at which a Go program listens:
// those of Kratos and go-zero, then common ones.
var listenKeys = [][]string{{"server", "http", "addr"}, {"Port"}, {"server", "http", "port"}, {"server", "addr"},
	{"server", "port"}, {"http", "addr"}, {"http", "port"}}

// programSettings reads the port of a Go program from its settings: addr: 0.0.0.0:8000.
func (f *finder) programSettings(d document) {
	if !strings.Contains(d.text, "addr") && !strings.Contains(strings.ToLower(d.text), "port") {
		return
	}
	u := f.owner(code.Dir(d.path))
	if u == nil || u.Root == "" || u.Language != "go" {
		return
	}
	for _, doc := range configtree.YAML(d.text) {
		for _, keys := range listenKeys {
			at := doc.Text(keys...)
			if port := at[strings.LastIndexByte(at, ':')+1:]; isPort(port) {
				u.alias("localhost:" + port)
				break
			}
		}
	}
}
