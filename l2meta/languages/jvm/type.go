package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// typeReader interprets the text of types: it finds the declarations that they name, and the bases
// of those declarations.
type typeReader struct{ *jvm }

// kind tells what a jvmType is, and so which of its fields are set.
type kind uint8

const (
	unknown    kind = iota
	declared        // declared in the workspace, by ref
	jvmForeign      // declared outside the workspace: module and name
	array           // an array with elements of type args[0]
	jvmFunc         // a function type: args are its parameters, then its result
)

// jvmType is a type whose text was interpreted: a declaration of the workspace, a library type, an array
// or a function type. The zero jvmType is unknown.
type jvmType struct {
	kind   kind
	ref    resolve.Ref
	module string // of jvmForeign: its package, "" if unknown
	name   string // the last name as written
	args   []resolve.Type
	recv   bool // of jvmFunc: args[0] is the receiver, as in R.(A) -> B
}

// readIn interprets t, a base of type r. The names in it are resolved outside of r: r's type
// parameters are in scope, its members are not.
func (j typeReader) readIn(t resolve.Type, r resolve.Ref) jvmType {
	head, _ := head(t.Text)
	if _, bound := t.Bind.Lookup(head); !bound && slices.Contains(parameters(r), head) {
		return jvmType{}
	}
	return j.read(t)
}

// read interprets the text of a type in its scope: List<Order> as the library type List with the type
// argument Order. It returns the unknown type if a name in it cannot be resolved.
func (j typeReader) read(t resolve.Type) jvmType {
	if !j.enter() {
		return jvmType{}
	}
	defer j.leave()
	if strings.HasPrefix(t.Text, tabledMark) {
		return j.readTabled(t)
	}
	text := clean(t.Text)
	if strings.HasPrefix(text, "\x00") && !strings.HasSuffix(text, "[]") {
		return read(t)
	}
	switch {
	case text == "" || t.File == nil:
		return jvmType{}
	case t.File.Language == "scala":
		return j.scalaTypes.read(t, text)
	case strings.HasSuffix(text, "[]"):
		return jvmType{kind: array, args: []resolve.Type{t.With(text[:len(text)-2])}}
	case strings.HasSuffix(text, "..."):
		return jvmType{kind: array, args: []resolve.Type{t.With(text[:len(text)-3])}}
	case strings.HasPrefix(text, "?"): // reads a wildcard as its bound
		_, bound, ok := strings.Cut(text, " extends ")
		if !ok {
			return jvmType{}
		}
		return j.read(t.With(bound))
	case t.File.Language == "kotlin" && strings.HasPrefix(text, "out "):
		return j.read(t.With(text[4:]))
	}
	if f, ok := function(t, text); ok {
		return f
	}
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return j.read(t.With(text[1 : len(text)-1]))
	}
	path, args := split(text)
	if path == nil {
		return jvmType{}
	}
	out := j.typeNamed(t, path)
	if out.args == nil {
		for _, a := range args {
			out.args = append(out.args, t.With(a))
		}
	}
	return out
}

// read interprets a type that typeOf or scalaTypeOf wrote, whose text begins with a zero byte.
// Such a type was interpreted before.
func read(t resolve.Type) jvmType {
	if t.File != nil {
		out := jvmType{kind: declared, ref: t.File.Ref(t.Scope), name: t.File.Symbols[t.Scope].Name}
		for _, name := range parameters(out.ref) {
			a, _ := t.Bind.Lookup(name)
			out.args = append(out.args, a)
		}
		return out
	}
	if t.Text == scalaFunctionMark {
		out := jvmType{kind: jvmFunc}
		for b := t.Bind; b != nil; b = b.Next { // bindings are listed last to first
			out.args = append([]resolve.Type{b.Type}, out.args...)
		}
		return out
	}
	module, name := t.Text[1:], ""
	if i := strings.LastIndexByte(module, '.'); i >= 0 {
		module, name = module[:i], module[i+1:]
	}
	out := library(module, name)
	for b := t.Bind; b != nil; b = b.Next { // bindings are listed last to first
		out.args = append([]resolve.Type{b.Type}, out.args...)
	}
	return out
}

