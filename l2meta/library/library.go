// Package library describes the types of a language's standard library by a table: the members of
// each type, and the types of their values.
//
// The source of a standard library is not indexed, so only a table can type
// `map.entrySet().stream()`. A program in the language's folder makes the table from the
// declarations of the library. The table is embedded as text:
//
//	Map<K, V>: Iterable<Map.Entry<K, V>>, Cloneable
//		entrySet Set<Map.Entry<K, V>>
//		size int
//		merge
//
// A line "package java.util" names the package of the types below it. Any other line without a tab
// starts a type: its name, its type parameters and, after a colon, its bases. The lines below it
// with a tab are its own members, each with the type of its value, or of its result if it is a
// method. A member without a type exists, but its type is unknown: its overloads differ, or the
// result depends on its arguments. Types are written as in the language.
//
// Types of one name may differ in the number of their parameters: Task`1 names the type with one
// parameter, and Task the first in the table. "add/1/2 int" is a method that takes one or two
// arguments. add/2 names the method with two arguments, add any method of that name. The table has
// a member add/ if it lists the numbers of arguments of add.
package library

import (
	"strconv"
	"strings"
	"sync"

	"sextant/l2meta/expr"
)

// Table holds the types of one standard library. It parses its text on first use.
type Table struct {
	text string
	read sync.Once
	// types maps names to types.
	types map[string]*Type
	// names holds the names of all members. Names fills it on its first call.
	names     map[string]bool
	readNames sync.Once
}

// Type is one type of the library.
type Type struct {
	Name    string
	Package string   // package named by the last line "package p" above the type; "" if there is none
	Params  []string // names of its type parameters
	Bases   []string // bases as written, in terms of Params
	// lines is the text of the members, parsed on first use.
	lines string
	read  sync.Once
	// members maps the names of the type's own members to their types, "" if unknown.
	members map[string]string
	// known holds the bases that are in the table, found on first use.
	known  []base
	derive sync.Once
	// lineage is the result of Lineage, computed on its first call.
	lineage []string
	climb   sync.Once
}

// New returns the table of a text in the form that the package comment describes.
func New(text string) *Table { return &Table{text: text} }

// Type returns the type of that name, nil if the library has none.
func (t *Table) Type(name string) *Type {
	t.read.Do(t.parse)
	return t.types[name]
}

// Names reports whether a type of the library declares a member of that name.
func (t *Table) Names(member string) bool {
	t.readNames.Do(func() {
		t.names = map[string]bool{}
		for line := range strings.Lines(t.text) {
			if line, ok := strings.CutPrefix(line, "\t"); ok {
				name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
				name, _, _ = strings.Cut(name, "/")
				t.names[name] = true
			}
		}
	})
	return t.names[member]
}

// Member returns the type of a member's value or result, in terms of the parameters of the type
// called name; "" if it is unknown. The member may be inherited. ok is false if the library has no
// such type, or neither the type nor a base declares the member.
func (t *Table) Member(name, member string) (result string, ok bool) {
	typ := t.Type(name)
	if typ == nil {
		return "", false
	}
	return t.member(typ, member, map[*Type]bool{})
}

// maxResult is the largest length in bytes of a type that Member returns; for a longer type it
// returns "". "Twice<T>: Pair<T, T>" may double the length with each base.
const maxResult = 4096

// member does the work of Member for typ. It searches each type once, even if several chains of
// bases lead to it, because another search would fail as the first did.
func (t *Table) member(typ *Type, member string, seen map[*Type]bool) (string, bool) {
	if seen[typ] {
		return "", false
	}
	seen[typ] = true
	if result, ok := typ.Own(member); ok {
		return result, true
	}
	for _, base := range t.above(typ) {
		result, ok := t.member(base.typ, member, seen)
		if !ok {
			continue
		}
		if result = Substitute(result, base.typ.Params, base.args); len(result) > maxResult {
			result = ""
		}
		return result, true
	}
	return "", false
}

// base is a base type in the table with its type arguments, such as Iterable<E> for
// Collection<E>.
type base struct {
	typ  *Type
	args []string
}

