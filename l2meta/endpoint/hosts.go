package endpoint

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Service is a service of the workspace.
type Service struct {
	Name string
	Root string // relative to the root of the workspace, "" for the workspace root itself

	Also   []string // other directories that belong to this service alone
	Names  []string // all names, Name included, and addresses: "localhost:8080"
	Beside bool     // a library or tests; a name refers to it only if no service has that name
	Plays  bool     // a load generator: the paths in its code are those of the service that it calls
}

// network finds the services that addresses lead to: by host names, ports, and the settings that
// manifests define.
type network struct{ *workspace }

// serviceList is the services of a workspace.
type serviceList struct {
	all    []Service
	roots  map[string]string // directory → Root of its service
	family string            // the word that most names begin with, folded: "ftgo" of ftgo-order-service; "" for none
	named  map[string][]int  // folded name, or name of the directory → indexes in all, ascending
	like   map[string][]int  // like named, by the names that bare shortens
}

// dashes replaces dots and underscores between the words of a service's name by dashes.
var dashes = strings.NewReplacer(".", "-", "_", "-")

func newServiceList(all []Service) *serviceList {
	l := &serviceList{all: all, roots: make(map[string]string, len(all)), named: map[string][]int{},
		like: map[string][]int{}}
	begin := map[string]int{}
	for _, s := range all {
		l.place(s)
		if word, rest, ok := strings.Cut(dashes.Replace(s.Name), "-"); ok &&
			rest != "" {
			if begin[folded(word)]++; begin[folded(word)] > 2 && 2*begin[folded(word)] > len(all) {
				l.family = folded(word)
			}
		}
	}
	for i := range all {
		for _, name := range all[i].spellings() {
			enter(l.named, folded(name), i)
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

// root returns the root of the service that contains a file, or "" if no service does.
func (l *serviceList) root(file string) string {
	for i := strings.LastIndexByte(file, '/'); i > 0; i = strings.LastIndexByte(file, '/') {
		if file = file[:i]; l.roots[file] != "" {
			return l.roots[file]
		}
	}
	return ""
}

// host describes where a request goes, as far as known.
type host struct {
	roots     []string // of the candidate services, nil if unknown
	how       string   // the evidence, one line
	rests     []string // paths of the manifests with that evidence
	elsewhere bool     // the host is outside of the workspace
	public    bool     // the host is on the internet, or the cloud's own
	based     bool     // the unknown part of the URL may contain the start of the path
	local     bool     // a port of the developer's machine, where a remote service may listen, too
	named     string   // the name, if its likeness to a service's name is the only evidence
	sure      float64  // an upper bound of the confidence, 0 for none
}

// where returns the service that a request goes to, by its host or the variable that holds the
// host.
func (nw *network) where(x *fetch) host {
	t := &x.url
	if !t.absolute {
		if h, ok := nw.played(x); ok {
			return h
		}
		return host{how: "a path without a host"}
	}
	if t.host != "" {
		h := nw.literal(t.host, t.port, x.file.Path)
		for i := 0; h.roots == nil && !h.elsewhere && i < len(x.keys); i++ { // of a localhost address
			if named := nw.environment(x.keys[i]); named.roots != nil {
				h = named
				h.based, h.sure = false, confidenceLikely
			}
		}
		return h
	}
	if key, _, ok := services.Setting(t.hole); ok {
		h := nw.environment(key)
		if played, ok := nw.played(x); ok && h.roots == nil {
			return played
		}
		h.based = h.based && t.based
		return h
	}
	return nw.expression(x)
}

// literal returns the service that a literal host name and port lead to in the file from.
func (nw *network) literal(name, port, from string) host {
	first, _, _ := strings.Cut(name, ".") // cart.shop.svc.cluster.local
	if first == "localhost" || first == "127" || first == "0" || name == "host.docker.internal" {
		if root, ok := nw.services().local(cmp.Or(port, "80")); ok {
			return host{roots: []string{root}, local: true, how: name + ":" + port + " is where " + root + " listens"}
		}
		if root, file, ok := nw.listening(port, from); ok {
			return host{roots: []string{root}, local: true, rests: []string{file},
				how: name + ":" + port + " is where the code of " + root + " listens"}
		}
		return host{how: name + " may be any service"}
	}
	if roots, rests := nw.rootsOf(name); first != name && len(roots) == 1 { // a service called orders.api
		return host{roots: roots, how: "host " + name, rests: rests}
	}
	if roots, rests := nw.rootsOf(first); len(roots) > 0 &&
		(first == name || strings.Contains(name, ".svc") || strings.HasSuffix(name, ".local") ||
			strings.HasSuffix(name, ".internal")) {
		return host{roots: roots, how: "host " + name, rests: rests}
	}
	return host{elsewhere: true, public: isPublic(name), how: "host " + name + " is no service of the workspace"}
}

// isPublic reports whether a name is that of a host on the internet, or of the cloud that a program runs in.
func isPublic(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return cloudHosts[name] || last != name && len(last) > 1 && !ownDomains[last] && digits(last) < 0 &&
		!strings.ContainsAny(name, "{}")
}

var (
	cloudHosts = map[string]bool{"metadata": true, "metadata.google.internal": true, "169.254.169.254": true}
	// ownDomains are the top-level domains of hosts in a private network.
	ownDomains = map[string]bool{"local": true, "internal": true, "svc": true, "lan": true, "localhost": true,
		"localdomain": true, "cluster": true, "test": true, "example": true, "docker": true, "consul": true}
)

// environment returns the service that a setting points to if no value is known for the service that reads it: by the
// values that other services give it, if these agree, else by the setting's name.
func (nw *network) environment(name string) host {
	if h, ok := nw.others(name); ok {
		return h
	}
	if roots, rests := nw.rootsOf(stem(name)); len(roots) > 0 {
		return host{roots: roots, rests: rests, how: "setting " + name + " is named after the service", based: true,
			named: stem(name), sure: confidenceNamed}
	}
	return host{how: "setting " + name + " has no value in the workspace", based: true}
}

// others returns the service that a setting points to for other services, by the values that manifests give it; ok is
// false unless all values point to the same service.
func (nw *network) others(name string) (h host, ok bool) {
	for _, v := range nw.hosts().values[folded(name)] {
		t := targetOf(address(v.value))
		roots, rests := nw.rootsOf(first(t.host))
		if len(roots) != 1 || len(t.path) > 0 || len(h.roots) > 0 && h.roots[0] != roots[0] {
			return host{}, false
		}
		if len(h.roots) == 0 {
			h = host{roots: roots, rests: append([]string{v.file}, rests...), sure: confidenceLikely,
				how: fmt.Sprintf("%s is %s for others in %s:%d", name, v.value, v.file, v.line)}
		}
	}
	return h, len(h.roots) > 0
}

func first(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

var networkNames = regexp.MustCompile(`"([a-z][\w.-]*)"|'([a-z][\w.-]*)'`)

// expression returns the service that a variable, field or function points to: by a host name in
// its value, else by its own name.
func (nw *network) expression(x *fetch) host {
	hole, said, _ := strings.Cut(x.url.hole, " ")
	name := lastName(strings.TrimSuffix(hole, "()"))
	if roots, rests := nw.rootsOf(said); len(roots) > 0 {
		return host{roots: roots, rests: rests, how: fmt.Sprintf("%s comes from %q", name, said)}
	}
	for _, fact := range values(x.file, x.owner, name) {
		for _, m := range networkNames.FindAllStringSubmatch(fact.Type, -1) {
			if roots, rests := nw.rootsOf(m[1] + m[2]); len(roots) > 0 {
				return host{roots: roots, rests: rests, how: name + " comes from " + m[0]}
			}
		}
	}
	if roots, rests := nw.rootsOf(stem(name)); name != "" && len(roots) > 0 {
		h := host{roots: roots, rests: rests, how: name + " is named after the service", based: x.url.based,
			named: stem(name), sure: confidenceLikely}
		if h.based {
			h.sure = confidenceNamed
		}
		return h
	}
	if h, ok := nw.argument(x.file.Path); ok {
		h.based = x.url.based
		return h
	}
	return host{how: "{" + x.url.hole + "} has no value in the workspace", based: x.url.based}
}

// argument returns the service whose address manifests pass as an argument to the program of a file; ok is false if
// there is none, or several.
func (nw *network) argument(file string) (h host, ok bool) {
	own := nw.services().root(file)
	for _, v := range nw.hosts().arguments[own] {
		roots, rests := nw.rootsOf(first(targetOf(v.value).host))
		if len(roots) != 1 || roots[0] == own || len(h.roots) > 0 && h.roots[0] != roots[0] {
			return host{}, false
		}
		h = host{roots: roots, rests: append([]string{v.file}, rests...), sure: confidenceNamed,
			how: fmt.Sprintf("%s:%d passes %s to the program", v.file, v.line, v.value)}
	}
	return h, len(h.roots) > 0
}

// hosts holds the settings that manifests define.
type hosts struct {
	values    map[string][]variableValue // by folded name
	arguments map[string][]variableValue // addresses that programs are given, by the root of their service
}

// variableValue is the value of a setting in a manifest.
type variableValue struct {
	value, file string
	line        int
	scope       string // root of the service that it applies to, "" for all
}

// settingsOf returns the values of a setting for the service at a root, and those for all services.
func (h *hosts) settingsOf(key, root string) (own, shared []variableValue) {
	for _, v := range h.values[folded(key)] {
		switch v.scope {
		case "":
			shared = append(shared, v)
		case root:
			own = append(own, v)
		}
	}
	return own, shared
}

type hostsKey struct{}

// hosts returns the settings that manifests define; none once the context has ended.
func (nw *network) hosts() *hosts {
	h := resolve.Derive(nw.w, hostsKey{}, func() *hosts {
		h := &hosts{values: map[string][]variableValue{}, arguments: map[string][]variableValue{}}
		for _, f := range nw.files(l2meta.RoleHost) {
			for _, fact := range endpoints(f, l2meta.RoleHost) {
				if key, v, ok := nw.valueOf(f, fact); ok {
					h.values[folded(key)] = append(h.values[folded(key)], v)
				} else if root, v, ok := nw.givenTo(f, fact); ok {
					h.arguments[root] = append(h.arguments[root], v)
				}
			}
		}
		return h
	})
	if h == nil {
		return &hosts{}
	}
	return h
}

// valueOf returns the setting that a fact defines, "env NAME value" or "key KEY value", and its value; ok is false if
// it defines none.
func (nw *network) valueOf(f *resolve.File, fact *code.Fact) (key string, v variableValue, ok bool) {
	part := append(strings.Fields(fact.Type), "", "", "")
	v = variableValue{value: part[2], file: f.Path, line: fact.Span.StartLine}
	switch part[0] {
	case "env":
		if roots, _ := nw.rootsOf(part[3]); len(roots) == 1 {
			v.scope = roots[0]
		}
	case "key":
		v.scope = nw.settingsScope(f.Path)
	default:
		return "", v, false
	}
	return part[1], v, true
}

// givenTo returns the root of the service to which a fact passes an address, and the address. The fact is "arg ADDRESS
// DEPLOYMENT", without the deployment in a file of the service itself.
func (nw *network) givenTo(f *resolve.File, fact *code.Fact) (root string, v variableValue, ok bool) {
	part := append(strings.Fields(fact.Type), "", "")
	if part[0] != "arg" {
		return "", v, false
	}
	v = variableValue{value: part[1], file: f.Path, line: fact.Span.StartLine}
	if part[2] == "" {
		root = nw.services().root(f.Path)
		return root, v, root != ""
	}
	roots, _ := nw.rootsOf(part[2])
	if len(roots) != 1 {
		return "", v, false
	}
	return roots[0], v, true
}

// settingsScope returns the root of the service that a settings file belongs to: the service that
// the file is named after, as in the repository of a configuration server, else the one that
// contains it.
func (nw *network) settingsScope(file string) string {
	if path.Ext(file) == ".php" { // Laravel names such a file after its topic: config/services.php
		return nw.services().root(file)
	}
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	name, _, _ = strings.Cut(name, ".")
	for _, start := range []string{"application", "bootstrap", "appsettings"} {
		if strings.HasPrefix(name, start) {
			name = strings.TrimPrefix(strings.TrimPrefix(name, start), "-")
		}
	}
	if root, ok := nw.services().called(name); ok && name != "" {
		return root
	}
	return nw.services().root(file)
}

// address converts the value of a variable into a URL: "cart:8080" becomes "http://cart:8080".
func address(v string) string {
	if strings.Contains(v, "://") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "{") {
		return v
	}
	return "http://" + v
}

// called returns the root of the service with a name or folder. Case and separators do not matter.
func (l *serviceList) called(name string) (root string, ok bool) {
	if list := l.named[folded(name)]; len(list) > 0 {
		return l.all[list[0]].Root, true
	}
	return "", false
}

// alike returns the indexes of the services whose names differ from name only by a word such as "service".
func (l *serviceList) alike(name string) []int {
	if short := bare(name); len(short) > 2 {
		return l.like[short]
	}
	return nil
}

// rootsOf returns the services that a network name may refer to: the services that a manifest gives
// the name, else those with that name or folder, else those whose name differs only by a word such
// as "service". rests are the paths of the manifests.
func (nw *network) rootsOf(name string) (roots, rests []string) {
	want := folded(name)
	if want == "" {
		return nil, nil
	}
	add := func(root string) {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, n := range nw.names()[want] {
		add(n.root)
		rests = append(rests, n.file)
	}
	l := nw.services()
	for _, list := range [][]int{l.named[want], l.alike(name)} {
		if len(roots) > 0 {
			return roots, rests
		}
		for _, i := range list {
			if root := l.all[i].Root; root != "" {
				add(root)
			}
		}
		roots = l.deployed(roots)
	}
	return roots, rests
}

// alike returns the roots of all services that a name may mean: the name is that of the service or of its folder,
// apart from a word such as "service".
func (nw *network) alike(name string) (roots []string) {
	l := nw.services()
	found := slices.Concat(l.named[folded(name)], l.alike(name))
	slices.Sort(found)
	for _, i := range found {
		if s := &l.all[i]; s.Root != "" && !s.Beside && !slices.Contains(roots, s.Root) {
			roots = append(roots, s.Root)
		}
	}
	return roots
}

// bare returns a service name in lower case, without separators, without the common first word of the workspace's
// services and without suffixes such as "service".
func (l *serviceList) bare(name string) string {
	s := bare(name)
	if t := strings.TrimPrefix(s, l.family); l.family != "" && t != "" {
		return t
	}
	return s
}

// bare returns a name in lower case, without separators, without suffixes such as "service" and without the sign of a
// plural: "order" of orders-service.
func bare(name string) string {
	s := folded(appWord.ReplaceAllString(name, ""))
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

var addressWords = regexp.MustCompile(
	`(?i)_?(?:base)?_?(?:addr|address|host|hostname|host_?(?:and_?)?port|url|uri|endpoint|target|origin)$`)

// publicPrefixes matches the prefixes by which web frameworks mark variables that pages may read.
var publicPrefixes = regexp.MustCompile(
	`^(?:REACT_APP|VITE|NEXT_PUBLIC|VUE_APP|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|NG_APP|PUBLIC)_`)

// stem returns the name of a variable without words for an address: SHIPPING of SHIPPING_ADDR,
// shipping of shippingSvcAddr.
func stem(name string) string {
	name = publicPrefixes.ReplaceAllString(name, "")
	for {
		short := addressWords.ReplaceAllString(name, "")
		if short == name || short == "" {
			return name
		}
		name = short
	}
}
