package csharp

import (
	"bytes"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

// rules returns the rules that extract declarations, calls and facts from C# files, up to version
// 13 of the language. A record becomes a class or a struct, a delegate a type. A namespace in
// braces is a symbol; a file-scoped namespace is not. Among the bases of a class, those with a
// name such as IName count as interfaces, and the first other one as the base class.
func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		Hidden:   map[string]func(*syntax.Walk, syntax.Node) bool{},
		Mask:     mask,
		File:     source,
		Finish:   finish,
		Handlers: map[string]syntax.Handler{
			"using_directive":                     csharpUsing,
			"extern_alias_directive":              csharpUsing,
			"namespace_declaration":               namespace,
			"file_scoped_namespace_declaration":   fileNamespace,
			"class_declaration":                   typeDeclaration,
			"struct_declaration":                  typeDeclaration,
			"record_declaration":                  typeDeclaration,
			"interface_declaration":               typeDeclaration,
			"enum_declaration":                    typeDeclaration,
			"delegate_declaration":                delegate,
			"enum_member_declaration":             enumMember,
			"field_declaration":                   field,
			"event_field_declaration":             field,
			"property_declaration":                property,
			"event_declaration":                   property,
			"indexer_declaration":                 property,
			"method_declaration":                  csharpMethod,
			"constructor_declaration":             csharpMethod,
			"destructor_declaration":              csharpMethod,
			"operator_declaration":                csharpMethod,
			"conversion_operator_declaration":     csharpMethod,
			"local_function_statement":            csharpMethod,
			"variable_declaration":                csharpLocal,
			"foreach_statement":                   foreach,
			"from_clause":                         from,
			"catch_declaration":                   csharpBound,
			"declaration_expression":              csharpBound,
			"declaration_pattern":                 csharpBound,
			"recursive_pattern":                   csharpBound,
			"parameter":                           lambdaParameter,
			"implicit_parameter":                  lambdaParameter,
			"invocation_expression":               call,
			"object_creation_expression":          csharpNew,
			"implicit_object_creation_expression": implicitNew,
			"constructor_initializer":             constructorCall,
			"attribute":                           attribute,
			"argument":                            csharpArgument,
			"assignment_expression":               assignment,
			"member_access_expression":            memberAccess,
			"member_binding_expression":           memberAccess,
			"identifier":                          bareAccess,
		},
	}
}

func source(w *syntax.Walk, n syntax.Node) {
	w.State = &file{}
	conditions(w)
	syntax.Mend(w, n)
}

// conditions parses the file again with only one branch of each #if, if the grammar cannot parse it
// as it is: the grammar accepts a directive between declarations, but not within one. It tries the
// first branch of each #if, then the last one.
func conditions(w *syntax.Walk) {
	if w.Out.BadBytes == 0 || len(w.Text) > syntax.MendLimit || !bytes.Contains(w.Text, []byte("#if")) {
		return
	}
	for _, last := range []bool{false, true} {
		if next, err := w.Grammar.ParseWithin(branches(w.Text, last), w.Left); err == nil &&
			next.BadBytes() < w.Out.BadBytes {
			w.Nodes, w.Out.BadBytes = next.Nodes, next.BadBytes()
			w.DocNodes = w.CommentNodes()
		}
	}
}

// branches returns text with spaces in place of its directives, and of all branches of each #if
// except the first or, if last is set, the last.
func branches(text []byte, last bool) []byte {
	out := bytes.Clone(text)
	type group struct {
		from int // offset at which the current branch starts
		to   int // offset at which the preceding branch ends; 0 if there is none
	}
	var groups []group
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' && out[i] != '\r' {
				out[i] = ' '
			}
		}
	}
	for start := 0; start < len(text); {
		end := start + bytes.IndexByte(text[start:], '\n') + 1
		if end == start {
			end = len(text)
		}
		word := string(bytes.TrimSpace(text[start:end]))
		switch {
		case strings.HasPrefix(word, "#if"):
			groups = append(groups, group{from: end})
		case len(groups) == 0:
		case strings.HasPrefix(word, "#el"):
			g := &groups[len(groups)-1]
			if last || g.to > 0 {
				blank(g.from, start)
			}
			g.from, g.to = end, start
		case strings.HasPrefix(word, "#endif"):
			if g := groups[len(groups)-1]; !last && g.to > 0 {
				blank(g.from, start)
			}
			groups = groups[:len(groups)-1]
		}
		if strings.HasPrefix(word, "#") {
			blank(start, end)
		}
		start = end
	}
	return out
}

// file is the state of the rules for one file.
type file struct {
	refs []syntax.Reference // names passed as values that may be methods of this file
}

// finish keeps the references that may name a method of this file. It drops the others, because
// they may be variables.
func finish(w *syntax.Walk) {
	methods := map[string]bool{}
	for i := range w.Out.Symbols {
		if s := &w.Out.Symbols[i]; s.Kind == code.KindMethod || s.Kind == code.KindFunction {
			methods[s.Name] = true
		}
	}
	keepGiven(w, methods)
	for _, r := range w.State.(*file).refs {
		if methods[w.Str(r.Name)] {
			w.As(r.Caller, func() { w.Call(code.CallReference, r.Site, r.Name, r.Receiver, 0) })
		}
	}
	w.FinishMade(func(n syntax.Node) syntax.Node { return assigned(w, n) })
}