// above returns the bases of typ that are in the table, in order of their declaration.
func (t *Table) above(typ *Type) []base {
	typ.derive.Do(func() {
		for _, text := range typ.Bases {
			head, args := Split(text)
			up := t.types[Key(head, len(args))]
			if up == nil {
				up = t.types[head]
			}
			if up != nil {
				typ.known = append(typ.known, base{up, args})
			}
		}
	})
	return typ.known
}

// Lineage returns the names of typ and of all its bases in the table, nearest first. The caller
// must not change the result.
func (t *Table) Lineage(typ *Type) []string {
	typ.climb.Do(func() {
		seen := map[string]bool{typ.Name: true}
		typ.lineage = []string{typ.Name}
		for i := 0; i < len(typ.lineage); i++ {
			up := t.Type(typ.lineage[i])
			if up == nil {
				continue
			}
			for _, base := range up.Bases {
				if head, _ := Split(base); !seen[head] {
					seen[head] = true
					typ.lineage = append(typ.lineage, head)
				}
			}
		}
	})
	return typ.lineage
}

// Key returns the key under which a table has the type called name with that number of parameters:
// "Task`1". Several types may have one name.
func Key(name string, parameters int) string { return name + "`" + strconv.Itoa(parameters) }

// Own returns the type of a member that t itself declares, "" if it is unknown. ok is false if t
// does not declare the member.
func (t *Type) Own(member string) (result string, ok bool) {
	t.read.Do(func() {
		t.members = map[string]string{}
		for line := range strings.Lines(t.lines) {
			names, result, _ := strings.Cut(strings.Trim(line, "\t\r\n"), " ")
			name, counts := names, ""
			if i := strings.IndexByte(names, '/'); i > 0 && strings.Trim(names[i:], "/+0123456789") == "" { // a method, but for "a/b"
				name, counts = names[:i], names[i+1:]
			}
			t.add(name, result)
			if counts != "" {
				t.members[name+"/"] = ""
			}
			for counts != "" {
				var count string
				count, counts, _ = strings.Cut(counts, "/")
				t.add(name+"/"+count, result)
			}
		}
	})
	result, ok = t.members[member]
	return result, ok
}

// add adds a member. If overloads have different results, its type becomes "".
func (t *Type) add(name, result string) {
	if old, ok := t.members[name]; ok && old != result {
		result = ""
	}
	t.members[name] = result
}

func (t *Table) parse() {
	t.types = map[string]*Type{}
	pkg := ""
	for rest := t.text; rest != ""; {
		var line, members string
		line, rest, _ = strings.Cut(rest, "\n")
		for end := 0; ; end = next(rest, end) {
			if end == len(rest) || rest[end] != '\t' {
				members, rest = rest[:end], rest[end:]
				break
			}
		}
		line = strings.TrimRight(line, "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "package "); ok {
			pkg = name
			continue
		}
		head, bases, _ := strings.Cut(line, ": ")
		name, params := Split(head)
		typ := &Type{Name: name, Package: pkg, Params: params, Bases: expr.SplitTypes(bases), lines: members}
		t.types[Key(name, len(params))] = typ
		if t.types[name] == nil {
			t.types[name] = typ
		}
	}
}

// next returns the start of the line after the one that starts at start.
func next(text string, start int) int {
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		return start + i + 1
	}
	return len(text)
}

// Split splits a type with arguments, "Map<K, List<V>>", into its name and its arguments. It also
// accepts the brackets of Scala, "Map[K, V]".
func Split(text string) (name string, args []string) {
	open := strings.IndexAny(text, "<[")
	if open <= 0 || !strings.HasSuffix(text, string(closing(text[open]))) {
		return text, nil
	}
	return strings.TrimSpace(text[:open]), expr.SplitTypes(text[open+1 : len(text)-1])
}

func closing(open byte) byte {
	if open == '<' {
		return '>'
	}
	return ']'
}

// Substitute replaces each whole word of text that is a parameter by its argument. It returns "" if
// an argument is missing.
func Substitute(text string, params, args []string) string {
	if text == "" || len(params) == 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if !wordByte(text[i]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		end := i
		for end < len(text) && wordByte(text[end]) {
			end++
		}
		word := text[i:end]
		for k, p := range params {
			if p != word {
				continue
			}
			if k >= len(args) {
				return ""
			}
			word = args[k]
			break
		}
		b.WriteString(word)
		i = end
	}
	return b.String()
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
