package hosts

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// Of returns the values of a setting for the service at a root, and those for all services. A variable with
// the prefix that the service gives to its variables comes first, a default of the program last.
func (h *Settings) Of(key, root string) (own, shared []Value) {
	for _, prefix := range h.prefixes[root] {
		if own, shared = valuesFor(h.values[lookup.Folded(prefix+key)], root); len(own)+len(shared) > 0 {
			return own, shared
		}
	}
	if own, shared = valuesFor(h.values[lookup.Folded(key)], root); len(own)+len(shared) > 0 {
		return own, shared
	}
	own, _ = valuesFor(h.defaults[lookup.Folded(key)], root)
	return own, nil
}

// valuesFor returns the values of list that apply to the service at a root, and those that apply to all.
func valuesFor(list []Value, root string) (own, shared []Value) {
	for _, v := range list {
		switch v.scope {
		case "":
			shared = append(shared, v)
		case root:
			own = append(own, v)
		}
	}
	return own, shared
}

// describe adds what a program says about its own settings: "default KEY VALUE", or "prefix PREFIX" of its
// environment variables. root is that of its service.
func (h *Settings) describe(f *resolve.File, fact *code.Fact, root string) {
	part := append(strings.Fields(fact.Type), "", "", "")
	switch {
	case root == "" || f.Class == code.ClassTest:
	case part[0] == "default":
		v := Value{Text: part[2], File: f.Path, Line: fact.Span.StartLine, scope: root}
		h.defaults[lookup.Folded(part[1])] = append(h.defaults[lookup.Folded(part[1])], v)
	case part[0] == "prefix" && !slices.Contains(h.prefixes[root], part[1]):
		h.prefixes[root] = append(h.prefixes[root], part[1])
	}
}
