package deployable

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
)

// compose reads the services of a compose file.
func (f *finder) compose(d document) {
	var images []*configtree.Node
	at := map[string]string{}
	for _, doc := range configtree.YAML(d.text) {
		shared := map[string]int{}
		for _, s := range doc.At("services").Kids {
			shared[contextOf(s)]++
		}
		for _, s := range doc.At("services").Kids {
			if dir, ok := f.built(d.path, s, shared[contextOf(s)] > 1); ok {
				f.composed(d.path, dir, s)
				at[s.Key] = dir
			} else {
				images = append(images, s)
			}
		}
		if dir := code.Dir(d.path); f.units[dir] != nil && len(doc.At("services").Kids) > 0 {
			f.units[dir].Manifests = append(f.units[dir].Manifests, d.path)
		}
	}
	for _, s := range images { // services that run an image, which another service or file may build
		if dir, ok := f.mounted(d.path, s); ok {
			f.composed(d.path, dir, s)
			at[s.Key] = dir
		} else if u := f.imaged(s.Text("image"), s.Key); u != nil {
			f.composed(d.path, u.Root, s)
			at[s.Key] = u.Root
		}
	}
	for _, s := range images {
		if dir, ok := served(d.path, s, at); ok {
			f.composed(d.path, dir, s)
		}
	}
	for _, s := range images {
		f.daprSidecar(s, at)
	}
}

// served returns the directory of the only program for which a service of a compose file is the web server, as nginx
// is for PHP-FPM: its image is that of a web server, and it mounts the directory that the program is built from.
func served(file string, s *configtree.Node, built map[string]string) (dir string, ok bool) {
	if !pageImage.MatchString(s.Text("image")) {
		return "", false
	}
	for _, v := range s.At("volumes").Kids {
		from, _, _ := strings.Cut(cmp.Or(v.Value, v.Text("source")), ":")
		at, inside := joined(code.Dir(file), from)
		if !inside || !strings.HasPrefix(from, ".") {
			continue
		}
		for _, b := range built {
			if b == at && (!ok || dir == at) {
				dir, ok = at, true
			} else if b == at {
				return "", false
			}
		}
	}
	return dir, ok
}

// contextOf returns the build context of a service of a compose file, "." if it has none.
func contextOf(s *configtree.Node) string {
	if context := cmp.Or(s.Text("build"), s.Text("build", "context")); context != "" {
		return path.Clean(context)
	}
	return "."
}

// built returns the directory that a service of a compose file is built from. If several services
// have the same build context, it is the program in the context that has the service's name. built
// reports false if the service is not built from the workspace.
func (f *finder) built(file string, s *configtree.Node, shared bool) (dir string, ok bool) {
	build := s.At("build")
	if build.Line == 0 {
		return "", false
	}
	context, ok := joined(code.Dir(file), contextOf(s))
	if !ok {
		return "", false
	}
	dockerfile := build.Text("dockerfile")
	if dockerfile == "" {
		dockerfile = "Dockerfile"
	}
	at, _ := joined(context, dockerfile)
	hints := strings.Join(append(append(s.Texts("command"), s.Texts("entrypoint")...), build.Text("target")), " ")
	build.At("args").Each(func(n *configtree.Node) { hints += " " + n.Value })
	name := s.Key
	if !shared && context != "" {
		name = ""
	}
	text := string(f.src.Read(at))
	if shared && baseTraits(text)&isInfrastructure != 0 {
		return "", false // a broker, not one of the programs in the context
	}
	if dir, ok = f.place(context, at, name, hints+" "+text); ok {
		f.claimed[at] = true
		f.at(dir).traits |= baseTraits(text)
	}
	if base := imageBase(s.Text("image")); ok && base != "" {
		f.builds(base, dir)
	}
	return dir, ok
}

// mounted returns the directory of sources that a service of a compose file runs in the image of a language: router for
// the volume .:/app and the working directory /app/router. It reports false if there is none.
func (f *finder) mounted(file string, s *configtree.Node) (dir string, ok bool) {
	work := s.Text("working_dir")
	if work == "" || s.At("build").Line != 0 {
		return "", false
	}
	for _, volume := range s.Texts("volumes") {
		host, rest, _ := strings.Cut(volume, ":")
		target, _, _ := strings.Cut(rest, ":")
		inside, below := strings.CutPrefix(path.Clean(work)+"/", strings.TrimSuffix(target, "/")+"/")
		if !strings.HasPrefix(host, ".") || target == "" || !below {
			continue
		}
		if dir, ok = joined(code.Dir(file), path.Join(host, inside)); ok && dir != "" && f.sources[dir] > 0 {
			return dir, true
		}
	}
	return "", false
}

