package endpoint

import (
	"strings"

	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A client is constructed in one file with the address of a service, and used in others: export
// const api = axios.create({baseURL}). A call of an imported name is a request if the import leads
// to such a client.

// instances returns the base addresses of the clients that a name of f is imported from.
func (rd *reader) instances(f *resolve.File, name string) (out []namedText) {
	for _, o := range rd.origins(f, name) {
		var some []namedText
		all := texts(o.file)[services.InstanceBase]
		for _, t := range all {
			for at := t.fact.Owner; at >= 0 && o.name != ""; at = t.file.Symbols[at].Parent {
				if t.file.Symbols[at].Name == o.name {
					some = append(some, t)
					break
				}
			}
		}
		if len(some) == 0 && len(all) == 1 {
			some = all
		}
		out = append(out, some...)
	}
	return unique(out)
}

// ofInstance interprets the text of a request through a client that another file may construct. The
// hole "{?store.instanceBase}" means that it is a request only if such a client was found; if it is
// still there, ok is false. "{!api.instanceBase}/x" is a request to an unknown address.
func ofInstance(text string) (read string, ok bool) {
	rest, sure := strings.CutPrefix(text, "{!")
	if !sure {
		return text, !strings.HasPrefix(text, "{?")
	}
	name, path, _ := strings.Cut(rest, "."+services.InstanceBase+"}")
	return "{" + name + "}" + path, true
}
