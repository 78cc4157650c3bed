package endpoint

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Some functions compose an address from their parameters: url(path) returns "http://orders{#0:path}". In the URL of
// a caller such a call is a hole, an unknown part in braces: "{call:urls.order(%7Bid%7D)}". Its arguments replace the
// parameters in the text that the function returns.

// called returns the texts (readings) that a call in f may return: the results of functions with the called name,
// with the arguments of the call in place of their parameters. If none is known, it returns the name alone in braces:
// {url()}.
func (rd *reader) called(f *resolve.File, owner int, name string, args []string, depth int) (out []reading) {
	unknown := []reading{{text: "{" + name + "()}"}}
	steps := strings.FieldsFunc(name, func(r rune) bool { return !lookup.Letter(byte(min(r, 0x80))) })
	if len(steps) == 0 {
		return unknown
	}
	var given []reading
	for _, a := range args {
		key, text := "", a
		if isNamed(a) {
			key, text, _ = strings.Cut(a, "=")
			key += "="
		}
		r := rd.expand(f, owner, text, depth+1)[0]
		r.text = key + r.text
		given = append(given, r)
	}
	answers := rd.functionsOf(f, owner, steps)
	for _, t := range answers {
		if t.file == f && t.fact.Owner == owner && owner >= 0 {
			continue // the function calls itself
		}
		for _, r := range rd.expand(t.file, t.fact.Owner, t.value, depth+1) {
			r.chosen = r.chosen || len(answers) > 1 && ofOneFunction(answers)
			if t.file != f {
				r.rests = append([]string{t.file.Path}, r.rests...)
			}
			r.how = append([]string{fmt.Sprintf("%s is %s at %s:%d", strings.Join(steps, "."), shown(t.value),
				t.file.Path, t.fact.Span.StartLine)}, r.how...)
			if out = append(out, substituted(r, given, t)); len(out) == maxReadings {
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
func ofOneFunction(list []namedText) bool {
	return !slices.ContainsFunc(list, func(t namedText) bool {
		return t.file != list[0].file || t.fact.Owner != list[0].fact.Owner
	})
}

// substituted returns the text of r, which a function returns, with the arguments of a call in place of the
// function's parameters. A parameter for which nothing known is passed becomes its default, or else its name in
// braces.
func substituted(r reading, given []reading, t namedText) reading {
	var texts []string
	for _, g := range given {
		texts = append(texts, g.text)
	}
	var parameters []code.Parameter
	if t.fact.Owner >= 0 {
		parameters = t.file.Symbols[t.fact.Owner].Parameters
	}
	text, used := r.text, ""
	for r.text = ""; ; {
		i := strings.Index(text, "{#")
		end := i + strings.IndexByte(text[max(i, 0):], '}')
		if i < 0 || end < i {
			break
		}
		number, name, _ := strings.Cut(text[i+2:end], ":")
		value := argument(texts, parameters, number, name)
		used += value
		before := join(r.text, text[:i])
		if strings.HasSuffix(before, "}") && pathLike(value) && lookup.Letter(value[0]) {
			before += "/" // {base}orders
		}
		if _, host, ok := strings.Cut(value, "://"); ok && strings.HasSuffix(before, "://") {
			value = host
		}
		r.text, text = join(before, value), text[end+1:]
	}
	r.text = join(r.text, text)
	for _, g := range given {
		_, value, _ := strings.Cut(g.text, "=")
		if strings.Contains(used, g.text) || value != "" && strings.Contains(used, value) {
			r.how, r.keys = append(slices.Clip(r.how), g.how...), append(slices.Clip(r.keys), g.keys...)
			r.rests = append(slices.Clip(r.rests), g.rests...)
		}
	}
	return r
}

// functionsOf returns the texts that a function with a qualified name, such as urls.order, returns for a call in a
// symbol of f. If the call is resolved, only its target and the members that may override it count. Otherwise,
// functions of that name count if f declares or imports them, or if the qualifiers name them.
func (rd *reader) functionsOf(f *resolve.File, owner int, steps []string) (out []namedText) {
	name := steps[len(steps)-1]
	targets, known := rd.targetsOf(f, owner, steps)
	for _, ref := range targets {
		for _, t := range texts(ref.File)[name] {
			if t.fact.Owner == ref.Index || ref.File.Type(t.fact.Owner) == ref.File.Type(ref.Index) {
				out = append(out, t)
			}
		}
	}
	if known {
		return unique(out)
	}
	from := rd.Origins(f, steps[0])
	imported := func(t namedText) bool {
		return slices.ContainsFunc(from, func(o lookup.Origin) bool { return o.File == t.file })
	}
	named := func(t namedText) bool {
		for _, step := range steps[:len(steps)-1] {
			if lookup.Folded(step) == lookup.Folded(lookup.StemOf(t.file.Path)) {
				return true
			}
			for at := t.fact.Owner; at >= 0; at = t.file.Symbols[at].Parent {
				if lookup.Folded(step) == lookup.Folded(t.file.Symbols[at].Name) {
					return true
				}
			}
		}
		return false
	}
	own := func(t namedText) bool { return rd.Services().Root(t.file.Path) == rd.Services().Root(f.Path) }
	for _, t := range texts(f)[name] {
		if len(steps) == 1 || named(t) || selfNames[steps[0]] && f.Type(t.fact.Owner) == f.Type(owner) {
			out = append(out, t)
		}
	}
	for _, holder := range rd.holders(f, name) {
		for _, t := range texts(holder)[name] {
			if imported(t) || own(t) && named(t) && len(steps) > 1 {
				out = append(out, t)
			}
		}
	}
	if property, ok := strings.CutPrefix(name, "get"); ok && len(out) == 0 && len(steps) > 1 && len(property) > 1 {
		last := code.Decapitalized(property)
		return rd.textsOf(f, owner, append(slices.Clone(steps[:len(steps)-1]), last)) // a getter that is not declared
	}
	return unique(out)
}

// targetsOf returns the functions to which calls of a qualified name, such as urls.order, in a symbol of f resolve.
// known reports whether these are all possible targets.
func (rd *reader) targetsOf(f *resolve.File, owner int, steps []string) (out []resolve.Ref, known bool) {
	name, holder := steps[len(steps)-1], ""
	if len(steps) > 1 {
		holder = steps[len(steps)-2]
	}
	for _, i := range f.CallsOf(name) {
		c := &f.Calls()[i]
		if f.Callable(c.Caller) != f.Callable(owner) ||
			services.LastWord(strings.TrimSuffix(c.Receiver, "()")) != holder {
			continue
		}
		s, ok, err := rd.Resolver.At(resolve.SiteRef{File: &store.FileRef{ID: f.ID, Path: f.Path, Language: f.Language,
			Class: f.Class, Hash: f.Hash}, Call: i})
		switch {
		case err != nil || !ok || slices.Contains(out, s.Target): // World.Err reports the error
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

// selfNames are the names that languages use for the receiver of a method and for its base.
var selfNames = map[string]bool{"this": true, "self": true, "super": true, "base": true, "parent": true}

// calledShown formats the text of a hole that is a call for display: urls.order(id) for call:urls.order(%7Bid%7D). It
// returns any other text unchanged.
func calledShown(hole string) string {
	name, args, ok := services.Called(hole)
	if !ok {
		return hole
	}
	for i, a := range args {
		args[i] = strings.NewReplacer("{", "", "}", "").Replace(unnumbered(a))
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// isUnknownCall reports whether a URL consists of a call of an unknown function: "{url()}".
func isUnknownCall(text string) bool {
	return strings.HasPrefix(text, "{") && strings.HasSuffix(text, "()}") && strings.IndexByte(text, '}') == len(text)-1
}
