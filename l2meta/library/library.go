// Package library knows the types of a language's standard library by a table:
// which members each type has, and what they give.
//
// No source of a standard library is indexed, so nothing else can type
// `map.entrySet().stream()`. A table is made from the library's own
// declarations by a program of the language's folder, and is embedded as text:
//
//	Map<K, V>: Iterable<Map.Entry<K, V>>, Cloneable
//		entrySet Set<Map.Entry<K, V>>
//		size int
//		merge
//
// A line "package java.util" names the package of the types below it. Any other
// line without a tab starts a type: its name, its type parameters and, after
// a colon, its bases. The lines below it with a tab are its own members, each
// with the type of its value, or of its result where it is a method. A member
// without a type exists, and what it gives is not told: its overloads differ,
// or the result depends on its arguments. Types are written as the language
// writes them.
//
// Types of one name may differ in the number of their parameters: Task`1 names
// the one with one, and Task the first of them. "add/1/2 int" is a method that
// takes one or two arguments; add/2 names it as such, and add any of that name.
// add/ is there where the table says how many arguments add takes.
package library

import (
	"strconv"
	"strings"
	"sync"

	"sextant/l2meta/resolve"
)

// A Table holds the types of one standard library. It reads its text when it
// is first asked.
type Table struct {
	text string
	read sync.Once
	// types are the types by name.
	types map[string]*Type
	// names are those of all members, read when Names is first asked.
	names     map[string]bool
	readNames sync.Once
}

// A Type is one type of the library.
type Type struct {
	Name    string
	Package string   // that of the last line "package p" above it, "" without one
	Params  []string // names of its type parameters
	Bases   []string // as written, in terms of Params
	// lines are those of its members; they are read when one is first asked for.
	lines string
	read  sync.Once
	// members are the types of its own members by name, "" where not told.
	members map[string]string
	// known are its bases that the table has; they are read when first asked for.
	known  []base
	derive sync.Once
	// lineage holds the names that Lineage returns, once one asked.
	lineage []string
	climb   sync.Once
}

// New returns the table of the text, which is in the form that the package
// comment describes.
func New(text string) *Table { return &Table{text: text} }

// Type returns the type of that name, nil if the library has none.
func (t *Table) Type(name string) *Type {
	t.read.Do(t.parse)
	return t.types[name]
}

// Names reports whether some type of the library declares a member of that name.
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

// Member returns the type of what a member gives, in terms of the parameters
// of the named type: "" where that is not told. The member may be inherited;
// ok is false where neither the type nor a base declares it, and where the
// library has no such type.
func (t *Table) Member(name, member string) (result string, ok bool) {
	typ := t.Type(name)
	if typ == nil {
		return "", false
	}
	return t.member(typ, member, map[*Type]bool{})
}

// maxResult bounds the type that Member returns, in bytes; a longer one becomes "".
// "Twice<T>: Pair<T, T>" may double it with each base.
const maxResult = 4096

// member returns Member of typ. It looks into each type once: a type that lacks the
// member lacks it on every way from typ.
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

// A base is a base of a type which the table has, with its type arguments.
type base struct {
	typ  *Type
	args []string
}

// above returns the bases of a type that the table has, in their order.
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

// Lineage returns the names of one of the table's types and of all its bases,
// nearest first. The caller must not change it.
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

// Key names the type of that name with that number of parameters.
func Key(name string, parameters int) string { return name + "`" + strconv.Itoa(parameters) }

// Own returns the type of what a member gives that t itself declares, and
// whether it declares one.
func (t *Type) Own(member string) (result string, ok bool) {
	t.read.Do(func() {
		t.members = map[string]string{}
		for line := range strings.Lines(t.lines) {
			names, result, _ := strings.Cut(strings.Trim(line, "\t\r\n"), " ")
			name, counts := names, ""
			if i := strings.IndexByte(names, '/'); i > 0 && strings.Trim(names[i:], "/+0123456789") == "" { // a/b is no method with counts
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

// add adds a member; what overloads give that differ is not told.
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
		typ := &Type{Name: name, Package: pkg, Params: params, Bases: resolve.SplitTypes(bases), lines: members}
		t.types[Key(name, len(params))] = typ
		if t.types[name] == nil {
			t.types[name] = typ
		}
	}
}

// next returns the start of the line behind the one that starts at start.
func next(text string, start int) int {
	if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
		return start + i + 1
	}
	return len(text)
}

// Split parts a type with arguments, "Map<K, List<V>>", into its name and the
// arguments. Scala's brackets part it, too.
func Split(text string) (name string, args []string) {
	open := strings.IndexAny(text, "<[")
	if open <= 0 || !strings.HasSuffix(text, string(closing(text[open]))) {
		return text, nil
	}
	return strings.TrimSpace(text[:open]), resolve.SplitTypes(text[open+1 : len(text)-1])
}

func closing(open byte) byte {
	if open == '<' {
		return '>'
	}
	return ']'
}

// Substitute replaces each whole word of the text that is a parameter by its
// argument. Where arguments are missing, nothing is known of the result.
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
