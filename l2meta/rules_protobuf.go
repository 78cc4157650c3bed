package l2meta

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
)

func protobufRules() *rules {
	return &rules{
		comments: []string{"comment"},
		mask:     protobufMask,
		handlers: map[string]handler{
			"package":     protobufPackage,
			"import":      protobufImport,
			"service":     protobufService,
			"rpc":         protobufRPC,
			"message":     protobufMessage,
			"oneof":       protobufOneof,
			"enum":        protobufEnum,
			"field":       protobufField,
			"map_field":   protobufField,
			"oneof_field": protobufField,
			"enum_field":  protobufValue,
			"option":      func(*walk, node) {},
		},
	}
}

var (
	protobufEdition    = regexp.MustCompile(`(?m)^[ \t]*edition\s*=\s*["'][0-9A-Z_]+["'][ \t]*;`)
	protobufExtend     = regexp.MustCompile(`(?m)^[ \t]*extend\s+\.?[\w.]{2,}[ \t\r\n]*\{`)
	protobufGroup      = regexp.MustCompile(`(?m)^[ \t]*(?:optional|repeated|required)\s+group\s+\w+\s*=\s*\d+\s*(?:\[[^\]]*\]\s*)?\{`)
	protobufRequired   = regexp.MustCompile(`(?m)^[ \t]*required\s`)
	protobufReserved   = regexp.MustCompile(`(?m)^[ \t]*reserved\s+["'][^;]*;`)
	protobufExtensions = regexp.MustCompile(`(?m)^[ \t]*extensions\s[^;"']*;`)
)

// protobufMask shows the parser editions as proto3, extensions and groups as
// messages, extension ranges as reserved ones, reserved names without quotes
// and required fields as optional: the grammar knows proto3 alone.
func protobufMask(text []byte) []byte {
	masked := bytes.Clone(text)
	rewrite := func(pattern *regexp.Regexp, write func(found []byte)) {
		for _, at := range pattern.FindAllIndex(masked, -1) {
			found := masked[at[0]:at[1]]
			write(found[len(found)-len(bytes.TrimLeft(found, " \t")):])
		}
	}
	rewrite(protobufEdition, func(found []byte) {
		const proto3 = `syntax="proto3";`
		if len(found) >= len(proto3) {
			blank(found)
			copy(found, proto3)
		}
	})
	rewrite(protobufExtend, func(found []byte) {
		copy(found, "message")
		for i := len("message"); found[i] != '{'; i++ {
			if i == len("message") || found[i] == '.' {
				found[i] = '_'
			}
		}
		found[len("message")] = ' '
		for i := len("message") + 1; found[i] == ' ' || found[i] == '_'; i++ {
			found[i] = ' '
		}
	})
	rewrite(protobufGroup, func(found []byte) {
		name := bytes.Index(found, []byte("group")) + len("group")
		for isSpace(found[name]) {
			name++
		}
		end := name
		for cssIdent(found[end]) {
			end++
		}
		blank(found[:name])
		copy(found, "message")
		blank(found[end : len(found)-1])
	})
	rewrite(protobufReserved, func(found []byte) {
		for i, b := range found {
			if b == '"' || b == '\'' {
				found[i] = ' '
			}
		}
	})
	rewrite(protobufRequired, func(found []byte) { copy(found, "optional") })
	rewrite(protobufExtensions, func(found []byte) {
		copy(found, "reserved  ")
		if i := bytes.IndexByte(found, '['); i >= 0 {
			blank(found[i : len(found)-1])
		}
	})
	return masked
}

func protobufPackage(w *walk, n node) {
	name := w.child(n, "full_ident")
	w.fact(code.FactPackage, -1, "", w.str(name), name)
}

func protobufImport(w *walk, n node) {
	i := code.Import{Module: unquote(w.str(w.field(n, "path")))}
	w.addImport(n, i)
	if w.has(n, "public") {
		w.export(n, code.Export{Name: "*", Module: i.Module})
	}
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
	for _, p := range d.parameters {
		w.fact(code.FactParam, s, "", p.Type, n)
	}
	w.fact(code.FactResult, s, "", d.returns, n)
	if d.body > 0 {
		w.out.Symbols[s].Body[1] = w.end(n)
	}
}

func protobufMessage(w *walk, n node) {
	body, name := w.child(n, "message_body"), w.child(n, "message_name")
	d := decl{kind: code.KindMessage, node: n, name: name, body: body, exported: true}
	if name >= 0 && bytes.HasPrefix(w.text[w.start(n):w.start(name)], []byte("extend")) {
		// The mask took the first letter of the name, and any dot before it.
		d.kind = code.KindNamespace
		d.text = strings.TrimSpace(string(w.text[w.start(n)+len("extend") : w.end(name)]))
	}
	s := w.declare(d)
	if d.kind == code.KindNamespace {
		w.fact(code.FactBase, s, "", d.text, name)
	}
	w.inside(s, body)
}

// protobufOneof declares the group; its fields are the message's own.
func protobufOneof(w *walk, n node) {
	w.declare(decl{kind: code.KindProperty, node: n, name: w.child(n, "identifier"), body: w.child(n, "{"), exported: true})
	w.out.Symbols[len(w.out.Symbols)-1].Body[1] = w.end(n)
	w.children(n)
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
	for _, label := range []string{"repeated", "optional"} {
		if w.has(n, label) && bytes.HasPrefix(w.text[w.start(n):], []byte(label)) {
			text = label + " " + text
		}
	}
	w.fact(code.FactField, w.encloser, w.str(name), strings.TrimSpace(text), typ)
	w.declare(decl{kind: code.KindField, node: n, name: name, returns: text, exported: true})
}

func protobufValue(w *walk, n node) {
	w.declare(decl{kind: code.KindConstant, node: n, name: w.child(n, "identifier"), exported: true})
}
