package l2meta

import (
	"bytes"
	"slices"
	"strings"

	"sextant/internal/code"
)

// csharpRules reads C# up to version 13. A record is a class or a struct, a
// delegate a type; a namespace in braces is a symbol, one for the whole file is
// not. Which of the bases of a class is an interface is told by the custom that
// interfaces are named I…; the first one without such a name is the base class.
func csharpRules() *rules {
	return &rules{
		comments: []string{"comment"},
		mask:     csharpMask,
		file:     csharpSource,
		finish:   csharpFinish,
		handlers: map[string]handler{
			"using_directive":                     csharpUsing,
			"extern_alias_directive":              csharpUsing,
			"namespace_declaration":               csharpNamespace,
			"file_scoped_namespace_declaration":   csharpFileNamespace,
			"class_declaration":                   csharpType,
			"struct_declaration":                  csharpType,
			"record_declaration":                  csharpType,
			"interface_declaration":               csharpType,
			"enum_declaration":                    csharpType,
			"delegate_declaration":                csharpDelegate,
			"enum_member_declaration":             csharpEnumMember,
			"field_declaration":                   csharpField,
			"event_field_declaration":             csharpField,
			"property_declaration":                csharpProperty,
			"event_declaration":                   csharpProperty,
			"indexer_declaration":                 csharpProperty,
			"method_declaration":                  csharpMethod,
			"constructor_declaration":             csharpMethod,
			"destructor_declaration":              csharpMethod,
			"operator_declaration":                csharpMethod,
			"conversion_operator_declaration":     csharpMethod,
			"local_function_statement":            csharpMethod,
			"variable_declaration":                csharpLocal,
			"foreach_statement":                   csharpForeach,
			"from_clause":                         csharpFrom,
			"catch_declaration":                   csharpBound,
			"declaration_expression":              csharpBound,
			"declaration_pattern":                 csharpBound,
			"recursive_pattern":                   csharpBound,
			"parameter":                           csharpLambdaParameter,
			"implicit_parameter":                  csharpLambdaParameter,
			"invocation_expression":               csharpCall,
			"object_creation_expression":          csharpNew,
			"implicit_object_creation_expression": csharpImplicitNew,
			"constructor_initializer":             csharpConstructorCall,
			"attribute":                           csharpAttribute,
			"argument":                            csharpArgument,
			"assignment_expression":               csharpAssignment,
		},
	}
}

func csharpSource(w *walk, n node) {
	w.state = &csharpFile{}
	csharpConditions(w)
	mend(w, n)
}

// csharpConditions parses a text again with one branch of each #if alone,
// where the grammar does not find its way through all of them: it reads a
// directive between declarations, not one within a declaration. The first
// branches are tried, and the last ones.
func csharpConditions(w *walk) {
	if w.out.BadBytes == 0 || len(w.text) > mendLimit || !bytes.Contains(w.text, []byte("#if")) {
		return
	}
	for _, last := range []bool{false, true} {
		if next, err := w.g.parseWithin(csharpBranches(w.text, last), w.left); err == nil && next.badBytes() < w.out.BadBytes {
			w.nodes, w.out.BadBytes = next.nodes, next.badBytes()
			w.docNodes = w.commentNodes()
		}
	}
}