// joined returns the path of a file or directory that a file in dir refers to; false if it is
// outside of the workspace or contains variables.
func joined(dir, to string) (string, bool) {
	if strings.ContainsAny(to, "${}") || strings.Contains(to, "://") || path.IsAbs(to) {
		return "", false
	}
	at := path.Join(dir, to)
	if at == "." {
		at = ""
	}
	return at, at != ".." && !strings.HasPrefix(at, "../")
}

var portNumber = regexp.MustCompile(`^(?:[\d.]+:)?(?:\$\{\w+:?-)?(\d+)\}?:`)

// composed records that service s of a compose file runs the program in dir: the unit of dir is
// deployed, and is reached by the names and addresses that the file gives to s.
func (f *finder) composed(file, dir string, s *configtree.Node) {
	u := f.at(dir)
	u.deployed = true
	u.call(s.Key, rankCompose)
	u.alias(s.Text("container_name"), s.Text("hostname"))
	for _, network := range s.At("networks").Kids {
		u.alias(network.Texts("aliases")...)
	}
	for _, p := range s.At("ports").Kids {
		if m := portNumber.FindStringSubmatch(p.Value); m != nil {
			u.alias("localhost:" + m[1])
		}
		if published := p.Text("published"); published != "" {
			u.alias("localhost:" + published)
		}
	}
	u.alias(listens(s)...)
	u.Manifests = append(u.Manifests, file)
}

// listens returns the addresses localhost:PORT at which a service of a compose file listens, by the
// variables in its environment: PORT=8081, or AUTH_API_PORT=8081 in a service called auth-api.
func listens(s *configtree.Node) (out []string) {
	for _, v := range s.At("environment").Kids {
		key, value := v.Key, v.Value
		if key == "" {
			key, value, _ = strings.Cut(v.Value, "=")
		}
		own, isPortName := strings.CutSuffix(key, "PORT")
		if own = Folded(own); isPortName && isPort(value) && (own == "" || own == "server" || own == Folded(s.Key)) {
			out = append(out, "localhost:"+value)
		}
		if key == "ASPNETCORE_URLS" {
			for _, m := range localAddress.FindAllStringSubmatch(value, -1) {
				out = append(out, "localhost:"+m[1])
			}
		}
	}
	return out
}

// dockerfile marks the directory that a Dockerfile builds as deployed. If it cannot tell which one,
// it marks the service whose directory contains the Dockerfile.
func (f *finder) dockerfile(d document) {
	if IsSource(d.path) && !fromImage.MatchString(d.text) {
		return // dockerfile.go reads Dockerfiles, whereas Dockerfile.php is one
	}
	dir := code.Dir(d.path)
	base := strings.ToLower(path.Base(d.path))
	name := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(base, "dockerfile"), ".dockerfile"), ".-_")
	if name == "containerfile" {
		name = ""
	}
	if f.claimed[d.path] {
		if u := f.owner(dir); u != nil && u.Root == dir {
			u.Manifests = append(u.Manifests, d.path)
		}
		return
	}
	if f.severalPrograms(d, dir) {
		return
	}
	at, ok := f.place(dir, d.path, name, d.text)
	if folder := path.Base(dir); !ok || dockerFolders[folder] && at == dir || at == dir && name != "" && dir == "" {
		if u := f.owner(dir); u != nil && u.Root != "" {
			u.Manifests = append(u.Manifests, d.path)
			u.deployed = true
		}
		return
	}
	u := f.at(at)
	u.deployed = true
	u.traits |= baseTraits(d.text)
	u.Manifests = append(u.Manifests, d.path)
}

// fromImage matches the instruction that every Dockerfile has.
var fromImage = regexp.MustCompile(`(?m)^\s*(?:FROM|from)\s+\S`)

var goBuild = regexp.MustCompile(`\bgo (?:build|install)\b[^\n&|;]*?\s\./([\w./-]*\w)`)

