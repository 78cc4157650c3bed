package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
)

// A base class may make the requests of several clients while each subclass determines the address: request(path) of
// the base class requests {baseUrl()}{#0:path}, and each subclass overrides baseUrl. The class of the caller then
// decides the address.

// ownMember matches the expression of a member of the object itself: this.baseUrl, $this->getBaseUrl(), baseUrl().
var ownMember = regexp.MustCompile(`^(?:(?:\$?this|self)(?:->|\.))?(\w+)(?:\(\))?$`)

// postponed marks a part of a URL that the caller does not determine either, so that the caller's caller may.
const postponed = "#own:"

// overridden replaces members in the URL of a helper's request x, such as baseUrl() in {baseUrl()}/x, by their texts
// in the caller's class, which overrides them. The caller is the symbol owner of f. If the caller belongs to the
// helper's class itself, members that this class leaves to its subclasses are postponed.
func overridden(rd *values.Reader, f *resolve.File, owner int, x *fetch) {
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
			b.WriteString(memberText(rd, f, caller, m[1], hole, x))
		}
	}
	x.text = b.String()
}

// ofType returns the texts that a type in f gives to its member called name: http://orders for baseUrl =
// "http://orders".
func ofType(f *resolve.File, class int, name string) []values.NamedText {
	return slices.DeleteFunc(slices.Clone(values.Texts(f)[name]),
		func(t values.NamedText) bool { return f.Type(t.Fact.Owner) != class })
}

// memberText returns the text of a member of a type in f, or else hole, the member's name in braces. It adds the
// evidence to x.
func memberText(rd *values.Reader, f *resolve.File, class int, name, hole string, x *fetch) string {
	own := ofType(f, class, name)
	if len(own) == 0 {
		return hole
	}
	r := rd.Readings(f, own[0].Fact.Owner, own[0].Value)[0]
	x.how, x.rests = append(slices.Clip(x.how), r.How...), append(slices.Clip(x.rests), r.Rests...)
	x.keys = append(slices.Clip(x.keys), r.Keys...)
	return r.Text
}
