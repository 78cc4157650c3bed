package proxies

import (
	"strings"

	"sextant/internal/configtree"
)

// devServerRoutes reads the proxy rules of a development server: the key "proxy" of package.json,
// or a proxy.conf.json of Angular.
func devServerRoutes(base string, n *configtree.Node) (out []Rule) {
	if base != "package.json" {
		return devContexts(n)
	}
	p := n.At("proxy")
	if p.Value != "" { // a proxy given as text applies to every request that the server cannot answer itself
		return []Rule{{Match: "/**", Target: strings.TrimRight(p.Value, "/") + "/**", Entry: Dev, Line: p.Line}}
	}
	return devContexts(p)
}

// devContexts reads an object of rules by path, {"/api": {"target": …, "pathRewrite": {"^/api":
// ""}}}, or a list of such rules, each with its paths under the key "context".
func devContexts(n *configtree.Node) (out []Rule) {
	for _, k := range n.Kids {
		contexts := []string{k.Key}
		if n.List {
			contexts = k.Texts("context")
		}
		target := k.Text("target")
		if k.Value != "" {
			target = k.Value
		}
		var rewrites [][2]string
		for _, r := range k.At("pathRewrite").Kids {
			rewrites = append(rewrites, [2]string{r.Key, r.Value})
		}
		for _, c := range contexts {
			if rule, ok := Forward(c, target, rewrites); ok {
				rule.Line, rule.Entry = k.Line, Dev
				out = append(out, rule)
			}
		}
	}
	return out
}

// Forward returns the rule of http-proxy-middleware and of development servers: a request for a
// path below context goes to target. The path is first rewritten by the first pair of rewrites, a
// regular expression and its replacement, that matches it, and is then appended to the path of
// target. Forward returns false if context is not a path, target is empty or a rewrite has no
// equivalent template.
func Forward(context, target string, rewrites [][2]string) (Rule, bool) {
	context = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(context, "^"), "**"), "*")
	if !strings.HasPrefix(context, "/") || target == "" {
		return Rule{}, false
	}
	match := clean(context + "/**")
	path := match
	for _, r := range rewrites {
		from, groups, ok := Regexp(r[0])
		to, referred := Refer(r[1], groups)
		if !ok || !referred {
			return Rule{}, false
		}
		if strings.HasSuffix(from, "/**") && !strings.Contains(to, "**") {
			to += "/**" // a rewrite of "^/api" to "" keeps the rest of the path
		}
		if out, met := Apply(path, clean(from), clean(to)); met {
			path = out
			break
		}
	}
	return Rule{Match: match, Target: strings.TrimRight(target, "/") + clean(path), Entry: Dev}, true
}

// vercelRewrites reads the rewrites of vercel.json to other hosts.
func vercelRewrites(n *configtree.Node) (out []Rule) {
	for _, r := range append(append([]*configtree.Node{}, n.At("rewrites").Kids...), n.At("routes").Kids...) {
		source, target := r.Text("source"), r.Text("destination")
		if rule, ok := Rewrite(source, target); ok {
			rule.Line = r.Line
			out = append(out, rule)
		}
	}
	return out
}

// Rewrite returns the rule of a source and a destination in the syntax of Next.js:
// "/api/:path*" to "http://api:8080/:path*".
func Rewrite(source, destination string) (Rule, bool) {
	if !strings.Contains(destination, "://") && !strings.HasPrefix(destination, "{") ||
		!strings.HasPrefix(source, "/") {
		return Rule{}, false
	}
	if strings.Contains(source, "(.*)") {
		match, groups, ok := Regexp(source)
		to, referred := Refer(destination, groups)
		return Rule{Match: match, Target: to}, ok && referred
	}
	scheme, rest, ok := strings.Cut(destination, "://")
	if !ok { // {env:API}/:path*
		return Rule{Match: Tail(source), Target: Tail(destination)}, true
	}
	return Rule{Match: Tail(source), Target: scheme + "://" + Tail(rest)}, true
}