// csharpBranches blanks the directives of a text, and of each #if all branches
// but the first, or the last.
func csharpBranches(text []byte, last bool) []byte {
	out := bytes.Clone(text)
	type group struct {
		from int // of the branch
		to   int // of the one before it, 0 without one
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

// csharpFile is the state of one file.
type csharpFile struct {
	refs []reference // names handed over that may be methods of this file
}

// csharpFinish keeps those references that name a method of this file: the
// rest are variables. Others cannot be told from them.
func csharpFinish(w *walk) {
	methods := map[string]bool{}
	for i := range w.out.Symbols {
		if s := &w.out.Symbols[i]; s.Kind == code.KindMethod || s.Kind == code.KindFunction {
			methods[s.Name] = true
		}
	}
	for _, r := range w.state.(*csharpFile).refs {
		if methods[w.str(r.name)] {
			w.as(r.caller, func() { w.call(code.CallReference, r.site, r.name, r.receiver, 0) })
		}
	}
	w.finishMade(func(n node) node { return csharpAssigned(w, n) })
}

func csharpUsing(w *walk, n node) {
	alias := w.field(n, "name")
	if w.has(n, "global") { // it holds in every file of the project
		defer func() {
			if i := w.out.Imports[len(w.out.Imports)-1]; i.Alias != "" {
				w.export(n, code.Export{Name: i.Alias, Module: i.Module})
			} else {
				w.export(n, code.Export{Name: "*", Module: i.Module})
			}
		}()
	}
	if w.is(n, "extern_alias_directive") {
		w.addImport(n, code.Import{Module: w.str(alias)})
		return
	}
	if eq := w.child(n, "="); eq >= 0 {
		w.addImport(n, code.Import{Module: w.line(w.after(eq)), Alias: w.str(alias)})
		w.fact(code.FactAlias, w.encloser, w.str(alias), w.line(w.after(eq)), alias)
		return
	}
	for c := range w.named(n) {
		if w.is(c, "identifier", "qualified_name", "alias_qualified_name", "generic_name") {
			w.addImport(n, code.Import{Module: w.line(c), Name: "*"})
		}
	}
}

func csharpNamespace(w *walk, n node) {
	d := decl{kind: code.KindNamespace, node: n, name: w.field(n, "name"), body: max(w.field(n, "body"), 0), exported: true}
	d.text = w.line(d.name)
	s := w.declare(d)
	w.fact(code.FactPackage, s, "", d.text, d.name)
	w.inside(s, w.field(n, "body"))
}

func csharpFileNamespace(w *walk, n node) {
	name := w.field(n, "name")
	w.fact(code.FactPackage, -1, "", w.line(name), name)
	w.children(n)
}

// csharpModifiers reads attributes and modifiers of n into d and returns the
// attributes.
func csharpModifiers(w *walk, n node, d *decl) (attributes []node) {
	for c := range w.tree.children(n) {
		switch {
		case w.isComment(c):
		case w.is(c, "attribute_list"):
			attributes = append(attributes, c)
			d.annotations = append(d.annotations, w.line(c))
		case w.is(c, "modifier"):
			d.modifiers = append(d.modifiers, w.str(c))
			d.exported = d.exported || w.says(c, "public")
			fallthrough
		default:
			if d.sig <= 0 && len(attributes) > 0 {
				d.sig = c
			}
		}
	}
	if w.enclosedBy(code.KindInterface) && !csharpHidden(d.modifiers) {
		d.exported = true
	}
	return attributes
}

func csharpHidden(modifiers []string) bool {
	return slices.Contains(modifiers, "private") || slices.Contains(modifiers, "internal") || slices.Contains(modifiers, "protected")
}

// csharpDeclare declares d with its attributes, and takes the tags out of its
// documentation.
func csharpDeclare(w *walk, d decl, attributes []node) int {
	s := w.declare(d)
	w.out.Symbols[s].Doc = csharpDoc(w.out.Symbols[s].Doc)
	for _, a := range attributes {
		w.inside(s, a)
	}
	return s
}

// csharpDoc is an XML documentation comment without its tags; a tag without
// content stands for what it refers to, a parameter keeps its name.
func csharpDoc(doc string) string {
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

// csharpInert are attributes that only the compiler and its tools read.
var csharpInert = map[string]bool{
	"Serializable": true, "NonSerialized": true, "Obsolete": true, "Flags": true, "CompilerGenerated": true, "MethodImpl": true, "DebuggerDisplay": true,
	"DebuggerStepThrough": true, "DebuggerBrowsable": true, "SuppressMessage": true, "EditorBrowsable": true, "DllImport": true, "StructLayout": true,
	"ExcludeFromCodeCoverage": true, "CLSCompliant": true, "ThreadStatic": true, "AttributeUsage": true, "InternalsVisibleTo": true,
}

func csharpAttribute(w *walk, n node) {
	args := w.child(n, "attribute_argument_list")
	name, receiver := csharpSplit(w, w.field(n, "name"))
	if !csharpInert[w.str(name)] {
		w.call(code.CallDecorator, n, name, receiver, w.countNamed(args))
	}
	w.children(args)
}

// csharpSplit takes a name or type apart into its last name and what stands
// before it.
func csharpSplit(w *walk, n node) (name, receiver node) {
	switch w.kind(n) {
	case "qualified_name":
		name, _ = csharpSplit(w, w.field(n, "name"))
		return name, w.field(n, "qualifier")
	case "alias_qualified_name":
		name, _ = csharpSplit(w, w.field(n, "name"))
		return name, w.field(n, "alias")
	case "generic_name":
		return w.child(n, "identifier"), none
	case "nullable_type":
		return csharpSplit(w, w.field(n, "type"))
	case "identifier", "predefined_type":
		return n, none
	}
	return none, none
}
