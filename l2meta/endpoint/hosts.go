package endpoint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// Service is a service of the workspace.
type Service struct {
	Name string
	Root string // relative to the root of the workspace, "" for that itself
}

// serviceList is the services of a workspace.
type serviceList struct {
	all   []Service
	roots map[string]bool
}

func newServiceList(all []Service) *serviceList {
	l := &serviceList{all, make(map[string]bool, len(all))}
	for _, s := range all {
		l.roots[s.Root] = true
	}
	return l
}

// root is the root of the service that holds a file, "" for none but the
// workspace.
func (l *serviceList) root(file string) string {
	for i := strings.LastIndexByte(file, '/'); i > 0; i = strings.LastIndexByte(file, '/') {
		if file = file[:i]; l.roots[file] {
			return file
		}
	}
	return ""
}

// host is what is known of where a request goes.
type host struct {
	roots     []string // of the services that it may be, nil where nothing says
	how       string   // one line
	rests     []string // paths of the manifests that say so
	elsewhere bool     // at a host that is none of the workspace's
}

// where says which service a request goes to, by its host, the variable that
// holds it, or the address of the class that makes it.
func (j *Joiner) where(x *fetch) host {
	t := &x.url
	if !t.absolute {
		if h, ok := j.classBase(x); ok {
			return h
		}
		return host{how: "a path without a host"}
	}
	if t.host != "" {
		return j.literal(t.host)
	}
	if name, ok := strings.CutPrefix(t.hole, "env:"); ok {
		return j.environment(name)
	}
	return j.expression(x)
}

// literal is the service of a host name as written.
func (j *Joiner) literal(name string) host {
	first, _, _ := strings.Cut(name, ".") // cart.shop.svc.cluster.local
	if first == "localhost" || first == "127" || first == "0" || name == "host.docker.internal" {
		return host{how: name + " may be any service"}
	}
	if roots, rests := j.rootsOf(first); len(roots) > 0 && (first == name || strings.Contains(name, ".svc") || strings.HasSuffix(name, ".local") || strings.HasSuffix(name, ".internal")) {
		return host{roots: roots, how: "host " + name, rests: rests}
	}
	return host{elsewhere: true, how: "host " + name + " is no service of the workspace"}
}

// environment is the service that an environment variable points to: by its
// value in a manifest, else by its name.
func (j *Joiner) environment(name string) host {
	var h host
	for _, v := range j.hosts().values[name] {
		t := targetOf(address(v.value))
		roots, rests := j.rootsOf(first(t.host))
		for _, r := range roots {
			if !slices.Contains(h.roots, r) {
				h.roots = append(h.roots, r)
			}
		}
		if len(roots) > 0 && h.how == "" {
			h.how = fmt.Sprintf("%s is %s in %s:%d", name, v.value, v.file, v.line)
			h.rests = append(append(h.rests, v.file), rests...)
		}
	}
	if len(h.roots) > 0 {
		return h
	}
	if roots, rests := j.rootsOf(stem(name)); len(roots) > 0 {
		return host{roots: roots, rests: rests, how: "variable " + name + " is named after the service"}
	}
	return host{how: "variable " + name + " has no value in the workspace"}
}

// address makes a value of a variable a URL.
func address(v string) string {
	if strings.Contains(v, "://") {
		return v
	}
	return "http://" + v
}

