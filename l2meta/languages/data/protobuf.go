package data

import (
	"bytes"
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func protobufRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Mask:     protobufMask,
		Handlers: map[string]syntax.Handler{
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
			"option":      func(*syntax.Walk, syntax.Node) {},
		},
	}
}

var (
	protobufSyntax  = regexp.MustCompile(`(?m)^[ \t]*syntax\s*=\s*["']proto2["']`)
	protobufEdition = regexp.MustCompile(`(?m)^[ \t]*edition\s*=\s*["'][0-9A-Z_]+["'][ \t]*;`)
	protobufExtend  = regexp.MustCompile(`(?m)^[ \t]*extend\s+\.?[\w.]{2,}[ \t\r\n]*\{`)
	protobufGroup   = regexp.MustCompile(
		`(?m)^[ \t]*(?:optional|repeated|required)\s+group\s+\w+\s*=\s*\d+\s*(?:\[[^\]]*\]\s*)?\{`)
	protobufRequired   = regexp.MustCompile(`(?m)^[ \t]*required\s`)
	protobufReserved   = regexp.MustCompile(`(?m)^[ \t]*reserved\s+["'][^;]*;`)
	protobufExtensions = regexp.MustCompile(`(?m)^[ \t]*extensions\s[^;"']*;`)
)

