// Package hosts finds the services that the URL of a request leads to: by its host name or port,
// or by the setting or variable that holds its address.
//
// The evidence is in manifests: a compose file names a service "cart", and gives another one
// CART_ADDR=http://cart:80. Programs in one folder, several values of one setting and ports of
// the developer's machine are ambiguous. A Host therefore holds all candidates, the evidence and
// an upper bound of the confidence. Package hosts also parses URLs (Target) and compares their
// paths with the templates of routes (Meets).
package hosts

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Network finds the services that addresses lead to: by host names, ports, and the settings that
// manifests define.
type Network struct{ *lookup.Workspace }

// Host is the known destination of a request.
type Host struct {
	Roots     []string // roots of the candidate services, nil if unknown
	How       string   // the evidence, one line
	Rests     []string // paths of the manifests with that evidence
	Elsewhere bool     // whether the host is outside of the workspace
	Public    bool     // whether the host is on the internet, or belongs to the cloud
	Based     bool     // whether the unknown part of the URL may contain the start of the path
	Local     bool     // whether it is a port of the developer's machine, at which a remote service may listen, too
	Named     string   // the host name, if its similarity to a service's name is the only evidence
	Sure      float64  // an upper bound of the confidence, 0 for none
}

// These constants are the confidences of an edge to a service that only a name or a setting
// shows.
const (
	ConfidenceNamed  = 0.7
	ConfidenceLikely = 0.8 // the name is that of a host, or the setting has this value for other services
)

// Where returns the service that a request in f goes to, by the host of its URL t or the variable
// that holds the host. owner is the symbol around the request, and keys are the settings in its
// URL.
func (nw *Network) Where(f *resolve.File, owner int, t *Target, keys []string) Host {
	if !t.Absolute {
		if h, ok := nw.played(f); ok {
			return h
		}
		return Host{How: "a path without a host"}
	}
	if t.Host != "" {
		h := nw.literal(t.Host, t.Port, f.Path)
		for i := 0; h.Roots == nil && !h.Elsewhere && i < len(keys); i++ { // settings in a localhost address
			if named := nw.environment(keys[i]); named.Roots != nil {
				h = named
				h.Based, h.Sure = false, ConfidenceLikely
			}
		}
		return h
	}
	if key, _, ok := folding.Setting(t.Hole); ok {
		h := nw.environment(key)
		if played, ok := nw.played(f); ok && h.Roots == nil {
			return played
		}
		h.Based = h.Based && t.based
		return h
	}
	return nw.expression(f, owner, t)
}

// literal returns the service that a literal host name and port lead to in the file from.
func (nw *Network) literal(name, port, from string) Host {
	first, _, _ := strings.Cut(name, ".") // for example, cart.shop.svc.cluster.local
	if first == "localhost" || first == "127" || first == "0" || name == "host.docker.internal" {
		if root, ok := nw.Services().Local(cmp.Or(port, "80")); ok {
			return Host{Roots: []string{root}, Local: true, How: name + ":" + port + " is where " + root + " listens"}
		}
		if root, file, ok := nw.listening(port, from); ok {
			return Host{Roots: []string{root}, Local: true, Rests: []string{file},
				How: name + ":" + port + " is where the code of " + root + " listens"}
		}
		if nw.isOuter("localhost:"+cmp.Or(port, "80"), from) {
			return Host{Roots: []string{""}, Local: true, How: name + ":" + port + " is where the program around " +
				"the others listens"}
		}
		return Host{How: name + " may be any service"}
	}
	if roots, rests := nw.RootsOf(name); first != name && len(roots) == 1 { // the service may be called orders.api
		return Host{Roots: roots, How: "host " + name, Rests: rests}
	}
	if roots, rests := nw.RootsOf(first); len(roots) > 0 &&
		(first == name || strings.Contains(name, ".svc") || strings.HasSuffix(name, ".local") ||
			strings.HasSuffix(name, ".internal") || inNamespace(name, port)) {
		return Host{Roots: roots, How: "host " + name, Rests: rests}
	}
	if nw.isOuter(name, from) {
		return Host{Roots: []string{""}, How: "host " + name}
	}
	return Host{Elsewhere: true, Public: isPublic(name), How: "host " + name + " is no service of the workspace"}
}

