package endpoints

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/proxies"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var (
	gatewayPath   = regexp.MustCompile(`\bpath\(`)
	gatewayFilter = regexp.MustCompile(`\.?\b(stripPrefix|setPath|prefixPath|rewritePath)\(`)
	gatewayMethod = regexp.MustCompile(`\bmethod\(\s*(?:HttpMethod\.)?"?([A-Z]+)`)
	gatewayTo     = regexp.MustCompile(`\buri\(`)
)

// readGateway records Spring Cloud Gateway routes that a program builds: r.path("/a/**").filters(f
// -> f.stripPrefix(1)).uri("lb://a").
func readGateway(r *services.Reader) {
	if !strings.Contains(r.Text, "RouteLocatorBuilder") {
		return
	}
	starts := gatewayPath.FindAllStringIndex(r.Text, -1)
	for i, m := range starts {
		end := len(r.Text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		route := r.Text[m[1]:end]
		to := gatewayTo.FindStringIndex(route)
		if to == nil {
			continue
		}
		uri := folding.ListItems(route[to[1]:])
		if len(uri) == 0 {
			continue
		}
		method := ""
		if said := gatewayMethod.FindStringSubmatch(route[:to[0]]); said != nil {
			method = said[1]
		}
		for _, path := range folding.ListItems(route) {
			text, ok := folding.Quoted(path)
			if !ok {
				continue
			}
			g := proxies.Gateway{Path: text, URI: r.Fold(uri[0], m[0]+to[0])}
			for _, f := range gatewayFilter.FindAllStringSubmatchIndex(route[:to[0]], -1) {
				name := route[f[2]:f[3]]
				var args []string
				for _, a := range folding.ListItems(route[f[1]:]) {
					args = append(args, strings.ReplaceAll(strings.Trim(a, `"`), `\\`, `\`))
				}
				g.Filter(code.Capitalized(name), args)
			}
			rule, ok := g.Rule()
			rule.Method = method
			if fact, told := rule.Fact(r.SpanAt(m[0])); ok && told {
				r.Add(fact)
			}
		}
	}
}
