package endpoint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// network finds the services that addresses lead to: by host names, ports, and the settings that
// manifests define.
type network struct{ *lookup.Workspace }

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

// Confidences of an edge to a service that a name or a setting alone shows.
const (
	confidenceNamed  = 0.7
	confidenceLikely = 0.8 // the name is that of a host, or manifests give other services this value
)

// where returns the service that a request in f goes to, by the host of its URL t or the variable that holds the host.
// owner is the symbol around the request, and keys are the settings that its URL is composed of.
func (nw *network) where(f *resolve.File, owner int, t *target, keys []string) host {
	if !t.absolute {
		if h, ok := nw.played(f); ok {
			return h
		}
		return host{how: "a path without a host"}
	}
	if t.host != "" {
		h := nw.literal(t.host, t.port, f.Path)
		for i := 0; h.roots == nil && !h.elsewhere && i < len(keys); i++ { // of a localhost address
			if named := nw.environment(keys[i]); named.roots != nil {
				h = named
				h.based, h.sure = false, confidenceLikely
			}
		}
		return h
	}
	if key, _, ok := services.Setting(t.hole); ok {
		h := nw.environment(key)
		if played, ok := nw.played(f); ok && h.roots == nil {
			return played
		}
		h.based = h.based && t.based
		return h
	}
	return nw.expression(f, owner, t)
}

// literal returns the service that a literal host name and port lead to in the file from.
func (nw *network) literal(name, port, from string) host {
	first, _, _ := strings.Cut(name, ".") // cart.shop.svc.cluster.local
	if first == "localhost" || first == "127" || first == "0" || name == "host.docker.internal" {
		if root, ok := nw.Services().Local(cmp.Or(port, "80")); ok {
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
	return cloudHosts[name] || last != name && len(last) > 1 && !ownDomains[last] && lookup.Digits(last) < 0 &&
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
	for _, v := range nw.hosts().values[lookup.Folded(name)] {
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
func (nw *network) expression(f *resolve.File, owner int, t *target) host {
	hole, said, _ := strings.Cut(t.hole, " ")
	name := lookup.LastName(strings.TrimSuffix(hole, "()"))
	if roots, rests := nw.rootsOf(said); len(roots) > 0 {
		return host{roots: roots, rests: rests, how: fmt.Sprintf("%s comes from %q", name, said)}
	}
	for _, fact := range lookup.Values(f, owner, name) {
		for _, m := range networkNames.FindAllStringSubmatch(fact.Type, -1) {
			if roots, rests := nw.rootsOf(m[1] + m[2]); len(roots) > 0 {
				return host{roots: roots, rests: rests, how: name + " comes from " + m[0]}
			}
		}
	}
	if roots, rests := nw.rootsOf(stem(name)); name != "" && len(roots) > 0 {
		h := host{roots: roots, rests: rests, how: name + " is named after the service", based: t.based,
			named: stem(name), sure: confidenceLikely}
		if h.based {
			h.sure = confidenceNamed
		}
		return h
	}
	if h, ok := nw.argument(f.Path); ok {
		h.based = t.based
		return h
	}
	return host{how: "{" + t.hole + "} has no value in the workspace", based: t.based}
}

// argument returns the service whose address manifests pass as an argument to the program of a file; ok is false if
// there is none, or several.
func (nw *network) argument(file string) (h host, ok bool) {
	own := nw.Services().Root(file)
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

// rootsOf returns the services that a network name may refer to: the services that a manifest gives
// the name, else those with that name or folder, else those whose name differs only by a word such
// as "service". rests are the paths of the manifests.
func (nw *network) rootsOf(name string) (roots, rests []string) {
	want := lookup.Folded(name)
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
	l := nw.Services()
	for _, list := range [][]int{l.Named[want], l.Alike(name)} {
		if len(roots) > 0 {
			return roots, rests
		}
		for _, i := range list {
			if root := l.All[i].Root; root != "" {
				add(root)
			}
		}
		roots = l.Deployed(roots)
	}
	return roots, rests
}

// alike returns the roots of all services that a name may mean: the name is that of the service or of its folder,
// apart from a word such as "service".
func (nw *network) alike(name string) (roots []string) {
	l := nw.Services()
	found := slices.Concat(l.Named[lookup.Folded(name)], l.Alike(name))
	slices.Sort(found)
	for _, i := range found {
		if s := &l.All[i]; s.Root != "" && !s.Beside && !slices.Contains(roots, s.Root) {
			roots = append(roots, s.Root)
		}
	}
	return roots
}

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

// played returns the service to which a load generator sends requests: the service that an address
// in its deployment names, as HOST: http://web:8080 does. ok is false if f is not of a load
// generator, or if its addresses name no service or several.
func (nw *network) played(f *resolve.File) (h host, ok bool) {
	root := nw.Services().Root(f.Path)
	if !slices.ContainsFunc(nw.Services().All, func(s lookup.Service) bool { return s.Root == root && s.Plays }) {
		return h, false
	}
	for key, v := range nw.hosts().given(root) {
		roots, rests := nw.rootsOf(first(targetOf(address(v.value)).host))
		if len(roots) != 1 || roots[0] == root {
			continue
		}
		if ok && roots[0] != h.roots[0] {
			return host{}, false
		}
		if !ok || v.file < h.rests[0] {
			h = host{roots: roots, rests: append([]string{v.file}, rests...),
				how: fmt.Sprintf("%s is %s in %s:%d, that deploys it", key, v.value, v.file, v.line)}
		}
		ok = true
	}
	return h, ok
}