// inNamespace reports whether a name may be that of a service of Kubernetes in another namespace, orders.shop:8080,
// rather than a domain. The port of a public server is left out, or 443.
func inNamespace(name, port string) bool {
	_, space, _ := strings.Cut(name, ".")
	return lookup.Digits(port) > 0 && port != "443" && isNamespace.MatchString(space) && !topLevel[space]
}

var (
	// isNamespace matches the name of a namespace: three letters or more, as those of countries have two.
	isNamespace = regexp.MustCompile(`^[a-z][a-z0-9-]{2,}$`)
	// topLevel lists the common top-level domains.
	topLevel = map[string]bool{"com": true, "org": true, "net": true, "dev": true, "app": true, "info": true,
		"biz": true, "cloud": true, "tech": true, "site": true, "online": true, "xyz": true, "edu": true, "gov": true,
		"int": true, "mil": true, "localhost": true}
)

// isOuter reports whether a name or an address, localhost:8000, is that of the one deployed program at the workspace's
// root, whose files lie around the folders of the other services. from is the file that uses the name. The file of no
// other service may be part of that program, or of a deployment that builds several programs at the root.
func (nw *Network) isOuter(name, from string) bool {
	l := nw.Services()
	return l.Root(from) != "" && slices.ContainsFunc(l.All, func(s lookup.Service) bool {
		return s.Root == "" && !s.Beside && slices.Contains(s.Names, name)
	})
}

// isPublic reports whether a name is that of a host on the internet, or of the cloud that a program runs in.
func isPublic(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return cloudHosts[name] || last != name && len(last) > 1 && !ownDomains[last] && lookup.Digits(last) < 0 &&
		!strings.ContainsAny(name, "{}")
}

var (
	cloudHosts = map[string]bool{"metadata": true, "metadata.google.internal": true, "169.254.169.254": true}
	// ownDomains lists the top-level domains of hosts in a private network.
	ownDomains = map[string]bool{"local": true, "internal": true, "svc": true, "lan": true, "localhost": true,
		"localdomain": true, "cluster": true, "test": true, "example": true, "docker": true, "consul": true}
)

// environment returns the service that a setting points to if the service that reads it has no
// known value. It uses the values for other services if these agree, otherwise the name of the
// setting.
func (nw *Network) environment(name string) Host {
	if h, ok := nw.others(name); ok {
		return h
	}
	if roots, rests := nw.RootsOf(Stem(name)); len(roots) > 0 {
		return Host{Roots: roots, Rests: rests, How: "setting " + name + " is named after the service", Based: true,
			Named: Stem(name), Sure: ConfidenceNamed}
	}
	return Host{How: "setting " + name + " has no value in the workspace", Based: true}
}

// others returns the service that a setting points to for other services, according to manifests;
// ok is false unless all values point to the same service.
func (nw *Network) others(name string) (h Host, ok bool) {
	for _, v := range nw.Settings().values[lookup.Folded(name)] {
		t := TargetOf(Address(v.Text))
		roots, rests := nw.RootsOf(FirstLabel(t.Host))
		if len(roots) != 1 || len(t.Path) > 0 || len(h.Roots) > 0 && h.Roots[0] != roots[0] {
			return Host{}, false
		}
		if len(h.Roots) == 0 {
			h = Host{Roots: roots, Rests: append([]string{v.File}, rests...), Sure: ConfidenceLikely,
				How: fmt.Sprintf("%s is %s for others in %s:%d", name, v.Text, v.File, v.Line)}
		}
	}
	return h, len(h.Roots) > 0
}

