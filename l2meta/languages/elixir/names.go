package elixir

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// maxAliases bounds how many aliases are followed from one to the next.
const maxAliases = 16

// moduleOf returns the full name of the module that an expression names at a place. The
// expression is A.B, :lists, __MODULE__.A or @adapter, for example. It returns false for a value.
func (r reader) moduleOf(p place, text string) (module string, known bool) {
	return r.expanded(p, text, maxAliases)
}

func (r reader) expanded(p place, text string, depth int) (string, bool) {
	if inner, ok := strings.CutPrefix(text, "unquote(__MODULE__)"); ok && (inner == "" || inner[0] == '.') {
		text = "__MODULE__" + inner
	}
	head, rest, _ := strings.Cut(text, ".")
	if rest != "" {
		rest = "." + rest
	}
	switch {
	case depth == 0 || text == "":
		return "", false
	case head == "__MODULE__":
		return r.fullName(moduleAround(p.file, p.at)) + rest, p.at >= 0
	case head == "Elixir":
		return strings.TrimPrefix(rest, "."), rest != ""
	case text[0] == ':':
		return text, rest == "" && isName(text[1:])
	case text[0] == '@':
		return r.attribute(p, text, depth)
	case head[0] < 'A' || head[0] > 'Z' || !isName(strings.ReplaceAll(text, ".", "")):
		return "", false
	}
	if full, found, known := r.alias(p, head, depth); found {
		return full + rest, known
	}
	return text, true
}

// isName reports whether text consists of letters, digits and underscores.
func isName(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return text != ""
}

// alias returns the full name of the module for which name is an alias at p. found reports
// whether there is such an alias, and known whether it leads to a module. depth bounds how many
// further aliases are followed. An alias is valid up to the end of the symbol around it. The name
// of a nested module is an alias, too:
//
//	alias A.B                B is A.B
//	defmodule C do … end     in defmodule A: C is A.C
func (r reader) alias(p place, name string, depth int) (full string, found, known bool) {
	for at := p.at; ; at = p.file.Symbols[at].Parent {
		var last *code.Fact
		for _, fact := range contentsOf(p.file).aliases[name] {
			here := fact.Owner == at && fact.Span.EndByte <= p.pos
			if here && (quoted(p.file, p.pos) || !quoted(p.file, fact.Span.StartByte)) {
				last = fact
			}
		}
		if last != nil {
			full, known = r.expanded(place{p.file, at, last.Span.StartByte}, last.Type, depth-1)
			return full, true, known
		}
		if at < 0 {
			return "", false, false
		}
		if isModule(p.file.Symbols[at].Kind) {
			if contentsOf(p.file).nested[nested{at, name}] {
				return r.fullName(p.file.Ref(at)) + "." + name, true, true
			}
			if full, ok := r.aliasOfUse(p.file.Ref(at), name, depth); ok {
				return full, true, true
			}
		}
	}
}

// aliasOfUse returns the module for which name is an alias in module m because m has "use Web"
// and the code that Web inserts there contains the alias. It returns false if the inserted code
// has no such alias.
func (r reader) aliasOfUse(m resolve.Ref, name string, depth int) (full string, ok bool) {
	for _, part := range r.uses(m) {
		for _, fact := range contentsOf(part.File).aliases[name] {
			if fact.Owner == part.Index && quoted(part.File, fact.Span.StartByte) {
				return r.expanded(place{part.File, part.Index, fact.Span.StartByte}, fact.Type, depth-1)
			}
		}
	}
	return "", false
}

// attribute returns the module that the attribute @name holds, as in @adapter Shop.Repo. It returns
// false unless the module around p sets the attribute exactly once, to a module.
func (r reader) attribute(p place, name string, depth int) (string, bool) {
	m := moduleAround(p.file, p.at)
	if !m.Valid() {
		return "", false
	}
	var only *code.Fact
	for _, fact := range contentsOf(p.file).attributes[name] {
		if fact.Owner == m.Index {
			if only != nil {
				return "", false
			}
			only = fact
		}
	}
	if only == nil {
		return "", false
	}
	return r.expanded(place{p.file, m.Index, only.Span.StartByte}, only.Type, depth-1)
}
