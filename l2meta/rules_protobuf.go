package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func protobufRules() *rules {
	return &rules{
		comments: []string{"comment"},
		handlers: map[string]handler{
			"package":     protobufPackage,
			"import":      protobufImport,
			"service":     protobufService,
			"rpc":         protobufRPC,
			"message":     protobufMessage,
			"enum":        protobufEnum,
			"field":       protobufField,
			"map_field":   protobufField,
			"oneof_field": protobufField,
			"enum_field":  protobufValue,
			"option":      func(*walk, node) {},
		},
	}
}

func protobufPackage(w *walk, n node) {
	name := w.child(n, "full_ident")
	w.fact(code.FactPackage, -1, "", w.str(name), name)
}

func protobufImport(w *walk, n node) {
	w.addImport(n, code.Import{Module: unquote(w.str(w.field(n, "path")))})
}

func protobufService(w *walk, n node) {
	s := w.declare(decl{kind: code.KindInterface, node: n, name: w.child(n, "service_name"), body: w.child(n, "{"), exported: true})
	w.out.Symbols[s].Body[1] = w.end(n)
	w.insideChildren(s, n)
}

// protobufRPC keeps "stream" with the type it stands before.
func protobufRPC(w *walk, n node) {
	var types []string
	stream := ""
	for c := range w.tree.children(n) {
		switch w.kind(c) {
		case "stream":
			stream = "stream "
		case "message_or_enum_type":
			types = append(types, stream+w.str(c))
			stream = ""
		}
	}
	d := decl{kind: code.KindRPC, node: n, name: w.child(n, "rpc_name"), body: w.child(n, "{"), exported: true}
	if len(types) > 0 {
		d.parameters = []code.Parameter{{Type: types[0]}}
	}
	if len(types) > 1 {
		d.returns = types[1]
	}
	s := w.declare(d)
	if d.body > 0 {
		w.out.Symbols[s].Body[1] = w.end(n)
	}
}

func protobufMessage(w *walk, n node) {
	body := w.child(n, "message_body")
	s := w.declare(decl{kind: code.KindMessage, node: n, name: w.child(n, "message_name"), body: body, exported: true})
	w.inside(s, body)
}

func protobufEnum(w *walk, n node) {
	body := w.child(n, "enum_body")
	s := w.declare(decl{kind: code.KindEnum, node: n, name: w.child(n, "enum_name"), body: body, exported: true})
	w.inside(s, body)
}

func protobufField(w *walk, n node) {
	name := w.child(n, "identifier")
	if name < 0 {
		return
	}
	typ := w.child(n, "type")
	text := w.str(typ)
	if w.is(n, "map_field") {
		text = "map<" + w.str(w.child(n, "key_type")) + ", " + text + ">"
	}
	if w.has(n, "repeated") {
		text = "repeated " + text
	}
	w.fact(code.FactField, w.encloser, w.str(name), strings.TrimSpace(text), typ)
	w.declare(decl{kind: code.KindField, node: n, name: name, returns: text, exported: true})
}

func protobufValue(w *walk, n node) {
	w.declare(decl{kind: code.KindConstant, node: n, name: w.child(n, "identifier"), exported: true})
}
