package proxies

import (
	"regexp"
	"strings"
)

var traefikPaths = regexp.MustCompile(`Path(Prefix)?\(([^)]*)\)`)

// traefikRule returns the rules for a host of one that Traefik matches by, with the
// prefixes that middlewares take off or put before.
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
func traefikLabels(n *node) (out []Rule) {
	if n.text("kind") == "IngressRoute" {
		return nil
	}
	for _, s := range n.at("services").kids {
		labels := map[string]string{}
		for _, l := range append(append([]*node{}, s.at("labels").kids...), s.at("deploy", "labels").kids...) {
			key, value := l.key, l.value
			if key == "" {
				key, value, _ = strings.Cut(l.value, "=")
			}
			labels[key] = value
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
				if p := labels["traefik.http.middlewares."+name+".addprefix.prefix"]; p != "" {
					add = p
				}
			}
			for _, r := range traefikRule(value, "http://"+s.key, strip, add) {
				r.Line = s.line
				out = append(out, r)
			}
		}
		if rule := labels["traefik.frontend.rule"]; strings.HasPrefix(rule, "PathPrefix") { // version 1
			kind, paths, _ := strings.Cut(rule, ":")
			for _, p := range strings.Split(paths, ",") {
				strip := ""
				if kind == "PathPrefixStrip" {
					strip = p
				}
				r := Prefix(p, "http://"+s.key, strip, "")
				r.Entry, r.Line = Edge, s.line
				out = append(out, r)
			}
		}
	}
	sortRules(out)
	return out
}

// sortRules puts rules that came out of a map in order.
func sortRules(list []Rule) {
	for i := range list {
		for k := i; k > 0 && (list[k].Line < list[k-1].Line || list[k].Line == list[k-1].Line && list[k].Match < list[k-1].Match); k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
}

// traefikFile reads http.routers of a dynamic configuration file.
func traefikFile(n *node) (out []Rule) {
	for _, r := range n.at("http", "routers").kids {
		var strip []string
		add := ""
		for _, name := range r.texts("middlewares") {
			m := n.at("http", "middlewares", name)
			strip = append(strip, m.texts("stripPrefix", "prefixes")...)
			add += m.text("addPrefix", "prefix")
		}
		host := ""
		for _, s := range n.at("http", "services", r.text("service"), "loadBalancer", "servers").kids {
			host = s.text("url")
			break
		}
		if host == "" {
			continue
		}
		for _, rule := range traefikRule(r.text("rule"), strings.TrimRight(host, "/"), strip, add) {
			rule.Line = r.line
			out = append(out, rule)
		}
	}
	return out
}

// ingressRoutes reads Traefik's own resource.
func ingressRoutes(n *node) (out []Rule) {
	for _, r := range n.at("spec", "routes").kids {
		if r.at("middlewares").line > 0 { // they stand in other resources
			continue
		}
		for _, s := range r.at("services").kids {
			for _, rule := range traefikRule(r.text("match"), "http://"+s.text("name"), nil, "") {
				rule.Line = r.line
				out = append(out, rule)
			}
			break
		}
	}
	return out
}