func csharpUsing(w *syntax.Walk, n syntax.Node) {
	alias := w.Field(n, "name")
	if w.Has(n, "global") { // a global using applies to every file of the project
		defer func() {
			if i := w.Out.Imports[len(w.Out.Imports)-1]; i.Alias != "" {
				w.Export(n, code.Export{Name: i.Alias, Module: i.Module})
			} else {
				w.Export(n, code.Export{Name: "*", Module: i.Module})
			}
		}()
	}
	if w.Is(n, "extern_alias_directive") {
		w.AddImport(n, code.Import{Module: w.Str(alias)})
		return
	}
	if eq := w.Child(n, "="); eq >= 0 {
		w.AddImport(n, code.Import{Module: w.Line(w.After(eq)), Alias: w.Str(alias)})
		w.Fact(code.FactAlias, w.Encloser, w.Str(alias), w.Line(w.After(eq)), alias)
		return
	}
	for c := range w.Named(n) {
		if w.Is(c, "identifier", "qualified_name", "alias_qualified_name", "generic_name") {
			w.AddImport(n, code.Import{Module: w.Line(c), Name: "*"})
		}
	}
}

func namespace(w *syntax.Walk, n syntax.Node) {
	d := syntax.Decl{Kind: code.KindNamespace, Node: n, Name: w.Field(n, "name"),
		Body: max(w.Field(n, "body"), 0), Exported: true}
	d.Text = w.Line(d.Name)
	s := w.Declare(d)
	w.Fact(code.FactPackage, s, "", d.Text, d.Name)
	w.Inside(s, w.Field(n, "body"))
}

func fileNamespace(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	w.Fact(code.FactPackage, -1, "", w.Line(name), name)
	w.Children(n)
}

// modifiers copies attributes and modifiers of n into d and returns the attributes.
func modifiers(w *syntax.Walk, n syntax.Node, d *syntax.Decl) (attributes []syntax.Node) {
	for c := range w.Tree.Children(n) {
		switch {
		case w.IsComment(c):
		case w.Is(c, "attribute_list"):
			attributes = append(attributes, c)
			d.Annotations = append(d.Annotations, w.Line(c))
		case w.Is(c, "modifier"):
			d.Modifiers = append(d.Modifiers, w.Str(c))
			d.Exported = d.Exported || w.Says(c, "public")
			fallthrough
		default:
			if d.Sig <= 0 && len(attributes) > 0 {
				d.Sig = c
			}
		}
	}
	if w.EnclosedBy(code.KindInterface) && !hidden(d.Modifiers) {
		d.Exported = true
	}
	return attributes
}

func hidden(modifiers []string) bool {
	return slices.Contains(modifiers, "private") || slices.Contains(modifiers, "internal") ||
		slices.Contains(modifiers, "protected")
}

// declare declares d with its attributes, and removes the tags from its documentation.
func declare(w *syntax.Walk, d syntax.Decl, attributes []syntax.Node) int {
	s := w.Declare(d)
	w.Out.Symbols[s].Doc = doc(w.Out.Symbols[s].Doc)
	for _, a := range attributes {
		w.Inside(s, a)
	}
	return s
}

// doc returns an XML documentation comment without tags. A tag without content becomes the name
// that it refers to: Job for <see cref="Job"/>.
func doc(doc string) string {
	if !strings.Contains(doc, "<") {
		return doc
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(doc, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		tag, after, ok := strings.Cut(rest, ">")
		if !ok || tag == "" || !(tag[0] == '/' || tag[0] >= 'a' && tag[0] <= 'z') {
			b.WriteByte('<')
			doc = rest
			continue
		}
		if parts := strings.Split(tag, `"`); len(parts) > 1 {
			switch {
			case strings.HasSuffix(tag, "/"):
				b.WriteString(parts[1])
			case strings.HasPrefix(tag, "param "), strings.HasPrefix(tag, "typeparam "):
				b.WriteString(parts[1] + ": ")
			}
		}
		doc = after
	}
	lines := strings.Split(b.String(), "\n")
	kept := lines[:0]
	for _, l := range lines {
		if l = strings.TrimRight(l, " \t\r"); l != "" {
			kept = append(kept, l)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// inert lists attributes that only the compiler and its tools read. They are not recorded as
// calls.
var inert = map[string]bool{
	"Serializable": true, "NonSerialized": true, "Obsolete": true, "Flags": true, "CompilerGenerated": true,
	"MethodImpl": true, "DebuggerDisplay": true,
	"DebuggerStepThrough": true, "DebuggerBrowsable": true, "SuppressMessage": true, "EditorBrowsable": true,
	"DllImport": true, "StructLayout": true,
	"ExcludeFromCodeCoverage": true, "CLSCompliant": true, "ThreadStatic": true, "AttributeUsage": true,
	"InternalsVisibleTo": true,
}

func attribute(w *syntax.Walk, n syntax.Node) {
	args := w.Child(n, "attribute_argument_list")
	name, receiver := split(w, w.Field(n, "name"))
	if !inert[w.Str(name)] {
		w.Call(code.CallDecorator, n, name, receiver, w.CountNamed(args))
	}
	w.Children(args)
}

// split splits a name or type into its last name and the node before it: Box and A.B for
// A.B.Box<int>.
func split(w *syntax.Walk, n syntax.Node) (name, receiver syntax.Node) {
	switch w.Kind(n) {
	case "qualified_name":
		name, _ = split(w, w.Field(n, "name"))
		return name, w.Field(n, "qualifier")
	case "alias_qualified_name":
		name, _ = split(w, w.Field(n, "name"))
		return name, w.Field(n, "alias")
	case "generic_name":
		return w.Child(n, "identifier"), syntax.None
	case "nullable_type":
		return split(w, w.Field(n, "type"))
	case "identifier", "predefined_type":
		return n, syntax.None
	}
	return syntax.None, syntax.None
}
