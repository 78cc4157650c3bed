package services

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
	"sextant/l2meta"
)

// These constants are limits of an OpenAPI document: its size in bytes, and the number of
// operations. Larger documents describe the interfaces of platforms, which no service of a
// workspace serves.
const (
	maxDocument   = 1 << 20
	maxOperations = 1000
)

// operations returns the operations that an OpenAPI document names, in YAML or JSON, of version 2 or 3.
func operations(f *code.File) (out []code.Fact) {
	ext := strings.ToLower(path.Ext(f.Path))
	if ext != ".json" && ext != ".yaml" && ext != ".yml" || len(f.Text) > maxDocument ||
		!bytes.Contains(f.Text, []byte("operationId")) {
		return nil
	}
	root := documentIn(ext, string(f.Text))
	if root == nil || root.Text("openapi") == "" && root.Text("swagger") == "" {
		return nil
	}
	base := basePath(root)
	lines := code.NewLineIndex(f.Text)
	for _, p := range root.At("paths").Kids {
		for _, o := range p.Kids {
			id := o.Text("operationId")
			if PlainVerb(o.Key) == "" || id == "" || len(out) == maxOperations || !strings.HasPrefix(p.Key, "/") ||
				strings.ContainsAny(id+p.Key, "\t\n") {
				continue
			}
			for _, key := range controllerKeys {
				if in := o.Text(key); in != "" || p.Text(key) != "" {
					id = strings.TrimPrefix(in+p.Text(key)+"."+id, ".")
				}
			}
			text := strings.Join([]string{id, strings.ToUpper(o.Key), p.Key, base, tagOf(o)}, "\t")
			start, _ := lines.Lines(o.Line, o.Line)
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleOperation, Type: text,
				Span: lines.Span(start, start)})
		}
	}
	return out
}

// controllerKeys lists the keys under which connexion, a Python framework, finds the module of
// the function for an operation.
var controllerKeys = []string{"x-openapi-router-controller", "x-swagger-router-controller"}

// documentIn parses a JSON or YAML document; it returns nil if the text is not valid.
func documentIn(ext, text string) *configtree.Node {
	if ext == ".json" {
		return configtree.JSON(text)
	}
	if all := configtree.YAML(text); len(all) > 0 {
		return all[0]
	}
	return nil
}

// basePath returns the path of the first server of an OpenAPI document, /v1 of https://api.example.com/v1; "" if
// there is none.
func basePath(root *configtree.Node) string {
	base := root.Text("basePath")
	if servers := root.At("servers").Kids; len(servers) > 0 {
		base = servers[0].Text("url")
	}
	u, err := url.Parse(base)
	if err != nil || strings.Contains(base, "{") {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}

// tagOf returns the first tag of an operation; "" if it has none.
func tagOf(o *configtree.Node) string {
	if tags := o.Texts("tags"); len(tags) > 0 && !strings.ContainsAny(tags[0], "\t\n") {
		return tags[0]
	}
	return ""
}

// builtBase is the start of the template of a URL in a client that Kiota generates, for the address of the service.
const builtBase = "{+baseurl}"

// builtURL matches the template of a URL in a client that Kiota generates, up to the query.
var builtURL = regexp.MustCompile(`["']\{\+baseurl\}(/[^"'?\s]*?)(?:\{\?[^"']*)?["']`)

// builtRequests returns the requests of a class of a generated client that builds URLs: one for each of its methods
// that is named after an HTTP method. Such a file has one class, and one template in each of its constructors. Query
// parameters may make several templates of one path.
func builtRequests(f *code.File) (out []code.Fact) {
	if !bytes.Contains(f.Text, []byte(builtBase)) {
		return nil // the pattern would be tried at every quote
	}
	found := builtURL.FindAllSubmatch(f.Text, maxTemplates)
	if len(found) == 0 {
		return nil
	}
	of := string(found[0][1])
	for _, m := range found {
		if string(m[1]) != of {
			return nil
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		method := PlainVerb(strings.TrimSuffix(s.Name, "Async"))
		if method != "" && s.Kind.Callable() {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: i, Name: l2meta.RoleBuilt,
				Type: method + "\t" + of, Span: s.NameSpan})
		}
	}
	return out
}

// maxTemplates is the largest number of templates of URLs that are read in a file of a generated client.
const maxTemplates = 20