func first(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

var texts = regexp.MustCompile(`"([a-z][\w.-]*)"|'([a-z][\w.-]*)'`)

// expression is the service that a variable, field or function points to: by a
// name of the network in what it is given or returns, else by its own name.
func (j *Joiner) expression(x *fetch) host {
	hole, said, _ := strings.Cut(x.url.hole, " ")
	name := lastName(strings.TrimSuffix(hole, "()"))
	if roots, rests := j.rootsOf(said); len(roots) > 0 {
		return host{roots: roots, rests: rests, how: fmt.Sprintf("%s comes from %q", name, said)}
	}
	for _, fact := range values(x.file, x.owner, name) {
		for _, m := range texts.FindAllStringSubmatch(fact.Type, -1) {
			if roots, rests := j.rootsOf(m[1] + m[2]); len(roots) > 0 {
				return host{roots: roots, rests: rests, how: name + " comes from " + m[0]}
			}
		}
	}
	if roots, rests := j.rootsOf(stem(name)); name != "" && len(roots) > 0 {
		return host{roots: roots, rests: rests, how: x.url.hole + " is named after the service"}
	}
	return host{how: "{" + x.url.hole + "} has no value in the workspace"}
}

// classBase is the address that a class of clients was registered with.
func (j *Joiner) classBase(x *fetch) (h host, ok bool) {
	class := x.file.Type(x.owner)
	if class < 0 {
		return h, false
	}
	name := x.file.Symbols[class].Name
	given := j.bases(name)
	own := func(b base) bool { return j.services().root(b.file.Path) == j.services().root(x.file.Path) }
	registered := slices.ContainsFunc(given, own)
	for _, b := range given {
		if registered && !own(b) || !registered && j.declares(b.file, name) {
			continue // it registers another class of that name
		}
		from := fetch{file: b.file, owner: b.fact.Owner, url: b.url}
		if b.url.absolute {
			if at := j.where(&from); len(at.roots) > 0 {
				h.roots = append(h.roots, at.roots...)
				h.rests = append(append(h.rests, b.file.Path), at.rests...)
				h.how = fmt.Sprintf("%s is given its address at %s:%d: %s", name, b.file.Path, b.fact.Span.StartLine, at.how)
			}
		}
	}
	return h, len(h.roots) > 0
}

// base is where a class of clients is given its address.
type base struct {
	file *resolve.File
	fact *code.Fact
	url  target
}

func (j *Joiner) bases(class string) (out []base) {
	for _, f := range j.files(l2meta.RoleBase) {
		for _, fact := range endpoints(f, l2meta.RoleBase) {
			if part := append(strings.Split(fact.Type, "\t"), "", ""); part[2] == class {
				out = append(out, base{f, fact, targetOf(part[1])})
			}
		}
	}
	return out
}

// declares reports whether the service of a file declares a type of that name.
func (j *Joiner) declares(f *resolve.File, class string) bool {
	rows, _ := j.w.Named(class)
	return slices.ContainsFunc(rows, func(row l2meta.Row) bool {
		return resolve.IsType(row.Symbol.Kind) && j.services().root(row.Path) == j.services().root(f.Path)
	})
}

// hosts is what manifests say.
type hosts struct {
	values map[string][]variableValue
	names  map[string][]networkName // by folded name
}

type variableValue struct {
	value, file string
	line        int
}

type networkName struct {
	root string
	file string
}

type hostsKey struct{}

func (j *Joiner) hosts() *hosts {
	return resolve.Derive(j.w, hostsKey{}, func() *hosts {
		h := &hosts{values: map[string][]variableValue{}, names: map[string][]networkName{}}
		for _, f := range j.files(l2meta.RoleHost) {
			for _, fact := range endpoints(f, l2meta.RoleHost) {
				h.add(j, f, fact)
			}
		}
		return h
	})
}

func (h *hosts) add(j *Joiner, f *resolve.File, fact *code.Fact) {
	part := append(strings.Fields(fact.Type), "", "", "")
	switch part[0] {
	case "env":
		h.values[part[1]] = append(h.values[part[1]], variableValue{part[2], f.Path, fact.Span.StartLine})
	case "name":
		root, ok := "", false
		switch folder := part[2]; {
		case folder == "":
			return // its name may be the service's own
		case f.Language == "csharp":
			root, ok = j.services().called(folder)
		case folder == ".":
			root, ok = j.services().root(f.Path), true
		default:
			root, ok = j.services().root(path.Join(f.Dir, folder)+"/x"), true
		}
		if ok && root != "" {
			h.names[folded(part[1])] = append(h.names[folded(part[1])], networkName{root, f.Path})
		}
	}
}

// called is the root of the service of a name or folder, in any spelling.
func (l *serviceList) called(name string) (root string, ok bool) {
	for _, s := range l.all {
		if want := folded(name); want == folded(s.Name) || want == folded(path.Base(s.Root)) {
			return s.Root, true
		}
	}
	return "", false
}

// rootsOf is the services that a name of the network may mean: those that a
// manifest gives it, else those of that name or folder, else those that have it
// but for a word such as service.
func (j *Joiner) rootsOf(name string) (roots, rests []string) {
	want := folded(name)
	if want == "" {
		return nil, nil
	}
	add := func(root string) {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, n := range j.hosts().names[want] {
		add(n.root)
		rests = append(rests, n.file)
	}
	for _, same := range []func(string) bool{
		func(s string) bool { return folded(s) == want },
		func(s string) bool { return bare(s) == bare(name) && len(bare(name)) > 2 },
	} {
		if len(roots) > 0 {
			return roots, rests
		}
		for _, s := range j.services().all {
			if s.Root != "" && (same(s.Name) || same(path.Base(s.Root))) {
				add(s.Root)
			}
		}
	}
	return roots, rests
}

// bare is a folded name without the words that names of services end with.
func bare(name string) string {
	s := folded(name)
	for _, word := range []string{"service", "svc", "server", "api"} {
		if t := strings.TrimSuffix(s, word); t != "" {
			s = t
		}
	}
	return s
}

var addressWords = regexp.MustCompile(`(?i)_?(?:base)?_?(?:addr|address|host|hostname|url|uri|endpoint|target)$`)

// stem is the name of a variable without what says that it is an address:
// SHIPPING_ADDR, shippingSvcAddr.
func stem(name string) string {
	for {
		short := addressWords.ReplaceAllString(name, "")
		if short == name || short == "" {
			return name
		}
		name = short
	}
}
