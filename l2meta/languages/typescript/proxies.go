package typescript

import (
	"path"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/proxies"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// proxyKey matches the key of a configuration object for the proxy of a development server (Vite,
// Vue, webpack), or for the routes of Nuxt.
var proxyKey = regexp.MustCompile(`["']?\b(proxy|proxyTable|devProxy|routeRules)["']?\s*[:=]\s*([{\[])`)

// readProxies records the rules of development servers and of proxy middleware.
func readProxies(r *services.Reader) {
	p := proxyReader{r}
	if strings.Contains(r.Text, "roxy") || strings.Contains(r.Text, "routeRules") {
		for _, m := range proxyKey.FindAllStringSubmatchIndex(r.Text, -1) {
			p.contexts(r.Text[m[4]:], m[4])
		}
	}
	if strings.HasPrefix(path.Base(r.File.Path), "next.config.") {
		p.rewrites()
	}
	for i := range r.File.Calls {
		switch c := &r.File.Calls[i]; c.Callee {
		case "createProxyMiddleware", "legacyCreateProxyMiddleware", "proxy", "httpProxy", "createProxy":
			p.middleware(c)
		case "register":
			p.plugin(c)
		}
	}
}

// proxyReader records the proxy rules of one file.
type proxyReader struct{ *services.Reader }

func (p proxyReader) add(rule proxies.Rule, entry string, at int) {
	rule.Entry = entry
	if fact, ok := rule.Fact(p.SpanAt(at)); ok {
		p.Add(fact)
	}
}

// contexts records the proxy rules in {'/api': 'http://…', '/x': {target: …}}, or in a list of objects with the
// property context. object is the source text from its opening bracket on.
func (p proxyReader) contexts(object string, at int) {
	next := 0 // offset after the previous item
	for _, item := range folding.ListItems(object[1:]) {
		start := next + max(0, strings.Index(object[next:], item))
		where := at + start
		next = start + len(item)
		if object[0] == '[' {
			for _, c := range folding.ListItems(strings.TrimPrefix(folding.Property(item, "context"), "[")) {
				p.context(c, item, where)
			}
			continue
		}
		if strings.IndexAny(item, "'\"`") != 0 {
			continue
		}
		if end := strings.IndexByte(item[1:], item[0]); end > 0 {
			_, value, _ := strings.Cut(item[end+2:], ":")
			p.context(item[:end+2], strings.TrimSpace(value), where)
		}
	}
}

// context records the rule for one context, the path key, and its target.
func (p proxyReader) context(key, value string, at int) {
	key, ok := folding.Quoted(strings.TrimSpace(key))
	if !ok {
		return
	}
	target := value
	var rewrites [][2]string
	if strings.HasPrefix(value, "{") {
		target = folding.Property(value, "target")
		if to := folding.Property(value, "proxy"); to != "" { // routeRules of Nuxt
			if rule, ok := proxies.Rewrite(key, p.Fold(to, at)); ok {
				p.add(proxies.Rule{Match: proxies.Tail(rule.Match), Target: rule.Target}, proxies.Own, at)
			}
			return
		}
		rewrites = rewritesOf(value)
	}
	if target == "" {
		return
	}
	if rule, ok := proxies.Forward(key, p.Fold(target, at), rewrites); ok {
		p.add(rule, proxies.Dev, at)
	}
}

var replaced = regexp.MustCompile(
	`\.replace\(\s*(?:/((?:[^/\\]|\\.)+)/[a-z]*|["']([^"']+)["'])\s*,\s*["']([^"']*)["']`)

// rewritesOf returns the path rewrites of a proxy rule: those in the property pathRewrite, or in the function
// rewrite.
func rewritesOf(object string) (out [][2]string) {
	if list := folding.Property(object, "pathRewrite"); strings.HasPrefix(list, "{") {
		for _, item := range folding.ListItems(list[1:]) {
			from, to, _ := strings.Cut(item, ":")
			a, okA := folding.Quoted(strings.TrimSpace(from))
			b, okB := folding.Quoted(strings.TrimSpace(to))
			if okA && okB {
				out = append(out, [2]string{a, b})
			}
		}
	}
	for _, key := range []string{"rewrite", "pathRewrite"} {
		if m := replaced.FindStringSubmatch(folding.Property(object, key)); m != nil {
			out = append(out, [2]string{strings.ReplaceAll(m[1], `\/`, "/") + m[2], m[3]})
		}
	}
	return out
}

var sourceKey = regexp.MustCompile(`\bsource\s*:\s*`)

// rewrites records the rewrites in next.config: {source: …, destination: …}.
func (p proxyReader) rewrites() {
	for _, m := range sourceKey.FindAllStringIndex(p.Text, -1) {
		start := strings.LastIndexByte(p.Text[:m[0]], '{')
		if start < 0 {
			continue
		}
		object := p.Text[start:]
		source, ok := folding.Quoted(folding.Property(object, "source"))
		if !ok {
			continue
		}
		if rule, ok := proxies.Rewrite(source, p.Fold(folding.Property(object, "destination"), m[0])); ok {
			p.add(rule, proxies.Own, m[0])
		}
	}
}

// middleware records createProxyMiddleware('/api', {…}), with or without app.use('/api', …) around
// it. It also records proxy(host) of express-http-proxy, which drops the prefix of its mount.
func (p proxyReader) middleware(c *code.Call) {
	args := p.Arguments(c)
	if len(args) == 0 {
		return
	}
	at := c.NameSpan.StartByte
	context, options := "", args[0]
	if text, ok := folding.Quoted(args[0]); ok && strings.HasPrefix(text, "/") && len(args) > 1 {
		context, options = text, args[1]
	}
	mount := p.mount(at)
	if !strings.HasPrefix(options, "{") { // options is the host itself
		resolver := len(args) > 1 && strings.Contains(args[1], "proxyReqPathResolver")
		if host := p.Fold(options, at); !resolver && mount != "" &&
			(strings.Contains(host, "://") || strings.HasPrefix(host, "{env:")) {
			p.add(proxies.Prefix(mount, host, mount, ""), proxies.Own, at)
		}
		return
	}
	target := p.Fold(folding.Property(options, "target"), at)
	for _, key := range []string{"pathFilter", "context"} {
		if text, ok := folding.Quoted(folding.Property(options, key)); ok {
			context = text
		}
	}
	rewrites := rewritesOf(options)
	library := ""
	if context == "" {
		context = mount
		// A middleware that is mounted at a path receives only the rest of the path. So if the
		// target has a path of its own, that path replaces the mount.
		if _, rest, _ := strings.Cut(target, "://"); strings.Contains(strings.TrimRight(rest, "/"), "/") &&
			len(rewrites) == 0 {
			p.add(proxies.Prefix(mount, target, mount, ""), proxies.Own, at)
			return
		}
		if mount != "" && c.Callee != "legacyCreateProxyMiddleware" {
			library = proxyMiddleware + "<3"
			p.below(mount, target, rewrites, at)
		}
	}
	if rule, ok := proxies.Forward(context, target, rewrites); ok {
		rule.Library = library
		p.add(rule, proxies.Own, at)
	}
}

// proxyMiddleware is the package of createProxyMiddleware. Since its third version, a mounted
// middleware forwards only the rest of the path below its mount, and rewrites only that.
const proxyMiddleware = "http-proxy-middleware"

// below records the rules of a mounted middleware, since the third version: one for all paths,
// and one for each path that it rewrites.
func (p proxyReader) below(mount, target string, rewrites [][2]string, at int) {
	contexts := []string{"/"}
	for _, r := range rewrites {
		contexts = append(contexts, r[0])
	}
	for _, context := range contexts {
		if rule, ok := proxies.Forward(context, target, rewrites); ok {
			rule.Match, rule.Library = strings.TrimRight(mount, "/")+rule.Match, proxyMiddleware+">=3"
			p.add(rule, proxies.Own, at)
		}
	}
}

// mount returns the path of the use or all call around a byte offset; "" if there is none.
func (p proxyReader) mount(at int) string {
	for _, c := range p.Enclosing(at, "use", "all") {
		if args := p.Arguments(c); len(args) > 1 {
			if text, ok := folding.Quoted(args[0]); ok {
				return text
			}
		}
	}
	return ""
}

// plugin records Fastify's register(proxy, {upstream, prefix, rewritePrefix}).
func (p proxyReader) plugin(c *code.Call) {
	args := p.Arguments(c)
	if len(args) < 2 || folding.Property(args[1], "upstream") == "" {
		return
	}
	at := c.NameSpan.StartByte
	prefix, _ := folding.Quoted(folding.Property(args[1], "prefix"))
	add, _ := folding.Quoted(folding.Property(args[1], "rewritePrefix"))
	p.add(proxies.Prefix("/"+prefix, p.Fold(folding.Property(args[1], "upstream"), at), "/"+prefix, add),
		proxies.Own, at)
}
