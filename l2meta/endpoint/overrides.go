package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/resolve"
)

// A base class of clients makes the requests, and its subclasses say where to: request(path) of the base
// gets {baseUrl()}{#0:path}, and each subclass overrides baseUrl. The class of the caller decides.

// ownMember matches the hole of a member of the object itself: this.baseUrl, $this->getBaseUrl(), baseUrl().
var ownMember = regexp.MustCompile(`^(?:(?:\$?this|self)(?:->|\.))?(\w+)(?:\(\))?$`)

// postponed marks a hole that the caller of the caller may fill.
const postponed = "#own:"

// overridden fills the holes of a request's text that the class of its caller, at a symbol of f, overrides. It
// postpones those that the helper's class leaves to its subclasses, if the caller belongs to that class itself.
func (rd *reader) overridden(f *resolve.File, owner int, x *fetch) {
	class, caller := x.file.Type(x.owner), f.Type(owner)
	if class < 0 || caller < 0 || !strings.Contains(x.text, "{") {
		return
	}
	same := f == x.file && class == caller
	var b strings.Builder
	for text := x.text; ; {
		start := strings.IndexByte(text, '{')
		end := start + strings.IndexByte(text[max(start, 0):], '}')
		if start < 0 || end < start {
			b.WriteString(text)
			break
		}
		hole := text[start : end+1]
		b.WriteString(text[:start])
		text = text[end+1:]
		m := ownMember.FindStringSubmatch(hole[1 : len(hole)-1])
		switch {
		case m == nil || len(ofType(x.file, class, m[1])) > 0:
			b.WriteString(hole)
		case same:
			b.WriteString("{" + postponed + hole[1:])
		default:
			b.WriteString(rd.memberText(f, caller, m[1], hole, x))
		}
	}
	x.text = b.String()
}

// ofType returns the texts of a member of a type in f.
func ofType(f *resolve.File, class int, name string) []namedText {
	return slices.DeleteFunc(slices.Clone(texts(f)[name]),
		func(t namedText) bool { return f.Type(t.fact.Owner) != class })
}

// memberText returns the text of a member of a type in f, or hole if it has none. It adds the evidence to x.
func (rd *reader) memberText(f *resolve.File, class int, name, hole string, x *fetch) string {
	own := ofType(f, class, name)
	if len(own) == 0 {
		return hole
	}
	r := rd.readings(f, own[0].fact.Owner, own[0].value)[0]
	x.how, x.rests = append(slices.Clip(x.how), r.how...), append(slices.Clip(x.rests), r.rests...)
	x.keys = append(slices.Clip(x.keys), r.keys...)
	return r.text
}
