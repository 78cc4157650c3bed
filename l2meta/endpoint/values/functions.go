package values

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Some functions compose an address from their parameters: url(path) returns "http://orders{#0:path}". In the URL of
// a caller such a call is a hole, an unknown part in braces: "{call:urls.order(%7Bid%7D)}". Its arguments replace the
// parameters in the text that the function returns.

// called returns the texts (readings) that a call in f may return: the results of functions with
// the called name, with the arguments of the call in place of their parameters. If none is known,
// it returns the name alone in braces: {url()}.
func (rd *Reader) called(f *resolve.File, owner int, name string, args []string, depth int) (out []Reading) {
	unknown := []Reading{{Text: "{" + name + "()}"}}
	steps := strings.FieldsFunc(name, func(r rune) bool { return !lookup.Letter(byte(min(r, 0x80))) })
	if len(steps) == 0 {
		return unknown
	}
	var given []Reading
	for _, a := range args {
		key, text := "", a
		if IsNamed(a) {
			key, text, _ = strings.Cut(a, "=")
			key += "="
		}
		r := rd.expand(f, owner, text, depth+1)[0]
		r.Text = key + r.Text
		given = append(given, r)
	}
	answers := rd.functionsOf(f, owner, steps)
	for _, t := range answers {
		if t.file == f && t.Fact.Owner == owner && owner >= 0 {
			continue // the function calls itself
		}
		for _, r := range rd.expand(t.file, t.Fact.Owner, t.Value, depth+1) {
			r.Chosen = r.Chosen || len(answers) > 1 && ofOneFunction(answers)
			if t.file != f {
				r.Rests = append([]string{t.file.Path}, r.Rests...)
			}
			r.How = append([]string{fmt.Sprintf("%s is %s at %s:%d", strings.Join(steps, "."), Shown(t.Value),
				t.file.Path, t.Fact.Span.StartLine)}, r.How...)
			if out = append(out, substituted(r, given, t)); len(out) == MaxReadings {
				return out
			}
		}
	}
	if len(out) == 0 {
		return unknown
	}
	return out
}

// ofOneFunction reports whether one function returns all of the texts in list.
func ofOneFunction(list []NamedText) bool {
	return !slices.ContainsFunc(list, func(t NamedText) bool {
		return t.file != list[0].file || t.Fact.Owner != list[0].Fact.Owner
	})
}

// substituted returns the text of r, which a function returns, with the arguments of a call in
// place of the function's parameters. A parameter without a known argument is replaced by its
// default; if it has none, by its name in braces.
func substituted(r Reading, given []Reading, t NamedText) Reading {
	var texts []string
	for _, g := range given {
		texts = append(texts, g.Text)
	}
	var parameters []code.Parameter
	if t.Fact.Owner >= 0 {
		parameters = t.file.Symbols[t.Fact.Owner].Parameters
	}
	text, used := r.Text, ""
	for r.Text = ""; ; {
		i := strings.Index(text, "{#")
		end := i + strings.IndexByte(text[max(i, 0):], '}')
		if i < 0 || end < i {
			break
		}
		number, name, _ := strings.Cut(text[i+2:end], ":")
		value := Argument(texts, parameters, number, name)
		used += value
		before := join(r.Text, text[:i])
		if strings.HasSuffix(before, "}") && PathLike(value) && lookup.Letter(value[0]) {
			before += "/" // there is no slash between the parts: {base}orders
		}
		if _, host, ok := strings.Cut(value, "://"); ok && strings.HasSuffix(before, "://") {
			value = host
		}
		r.Text, text = join(before, value), text[end+1:]
	}
	r.Text = join(r.Text, text)
	for _, g := range given {
		_, value, _ := strings.Cut(g.Text, "=")
		if strings.Contains(used, g.Text) || value != "" && strings.Contains(used, value) {
			r.How, r.Keys = append(slices.Clip(r.How), g.How...), append(slices.Clip(r.Keys), g.Keys...)
			r.Rests = append(slices.Clip(r.Rests), g.Rests...)
		}
	}
	return r
}

