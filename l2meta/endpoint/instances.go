package endpoint

import (
	"strings"

	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A client is made in one file, with the address of a service, and used in others:
// export const api = axios.create({baseURL}). A call of what a file imports is a
// request where the import leads to such a client.

// instances returns what the clients have before their paths that a name of a file
// is imported from.
func (j *Joiner) instances(f *resolve.File, name string) (out []namedText) {
	for _, o := range j.origins(f, name) {
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

// ofInstance reads the text of a request that the client of another file may make:
// "{?store.instanceBase}/x" is none where nothing made such a client, then ok is
// false; "{!api.instanceBase}/x" is one to a place that is not known.
func ofInstance(text string) (read string, ok bool) {
	rest, sure := strings.CutPrefix(text, "{!")
	if !sure {
		return text, !strings.HasPrefix(text, "{?")
	}
	name, path, _ := strings.Cut(rest, "."+services.InstanceBase+"}")
	return "{" + name + "}" + path, true
}
