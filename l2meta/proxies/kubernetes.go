package proxies

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/configtree"
)

// yamlRules reads the YAML files of proxies, gateways and clusters. A file is only parsed if its
// text has a word that is typical of one of them.
func yamlRules(p, text string) (out []Rule) {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	readers := []struct {
		may  bool
		read func(*configtree.Node) []Rule
	}{
		{has("zuul") || has("gateway") && has("predicates", "locator"),
			func(n *configtree.Node) []Rule { return springRules(p, n) }},
		{has("Ingress", "HTTPRoute", "VirtualService"), kubernetesRoutes},
		{has("traefik."), traefikLabels},
		{has("loadBalancer") && has("routers"), traefikFile},
		{has("virtual_hosts"), envoyRoutes},
		{has("x-amazon-apigateway-integration"), apiRoutes},
		{has("_format_version"), kongRoutes},
	}
	var docs []*configtree.Node
	for _, r := range readers {
		if !r.may {
			continue
		}
		if docs == nil {
			docs = configtree.YAML(text)
		}
		for _, d := range docs {
			out = append(out, r.read(d)...)
		}
	}
	return out
}

// kubernetesRoutes reads an Ingress, an HTTPRoute of the Gateway API, a
// VirtualService of Istio, or an IngressRoute of Traefik.
func kubernetesRoutes(n *configtree.Node) (out []Rule) {
	switch n.Text("kind") {
	case "Ingress":
		out = ingressRules(n)
	case "IngressRoute":
		out = ingressRoutes(n)
	case "HTTPRoute":
		out = gatewayAPIRules(n)
	case "VirtualService":
		out = istioRules(n)
	}
	for i := range out {
		out[i].Entry = Edge
	}
	return out
}

// anyRest matches the end of a pattern that accepts any path below its start: /orders/?(.*).
var anyRest = regexp.MustCompile(`(?:/\?|\(/\|\$\))?\(?\.\*\)?$`)

// ingressRules reads an Ingress and those annotations of the nginx and Traefik controllers that
// rewrite paths.
func ingressRules(n *configtree.Node) (out []Rule) {
	rewrite := ""
	for _, a := range n.At("metadata", "annotations").Kids {
		if strings.HasSuffix(a.Key, "/rewrite-target") {
			rewrite = a.Value
		}
	}
	for _, rule := range n.At("spec", "rules").Kids {
		for _, p := range rule.At("http", "paths").Kids {
			service := p.Text("backend", "service", "name") + p.Text("backend", "serviceName")
			if service == "" {
				continue
			}
			host, from := "http://"+service, anyRest.ReplaceAllString(p.Text("path"), "/")
			if from != p.Text("path") && strings.Contains(rewrite, "$") {
				from = p.Text("path")
			}
			r := Rule{Match: clean(from + "/**"), Target: host + clean(from+"/**"), Line: p.Line}
			if p.Text("pathType") == "Exact" {
				r.Match, r.Target = clean(from), host+clean(from)
			}
			if strings.ContainsAny(from, "(*") {
				match, groups, ok := Regexp(from)
				to, referred := Refer(rewrite, groups)
				if !ok || !referred {
					continue
				}
				r.Match, r.Target = match, host+clean(to)
				if rewrite == "" {
					r.Target = host + match
				}
			} else if rewrite != "" && !strings.Contains(rewrite, "$") {
				r.Target = host + clean(rewrite+"/**")
			}
			out = append(out, r)
		}
	}
	return out
}

