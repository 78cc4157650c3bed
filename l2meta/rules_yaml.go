package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// yamlDepth is how deep keys are declared: compose services stand at 2; what
// lies deeper is read, not named.
const yamlDepth = 2

// yamlRules declares the upper keys of every document, Kubernetes objects as
// Kind/name around theirs, and the paths of an OpenAPI description as routes.
func yamlRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{"document": yamlDocument},
	}
}

func yamlDocument(w *walk, n node) {
	root := w.yamlMapping(n)
	if root < 0 {
		return
	}
	kind, name := w.yamlScalar(w.yamlValue(root, "kind")), w.yamlScalar(w.yamlValue(w.yamlMapping(w.yamlValue(root, "metadata")), "name"))
	if kind == "" || name == "" {
		w.yamlKeys(root, 1)
		return
	}
	s := w.declare(decl{kind: code.KindConfig, node: root, name: w.yamlValue(root, "kind"), text: kind + "/" + name, exported: true})
	w.out.Symbols[s].Signature = "kind: " + kind + " name: " + name
	outer := w.encloser
	w.encloser = s
	w.yamlKeys(root, 1)
	w.encloser = outer
}

// yamlMapping is the mapping that n, a document or a value, consists of; none
// when it is something else.
func (w *walk) yamlMapping(n node) node {
	if w.is(n, "document") {
		n = w.child(n, "block_node", "flow_node")
	}
	return w.child(n, "block_mapping", "flow_mapping")
}

func (w *walk) yamlPairs(mapping node, do func(pair node, key string)) {
	for p := range w.named(mapping) {
		if w.is(p, "block_mapping_pair", "flow_pair") {
			if key := w.yamlScalar(w.field(p, "key")); key != "" {
				do(p, key)
			}
		}
	}
}

func (w *walk) yamlValue(mapping node, key string) (value node) {
	value = none
	w.yamlPairs(mapping, func(p node, k string) {
		if k == key && value < 0 {
			value = w.field(p, "value")
		}
	})
	return value
}

func (w *walk) yamlScalar(n node) string {
	if n < 0 || w.find(n, "block_mapping", "flow_mapping", "block_sequence", "flow_sequence", "block_scalar") >= 0 {
		return ""
	}
	return strings.Trim(w.line(n), `"'`)
}

func (w *walk) yamlKeys(mapping node, depth int) {
	w.yamlPairs(mapping, func(p node, key string) {
		d := decl{kind: code.KindConfig, node: p, name: w.field(p, "key"), text: key, exported: true}
		value := w.yamlMapping(w.field(p, "value"))
		inPaths := w.encloser >= 0 && w.out.Symbols[w.encloser].Name == "paths"
		if value < 0 {
			d.kind = code.KindProperty
		} else {
			d.body = w.field(p, "value")
		}
		if inPaths && strings.HasPrefix(key, "/") {
			d.kind = code.KindRoute
		}
		s := w.declare(d)
		outer := w.encloser
		w.encloser = s
		switch {
		case d.kind == code.KindRoute:
			w.yamlMethods(value, key)
		case depth < yamlDepth:
			w.yamlKeys(value, depth+1)
		}
		w.encloser = outer
	})
}

// yamlMethods declares the operations of an OpenAPI path.
func (w *walk) yamlMethods(operations node, path string) {
	w.yamlPairs(operations, func(p node, key string) {
		switch key {
		case "get", "put", "post", "delete", "patch", "head", "options", "trace":
			w.declare(decl{kind: code.KindRoute, node: p, name: w.field(p, "key"), text: strings.ToUpper(key) + " " + path, body: w.field(p, "value"), exported: true})
		}
	})
}
