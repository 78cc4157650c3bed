package l2meta

import "sextant/internal/code"

// cssRules declares rule sets by their selectors, custom properties and
// keyframes.
func cssRules() *rules {
	return &rules{
		comments: []string{"comment", "js_comment"},
		handlers: map[string]handler{
			"rule_set":            cssRule,
			"declaration":         cssDeclaration,
			"keyframes_statement": cssKeyframes,
			"import_statement":    cssImport,
		},
	}
}

func cssRule(w *walk, n node) {
	selectors := w.child(n, "selectors")
	if selectors < 0 {
		w.children(n)
		return
	}
	s := w.declare(decl{kind: code.KindClass, node: n, name: selectors, text: w.line(selectors), body: w.child(n, "block"), exported: true})
	w.inside(s, w.child(n, "block"))
}

func cssDeclaration(w *walk, n node) {
	name := w.child(n, "property_name")
	if text := w.str(name); len(text) > 2 && text[:2] == "--" {
		w.declare(decl{kind: code.KindVariable, node: n, name: name, exported: true})
	}
}

func cssKeyframes(w *walk, n node) {
	if name := w.child(n, "keyframes_name"); name >= 0 {
		w.declare(decl{kind: code.KindConstant, node: n, name: name, body: w.child(n, "keyframe_block_list"), exported: true})
	}
}

func cssImport(w *walk, n node) {
	if s := w.find(n, "string_value"); s >= 0 {
		w.addImport(n, code.Import{Module: unquote(w.str(s))})
	}
}
