package source

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// Code may describe a request by an object that another function sends: send(new RequestDto { Url =
// "/x", Method = HttpMethod.Post }), send(ApiRequest.builder().url("/x").method(POST).build()). A
// variable may hold the object, and statements may set some members after its construction.

// Trait is a member of an object that describes a request: its name and its value, as written. At is the byte offset
// at which the names in the value are looked up.
type Trait struct {
	Name, Value string
	At          int
}

// maxTraits is the largest number of members of an object that are read, maxBetween the largest
// number of bytes between the construction of the object and its use.
const (
	maxTraits  = 12
	maxBetween = 4000
)

// Described returns the members of the object that an expression constructs. For the name of a variable, these are
// the members of the object that it holds, including those that statements set before the byte offset. Described
// returns nil if there is no such object.
func (src *Source) Described(expr string, at int) []Trait {
	expr = strings.TrimSpace(expr)
	if !folding.Identifier.MatchString(expr) {
		return traits(expr, at)
	}
	value, where := src.Lookup(expr, at)
	if value == "" || where >= at || at-where > maxBetween || folding.Identifier.MatchString(value) ||
		src.Folder.Function(where) != src.Folder.Function(at) {
		return nil
	}
	return append(traits(value, where), setMembers(src.Text, expr, where, at)...)
}

// setMembers returns the members of a variable that statements between two byte offsets set: x.Url = …, x.setUrl(…).
func setMembers(text, variable string, from, to int) (list []Trait) {
	dot := variable + "."
	for at := from; len(list) < maxTraits; {
		i := strings.Index(text[at:to], dot)
		if i < 0 {
			return list
		}
		begin := at + i
		at = begin + len(dot)
		if begin > 0 && folding.IsName(text[begin-1]) {
			continue
		}
		m := memberSet.FindStringSubmatchIndex(text[at:min(to, at+folding.MaxLook)])
		if m == nil {
			continue
		}
		name := text[at+max(m[2], m[4]) : at+max(m[3], m[5])]
		if m[2] >= 0 {
			name = code.Decapitalized(name)
		}
		rest := at + m[1]
		if items := folding.ListItems(text[rest:min(len(text), rest+folding.MaxEndpointText)]); len(items) > 0 {
			value, _, _ := strings.Cut(items[0], ";")
			list = append(list, Trait{name, value, begin})
		}
	}
	return list
}

// memberSet matches the text after the dot in an assignment to a member, or in a call of its setter.
var memberSet = regexp.MustCompile(`^(?:set([A-Z]\w*)\(|(\w+)\s*=\s*)`)

// traits returns the members that an expression sets in the object that it constructs: T{k: v}, new T { K = v }, T(k
// = v), T.builder().k(v).build().
func traits(expr string, at int) []Trait {
	made := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(expr, "await "), "&"), "new")
	isNew := len(made) < len(expr) && strings.HasSuffix(expr[:len(expr)-len(made)], "new")
	made = strings.TrimSpace(made)
	end := 0
	for end < len(made) && (folding.IsName(made[end]) || made[end] == '.') {
		end++
	}
	name := folding.LastWord(made[:end])
	open := folding.SkipGeneric(made, end)
	open += folding.Blanks(made[open:])
	if !isNew && open < len(made) && made[open] == '(' {
		if _, steps := folding.Chain(made); len(steps) > 1 {
			return builtOf(steps, at)
		}
	}
	var items []string
	for open < len(made) && strings.IndexByte("({", made[open]) >= 0 {
		items = append(items, folding.ListItems(made[open+1:])...)
		open = folding.Closing(made, open)
		open += folding.Blanks(made[min(open, len(made)):])
	}
	if name != "" && !capital(name) || name == "" && !isNew && !strings.HasPrefix(made, "{") {
		return nil
	}
	return namedItems(items, at)
}

// namedItems returns the members in a list of items: k with the value v for (k = v). It omits items without a name.
func namedItems(items []string, at int) (list []Trait) {
	for _, item := range items {
		key, value, named := folding.ByName(quotedKey.ReplaceAllString(item, "$1:"))
		if named && len(list) < maxTraits && !strings.HasPrefix(value, ">") {
			list = append(list, Trait{key, value, at})
		}
	}
	return list
}

// quotedKey matches a key in quotation marks: "url": in a dictionary.
var quotedKey = regexp.MustCompile(`^["'](\w+)["']\s*:`)

// builtOf returns the members that a builder's chain sets: url with the value x for T.builder().url(x).build(). It
// returns nil if the last call of the chain does not build.
func builtOf(steps []folding.Step, at int) (list []Trait) {
	last := steps[len(steps)-1].Name
	if !strings.HasPrefix(last, "build") && !strings.HasPrefix(last, "Build") {
		return nil
	}
	for _, s := range steps {
		if len(s.Args) == 1 && len(list) < maxTraits {
			list = append(list, Trait{s.Name, s.Args[0], at})
		}
	}
	return list
}

// capital reports whether a name begins like that of a type.
func capital(name string) bool { return code.Decapitalized(name) != name }