// functionsOf returns the texts that a function with a qualified name, such as urls.order, returns for a call in a
// symbol of f. If the call is resolved, only its target and the members that may override it count. Otherwise,
// functions of that name count if f declares or imports them, or if the qualifiers name them.
func (rd *Reader) functionsOf(f *resolve.File, owner int, steps []string) (out []NamedText) {
	name := steps[len(steps)-1]
	targets, known := rd.targetsOf(f, owner, steps)
	for _, ref := range targets {
		for _, t := range Texts(ref.File)[name] {
			if t.Fact.Owner == ref.Index || ref.File.Type(t.Fact.Owner) == ref.File.Type(ref.Index) {
				out = append(out, t)
			}
		}
	}
	if known {
		return unique(out)
	}
	from := rd.Origins(f, steps[0])
	imported := func(t NamedText) bool {
		return slices.ContainsFunc(from, func(o lookup.Origin) bool { return o.File == t.file })
	}
	named := func(t NamedText) bool {
		for _, step := range steps[:len(steps)-1] {
			if lookup.Folded(step) == lookup.Folded(lookup.StemOf(t.file.Path)) {
				return true
			}
			for at := t.Fact.Owner; at >= 0; at = t.file.Symbols[at].Parent {
				if lookup.Folded(step) == lookup.Folded(t.file.Symbols[at].Name) {
					return true
				}
			}
		}
		return false
	}
	own := func(t NamedText) bool { return rd.Services().Root(t.file.Path) == rd.Services().Root(f.Path) }
	for _, t := range Texts(f)[name] {
		if len(steps) == 1 || named(t) || selfNames[steps[0]] && f.Type(t.Fact.Owner) == f.Type(owner) {
			out = append(out, t)
		}
	}
	for _, holder := range rd.holders(f, name) {
		for _, t := range Texts(holder)[name] {
			if imported(t) || own(t) && named(t) && len(steps) > 1 {
				out = append(out, t)
			}
		}
	}
	if property, ok := strings.CutPrefix(name, "get"); ok && len(out) == 0 && len(steps) > 1 && len(property) > 1 {
		last := code.Decapitalized(property)
		// a getter without a declaration: the property has the text
		return rd.textsOf(f, owner, append(slices.Clone(steps[:len(steps)-1]), last))
	}
	return unique(out)
}

// targetsOf returns the functions to which calls of a qualified name, such as urls.order, in a symbol of f resolve.
// known reports whether these are all possible targets.
func (rd *Reader) targetsOf(f *resolve.File, owner int, steps []string) (out []resolve.Ref, known bool) {
	name, holder := steps[len(steps)-1], ""
	if len(steps) > 1 {
		holder = steps[len(steps)-2]
	}
	for _, i := range f.CallsOf(name) {
		c := &f.Calls()[i]
		if f.Callable(c.Caller) != f.Callable(owner) ||
			folding.LastWord(strings.TrimSuffix(c.Receiver, "()")) != holder {
			continue
		}
		s, ok, err := rd.Resolver.At(f.Reference(i))
		switch {
		case err != nil || !ok || slices.Contains(out, s.Target): // World.Err returns the error later
		case s.Outcome == resolve.External:
			known = true
		case s.Outcome == resolve.Settled && s.Target.Index >= 0:
			known = true
			out = append(out, s.Target)
			out = append(out, rd.Implementing(s.Target)...)
		}
	}
	return out, known
}

// selfNames lists the names that languages use for the receiver of a method and for its base.
var selfNames = map[string]bool{"this": true, "self": true, "super": true, "base": true, "parent": true}

// calledShown formats the text of a hole that is a call for display: urls.order(id) for call:urls.order(%7Bid%7D). It
// returns any other text unchanged.
func calledShown(hole string) string {
	name, args, ok := folding.Called(hole)
	if !ok {
		return hole
	}
	for i, a := range args {
		args[i] = strings.NewReplacer("{", "", "}", "").Replace(Unnumbered(a))
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// IsUnknownCall reports whether a URL consists of a call of an unknown function: "{url()}".
func IsUnknownCall(text string) bool {
	return strings.HasPrefix(text, "{") && strings.HasSuffix(text, "()}") && strings.IndexByte(text, '}') == len(text)-1
}
