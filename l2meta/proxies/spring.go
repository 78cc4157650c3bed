package proxies

import (
	"path"
	"strconv"
	"strings"

	"sextant/internal/configtree"
	"sextant/l2meta/services/folding"
)

// gatewayPlaces holds the keys under which the versions of Spring Cloud Gateway expect its routes.
var gatewayPlaces = [][]string{
	{"spring", "cloud", "gateway"},
	{"spring", "cloud", "gateway", "server", "webflux"},
	{"spring", "cloud", "gateway", "server", "webmvc"},
	{"spring", "cloud", "gateway", "mvc"},
}

// springRules reads the routes of Spring Cloud Gateway and of Zuul.
func springRules(p string, n *configtree.Node) (out []Rule) {
	n = n.Undotted()
	for _, place := range gatewayPlaces {
		out = append(out, gatewayRoutes(n.At(place...))...)
	}
	out = append(out, zuulRoutes(n.At("zuul"))...)
	for i := range out {
		out[i].Entry = ownerOf(p)
		out[i].Target = folding.Placeholders(out[i].Target)
	}
	return out
}

// ownerOf returns the service that a Spring configuration file belongs to: the service of its
// directory or, in the folder of a configuration server, the service that has the name of the
// file.
func ownerOf(p string) string {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	stem, _, _ = strings.Cut(stem, "-dev") // the file may be for a profile, as orders-dev.yml is
	if strings.HasPrefix(stem, "application") || strings.HasPrefix(stem, "bootstrap") {
		return Own
	}
	return stem
}

func gatewayRoutes(n *configtree.Node) (out []Rule) {
	common := n.At("default-filters").Kids
	for _, r := range n.At("routes").Kids {
		uri, method := r.Text("uri"), ""
		for _, p := range r.At("predicates").Kids {
			if methods, ok := shortcut(p, "Method", "methods", "method"); ok {
				method = strings.Join(methods, ",")
			}
		}
		for _, p := range r.At("predicates").Kids {
			paths, ok := shortcut(p, "Path", "patterns", "pattern")
			if !ok {
				continue
			}
			for _, path := range paths {
				g := Gateway{Path: path, URI: uri}
				for _, f := range append(append([]*configtree.Node{}, common...), r.At("filters").Kids...) {
					g.filter(f)
				}
				if rule, ok := g.Rule(); ok {
					rule.Line, rule.Method = r.Line, method
					out = append(out, rule)
				}
			}
		}
	}
	if n.Text("discovery", "locator", "enabled") == "true" {
		out = append(out, Rule{Match: "/{service}/**", Target: "lb://{service}/**", Line: n.At("discovery").Line})
	}
	return out
}

// shortcut returns the arguments of the predicate or filter n, if it is called name. It reads the
// short form "Path=/a,/b", and the long form with name and args, whose arguments it takes in the
// order of keys.
func shortcut(n *configtree.Node, name string, keys ...string) (args []string, ok bool) {
	if said, rest, short := strings.Cut(n.Value, "="); short || n.Value == name {
		for _, a := range strings.Split(rest, ",") {
			args = append(args, strings.TrimSpace(a))
		}
		return args, strings.TrimSpace(said) == name
	}
	if n.Text("name") != name {
		return nil, false
	}
	for _, k := range keys {
		args = append(args, n.Texts("args", k)...)
	}
	if len(args) == 0 { // the arguments may have generated names: _genkey_0: /red
		for _, k := range n.At("args").Kids {
			args = append(args, k.Value)
		}
	}
	return args, true
}

// Gateway is a route of Spring Cloud Gateway.
type Gateway struct {
	Path, URI string

	path    string // path after the filters; "" if they do not change it
	unknown bool   // whether a filter changes the path in a way that this package does not read
}

// filter applies a filter of the configuration to the route: StripPrefix=2, or the same with name
// and args.
func (g *Gateway) filter(n *configtree.Node) {
	for _, f := range []struct {
		name string
		keys []string
	}{{"StripPrefix", []string{"parts"}}, {"PrefixPath", []string{"prefix"}}, {"SetPath", []string{"template"}},
		{"RewritePath", []string{"regexp", "replacement"}}} {
		if args, ok := shortcut(n, f.name, f.keys...); ok {
			g.Filter(f.name, args)
		}
	}
}

