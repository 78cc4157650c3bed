package folding

import (
	"cmp"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// given returns the folded value of a name, or "" if that is no more informative than the name.
// If one assignment reads a setting and another one is a text, the result is the setting with the
// text as its default: url := os.Getenv("A"); if url == "" { url = "b" }.
func (d *Folder) given(name, expr string, at, depth int) (text string) {
	shadows := expr == name && d.Parameter(expr, at) != ""
	for _, def := range d.Defined(name, at) {
		value := d.written(def)
		if shadows && (d.Function(def.at) != d.Function(at) || def.at > 0 && d.Text[def.at-1] == '.') {
			continue // the assignment sets a field with the name of the parameter
		}
		if strings.HasSuffix(expr, "]") && d.Text[max(0, def.at-1)] != '"' && d.Text[max(0, def.at-1)] != '\'' {
			continue // x["name"] is another variable than name
		}
		if value == "" || emptyBuilder.MatchString(value) || converted(value) == expr && d.Function(def.at) == d.Function(at) ||
			d.within[def.at] || shadows && def.at == at || !sameHolder(d.Text, expr, def.at) ||
			d.isDefault(expr, def, at) {
			// the value contains the name itself: url = url; options.url = base + options.url;
			// exchange = declare(exchange)
			continue
		}
		d.begin(def.at)
		s := d.OfMaker(d.Step(value, def.at, depth+1), def.at, at)
		s = d.withPath(s, expr, value, def.at, at, depth)
		delete(d.within, def.at)
		if strings.HasSuffix(value, ")") && strings.Contains(s, "(") && namesAddress(name) && !readable(s) &&
			!buildsText.MatchString(value) &&
			!strings.HasPrefix(s, "{"+CallMark) {
			if asked, ok := d.asked(value, def.at, depth+1, true); ok {
				s = asked
			}
		}
		switch {
		case expr != name && strings.HasPrefix(s, "{@") && isHole(s) && strings.HasSuffix(s, ":"+name+"}"):
			return cmp.Or(d.madeWith(name, expr, at, depth), s) // set from the parameter of that name
		case strings.HasPrefix(s, "{@") && d.isBound(name):
			text, _ := d.bound(name, at)
			return text
		case strings.HasPrefix(s, "{"+CallMark), strings.HasPrefix(s, "{@"):
			return s
		case strings.HasPrefix(s, "{env:") && strings.IndexByte(s, '}') == len(s)-1:
			if text != "" && !strings.Contains(s, "|") {
				return SettingHole(s[len("{env:"):len(s)-1], text)
			}
			return s
		case text != "":
		case strings.HasPrefix(s, "{#") && isHole(s) && expr == name && def.key == "" && def.at < at &&
			d.Function(def.at) == d.Function(at):
			return s // trimmed := strings.TrimRight(base, "/")
		case def.key != "" && isHole(s) && !strings.HasPrefix(s, "{#"):
			return s
		case memberCall.MatchString(s), TypeMember.MatchString(s),
			memberHole.MatchString(s) && MentionsAddress(memberHole.ReplaceAllString(s, "$1")):
			return s // another file may define the member: its class, or the function that returned the object
		case strings.HasPrefix(s, "{}") || !readable(s) && !OfAddresses(s):
			return ""
		case strings.Contains(s, "{"):
			return s
		default:
			text = s
		}
	}
	return text
}

// injects reports whether a byte offset is in a constructor, whose arguments a framework may inject.
func (d *Folder) injects(at int) bool {
	own := d.Function(at)
	return own >= 0 && d.f.Symbols[own].Kind == code.KindConstructor
}

// begin records that the definition at a byte offset is being folded, so that it is not folded again inside of
// itself.
func (d *Folder) begin(at int) {
	if d.within == nil {
		d.within = map[int]bool{}
	}
	d.within[at] = true
}

// sameHolder reports whether an expression may read the member that is assigned at a byte offset.
// options.url cannot read a value that is assigned to config.url.
func sameHolder(text, expr string, at int) bool {
	if at == 0 || text[at-1] != '.' {
		return true
	}
	read, _ := holderOf(expr)
	_, set := lastName(text[:at-1])
	read = LastWord(read)
	return read == "" || set == "" || read == set || ownObjects[read] || ownObjects[set]
}

// ownObjects lists the names by which a method refers to its own object.
var ownObjects = map[string]bool{"this": true, "self": true, "cls": true, "_this": true, "that": true}

// Parameter returns the position of an expression among the parameters of the function around a byte offset, counted
// from 0 as in a call: "1", or "0.url" for the member url of the first parameter. It returns "" if the expression is
// neither.
func (d *Folder) Parameter(expr string, at int) string {
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

// partOfParameter returns the position of the parameter's member that a variable holds: "0.queue" for queue after
// const { queue } = options. It returns "" if the variable holds no such member.
func (d *Folder) partOfParameter(name string, at int) string {
	if !Identifier.MatchString(name) {
		return ""
	}
	value, where := d.Lookup(name, at)
	if where >= at || !strings.Contains(value, ".") || !IsPlain(value) || d.Function(where) != d.Function(at) {
		return ""
	}
	return d.Parameter(value, where)
}

// gotten returns the position of the parameter's member that a getter returns: "0.url" for request.getUrl() and
// request.url(). It returns "" for any other call, and for members that are not named after addresses.
func (d *Folder) gotten(expr string, at int) string {
	holder, name := holderOf(strings.TrimSuffix(expr, "()"))
	if property, is := strings.CutPrefix(name, "get"); is && property != "" {
		name = code.Decapitalized(property)
	}
	if !Identifier.MatchString(holder) || !MentionsAddress(name) {
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

// binding is the text of a name that gets the value of a setting, at a byte offset.
type binding struct {
	text string
	at   int
}

// isBound reports whether a name gets the value of a setting in the file.
func (d *Folder) isBound(name string) bool { return len(d.bindings()[name]) > 0 }

// bound returns the text of a name that gets the value of a setting: in the function around a byte offset, if it has
// such a parameter, else anywhere in the file. ok is false if there is none.
func (d *Folder) bound(name string, at int) (text string, ok bool) {
	if text, ok = d.boundHere(name, at); ok || !d.isBound(name) {
		return text, ok
	}
	return d.bindings()[name][0].text, true
}

// boundHere returns the text of a parameter of the function around a byte offset to which a framework passes the value
// of a setting: Queue paid(@Value("${paid.queue}") String name). ok is false for any other name.
func (d *Folder) boundHere(name string, at int) (text string, ok bool) {
	list := d.bindings()[name]
	own := -1
	if len(list) > 0 {
		own = d.Function(at)
	}
	for _, b := range list {
		if own >= 0 && d.Function(b.at) == own {
			return b.text, true
		}
	}
	return "", false
}

// bindings returns the texts of names that get the value of a setting in another way than by an assignment: by an
// annotation such as @Value, by destructuring process.env, or by a call that is passed a pointer to the variable.
func (d *Folder) bindings() map[string][]binding {
	if d.envs != nil {
		return d.envs
	}
	d.envs = map[string][]binding{}
	bind := func(name, text string, at int) { d.envs[name] = append(d.envs[name], binding{text, at}) }
	if strings.Contains(d.Text, "@Value(") {
		for _, m := range injected.FindAllStringSubmatchIndex(d.Text, -1) {
			bind(d.Text[m[4]:m[5]], injectedText(d.Text[m[2]:m[3]]), m[0])
		}
	}
	if strings.Contains(d.Text, "process.env") {
		for _, m := range destructure.FindAllStringSubmatchIndex(d.Text, -1) {
			for _, item := range strings.Split(d.Text[m[2]:m[3]], ",") {
				key, _, _ := strings.Cut(item, "=")
				key = strings.TrimSpace(key)
				bind(key, "{env:"+key+"}", m[0])
			}
		}
	}
	if MentionsEnvironment(d.Text) {
		for _, m := range mapped.FindAllStringSubmatchIndex(d.Text, -1) {
			bind(d.Text[m[2]:m[3]], "{env:"+d.Text[m[4]:m[5]]+"}", m[0])
		}
	}
	return d.envs
}

// injectedText returns the text of the argument of @Value, "${paid.queue:orders.paid}". A part that is a constant
// becomes a hole: "${paid.queue:" + Queues.PAID + "}".
func injectedText(arg string) string {
	var b strings.Builder
	for _, part := range strings.Split(arg, "+") {
		if text, ok := Quoted(strings.TrimSpace(part)); ok {
			b.WriteString(strings.ReplaceAll(text, `\$`, "$")) // "\${a.b}" in Kotlin
		} else {
			b.WriteString("{" + strings.TrimSpace(part) + "}")
		}
	}
	if m := constantDefault.FindStringSubmatch(b.String()); m != nil {
		return SettingHole(m[1], m[2])
	}
	return Placeholders(b.String())
}