// protobufMask rewrites text for the grammar, which supports proto3 only. Proto2 and editions become proto3,
// extensions and groups become messages, ranges of extensions become reserved ranges, and required
// fields optional ones. Reserved names lose their quotes.
func protobufMask(text []byte) []byte {
	masked := bytes.Clone(text)
	rewrite := func(word string, pattern *regexp.Regexp, write func(found []byte)) {
		if !bytes.Contains(text, []byte(word)) {
			return
		}
		for _, at := range pattern.FindAllIndex(masked, -1) {
			found := masked[at[0]:at[1]]
			write(found[len(found)-len(bytes.TrimLeft(found, " \t")):])
		}
	}
	rewrite("proto2", protobufSyntax, func(found []byte) { found[len(found)-len(`2"`)] = '3' })
	rewrite("edition", protobufEdition, func(found []byte) {
		const proto3 = `syntax="proto3";`
		if len(found) >= len(proto3) {
			syntax.Blank(found)
			copy(found, proto3)
		}
	})
	rewrite("extend", protobufExtend, func(found []byte) {
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
	rewrite("group", protobufGroup, func(found []byte) {
		name := bytes.Index(found, []byte("group")) + len("group")
		for syntax.IsSpace(found[name]) {
			name++
		}
		end := name
		for cssIdent(found[end]) {
			end++
		}
		syntax.Blank(found[:name])
		copy(found, "message")
		syntax.Blank(found[end : len(found)-1])
	})
	rewrite("reserved", protobufReserved, func(found []byte) {
		for i, b := range found {
			if b == '"' || b == '\'' {
				found[i] = ' '
			}
		}
	})
	rewrite("required", protobufRequired, func(found []byte) { copy(found, "optional") })
	rewrite("extensions", protobufExtensions, func(found []byte) {
		copy(found, "reserved  ")
		if i := bytes.IndexByte(found, '['); i >= 0 {
			syntax.Blank(found[i : len(found)-1])
		}
	})
	return masked
}

func protobufPackage(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "full_ident")
	w.Fact(code.FactPackage, -1, "", w.Str(name), name)
}

func protobufImport(w *syntax.Walk, n syntax.Node) {
	i := code.Import{Module: syntax.Unquote(w.Str(w.Field(n, "path")))}
	w.AddImport(n, i)
	if w.Has(n, "public") {
		w.Export(n, code.Export{Name: "*", Module: i.Module})
	}
}

func protobufService(w *syntax.Walk, n syntax.Node) {
	s := w.Declare(syntax.Decl{Kind: code.KindInterface, Node: n, Name: w.Child(n, "service_name"),
		Body: w.Child(n, "{"), Exported: true})
	w.Out.Symbols[s].Body[1] = w.End(n)
	w.InsideChildren(s, n)
}

// protobufRPC declares an rpc. The types of its parameter and result are written as in the source:
// "stream Item" for rpc Watch(stream Item).
func protobufRPC(w *syntax.Walk, n syntax.Node) {
	var types []string
	stream := ""
	for c := range w.Tree.Children(n) {
		switch w.Kind(c) {
		case "stream":
			stream = "stream "
		case "message_or_enum_type":
			types = append(types, stream+w.Str(c))
			stream = ""
		}
	}
	d := syntax.Decl{Kind: code.KindRPC, Node: n, Name: w.Child(n, "rpc_name"), Body: w.Child(n, "{"), Exported: true}
	if len(types) > 0 {
		d.Parameters = []code.Parameter{{Type: types[0]}}
	}
	if len(types) > 1 {
		d.Returns = types[1]
	}
	s := w.Declare(d)
	for _, p := range d.Parameters {
		w.Fact(code.FactParam, s, "", p.Type, n)
	}
	w.Fact(code.FactResult, s, "", d.Returns, n)
	if d.Body > 0 {
		w.Out.Symbols[s].Body[1] = w.End(n)
	}
}

func protobufMessage(w *syntax.Walk, n syntax.Node) {
	body, name := w.Child(n, "message_body"), w.Child(n, "message_name")
	d := syntax.Decl{Kind: code.KindMessage, Node: n, Name: name, Body: body, Exported: true}
	if name >= 0 && bytes.HasPrefix(w.Text[w.Start(n):w.Start(name)], []byte("extend")) {
		// The mask replaced the first letter of the name, and any dot before it. So the name is
		// read from the original text.
		d.Kind = code.KindNamespace
		d.Text = strings.TrimSpace(string(w.Text[w.Start(n)+len("extend") : w.End(name)]))
	}
	s := w.Declare(d)
	if d.Kind == code.KindNamespace {
		w.Fact(code.FactBase, s, "", d.Text, name)
	}
	w.Inside(s, body)
}

// protobufOneof declares a oneof. The fields in it are declared as fields of the message.
func protobufOneof(w *syntax.Walk, n syntax.Node) {
	w.Declare(syntax.Decl{Kind: code.KindProperty, Node: n, Name: w.Child(n, "identifier"),
		Body: w.Child(n, "{"), Exported: true})
	w.Out.Symbols[len(w.Out.Symbols)-1].Body[1] = w.End(n)
	w.Children(n)
}

func protobufEnum(w *syntax.Walk, n syntax.Node) {
	body := w.Child(n, "enum_body")
	s := w.Declare(syntax.Decl{Kind: code.KindEnum, Node: n, Name: w.Child(n, "enum_name"), Body: body, Exported: true})
	w.Inside(s, body)
}

func protobufField(w *syntax.Walk, n syntax.Node) {
	name := w.Child(n, "identifier")
	if name < 0 {
		return
	}
	typ := w.Child(n, "type")
	text := w.Str(typ)
	if w.Is(n, "map_field") {
		text = "map<" + w.Str(w.Child(n, "key_type")) + ", " + text + ">"
	}
	for _, label := range []string{"repeated", "optional"} {
		if w.Has(n, label) && bytes.HasPrefix(w.Text[w.Start(n):], []byte(label)) {
			text = label + " " + text
		}
	}
	w.Fact(code.FactField, w.Encloser, w.Str(name), strings.TrimSpace(text), typ)
	w.Declare(syntax.Decl{Kind: code.KindField, Node: n, Name: name, Returns: text, Exported: true})
}

func protobufValue(w *syntax.Walk, n syntax.Node) {
	w.Declare(syntax.Decl{Kind: code.KindConstant, Node: n, Name: w.Child(n, "identifier"), Exported: true})
}
