package csharp

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/proxies"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// readProxies records the routes that a program configures for YARP.
func readProxies(r *services.Reader) {
	for i := range r.File.Calls {
		switch c := &r.File.Calls[i]; c.Callee {
		case "MapForwarder":
			readForwarder(r, c)
		case "AddRoute":
			readRoute(r, c)
		}
	}
}

func addRule(r *services.Reader, rule proxies.Rule, at code.Span) {
	if fact, ok := rule.Fact(at); ok {
		r.Add(fact)
	}
}

// readForwarder records MapForwarder("/people/{id}", "https+http://users", "/users/{id}"): a route,
// and the request that it sends.
func readForwarder(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) < 2 {
		return
	}
	from, ok := folding.Quoted(args[0])
	if !ok {
		return
	}
	y := proxies.Yarp{Path: from}
	if len(args) > 2 {
		if to, ok := folding.Quoted(args[2]); ok {
			y.Transform("PathPattern", to)
		}
	}
	rule := y.Rule(r.Fold(args[1], c.NameSpan.StartByte))
	addRule(r, rule, c.NameSpan)
	if !strings.HasSuffix(rule.Target, "**") {
		r.Keep(l2meta.RoleFetch, c.Caller, c.NameSpan, "", rule.Target, "")
	}
}

var removed = regexp.MustCompile(
	`\.WithTransformPath(RemovePrefix|Prefix|Set|RouteValues)\(\s*(?:pattern:\s*)?"([^"]*)"`)

// readRoute records a proxy route in an Aspire host: AddRoute("/a/{**rest}",
// cluster).WithTransformPathRemovePrefix("/a").
func readRoute(r *services.Reader, c *code.Call) {
	args := r.Arguments(c)
	if len(args) < 2 {
		return
	}
	from, ok := folding.Quoted(args[0])
	if !ok {
		return
	}
	target := folding.LastWord(args[1])
	if value, _ := r.Lookup(target, c.NameSpan.StartByte); strings.Contains(value, "AddCluster(") {
		_, given, _ := strings.Cut(value, "AddCluster(")
		if parts := folding.ListItems(given); len(parts) > 0 {
			target = folding.LastWord(parts[0])
		}
	}
	y := proxies.Yarp{Path: from}
	rest := r.Text[c.NameSpan.EndByte:]
	rest, _, _ = strings.Cut(rest, ";")
	for _, m := range removed.FindAllStringSubmatch(rest, -1) {
		name := "Path" + m[1]
		if m[1] == "RouteValues" {
			name = "PathPattern"
		}
		y.Transform(name, m[2])
	}
	addRule(r, y.Rule("http://{"+target+"}"), c.NameSpan)
}
