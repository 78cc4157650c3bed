package jvm

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// madeNames lists the members that compilers generate for enums, records, data classes and case
// classes. It also lists the functions that run when an object is called like a function: invoke,
// apply.
var madeNames = resolve.Set("values", "valueOf", "entries", "ordinal", "compareTo", "copy", "equals", "hashCode",
	"toString", "invoke", "apply",
	"unapply", "productElement", "tupled", "curried", "serializer", "builder", "toBuilder", "build")

var component = regexp.MustCompile(`^component\d+$`)

// Makes reports whether a member called name may be generated. Accessors such as getTotal are
// generated from properties. Those of Kotlin and Scala properties are visible in Java. Those of
// Java fields come from an annotation processor such as Lombok, whose annotations the file imports.
func (family) Makes(w *resolve.World, name string) bool {
	if madeNames[name] || component.MatchString(name) {
		return true
	}
	for _, prefix := range []string{"get", "set", "is", "with", "add", "clear"} {
		rest, ok := strings.CutPrefix(name, prefix)
		first, size := utf8.DecodeRuneInString(rest)
		if !ok || !unicode.IsUpper(first) {
			continue
		}
		for _, property := range []string{string(unicode.ToLower(first)) + rest[size:], "is" + rest, rest} {
			if rows, all := w.Named(property); !all || slices.ContainsFunc(rows, func(row l2meta.Declaration) bool {
				return hasAccessors(w, row)
			}) {
				return true
			}
		}
	}
	return false
}

// hasAccessors reports whether a declaration may have generated accessors.
func hasAccessors(w *resolve.World, row l2meta.Declaration) bool {
	switch row.Language {
	case "kotlin", "scala":
		return true
	case "java":
		f := w.ByID(row.FileID)
		return f != nil && resolve.Memo(f, generatesKey{}, func() bool {
			for i := range f.Imports {
				if root, _, _ := strings.Cut(f.Imports[i].Module, "."); generators[root] ||
					generators[f.Imports[i].Module] {
					return true
				}
			}
			return false
		})
	}
	return false
}

type generatesKey struct{}

// generators lists the packages of annotation processors that generate accessors.
var generators = resolve.Set("lombok", "org.immutables", "com.google.auto.value")