// severalPrograms marks the folders of the Go programs that a Dockerfile builds as deployed, if it
// builds several, because one image may run them all. It reports whether there are several.
func (f *finder) severalPrograms(d document, context string) bool {
	var dirs []string
	for _, m := range goBuild.FindAllStringSubmatch(d.text, -1) {
		if at := path.Join(context, m[1]); f.sources[at] > 0 && !slices.Contains(dirs, at) {
			dirs = append(dirs, at)
		}
	}
	if len(dirs) < 2 {
		return false
	}
	for _, at := range dirs {
		u := f.at(at)
		u.deployed = true
		u.Manifests = append(u.Manifests, d.path)
	}
	return true
}

// dockerFolders are names of folders whose Dockerfiles build other directories.
var dockerFolders = map[string]bool{"docker": true, ".docker": true, "build": true, "deploy": true,
	"deployment": true, "deployments": true, "infra": true, "ci": true, "dockerfiles": true, ".devcontainer": true,
	"docker-base": true}

// place returns the directory that a Dockerfile builds. That is the Dockerfile's own directory if
// it is below the build context and has source files. Else it is a program in the context: one with
// the given name, else the folder of that name if the given text (Dockerfile, arguments) mentions
// it, else the only program whose path the text mentions. Else it is the context itself. place
// reports false if the context has no files.
func (f *finder) place(context, dockerfile, name, text string) (dir string, ok bool) {
	if len(f.below(context)) == 0 {
		return "", false
	}
	if own := code.Dir(dockerfile); within(own, context) && !dockerFolders[path.Base(own)] && f.sources[own] > 0 {
		return own, true
	}
	var named, told []string
	for _, p := range f.candidates(context) {
		rel := strings.TrimPrefix(strings.TrimPrefix(p, context), "/")
		same := name != "" && bare(path.Base(p)) == bare(name)
		switch {
		case same:
			named = append(named, p)
		case mentions(text, rel):
			told = append(told, p)
		}
	}
	own := path.Join(context, name)
	switch {
	case len(named) > 0:
		return named[0], true
	case name != "" && own != context && f.sources[own] > 0 && mentions(ofContext(text), name):
		return own, true // the only folder of the context that its Dockerfile copies under the service's name
	case len(told) == 1 && f.programs[told[0]]:
		return told[0], true
	}
	if name != "" && f.nested(context)[bare(name)] != "" { // shop-worker, whose Dockerfile says ${MODULE}/${SERVICE}
		return f.nested(context)[bare(name)], true
	}
	return context, true
}

// nested maps the bare names of folders that lie in other folders of a build context, shopworker for shop/worker, to
// these folders. Of several with one name it has the first.
func (f *finder) nested(context string) map[string]string {
	if known, ok := f.nestedIn[context]; ok {
		return known
	}
	out := map[string]string{}
	for at := range f.sources {
		if rel := strings.TrimPrefix(strings.TrimPrefix(at, context), "/"); within(at, context) && strings.Contains(rel, "/") {
			if first := out[bare(rel)]; first == "" || at < first {
				out[bare(rel)] = at
			}
		}
	}
	f.nestedIn[context] = out
	return out
}

// candidates returns the directories below a build context that a Dockerfile may build: first those
// already known as services or modules, then other programs, each in order of their paths.
func (f *finder) candidates(context string) (out []string) {
	for _, u := range f.inside(context) {
		out = append(out, u.Root)
	}
	for _, dir := range sortedKeys(f.programs) {
		if within(dir, context) && f.units[dir] == nil {
			out = append(out, dir)
		}
	}
	return out
}

// ofContext returns those words of a Dockerfile, and of the text before it, that may be paths in the build context. The
// folder of the image in COPY . /app or WORKDIR /app is none, whatever folder of the sources has its name.
func ofContext(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		copies := len(words) > 2 && (strings.EqualFold(words[0], "COPY") || strings.EqualFold(words[0], "ADD"))
		if copies {
			words = words[1 : len(words)-1]
		}
		for _, w := range words {
			if copies || !strings.HasPrefix(strings.Trim(w, `"',[`), "/") {
				out = append(out, w)
			}
		}
	}
	return strings.Join(out, " ")
}

// mentions reports whether text contains the path p, alone or as the start or end of a longer path.
func mentions(text, p string) bool {
	for rest := text; ; {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		before := i == 0 || strings.ContainsAny(rest[i-1:i], " \t\n\"'=./,:")
		rest = rest[i+len(p):]
		if before && (rest == "" || strings.ContainsAny(rest[:1], " \t\r\n\"'/,:;")) {
			return true
		}
	}
}