// FirstLabel returns the first label of a host name: "cart" of cart.shop.svc.
func FirstLabel(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

var networkNames = regexp.MustCompile(`"([a-z][\w.-]*)"|'([a-z][\w.-]*)'`)

// expression returns the service that a variable, field or function points to: by a host name in
// its value or, if there is none, by its own name.
func (nw *Network) expression(f *resolve.File, owner int, t *Target) Host {
	hole, said, _ := strings.Cut(t.Hole, " ")
	name := lookup.LastName(strings.TrimSuffix(hole, "()"))
	if roots, rests := nw.RootsOf(said); len(roots) > 0 {
		return Host{Roots: roots, Rests: rests, How: fmt.Sprintf("%s comes from %q", name, said)}
	}
	for _, fact := range lookup.Values(f, owner, name) {
		for _, m := range networkNames.FindAllStringSubmatch(fact.Type, -1) {
			if roots, rests := nw.RootsOf(m[1] + m[2]); len(roots) > 0 {
				return Host{Roots: roots, Rests: rests, How: name + " comes from " + m[0]}
			}
		}
	}
	if roots, rests := nw.RootsOf(Stem(name)); name != "" && len(roots) > 0 {
		h := Host{Roots: roots, Rests: rests, How: name + " is named after the service", Based: t.based,
			Named: Stem(name), Sure: ConfidenceLikely}
		if h.Based {
			h.Sure = ConfidenceNamed
		}
		return h
	}
	if h, ok := nw.argument(f.Path); ok {
		h.Based = t.based
		return h
	}
	return Host{How: "{" + t.Hole + "} has no value in the workspace", Based: t.based}
}

// argument returns the service whose address manifests pass as an argument to the program of a
// file; ok is false if there is no such service, or if there are several.
func (nw *Network) argument(file string) (h Host, ok bool) {
	own := nw.Services().Root(file)
	for _, v := range nw.Settings().arguments[own] {
		roots, rests := nw.RootsOf(FirstLabel(TargetOf(v.Text).Host))
		if len(roots) != 1 || roots[0] == own || len(h.Roots) > 0 && h.Roots[0] != roots[0] {
			return Host{}, false
		}
		h = Host{Roots: roots, Rests: append([]string{v.File}, rests...), Sure: ConfidenceNamed,
			How: fmt.Sprintf("%s:%d passes %s to the program", v.File, v.Line, v.Text)}
	}
	return h, len(h.Roots) > 0
}

// RootsOf returns the services that a network name may refer to: those with this name in a
// manifest; otherwise those with that name or folder; otherwise those whose name differs only by
// a word such as "service". rests are the paths of the manifests.
func (nw *Network) RootsOf(name string) (roots, rests []string) {
	want := lookup.Folded(name)
	if want == "" {
		return nil, nil
	}
	add := func(root string) {
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, n := range nw.Names()[want] {
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

// Alike returns the roots of all services that a name may mean: the name is that of the service or of its folder,
// apart from a word such as "service".
func (nw *Network) Alike(name string) (roots []string) {
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

// Stem returns the name of a variable without words for an address: SHIPPING of SHIPPING_ADDR,
// shipping of shippingSvcAddr.
func Stem(name string) string {
	name = publicPrefixes.ReplaceAllString(name, "")
	for {
		short := addressWords.ReplaceAllString(name, "")
		if short == name || short == "" {
			return name
		}
		name = short
	}
}

// played returns the service to which a load generator sends requests: the service that an
// address in its deployment names, such as HOST: http://web:8080. ok is false if f does not
// belong to a load generator, or if its addresses name no service or several.
func (nw *Network) played(f *resolve.File) (h Host, ok bool) {
	root := nw.Services().Root(f.Path)
	if !slices.ContainsFunc(nw.Services().All, func(s lookup.Service) bool { return s.Root == root && s.Plays }) {
		return h, false
	}
	for key, v := range nw.Settings().given(root) {
		roots, rests := nw.RootsOf(FirstLabel(TargetOf(Address(v.Text)).Host))
		if len(roots) != 1 || roots[0] == root {
			continue
		}
		if ok && roots[0] != h.Roots[0] {
			return Host{}, false
		}
		if !ok || v.File < h.Rests[0] {
			h = Host{Roots: roots, Rests: append([]string{v.File}, rests...),
				How: fmt.Sprintf("%s is %s in %s:%d, that deploys it", key, v.Text, v.File, v.Line)}
		}
		ok = true
	}
	return h, ok
}