// Filter applies the filter called name to the route. A filter that does not change paths has no
// effect.
func (g *Gateway) Filter(name string, args []string) {
	if len(args) == 0 {
		return
	}
	if g.path == "" {
		g.path = springPath(g.Path)
	}
	switch name {
	case "StripPrefix":
		n, err := strconv.Atoi(args[0])
		parts := strings.Split(strings.TrimPrefix(g.path, "/"), "/")
		if err != nil {
			g.unknown = true
			return
		}
		for n > 0 && len(parts) > 0 && parts[0] != "**" {
			parts, n = parts[1:], n-1
		}
		g.path = "/" + strings.Join(parts, "/")
		g.unknown = g.unknown || n > 0
	case "PrefixPath":
		g.path = clean(args[0] + "/" + g.path)
	case "SetPath":
		g.path = clean(args[0])
	case "RewritePath":
		g.rewrite(args)
	}
}

// rewrite replaces the path by the replacement of a regular expression that matches it.
func (g *Gateway) rewrite(args []string) {
	if len(args) < 2 {
		g.unknown = true
		return
	}
	match, groups, ok := Regexp(args[0])
	to, referred := Refer(args[1], groups)
	if path, met := Apply(g.path, match, to); ok && referred && met {
		g.path = path
		return
	}
	g.unknown = true
}

// Rule returns the route as a rule. It returns false if a filter changes the path in an unknown
// way, if the route matches only the root path, or if it leads to no host.
func (g *Gateway) Rule() (Rule, bool) {
	match := springPath(g.Path)
	path := g.path
	if path == "" {
		path = match
	}
	host := strings.TrimRight(g.URI, "/")
	if scheme, rest, ok := strings.Cut(host, "://"); ok { // the path of a uri is ignored
		rest, _, _ = strings.Cut(rest, "/")
		host = scheme + "://" + rest
	}
	return Rule{Match: match, Target: host + clean(path)}, !g.unknown && match != "/" && host != "" &&
		!strings.HasPrefix(host, "forward:")
}

// springPath returns the template for a path pattern of Spring: "/a/{*rest}" and "/a/**" become "/a/**", "/a/*" becomes
// "/a/{1}".
func springPath(p string) string {
	p = strings.TrimSpace(p)
	if strings.HasSuffix(p, "/*") { // "/*" matches one segment here, unlike in other proxies
		p = p[:len(p)-1] + "{1}"
	}
	return clean(Tail(p))
}

// Apply rewrites path by the rule from match to target, all of them templates: "/api/x/**" becomes
// "/x/**" by the rule from "/api/**" to "/**". It reports false if match does not match path.
func Apply(path, match, target string) (out string, ok bool) {
	prefix, open := strings.CutSuffix(match, "/**")
	if !open {
		return target, clean(path) == clean(match)
	}
	rest, ok := strings.CutPrefix(path+"/", strings.TrimRight(prefix, "/")+"/")
	if strings.ContainsAny(prefix, "{*") || !ok {
		return "", false
	}
	return clean(strings.Replace(target, "**", strings.Trim(rest, "/"), 1)), true
}

// zuulRoutes reads zuul.routes. Every service also has a route of its own name, unless
// ignored-services is "*".
func zuulRoutes(n *configtree.Node) (out []Rule) {
	if n.Line == 0 {
		return nil
	}
	prefix := clean(n.Text("prefix"))
	if prefix == "/" {
		prefix = ""
	}
	for _, r := range n.At("routes").Kids {
		path, target, strip := r.Text("path"), r.Text("url"), r.Text("strip-prefix") != "false"
		if r.Value != "" {
			path = r.Value
		}
		if path == "" {
			path = "/" + r.Key + "/**"
		}
		if target == "" {
			service := r.Text("serviceId")
			if service == "" {
				service = r.Key
			}
			target = "lb://" + service
		}
		inner := springPath(path)
		if strip {
			inner = "/**"
			if !strings.HasSuffix(path, "**") {
				inner = springPath(path)
			}
		}
		if prefix != "" && n.Text("strip-prefix") == "false" {
			inner = prefix + inner
		}
		out = append(out, Rule{Match: prefix + springPath(path), Target: strings.TrimRight(target, "/") + inner,
			Line: r.Line})
	}
	if !strings.Contains(n.Text("ignored-services")+strings.Join(n.Texts("ignored-services"), ""), "*") {
		out = append(out, Rule{Match: prefix + "/{service}/**", Target: "lb://{service}/**", Line: n.Line})
	}
	return out
}
