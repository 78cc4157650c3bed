package proxies

import (
	"cmp"
	"strings"

	"sextant/internal/configtree"
)

// kongRoutes reads the services of Kong's declarative configuration.
func kongRoutes(n *configtree.Node) (out []Rule) {
	for _, s := range n.At("services").Kids {
		host := s.Text("url")
		if host == "" && s.Text("host") != "" {
			host = "http://" + s.Text("host") + clean(s.Text("path"))
		}
		if host == "" {
			continue
		}
		base, path := origin(Variables(host))
		for _, r := range s.At("routes").Kids {
			for _, p := range r.Texts("paths") {
				if strings.HasPrefix(p, "~") {
					continue
				}
				strip := p
				if r.Text("strip_path") == "false" {
					strip = ""
				}
				rule := Prefix(p, base, strip, path)
				rule.Line = r.Line
				out = append(out, rule)
			}
		}
	}
	return out
}

// krakendRoutes reads the endpoints of KrakenD. It returns one rule for each backend of an
// endpoint, because a request to the endpoint goes to all of them. The default method is GET.
func krakendRoutes(n *configtree.Node) (out []Rule) {
	for _, e := range n.At("endpoints").Kids {
		for _, b := range e.At("backend").Kids {
			hosts := b.Texts("host")
			if len(hosts) == 0 {
				hosts = n.Texts("host")
			}
			if len(hosts) > 0 {
				base, _ := origin(hosts[0])
				out = append(out, Rule{Match: Tail(e.Text("endpoint")), Target: base + Tail(b.Text("url_pattern")),
					Method: cmp.Or(e.Text("method"), "GET"), Line: e.Line})
			}
		}
	}
	return out
}

// apiRoutes reads the HTTP integrations of an OpenAPI description for an API
// gateway.
func apiRoutes(n *configtree.Node) (out []Rule) {
	for _, p := range n.At("paths").Kids {
		for _, method := range p.Kids {
			uri := method.Text("x-amazon-apigateway-integration", "uri")
			if strings.HasPrefix(uri, "http") {
				out = append(out, Rule{Match: Tail(p.Key), Target: strings.ReplaceAll(uri, "{proxy}", "**"),
					Entry: Edge, Line: p.Line})
			}
		}
	}
	return out
}
