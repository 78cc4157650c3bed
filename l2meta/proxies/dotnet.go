package proxies

import (
	"strings"

	"sextant/internal/configtree"
)

// jsonRules reads the configuration files of proxies in JSON.
func jsonRules(base, text string) []Rule {
	switch {
	case strings.Contains(text, "ReverseProxy"):
		if n := configtree.JSON(text); n != nil {
			return yarpRoutes(n.At("ReverseProxy"))
		}
	case strings.Contains(text, "UpstreamPathTemplate") || strings.Contains(text, "upstreamPathTemplate"):
		if n := configtree.JSON(text); n != nil {
			return ocelotRoutes(n)
		}
	case base == "package.json" && strings.Contains(text, `"proxy"`),
		strings.HasPrefix(base, "proxy.") || strings.HasPrefix(base, "proxy-") || base == "proxy.json":
		if n := configtree.JSON(text); n != nil {
			return devServerRoutes(base, n)
		}
	case base == "vercel.json":
		if n := configtree.JSON(text); n != nil {
			return vercelRewrites(n)
		}
	case strings.Contains(text, "x-amazon-apigateway-integration"):
		if n := configtree.JSON(text); n != nil {
			return apiRoutes(n)
		}
	case strings.Contains(text, `"url_pattern"`):
		if n := configtree.JSON(text); n != nil {
			return krakendRoutes(n)
		}
	}
	return nil
}

// yarpRoutes reads the section ReverseProxy of YARP, a reverse proxy for .NET.
func yarpRoutes(n *configtree.Node) (out []Rule) {
	hosts := map[string]string{}
	for _, c := range n.At("Clusters").Kids {
		id := c.Key
		if id == "" {
			id = c.Text("Id")
		}
		for _, d := range c.At("Destinations").Kids {
			if hosts[id] == "" {
				hosts[id] = d.Text("Address")
			}
		}
	}
	for _, r := range n.At("Routes").Kids {
		host := hosts[r.Text("ClusterId")]
		y := Yarp{Path: r.Text("Match", "Path")}
		if host == "" || y.Path == "" {
			continue
		}
		for _, t := range r.At("Transforms").Kids {
			for _, kind := range t.Kids {
				y.Transform(kind.Key, kind.Value)
			}
		}
		rule := y.Rule(host)
		rule.Line, rule.Method = r.Line, strings.Join(r.Texts("Match", "Methods"), ",")
		out = append(out, rule)
	}
	return out
}

// Yarp is a route of YARP: its path, and the path after its transforms.
type Yarp struct {
	Path string
	path string // path after the transforms; "" if they do not change it
}

// Transform applies the transform called name to the path. A transform that does not change paths
// has no effect.
func (y *Yarp) Transform(name, value string) {
	if y.path == "" {
		y.path = clean(aspTail(y.Path))
	}
	switch name {
	case "PathRemovePrefix":
		if rest, ok := strings.CutPrefix(y.path+"/", clean(value)+"/"); ok {
			y.path = clean(rest)
		}
	case "PathPrefix":
		y.path = clean(value + "/" + y.path)
	case "PathPattern", "PathSet":
		y.path = clean(aspTail(value))
	}
}

// Rule returns the rule that sends requests of the route to host.
func (y *Yarp) Rule(host string) Rule {
	match := clean(aspTail(y.Path))
	if y.path == "" {
		y.path = match
	}
	return Rule{Match: match, Target: strings.TrimRight(host, "/") + clean(y.path)}
}

// aspTail replaces the catch-all of an ASP.NET template, "{*rest}", by "**", even within a path.
func aspTail(p string) string {
	for {
		start := strings.Index(p, "{*")
		if start < 0 {
			return p
		}
		end := strings.IndexByte(p[start:], '}')
		if end < 0 {
			return p
		}
		p = p[:start] + "**" + p[start+end+1:]
	}
}

// ocelotRoutes reads the routes of ocelot.json, the configuration of the .NET gateway Ocelot. A
// client requests the upstream path, and the gateway requests the downstream path.
func ocelotRoutes(n *configtree.Node) (out []Rule) {
	for _, r := range append(append([]*configtree.Node{}, n.At("Routes").Kids...), n.At("ReRoutes").Kids...) {
		host := r.Text("ServiceName")
		for _, h := range r.At("DownstreamHostAndPorts").Kids {
			host = h.Text("Host")
			if port := h.Text("Port"); port != "" {
				host += ":" + port
			}
			break
		}
		if host == "" {
			continue
		}
		up, down := clean(r.Text("UpstreamPathTemplate")), clean(r.Text("DownstreamPathTemplate"))
		// A placeholder at the end matches the whole rest of the path.
		if i := strings.LastIndexByte(up, '{'); i >= 0 && strings.HasSuffix(up, "}") && up[i-1] == '/' {
			down = strings.Replace(down, up[i:], "**", 1)
			up = up[:i] + "**"
		}
		out = append(out, Rule{Match: up, Target: "http://" + host + down,
			Method: strings.Join(r.Texts("UpstreamHttpMethod"), ","), Line: r.Line})
	}
	return out
}
