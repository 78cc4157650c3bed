package folding

import (
	"cmp"
	"strings"
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
		if def.otherwise > 0 && isHole(s) && !strings.HasPrefix(s, "{#") && !strings.HasPrefix(s, "{env:") {
			s = d.Step(d.defaultedTo(def), def.at, depth+1)
		}
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
