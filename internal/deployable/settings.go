package deployable

import (
	"cmp"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// nest reads the projects of a NestJS monorepo from nest-cli.json.
func (f *finder) nest(d document) {
	n := configtree.JSON(d.text)
	if n == nil {
		return
	}
	for _, p := range n.At("projects").Kids {
		if dir, ok := joined(code.Dir(d.path), p.Text("root")); ok && dir != code.Dir(d.path) {
			f.project(d.path, dir, p.Key, p.Text("type") == "application")
		}
	}
	if u := f.units[code.Dir(d.path)]; u != nil && len(n.At("projects").Kids) > 0 {
		u.traits |= isGroup
	}
}

// nx reads a project of an Nx monorepo from its project.json.
func (f *finder) nx(d document) {
	n := configtree.JSON(d.text)
	if n == nil || n.Text("projectType") == "" || code.Dir(d.path) == "" {
		return
	}
	f.project(d.path, code.Dir(d.path), n.Text("name"), n.Text("projectType") == "application")
}

func (f *finder) project(file, dir, name string, application bool) {
	if len(f.below(dir)) == 0 {
		return
	}
	u := f.at(dir)
	u.call(name, rankProject)
	u.Manifests = append(u.Manifests, file)
	u.traits |= isModule
	if application {
		u.traits |= isRunnable
	}
}

// spring reads the name and port of a service from the settings of Spring, Quarkus, Micronaut, Ktor or Play.
func (f *finder) spring(d document) {
	var docs []*configtree.Node
	if strings.HasSuffix(d.path, ".properties") {
		docs = []*configtree.Node{configtree.Properties(d.text)}
	} else if strings.HasSuffix(d.path, ".conf") {
		docs = []*configtree.Node{configtree.HOCON(d.text)}
	} else if strings.Contains(d.text, "spring") || strings.Contains(d.text, "server") ||
		strings.Contains(d.text, "quarkus") || strings.Contains(d.text, "ktor") {
		docs = configtree.YAML(d.text)
	}
	u := f.owner(code.Dir(d.path))
	if u == nil || u.Root == "" && len(f.units) > 1 {
		return
	}
	for _, doc := range docs {
		doc = doc.Undotted()
		name := doc.Text("spring", "application", "name")
		if name == "" {
			name = cmp.Or(doc.Text("quarkus", "application", "name"), doc.Text("micronaut", "application", "name"))
		}
		u.call(defaulted(name), rankSetting)
		for _, keys := range [][]string{{"server", "port"}, {"micronaut", "server", "port"},
			{"quarkus", "http", "port"}, {"ktor", "deployment", "port"}, {"play", "server", "http", "port"}} {
			if port := defaulted(doc.Text(keys...)); isPort(port) {
				u.alias("localhost:" + port)
			}
		}
	}
}

// defaulted returns the default of a placeholder, "orders" of "${NAME:orders}", and any other value
// unchanged.
func defaulted(value string) string {
	if m := placeholder.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return value
}

var placeholder = regexp.MustCompile(`^\$\{[^:{}]+:([^{}]+)\}$`)

func isPort(s string) bool {
	return len(s) > 1 && len(s) < 6 && strings.Trim(s, "0123456789") == "" && s[0] != '0'
}

var localAddress = regexp.MustCompile(`https?://(?:localhost|127\.0\.0\.1|\*|\+|0\.0\.0\.0):(\d+)`)

// appSettings reads the addresses that a .NET program listens on: "Urls": "http://localhost:5000".
func (f *finder) appSettings(d document) {
	u := f.owner(code.Dir(d.path))
	n := configtree.JSON(d.text)
	if u == nil || u.Root == "" || n == nil {
		return
	}
	for _, url := range strings.Split(n.Text("Urls"), ";") {
		host, port, _ := strings.Cut(url[strings.LastIndexByte(url, '/')+1:], ":")
		if isPort(port) && (host == "localhost" || host == "*" || host == "+" || host == "0.0.0.0") {
			u.alias("localhost:" + port)
		}
	}
}

// launchSettings reads the addresses of a .NET project in development from its launchSettings.json.
func (f *finder) launchSettings(d document) {
	u := f.owner(code.Dir(d.path))
	n := configtree.JSON(d.text)
	if u == nil || u.Root == "" || n == nil {
		return
	}
	for _, p := range n.At("profiles").Kids {
		for _, m := range localAddress.FindAllStringSubmatch(p.Text("applicationUrl"), -1) {
			u.alias("localhost:" + m[1])
		}
	}
}

var (
	aspireProject = regexp.MustCompile(`AddProject<\s*Projects\.(\w+)\s*>\(\s*"([\w.-]+)"`)
	aspireFolder  = regexp.MustCompile(
		`Add(?:NpmApp|NodeApp|ViteApp|JavaScriptApp|PythonApp|UvicornApp|GolangApp|Dockerfile|SpringApp)\(\s*"([\w.-]+)"\s*,\s*(?:\w+:\s*)?@?"([^"]+)"`)
	aspireYarp = regexp.MustCompile(`AddYarp\(\s*"([\w.-]+)"`)
)

// aspire reads the host of a .NET Aspire application, the program that names and deploys its services.
func (f *finder) aspire(d document) {
	if !strings.Contains(d.text, "DistributedApplication") {
		return
	}
	for _, m := range aspireProject.FindAllStringSubmatch(d.text, -1) {
		project := Folded(m[1])
		for _, u := range f.sorted() {
			if u.traits&isModule != 0 && u.folder == project || u.has(project) && u.Root != "" {
				u.deployed = true
				u.call(m[2], rankAspire)
				u.Manifests = append(u.Manifests, d.path)
				break
			}
		}
	}
	for _, m := range aspireFolder.FindAllStringSubmatch(d.text, -1) {
		if dir, ok := joined(code.Dir(d.path), strings.ReplaceAll(m[2], `\`, "/")); ok && len(f.below(dir)) > 0 {
			u := f.at(dir)
			u.deployed = true
			u.call(m[1], rankAspire)
			u.Manifests = append(u.Manifests, d.path)
		}
	}
	if host := f.owner(code.Dir(d.path)); host != nil {
		host.traits |= isInfrastructure
		for _, m := range aspireYarp.FindAllStringSubmatch(d.text, -1) {
			host.call(m[1], rankAspire)
		}
	}
}
