package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// A base class may make the requests of several clients while each subclass determines the address: request(path) of
// the base class requests {baseUrl()}{#0:path}, and each subclass overrides baseUrl. The class of the caller then
// decides the address. Or the constructor of each subclass gives it to that of the base class: super("http://orders").

// ownMember matches the expression of a member of the object itself: this.baseUrl, $this->getBaseUrl(), baseUrl().
var ownMember = regexp.MustCompile(`^(?:(?:\$?this|self)(?:->|\.))?(\w+)(?:\(\))?$`)

// postponed marks a part of a URL that the caller does not determine, so that the caller's caller
// may determine it.
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
		maker, number, name, made := folding.Made(hole[1 : len(hole)-1])
		switch {
		case made && maker == x.file.Symbols[class].Name && same:
			b.WriteString("{" + postponed + hole[1:])
		case made && maker == x.file.Symbols[class].Name:
			b.WriteString(givenToBase(rd, f.Ref(caller), number, name, hole, x))
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

// memberText returns the text of a member of a type in f; if there is none, it returns hole, the
// member's name in braces. It adds the evidence to x.
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

// basesCalls are the names by which a constructor calls that of its base class.
var basesCalls = []string{"super", "__init__", "__construct", "base"}

// maxGivers bounds the classes whose texts for their base class are read.
const maxGivers = 3

// givenToBase returns the text that the constructor of a class, or else of its base, gives to its own base class as
// the parameter called name at position number. It returns hole if none does, and adds the evidence to x.
func givenToBase(rd *values.Reader, class resolve.Ref, number, name, hole string, x *fetch) string {
	name, _ = folding.Otherwise(name)
	parameter := strings.TrimLeft(lookup.LastName(name), "$")
	for range maxGivers {
		for _, fact := range lookup.Endpoints(class.File, l2meta.RolePass) {
			args := strings.Split(fact.Type, "\t")
			if class.File.Type(fact.Owner) != class.Index || !slices.Contains(basesCalls, args[0]) {
				continue
			}
			value := values.ArgumentTexts(args[1:], []code.Parameter{{Name: parameter}}, number, parameter)[0]
			if value == "{"+parameter+"}" || strings.HasPrefix(value, "{#") {
				continue
			}
			r := rd.Readings(class.File, fact.Owner, folding.CleanURL(value))[0]
			x.how = append(slices.Clip(x.how), class.Symbol().Name+" gives it to its base class")
			x.how, x.rests = append(x.how, r.How...), append(slices.Clip(x.rests), append(r.Rests, class.File.Path)...)
			x.keys = append(slices.Clip(x.keys), r.Keys...)
			return r.Text
		}
		base := firstBase(rd, class)
		if !base.Valid() || base.File == x.file && base.Symbol().Name == x.file.Symbols[x.file.Type(x.owner)].Name {
			break
		}
		class = base
	}
	return hole
}

// firstBase returns the first base of a type that the workspace declares, the zero Ref if there is none.
func firstBase(rd *values.Reader, class resolve.Ref) resolve.Ref {
	for _, fact := range class.File.FactsOf(class.Index) {
		if fact.Kind == code.FactBase {
			if base := rd.TypeNamed(class.File, fact.Type); base.Valid() && base != class {
				return base
			}
		}
	}
	return resolve.Ref{}
}
