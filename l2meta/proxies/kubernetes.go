package proxies

import (
	"slices"
	"strings"
)

// yamlRules reads the YAML files of proxies, gateways and clusters. The text is
// searched for a word of each before it is parsed.
func yamlRules(p, text string) (out []Rule) {
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	}
	readers := []struct {
		may  bool
		read func(*node) []Rule
	}{
		{has("zuul") || has("gateway") && has("predicates", "locator"), func(n *node) []Rule { return springRules(p, n) }},
		{has("Ingress", "HTTPRoute", "VirtualService"), kubernetesRoutes},
		{has("traefik."), traefikLabels},
		{has("loadBalancer") && has("routers"), traefikFile},
		{has("virtual_hosts"), envoyRoutes},
		{has("x-amazon-apigateway-integration"), apiRoutes},
		{has("_format_version"), kongRoutes},
	}
	var docs []*node
	for _, r := range readers {
		if !r.may {
			continue
		}
		if docs == nil {
			docs = documents(text)
		}
		for _, d := range docs {
			out = append(out, r.read(d)...)
		}
	}
	return out
}

// kubernetesRoutes reads an Ingress, an HTTPRoute of the Gateway API, a
// VirtualService of Istio, or an IngressRoute of Traefik.
func kubernetesRoutes(n *node) (out []Rule) {
	switch n.text("kind") {
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

// ingressRules reads an Ingress, with the annotations of the nginx and Traefik
// controllers that rewrite.
func ingressRules(n *node) (out []Rule) {
	rewrite := ""
	for _, a := range n.at("metadata", "annotations").kids {
		if strings.HasSuffix(a.key, "/rewrite-target") {
			rewrite = a.value
		}
	}
	for _, rule := range n.at("spec", "rules").kids {
		for _, p := range rule.at("http", "paths").kids {
			service := p.text("backend", "service", "name") + p.text("backend", "serviceName")
			if service == "" {
				continue
			}
			host, from := "http://"+service, p.text("path")
			r := Rule{Match: clean(from + "/**"), Target: host + clean(from+"/**"), Line: p.line}
			if p.text("pathType") == "Exact" {
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

// gatewayAPIRules reads an HTTPRoute.
func gatewayAPIRules(n *node) (out []Rule) {
	for _, rule := range n.at("spec", "rules").kids {
		service, replace := "", (*node)(nil)
		for _, b := range rule.at("backendRefs").kids {
			if service = b.text("name"); service != "" {
				break
			}
		}
		for _, f := range rule.at("filters").kids {
			if r := f.at("urlRewrite", "path"); r.line > 0 {
				replace = r
			}
		}
		if service == "" {
			continue
		}
		matches := rule.at("matches").kids
		if len(matches) == 0 {
			matches = []*node{{line: rule.line}}
		}
		for _, m := range matches {
			from := m.text("path", "value")
			r := Rule{Match: clean(from + "/**"), Target: "http://" + service + clean(from+"/**"), Line: rule.line}
			switch {
			case m.text("path", "type") == "Exact":
				r.Match, r.Target = clean(from), "http://"+service+clean(from)
			case m.text("path", "type") == "RegularExpression":
				continue
			}
			if replace != nil && replace.text("type") == "ReplacePrefixMatch" {
				r.Target = "http://" + service + clean(replace.text("replacePrefixMatch")+"/**")
			} else if replace != nil {
				r.Target = "http://" + service + clean(replace.text("replaceFullPath"))
			}
			out = append(out, r)
		}
	}
	return out
}

// istioRules reads a VirtualService with gateways; one of the mesh alone rewrites no
// path of a request from outside.
func istioRules(n *node) (out []Rule) {
	if n.at("spec", "gateways").line == 0 {
		return nil
	}
	for _, h := range n.at("spec", "http").kids {
		service := ""
		for _, r := range h.at("route").kids {
			if service = r.text("destination", "host"); service != "" {
				break
			}
		}
		if service == "" {
			continue
		}
		rewrite := h.at("rewrite", "uri")
		for _, m := range append(h.at("match").kids, &node{line: 0}) {
			prefix, exact := m.text("uri", "prefix"), m.text("uri", "exact")
			switch {
			case prefix == "" && exact == "" && (m.line > 0 || h.at("match").line > 0):
				continue
			case exact != "":
				to := exact
				if rewrite.line > 0 {
					to = rewrite.value
				}
				out = append(out, Rule{Match: clean(exact), Target: "http://" + service + clean(to), Line: h.line})
			default:
				to := prefix
				if rewrite.line > 0 {
					to = rewrite.value
				}
				out = append(out, Rule{Match: clean(prefix + "/**"), Target: "http://" + service + clean(to+"/**"), Line: h.line})
			}
		}
	}
	return out
}

// envoyRoutes reads the virtual hosts of Envoy, whose clusters stand in the file.
func envoyRoutes(n *node) (out []Rule) {
	hosts := map[string]string{}
	n.each(func(c *node) {
		if name := c.text("name"); name != "" && (c.at("load_assignment").line > 0 || c.at("hosts").line > 0) {
			c.each(func(a *node) {
				if at := a.at("socket_address"); at.line > 0 && hosts[name] == "" {
					hosts[name] = "http://" + at.text("address") + ":" + at.text("port_value")
				}
			})
		}
	})
	n.each(func(r *node) {
		to := r.at("route")
		host := hosts[to.text("cluster")]
		if r.at("match").line == 0 || host == "" {
			return
		}
		rule := Rule{Line: r.at("match").line}
		prefix, exact := r.text("match", "prefix")+r.text("match", "path_separated_prefix"), r.text("match", "path")
		switch rewrite := to.at("prefix_rewrite"); {
		case exact != "":
			rule.Match, rule.Target = clean(exact), host+clean(exact)
			if rewrite.line > 0 {
				rule.Target = host + clean(rewrite.value)
			}
		case prefix == "":
			return
		default:
			rule.Match, rule.Target = clean(prefix+"/**"), host+clean(prefix+"/**")
			if rewrite.line > 0 {
				rule.Target = host + clean(rewrite.value+"/**")
			} else if re := to.at("regex_rewrite"); re.line > 0 {
				match, groups, ok := Regexp(re.text("pattern", "regex"))
				path, referred := Refer(re.text("substitution"), groups)
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
