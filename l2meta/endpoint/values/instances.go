package values

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A client is constructed in one file with the address of a service, and used in others: export
// const api = axios.create({baseURL}). A call of an imported name is a request if the import leads
// to such a client. A function of the program may construct it: export const api = createClient(url).

// instances returns the base addresses of the HTTP clients to which a name in f is bound: by an
// import or, if there is none, in the file itself.
func (rd *Reader) instances(f *resolve.File, name string) (out []NamedText) {
	origins := rd.Origins(f, name)
	if len(origins) == 0 && !Brings(f, name) {
		origins = []lookup.Origin{{File: f, Name: name}}
	}
	for _, o := range origins {
		all := Texts(o.File)[services.InstanceBase]
		some := slices.DeleteFunc(slices.Clone(all), func(t NamedText) bool {
			return !belongs(t.file, t.Fact.Owner, o.Name)
		})
		if len(some) == 0 {
			some = rd.madeByFactory(o)
		}
		if len(some) == 0 && len(all) == 1 && o.File != f {
			some = all
		}
		out = append(out, some...)
	}
	return unique(out)
}

type setBaseKey struct{ root, name string }

// setBase returns the addresses that the sources of the service of f set under a name, at most three different ones.
func (rd *Reader) setBase(f *resolve.File, name string) []NamedText {
	root := rd.Services().Root(f.Path)
	return resolve.Derive(rd.World, setBaseKey{root, name}, func() (all []NamedText) {
		for _, id := range rd.World.Telling(l2meta.RoleText, name) {
			if from := rd.World.ByID(id); from != nil && from.Class == code.ClassSource &&
				rd.Services().Root(from.Path) == root {
				all = append(all, Texts(from)[name]...)
			}
		}
		return unique(all)
	})
}

// below returns the URLs (readings) that a path has below an address that a service sets; how says so.
func (rd *Reader) below(base NamedText, path, how string) []Reading {
	out := rd.expand(base.file, base.Fact.Owner, join(base.Value, path), 0)
	for i := range out {
		out[i].How = append([]string{how}, out[i].How...)
		out[i].Rests = append([]string{base.file.Path}, out[i].Rests...)
	}
	return out
}

// BelowInstance returns the URLs (readings) that a path has for the only client that the service of f constructs with
// a base address, /api/orders for /orders after axios.create({baseURL: '/api'}) anywhere in the service. It returns
// nil if there is no such client, or if there are several with different addresses.
func (rd *Reader) BelowInstance(f *resolve.File, path string) []Reading {
	list := slices.DeleteFunc(slices.Clone(rd.setBase(f, services.InstanceBase)),
		func(t NamedText) bool { return t.Value == "/" })
	if rd.Services().Root(f.Path) == "" || len(list) != 1 || !strings.HasPrefix(list[0].Value, "/") {
		return nil
	}
	only := list[0]
	return rd.below(only, path, fmt.Sprintf("the only client of the service has the base %s at %s:%d", only.Value,
		only.file.Path, only.Fact.Span.StartLine))
}

// BelowDefault returns the URLs (readings) that a path has for a library for which the service of f sets one base
// address: /api/orders for /orders after axios.defaults.baseURL = '/api'. It returns nil if the service sets none, or
// several.
func (rd *Reader) BelowDefault(f *resolve.File, library, path string) []Reading {
	list := rd.setBase(f, library+services.DefaultBase)
	if len(list) != 1 {
		return nil
	}
	only := list[0]
	if other, is := strings.CutPrefix(only.Value, services.ByDefault); is && other != library {
		return rd.BelowDefault(f, other, path)
	}
	return rd.below(only, path, fmt.Sprintf("%s requests below %s, as %s:%d sets", library, Shown(only.Value),
		only.file.Path, only.Fact.Span.StartLine))
}

// madeByFactory returns the base addresses of the client that a name is bound to by a call such as createClient(url).
// The arguments of the call replace the parameters of the function that constructs the client.
func (rd *Reader) madeByFactory(o lookup.Origin) (out []NamedText) {
	if o.Name == "" {
		return nil
	}
	for _, fact := range lookup.Endpoints(o.File, l2meta.RolePass) {
		if !belongs(o.File, fact.Owner, o.Name) {
			continue
		}
		args := strings.Split(fact.Type, "\t")
		for _, t := range rd.factory(o.File, args[0]) {
			value := passedBy(t, args[1:])
			if !strings.HasPrefix(value, "{") || strings.HasPrefix(value, "{env:") {
				out = append(out, NamedText{o.File, fact, value})
			}
		}
	}
	return out
}

// factory returns the base addresses of the clients that the function called name in f, or imported by f, constructs.
func (rd *Reader) factory(f *resolve.File, name string) (out []NamedText) {
	for _, o := range append(rd.Origins(f, name), lookup.Origin{File: f, Name: name}) {
		for _, t := range Texts(o.File)[services.InstanceBase] {
			if belongs(t.file, t.Fact.Owner, o.Name) {
				out = append(out, t)
			}
		}
	}
	return out
}

// passedBy returns t, the text that a function composes from its parameters, with the arguments of a call in their
// place.
func passedBy(t NamedText, args []string) string {
	var parameters []code.Parameter
	if owner := t.file.Callable(t.Fact.Owner); owner >= 0 {
		parameters = t.file.Symbols[owner].Parameters
	}
	return parameterHole.ReplaceAllStringFunc(t.Value, func(hole string) string {
		number, name, _ := strings.Cut(strings.Trim(hole, "{#}"), ":")
		return Argument(args, parameters, number, name)
	})
}

// belongs reports whether a symbol of a file, or one that encloses it, has that name.
func belongs(f *resolve.File, at int, name string) bool {
	for ; at >= 0 && name != ""; at = f.Symbols[at].Parent {
		if f.Symbols[at].Name == name {
			return true
		}
	}
	return false
}

// OfInstance interprets the URL of a request through a client that another file may construct.
// The hole "{?store.instanceBase}" means that the call is a request only if such a client exists;
// if the hole has not been replaced by the client's address, ok is false. "{!api.instanceBase}/x"
// is a request to an unknown address.
func OfInstance(text string) (read string, ok bool) {
	rest, sure := strings.CutPrefix(text, "{!")
	if !sure {
		return text, !strings.HasPrefix(text, "{?")
	}
	name, path, _ := strings.Cut(rest, "."+services.InstanceBase+"}")
	return "{" + name + "}" + path, true
}