// clean removes annotations, modifiers and nullability marks from the text of a type.
func clean(text string) string {
	text = strings.TrimSpace(text)
	for {
		switch {
		case strings.HasPrefix(text, "@"):
			end := strings.IndexByte(text, ' ')
			if open := strings.IndexByte(text, '('); open >= 0 && open < end {
				end = strings.IndexByte(text, ')')
			}
			if end < 0 {
				return ""
			}
			text = strings.TrimSpace(text[end+1:])
			continue
		case strings.HasPrefix(text, "final "), strings.HasPrefix(text, "suspend "):
			text = strings.TrimSpace(text[strings.IndexByte(text, ' '):])
			continue
		}
		if rest := strings.TrimRight(text, "? "); rest != "" && rest != text {
			text = rest
			continue
		}
		return strings.TrimPrefix(text, "=> ") // a by-name parameter in Scala
	}
}

// function interprets (A, B) -> C, R.(A) -> C and A => B; false for other types.
func function(t resolve.Type, text string) (jvmType, bool) {
	at := facts.Arrow(text)
	if at < 0 {
		return jvmType{}, false
	}
	left, right := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+2:])
	out := jvmType{kind: jvmFunc}
	if i := strings.LastIndex(left, ".("); i > 0 {
		out.recv = true
		out.args = append(out.args, t.With(left[:i]))
		left = left[i+1:]
	}
	if strings.HasPrefix(left, "(") && strings.HasSuffix(left, ")") {
		left = left[1 : len(left)-1]
	}
	for _, a := range expr.SplitTypes(left) {
		if i := strings.Index(a, ": "); i > 0 && !strings.ContainsAny(a[:i], "<(") { // a named parameter
			a = a[i+2:]
		}
		out.args = append(out.args, t.With(a))
	}
	out.args = append(out.args, t.With(right))
	return out, true
}

// split splits the text of a type into its path and the type arguments of the path's last step:
// a.B<C> into [a B] and [C]. It returns nil if text is not a name.
func split(text string) (path, args []string) {
	for text != "" {
		i := 0
		for i < len(text) && (facts.NameByte(text[i]) || text[i] == '`') {
			i++
		}
		if i == 0 {
			return nil, nil
		}
		path, args = append(path, strings.Trim(text[:i], "`")), nil
		text = strings.TrimLeft(text[i:], " ")
		if text != "" && (text[0] == '<' || text[0] == '[') {
			end := closing(text)
			if end < 0 {
				return nil, nil
			}
			args = expr.SplitTypes(text[1:end])
			text = strings.TrimLeft(text[end+1:], " ")
		}
		if text == "" {
			return path, args
		}
		if text[0] != '.' && text[0] != '#' {
			return path, args // the first type of "A & B" or "A with B" is the bound
		}
		text = strings.TrimLeft(text[1:], " ")
	}
	return nil, nil
}