// gatewayAPIRules reads an HTTPRoute, a resource of Kubernetes' Gateway API.
func gatewayAPIRules(n *configtree.Node) (out []Rule) {
	for _, rule := range n.At("spec", "rules").Kids {
		service, replace := "", (*configtree.Node)(nil)
		for _, b := range rule.At("backendRefs").Kids {
			if service = b.Text("name"); service != "" {
				break
			}
		}
		for _, f := range rule.At("filters").Kids {
			if r := f.At("urlRewrite", "path"); r.Line > 0 {
				replace = r
			}
		}
		if service == "" {
			continue
		}
		matches := rule.At("matches").Kids
		if len(matches) == 0 {
			matches = []*configtree.Node{{Line: rule.Line}}
		}
		for _, m := range matches {
			from := m.Text("path", "value")
			r := Rule{Match: clean(from + "/**"), Target: "http://" + service + clean(from+"/**"), Line: rule.Line}
			switch {
			case m.Text("path", "type") == "Exact":
				r.Match, r.Target = clean(from), "http://"+service+clean(from)
			case m.Text("path", "type") == "RegularExpression":
				continue
			}
			if replace != nil && replace.Text("type") == "ReplacePrefixMatch" {
				r.Target = "http://" + service + clean(replace.Text("replacePrefixMatch")+"/**")
			} else if replace != nil {
				r.Target = "http://" + service + clean(replace.Text("replaceFullPath"))
			}
			out = append(out, r)
		}
	}
	return out
}

// istioRules reads a VirtualService that lists gateways. One without gateways applies inside the
// mesh only, so it rewrites no request from outside.
func istioRules(n *configtree.Node) (out []Rule) {
	if n.At("spec", "gateways").Line == 0 {
		return nil
	}
	for _, h := range n.At("spec", "http").Kids {
		service := ""
		for _, r := range h.At("route").Kids {
			if service = r.Text("destination", "host"); service != "" {
				break
			}
		}
		if service == "" {
			continue
		}
		rewrite := h.At("rewrite", "uri")
		for _, m := range append(h.At("match").Kids, &configtree.Node{Line: 0}) {
			prefix, exact := m.Text("uri", "prefix"), m.Text("uri", "exact")
			switch {
			case prefix == "" && exact == "" && (m.Line > 0 || h.At("match").Line > 0):
				continue
			case exact != "":
				to := exact
				if rewrite.Line > 0 {
					to = rewrite.Value
				}
				out = append(out, Rule{Match: clean(exact), Target: "http://" + service + clean(to), Line: h.Line})
			default:
				to := prefix
				if rewrite.Line > 0 {
					to = rewrite.Value
				}
				out = append(out, Rule{Match: clean(prefix + "/**"), Target: "http://" + service + clean(to+"/**"),
					Line: h.Line})
			}
		}
	}
	return out
}

// envoyRoutes reads the virtual hosts of an Envoy configuration that also declares their clusters.
func envoyRoutes(n *configtree.Node) (out []Rule) {
	hosts := map[string]string{}
	n.Each(func(c *configtree.Node) {
		if name := c.Text("name"); name != "" && (c.At("load_assignment").Line > 0 || c.At("hosts").Line > 0) {
			c.Each(func(a *configtree.Node) {
				if at := a.At("socket_address"); at.Line > 0 && hosts[name] == "" {
					hosts[name] = "http://" + Variables(at.Text("address"))
					if port := at.Text("port_value"); !strings.Contains(port, "$") {
						hosts[name] += ":" + port
					}
				}
			})
		}
	})
	n.Each(func(r *configtree.Node) {
		to := r.At("route")
		host := hosts[to.Text("cluster")]
		if r.At("match").Line == 0 || host == "" {
			return
		}
		rule := Rule{Line: r.At("match").Line}
		prefix, exact := r.Text("match", "prefix")+r.Text("match", "path_separated_prefix"), r.Text("match", "path")
		switch rewrite := to.At("prefix_rewrite"); {
		case exact != "":
			rule.Match, rule.Target = clean(exact), host+clean(exact)
			if rewrite.Line > 0 {
				rule.Target = host + clean(rewrite.Value)
			}
		case prefix == "":
			return
		default:
			rule.Match, rule.Target = clean(prefix+"/**"), host+clean(prefix+"/**")
			if rewrite.Line > 0 {
				rule.Target = host + clean(rewrite.Value+"/**")
			} else if re := to.At("regex_rewrite"); re.Line > 0 {
				match, groups, ok := Regexp(re.Text("pattern", "regex"))
				path, referred := Refer(re.Text("substitution"), groups)
				if path, met := Apply(rule.Match, match, path); ok && referred && met {
					rule.Target = host + path
				} else {
					return
				}
			}
		}
		out = append(out, rule)
	})
	return out
}
