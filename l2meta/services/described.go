package services

import (
	"regexp"
	"strings"
)

// A request may be described by an object that another function sends: send(new RequestDto { Url = "/x",
// Method = HttpMethod.Post }), send(ApiRequest.builder().url("/x").method(POST).build()). The object may
// have a name, and members that are set after it was made.

// Trait is a member of a described object: its name, and its value at a byte offset, as written.
type Trait struct {
	Name, Value string
	At          int
}

// maxTraits bounds the members of an object that are read, maxBetween the bytes between its construction
// and its use.
const (
	maxTraits  = 12
	maxBetween = 4000
)

// Described returns the members that an expression gives to the object that it makes, or that the variable
// which it names was given, there or by statements before a byte offset; nil if it makes none.
func (r *Reader) Described(expr string, at int) []Trait {
	expr = strings.TrimSpace(expr)
	if !identifier.MatchString(expr) {
		return traits(expr, at)
	}
	value, where := r.Lookup(expr, at)
	if value == "" || where >= at || at-where > maxBetween || identifier.MatchString(value) ||
		r.fold.function(where) != r.fold.function(at) {
		return nil
	}
	return append(traits(value, where), setMembers(r.Text, expr, where, at)...)
}

// setMembers returns the members of a variable that are assigned, or given to a setter, between two byte
// offsets.
func setMembers(text, variable string, from, to int) (list []Trait) {
	dot := variable + "."
	for at := from; len(list) < maxTraits; {
		i := strings.Index(text[at:to], dot)
		if i < 0 {
			return list
		}
		begin := at + i
		at = begin + len(dot)
		if begin > 0 && isName(text[begin-1]) {
			continue
		}
		m := memberSet.FindStringSubmatchIndex(text[at:min(to, at+maxLook)])
		if m == nil {
			continue
		}
		name := text[at+max(m[2], m[4]) : at+max(m[3], m[5])]
		if m[2] >= 0 {
			name = decapitalized(name)
		}
		rest := at + m[1]
		if items := ListItems(text[rest:min(len(text), rest+maxEndpointText)]); len(items) > 0 {
			value, _, _ := strings.Cut(items[0], ";")
			list = append(list, Trait{name, value, begin})
		}
	}
	return list
}

// memberSet matches the rest of an assignment to a member, or of a call of its setter, behind the dot.
var memberSet = regexp.MustCompile(`^(?:set([A-Z]\w*)\(|(\w+)\s*=\s*)`)

// traits returns the members that an expression gives to the object that it makes: T{k: v}, new T { K = v },
// T(k = v), T.builder().k(v).build().
func traits(expr string, at int) []Trait {
	made := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(expr, "await "), "&"), "new")
	isNew := len(made) < len(expr) && strings.HasSuffix(expr[:len(expr)-len(made)], "new")
	made = strings.TrimSpace(made)
	end := 0
	for end < len(made) && (isName(made[end]) || made[end] == '.') {
		end++
	}
	name := LastWord(made[:end])
	open := skipGeneric(made, end)
	open += blanks(made[open:])
	if !isNew && open < len(made) && made[open] == '(' {
		if _, steps := Chain(made); len(steps) > 1 {
			return builtOf(steps, at)
		}
	}
	var items []string
	for open < len(made) && strings.IndexByte("({", made[open]) >= 0 {
		items = append(items, ListItems(made[open+1:])...)
		open = closing(made, open)
		open += blanks(made[min(open, len(made)):])
	}
	if name != "" && !capital(name) || name == "" && !isNew && !strings.HasPrefix(made, "{") {
		return nil
	}
	return namedItems(items, at)
}

// namedItems returns the items of a list that are given by name.
func namedItems(items []string, at int) (list []Trait) {
	for _, item := range items {
		key, value, named := byName(quotedKey.ReplaceAllString(item, "$1:"))
		if named && len(list) < maxTraits && !strings.HasPrefix(value, ">") {
			list = append(list, Trait{key, value, at})
		}
	}
	return list
}

// quotedKey matches the key of a dictionary's item.
var quotedKey = regexp.MustCompile(`^["'](\w+)["']\s*:`)

// builtOf returns the members that a chain of calls gives to what it builds.
func builtOf(steps []Step, at int) (list []Trait) {
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
func capital(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// decapitalized returns the name of a property by that of its setter: url of Url.
func decapitalized(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// passedObject encodes the members of an object that describes a request, as passed does:
// "{Url=/x␟Method={HttpMethod.Post}". It returns "" for other arguments.
func (pr *passReader) passedObject(arg string, at int) string {
	if strings.HasPrefix(arg, "{") {
		return "" // passed encodes it
	}
	var items []string
	told := false
	for _, m := range pr.Described(arg, at) {
		t, text := pr.passed(m.Value, m.At, false)
		if t || namesMethod(text) {
			told = told || t && !strings.HasPrefix(text, "{#")
			items = append(items, m.Name+"="+text)
		}
	}
	if !told {
		return ""
	}
	return "{" + strings.Join(items, unit)
}

// namesMethod reports whether a folded text names an HTTP method: "GET", "{HttpMethod.Get}".
func namesMethod(text string) bool { return MethodOf(strings.Trim(text, "{}")) != "" }
