package proxies

import "strings"

// kongRoutes reads the services of Kong's declarative configuration.
func kongRoutes(n *node) (out []Rule) {
	for _, s := range n.at("services").kids {
		host := s.text("url")
		if host == "" && s.text("host") != "" {
			host = "http://" + s.text("host") + clean(s.text("path"))
		}
		if host == "" {
			continue
		}
		base, path := origin(Variables(host))
		for _, r := range s.at("routes").kids {
			for _, p := range r.texts("paths") {
				if strings.HasPrefix(p, "~") {
					continue
				}
				strip := p
				if r.text("strip_path") == "false" {
					strip = ""
				}
				rule := Prefix(p, base, strip, path)
				rule.Line = r.line
				out = append(out, rule)
			}
		}
	}
	return out
}

// krakendRoutes reads the endpoints of KrakenD that one backend answers.
func krakendRoutes(n *node) (out []Rule) {
	for _, e := range n.at("endpoints").kids {
		for _, b := range e.at("backend").kids {
			hosts := b.texts("host")
			if len(hosts) == 0 {
				hosts = n.texts("host")
			}
			if len(hosts) > 0 {
				base, _ := origin(hosts[0])
				out = append(out, Rule{Match: Tail(e.text("endpoint")), Target: base + Tail(b.text("url_pattern")), Line: e.line})
			}
		}
	}
	return out
}

// apiRoutes reads the HTTP integrations of an OpenAPI description for an API
// gateway.
func apiRoutes(n *node) (out []Rule) {
	for _, p := range n.at("paths").kids {
		for _, method := range p.kids {
			uri := method.text("x-amazon-apigateway-integration", "uri")
			if strings.HasPrefix(uri, "http") {
				out = append(out, Rule{Match: Tail(p.key), Target: strings.ReplaceAll(uri, "{proxy}", "**"), Entry: Edge, Line: p.line})
			}
		}
	}
	return out
}