// closing returns the index of the bracket that closes the first bracket in text, or -1.
func closing(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte("<[(", c) >= 0:
			depth++
		case c == '>' && i > 0 && (text[i-1] == '-' || text[i-1] == '='):
		case strings.IndexByte(">])", c) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// head returns the first name in the text of a type, and whether the type has no other: for a.B<C>
// it returns a and false.
func head(text string) (string, bool) {
	path, _ := split(clean(text))
	if len(path) == 0 {
		return "", false
	}
	return path[0], len(path) == 1
}

// typeNamed returns the type that a path names in the scope of t.
func (j typeReader) typeNamed(t resolve.Type, path []string) jvmType {
	if len(path) == 1 {
		if bound, ok := t.Bind.Lookup(path[0]); ok {
			return j.read(bound)
		}
	}
	out := j.typeHead(t, path[0])
	if out.kind == unknown && len(path) > 1 {
		if r, ok := j.qualified(t.File, path); ok {
			return j.unaliased(jvmType{kind: declared, ref: r, name: path[len(path)-1]})
		}
		// a path relative to a package around the file: reflect.Descriptor within org.json4s
		if r, ok := j.relative(t.File, t.Scope, path); ok {
			return j.unaliased(jvmType{kind: declared, ref: r, name: path[len(path)-1]})
		}
		if packageLike(path[0]) {
			return jvmType{kind: jvmForeign, module: strings.Join(path[:len(path)-1], "."), name: path[len(path)-1]}
		}
		return jvmType{}
	}
	for _, name := range path[1:] {
		switch out.kind {
		case declared:
			r, ok := j.nested(out.ref, name)
			if !ok {
				return jvmType{}
			}
			out = j.unaliased(jvmType{kind: declared, ref: r, name: name})
		case jvmForeign:
			out = jvmType{kind: jvmForeign, module: out.module, name: name}
		}
	}
	return out
}

// packageLike reports whether a name may be the first step of a package, because it begins with a
// lower-case letter.
func packageLike(name string) bool { return name != "" && name[0] >= 'a' && name[0] <= 'z' }

// typeHead resolves a single type name in the scope of t: to a type parameter, to an enclosing type
// or a type nested in one, or to a type in the scope of the file.
func (j typeReader) typeHead(t resolve.Type, name string) jvmType {
	for at := t.Scope; at >= 0; at = t.File.Symbols[at].Parent {
		r := t.File.Ref(at)
		for _, fact := range r.Facts() {
			if fact.Kind == code.FactAlias && fact.Name == name && fact.Type != "?" &&
				(r.Symbol().Kind != code.KindType || name != r.Symbol().Name) {
				return j.read(resolve.Type{Text: fact.Type, File: t.File, Scope: r.Symbol().Parent, Bind: t.Bind})
			}
		}
		if slices.Contains(parameters(r), name) {
			return jvmType{}
		}
		if resolve.IsType(r.Symbol().Kind) {
			// in Kotlin an import is preferred to the enclosing type
			if r.Symbol().Name == name && !isObject(r) && t.File.Language != "kotlin" {
				return jvmType{kind: declared, ref: r, name: name}
			}
			if n, ok := j.nested(r, name); ok {
				return j.unaliased(jvmType{kind: declared, ref: n, name: name})
			}
		} else {
			for _, c := range t.File.Children(at) {
				if s := &t.File.Symbols[c]; s.Name == name && resolve.IsType(s.Kind) {
					return jvmType{kind: declared, ref: t.File.Ref(c), name: name}
				}
			}
		}
		if n, ok := j.nestedAround(r, name); ok {
			return jvmType{kind: declared, ref: n, name: name}
		}
	}
	return j.unaliased(j.fileType(t.File, t.Scope, name))
}

type fileTypeKey struct {
	file *resolve.File
	pkg  string
	name string
}

// fileType resolves a type name at the top level of a file; at is the symbol whose enclosing
// package clauses count. It returns the unknown type if the name is not in scope.
func (j typeReader) fileType(f *resolve.File, at int, name string) jvmType {
	pkg := jvmPackage(f, at)
	return resolve.Derive(j.w, fileTypeKey{f, pkg, name}, func() jvmType {
		if t, bound := j.importedType(f, name); t.kind != unknown || bound && f.Language == "java" {
			return t
		}
		for pkg := pkg; ; {
			if r, ok := j.topType(f, pkg, name); ok {
				return jvmType{kind: declared, ref: r, name: name}
			}
			i := strings.LastIndexByte(pkg, '.')
			if i < 0 || f.Language != "scala" || !chained(f, pkg[:i]) {
				break
			}
			pkg = pkg[:i]
		}
		return j.wildcardType(f, name)
	})
}

// chained reports whether a package clause of a Scala file names pkg: in "package a; package b" one
// names a, and one a.b. The members of such packages are in scope.
func chained(f *resolve.File, pkg string) bool {
	for _, fact := range f.FactsOf(-1) {
		if fact.Kind == code.FactPackage && fact.Type == pkg {
			return true
		}
	}
	return false
}

// importedType returns the type to which an import of f binds the name: import a.B, import a.{B => C}.
// For a path outside the workspace it is a library type. bound reports that there is such an import of a
// type, even if its path leads nowhere.
func (j typeReader) importedType(f *resolve.File, name string) (t jvmType, bound bool) {
	for _, i := range f.Imports {
		if i.Name == "*" || i.Name == "" && i.Module == "" {
			continue
		}
		local := i.Alias
		if local == "" {
			local = i.Name
		}
		if local != name || i.Name == "" {
			continue
		}
		path := append(importPath(f, i), i.Name)
		if r, ok := j.qualified(f, path); ok {
			return jvmType{kind: declared, ref: r, name: i.Name}, true
		}
		if r, ok := j.relative(f, -1, path); ok {
			return jvmType{kind: declared, ref: r, name: i.Name}, true
		}
		if f.Language == "scala" {
			if v := j.names.imported(place{file: f, at: i.Scope, pos: i.Span.StartByte}, &i,
				name).value; v.kind == resolve.Class {
				return v.typ, true
			}
		}
		if typeLike(i.Name) && !j.inWorkspace(f, i.Module) {
			return jvmType{kind: jvmForeign, module: i.Module, name: i.Name}, true
		}
		return jvmType{}, typeLike(i.Name)
	}
	return jvmType{}, false
}

func importPath(_ *resolve.File, i code.Import) []string {
	return strings.Split(strings.TrimPrefix(i.Module, "_root_."), ".")
}

// relative returns the type to which a path in the symbol with index at leads from the package of f or
// a package around it, as in Scala: in a file of package a.b, the path c.D may mean a.b.c.D or a.c.D;
// in package object e of that file, also a.b.e.c.D. It returns false if there is none.
func (j typeReader) relative(f *resolve.File, at int, path []string) (resolve.Ref, bool) {
	if f.Language != "scala" {
		return resolve.Ref{}, false
	}
	for pkg := jvmPackage(f, at); pkg != ""; {
		if r, ok := j.qualified(f, append(strings.Split(pkg, "."), path...)); ok {
			return r, true
		}
		i := strings.LastIndexByte(pkg, '.')
		if i < 0 {
			break
		}
		pkg = pkg[:i]
	}
	return resolve.Ref{}, false
}

func typeLike(name string) bool {
	return name != "" && (name[0] >= 'A' && name[0] <= 'Z' || name[0] >= 0x80 || name[0] == '_')
}

// inWorkspace reports whether the workspace has files of package pkg. pkg may also be the full
// name of a type. A name that such a package seems to lack is not external, because it may be
// generated, or be in text that the grammar could not parse.
func (j typeReader) inWorkspace(f *resolve.File, pkg string) bool {
	own := clause(f)
	if own != "" && (pkg == own || strings.HasPrefix(pkg, own+".")) {
		return true
	}
	steps := strings.ReplaceAll(own, ".", "/")
	if roots, ok := strings.CutSuffix(f.Dir, steps); ok && own != "" &&
		j.w.HasDir(roots+strings.ReplaceAll(pkg, ".", "/")) {
		return true
	}
	_, last, _ := cutLast(pkg)
	if !typeLike(last) {
		return false
	}
	_, declared := j.qualified(f, strings.Split(pkg, "."))
	return declared
}

// wildcardType returns the type to which a wildcard import or an implicit import binds name.
func (j typeReader) wildcardType(f *resolve.File, name string) jvmType {
	foreign := ""
	var found resolve.Ref
	for _, i := range f.Imports {
		if i.Name != "*" || scalaHides(f, &i, name) {
			continue
		}
		path := append(importPath(f, i), name)
		r, ok := j.qualified(f, path)
		if !ok {
			r, ok = j.relative(f, -1, path)
		}
		if ok && found.Valid() && found != r {
			return jvmType{} // two packages declare the name
		}
		if ok {
			found = r
		}
		if lacksNested(i.Module, name) {
			continue
		}
		if t := library(i.Module, name); foreign == "" || tabled(t) != nil && tabled(library(foreign, name)) == nil {
			foreign = i.Module
		}
	}
	if found.Valid() {
		return jvmType{kind: declared, ref: found, name: name}
	}
	if module, ok := implicit(f.Language, name); ok {
		return jvmType{kind: jvmForeign, module: module, name: name}
	}
	if t := library(foreign, name); tabled(t) != nil {
		return t
	}
	if foreign != "" && typeLike(name) {
		return jvmType{kind: jvmForeign, name: name}
	}
	return jvmType{}
}

// unaliased replaces an alias by the type that it names.
func (j typeReader) unaliased(t jvmType) jvmType {
	if t.kind != declared || t.ref.Symbol().Kind != code.KindType {
		return t
	}
	for _, fact := range t.ref.Facts() {
		if fact.Kind == code.FactAlias && fact.Name == t.ref.Symbol().Name {
			return j.read(resolve.Type{Text: fact.Type, File: t.ref.File, Scope: t.ref.Symbol().Parent,
				Bind: resolve.Bind(parameters(t.ref), t.args, nil)})
		}
	}
	return t
}
