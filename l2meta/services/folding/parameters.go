package folding

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// injects reports whether a byte offset is in a constructor, whose arguments a framework may inject.
func (d *Definitions) injects(at int) bool {
	own := d.Function(at)
	return own >= 0 && d.f.Symbols[own].Kind == code.KindConstructor
}

// Parameter returns the position of an expression among the parameters of the function around a byte offset, counted
// from 0 as in a call: "1", or "0.url" for the member url of the first parameter. It returns "" if the expression is
// neither.
func (d *Definitions) Parameter(expr string, at int) string {
	own := d.Function(at)
	if own < 0 || strings.ContainsAny(expr, "()[]\"'") {
		return ""
	}
	name, member, ok := strings.Cut(expr, ".")
	if ok {
		member = "." + member
	}
	n := 0
	for i, p := range d.f.Symbols[own].Parameters {
		if i == 0 && IsSelf(p) {
			continue
		}
		if BareName(p) == strings.TrimPrefix(name, "$") {
			return strconv.Itoa(n) + member
		}
		if key := takenApart(p.Name, name); key != "" {
			return strconv.Itoa(n) + "." + key + member
		}
		n++
	}
	return ""
}

// BareName returns the name of a parameter without the marks of its language: url for $url, &url, *url and url: of
// Ruby.
func BareName(p code.Parameter) string {
	return strings.TrimSuffix(strings.TrimLeft(p.Name, "$&*."), ":")
}

// partOfParameter returns the position of the parameter's member that a variable holds, and the default of the member
// as a literal: "0.queue" for queue after const { queue } = options. It returns "" if the variable holds no such
// member.
func (d *Definitions) partOfParameter(name string, at int) (part, otherwise string) {
	if !Identifier.MatchString(name) {
		return "", ""
	}
	all := d.Defined(name, at)
	if len(all) == 0 {
		return "", ""
	}
	def := all[0]
	value := d.written(def)
	if def.at >= at || !strings.Contains(value, ".") || !IsPlain(value) || d.Function(def.at) != d.Function(at) {
		return "", ""
	}
	otherwise, _ = Quoted(d.defaultedTo(def))
	return d.Parameter(value, def.at), otherwise
}

// gotten returns the position of the parameter's member that a getter returns: "0.url" for request.getUrl() and
// request.url(). It returns "" for any other call, and for members that are named after no address, unless the holder
// is named after a topic, as in topic.getPath().
func (d *Folder) gotten(expr string, at int) string {
	holder, name := holderOf(strings.TrimSuffix(expr, "()"))
	if property, is := strings.CutPrefix(name, "get"); is && property != "" {
		name = code.Decapitalized(property)
	}
	if !Identifier.MatchString(holder) || !MentionsAddress(name) && !(d.Topical && OfTopic(holder)) {
		return ""
	}
	return d.Parameter(holder+"."+name, at)
}

// takenApart returns the key that a destructured parameter binds to name: url for name url in ({
// url = "", method }), and for name address in ({ url: address }). It returns "" if there is
// none.
func takenApart(pattern, name string) string {
	if !strings.HasPrefix(pattern, "{") {
		return ""
	}
	for _, item := range ListItems(pattern[1:]) {
		key, _, _ := strings.Cut(item, "=")
		key, local, renamed := strings.Cut(key, ":")
		if key = strings.TrimSpace(key); !renamed {
			local = key
		}
		if strings.TrimSpace(local) == name {
			return key
		}
	}
	return ""
}
