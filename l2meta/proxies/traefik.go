package proxies

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/configtree"
)

var traefikPaths = regexp.MustCompile(`Path(Prefix)?\(([^)]*)\)`)

// traefikRule returns the rules for the paths in a router rule of Traefik, PathPrefix(`/api`).
// The rules send the requests to host. Before that, the router's middlewares remove the longest
// matching prefix in strip from the path, and put add in front.
func traefikRule(rule, host string, strip []string, add string) (out []Rule) {
	for _, m := range traefikPaths.FindAllStringSubmatch(rule, -1) {
		for _, p := range strings.Split(m[2], ",") {
			p = strings.Trim(strings.TrimSpace(p), "`\"'")
			if m[1] == "" && !strings.Contains(p, "{") {
				out = append(out, Rule{Match: clean(p), Target: host + clean(add+"/"+p), Entry: Edge})
				continue
			}
			taken := ""
			for _, s := range strip {
				if strings.HasPrefix(clean(p)+"/", clean(s)+"/") && len(s) > len(taken) {
					taken = s
				}
			}
			r := Prefix(p, host, taken, add)
			r.Entry = Edge
			out = append(out, r)
		}
	}
	return out
}

// traefikLabels reads the labels of a compose file's services.
func traefikLabels(n *configtree.Node) (out []Rule) {
	if n.Text("kind") == "IngressRoute" {
		return nil
	}
	for _, s := range n.At("services").Kids {
		labels := map[string]string{}
		for _, l := range append(append([]*configtree.Node{}, s.At("labels").Kids...),
			s.At("deploy", "labels").Kids...) {
			key, value := l.Key, l.Value
			if key == "" {
				key, value, _ = strings.Cut(l.Value, "=")
			}
			labels[traefikKey(key)] = value
		}
		for key, value := range labels {
			router, ok := strings.CutSuffix(strings.TrimPrefix(key, "traefik.http.routers."), ".rule")
			if !ok || !strings.HasPrefix(key, "traefik.http.routers.") {
				continue
			}
			var strip []string
			add := ""
			for _, name := range strings.Split(labels["traefik.http.routers."+router+".middlewares"], ",") {
				name, _, _ = strings.Cut(strings.TrimSpace(name), "@")
				if p := labels["traefik.http.middlewares."+name+".stripprefix.prefixes"]; p != "" {
					strip = append(strip, strings.Split(p, ",")...)
				}
				regex := labels["traefik.http.middlewares."+name+".stripprefixregex.regex"]
				strip = append(strip, prefixesBy(value, strings.Split(regex, ","))...)
				if p := labels["traefik.http.middlewares."+name+".addprefix.prefix"]; p != "" {
					add = p
				}
			}
			for _, r := range traefikRule(value, "http://"+s.Key, strip, add) {
				r.Line = s.Line
				out = append(out, r)
			}
		}
		if rule := labels["traefik.frontend.rule"]; strings.HasPrefix(rule, "PathPrefix") { // the form of Traefik 1
			kind, paths, _ := strings.Cut(rule, ":")
			for _, p := range strings.Split(paths, ",") {
				strip := ""
				if kind == "PathPrefixStrip" {
					strip = p
				}
				r := Prefix(p, "http://"+s.Key, strip, "")
				r.Entry, r.Line = Edge, s.Line
				out = append(out, r)
			}
		}
	}
	sortRules(out)
	return out
}

// traefikKey returns the key of a label with its options in lower case, because Traefik ignores
// their case: stripPrefix.prefixes is stripprefix.prefixes. Names of routers and middlewares keep
// their case.
func traefikKey(key string) string {
	parts := strings.Split(key, ".")
	for i := range parts {
		if i != 3 {
			parts[i] = strings.ToLower(parts[i])
		}
	}
	return strings.Join(parts, ".")
}

// prefixesBy returns the prefixes that the expressions of StripPrefixRegex, ^/v1/[a-z]+, remove
// from the paths in a router rule, PathPrefix(`/v1/stock`). It skips an expression whose match
// could depend on the rest of a request's path.
func prefixesBy(rule string, expressions []string) (out []string) {
	for _, e := range expressions {
		re, err := regexp.Compile(strings.ReplaceAll(e, "$$", "$")) // in compose files, $$ means $
		if e == "" || err != nil {
			continue
		}
		for _, m := range traefikPaths.FindAllStringSubmatch(rule, -1) {
			for _, p := range strings.Split(m[2], ",") {
				p = clean(strings.Trim(strings.TrimSpace(p), "`\"'"))
				taken := re.FindString(p)
				if taken != "" && strings.HasPrefix(p, taken) && re.FindString(p+"/a") == taken {
					out = append(out, taken)
				}
			}
		}
	}
	return out
}

// sortRules sorts rules from a map by their lines and matches.
func sortRules(list []Rule) {
	slices.SortStableFunc(list, func(a, b Rule) int {
		return cmp.Or(a.Line-b.Line, strings.Compare(a.Match, b.Match))
	})
}

// traefikFile reads http.routers of a dynamic configuration file of Traefik.
func traefikFile(n *configtree.Node) (out []Rule) {
	for _, r := range n.At("http", "routers").Kids {
		var strip []string
		add := ""
		for _, name := range r.Texts("middlewares") {
			m := n.At("http", "middlewares", name)
			strip = append(strip, m.Texts("stripPrefix", "prefixes")...)
			strip = append(strip, prefixesBy(r.Text("rule"), m.Texts("stripPrefixRegex", "regex"))...)
			add += m.Text("addPrefix", "prefix")
		}
		host := ""
		for _, s := range n.At("http", "services", r.Text("service"), "loadBalancer", "servers").Kids {
			host = s.Text("url")
			break
		}
		if host == "" {
			continue
		}
		for _, rule := range traefikRule(r.Text("rule"), strings.TrimRight(host, "/"), strip, add) {
			rule.Line = r.Line
			out = append(out, rule)
		}
	}
	return out
}

// ingressRoutes reads an IngressRoute, the resource of Traefik in Kubernetes.
func ingressRoutes(n *configtree.Node) (out []Rule) {
	for _, r := range n.At("spec", "routes").Kids {
		if r.At("middlewares").Line > 0 { // other resources define the middlewares, so the resulting path is unknown
			continue
		}
		for _, s := range r.At("services").Kids {
			for _, rule := range traefikRule(r.Text("match"), "http://"+s.Text("name"), nil, "") {
				rule.Line = r.Line
				out = append(out, rule)
			}
			break
		}
	}
	return out
}
