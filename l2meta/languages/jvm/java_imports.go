package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// importedName holds the methods that static imports of a Java file bind to a name.
type importedName struct {
	methods []candidate // of types of the workspace
	named   bool        // whether an import names the method: import static p.Util.join
	outside string      // a library type that has the method or, if no table lists the type, may have it
	listed  bool        // whether a table lists the method of the library type
}

// importedStatic returns the static methods that imports bind to a name. An import of the name
// itself hides those of all members, import static p.Util.*. If the type in that import has no
// method that takes args arguments, the import is one of a field or a nested type, and hides
// nothing. args is -1 if the number is unknown.
func (j evaluator) importedStatic(p place, name string, args int) importedName {
	named := j.importedBy(p, name, name)
	if named.named = true; named.outside != "" || len(j.members.choose(p.file, named.methods, args)) > 0 {
		return named
	}
	return j.importedBy(p, "*", name)
}

// importedBy returns the static methods called name of the types whose member is imported: the
// member called name, or "*" for all.
func (j evaluator) importedBy(p place, member, name string) (out importedName) {
	for _, i := range p.file.Imports {
		if i.Name != member || i.Module == "" {
			continue
		}
		if r, ok := j.types.qualified(p.file, strings.Split(i.Module, ".")); ok {
			out.methods = append(out.methods, j.members.named(r, name).methods...)
			continue
		}
		has, known := hasMember(i.Module, name)
		if _, last, _ := cutLast(i.Module); typeLike(last) && (has || !known) && (out.outside == "" || has) {
			out.outside, out.listed = i.Module, has
		}
	}
	return out
}

// staticImport resolves a call of a statically imported name; ok is false if no import binds it.
// A type around the call that has a method of the name hides the imports: passed lists the
// library types that such a type may inherit the method from, and unread says that it has unknown
// bases. An import that names the method counts nevertheless, because a hidden import would be of
// no use.
func (j settler) staticImport(p place, c *code.Call, passed []string, unread bool) (v resolve.Verdict, ok bool) {
	found := j.values.importedStatic(p, c.Callee, arguments(c))
	sure := len(passed) == 0 && !unread || found.named && !oneHas(passed, c.Callee)
	switch {
	case len(found.methods) > 0 && found.listed:
		return resolve.Unresolved(found.outside + " has " + c.Callee + " too"), true
	case len(found.methods) > 0:
		v = j.among(p, found.methods, c, resolve.Imported)
		return v, sure || v.Outcome != resolve.Settled
	case found.outside != "":
		return resolve.ExternalTo(found.outside), sure || !unread || found.listed
	}
	return resolve.Verdict{}, false
}

// topValue returns the value of a name that no enclosing type declares: of a static import in
// Java, of a top-level property in Kotlin. An import of the name itself hides those of all
// members. It returns false if there is no such value.
func (j evaluator) topValue(p place, name string) (jvmValue, bool) {
	if p.file.Language != "java" {
		return j.kotlin.topValue(p, name)
	}
	for _, member := range []string{name, "*"} {
		for _, i := range p.file.Imports {
			if i.Name != member {
				continue
			}
			if r, ok := j.types.qualified(p.file, strings.Split(i.Module, ".")); ok {
				if m := j.members.named(r, name); len(m.fields) > 0 {
					return j.field(m.fields[0]), true
				}
			} else if has, _ := hasMember(i.Module, name); has && !typeLike(name) { // System.out
				module, last, _ := cutLast(i.Module)
				return j.staticMember(named(library(module, last)), name), true
			}
		}
		if slices.ContainsFunc(p.file.Imports, func(i code.Import) bool { return i.Name == name }) {
			break // the import names a type, or a member of a library type
		}
	}
	return jvmValue{}, false
}
