package hosts

import (
	"maps"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// given yields the settings that manifests define for the service at root, each with its folded name.
func (h *Settings) given(root string) func(func(string, Value) bool) {
	return func(yield func(string, Value) bool) {
		for _, key := range slices.Sorted(maps.Keys(h.values)) {
			for _, v := range h.values[key] {
				if v.scope == root && !yield(key, v) {
					return
				}
			}
		}
	}
}

// Settings holds the settings that manifests define.
type Settings struct {
	values    map[string][]Value  // by folded name
	arguments map[string][]Value  // addresses that programs are given, by the root of their service
	defaults  map[string][]Value  // of settings that nothing else sets, by folded name
	prefixes  map[string][]string // of environment variables, by the root of the service that reads them
}

// Value is the value of a setting in a manifest.
type Value struct {
	Text, File string
	Line       int
	scope      string // root of the service that the value applies to, "" for all
}

type settingsKey struct{}

// Settings returns the settings that manifests define; none once the context has ended.
func (nw *Network) Settings() *Settings {
	h := resolve.Derive(nw.World, settingsKey{}, func() *Settings {
		h := &Settings{map[string][]Value{}, map[string][]Value{}, map[string][]Value{}, map[string][]string{}}
		for _, f := range nw.Files(l2meta.RoleHost) {
			for _, fact := range lookup.Endpoints(f, l2meta.RoleHost) {
				if key, v, ok := nw.valueOf(f, fact); ok {
					h.values[lookup.Folded(key)] = append(h.values[lookup.Folded(key)], v)
				} else if root, v, ok := nw.givenTo(f, fact); ok {
					h.arguments[root] = append(h.arguments[root], v)
				} else {
					h.describe(f, fact, nw.Services().Root(f.Path))
				}
			}
		}
		return h
	})
	if h == nil {
		return &Settings{}
	}
	return h
}

// valueOf returns the setting that a fact defines, "env NAME value" or "key KEY value", and its value; ok is false if
// it defines none.
func (nw *Network) valueOf(f *resolve.File, fact *code.Fact) (key string, v Value, ok bool) {
	part := append(strings.Fields(fact.Type), "", "", "")
	v = Value{Text: part[2], File: f.Path, Line: fact.Span.StartLine}
	switch part[0] {
	case "env":
		if roots, _ := nw.RootsOf(part[3]); len(roots) == 1 {
			v.scope = roots[0]
		}
	case "key":
		v.scope = nw.settingsScope(f.Path)
	default:
		return "", v, false
	}
	return part[1], v, true
}

// givenTo returns the root of the service that gets an address as an argument, and the address.
// The fact is "arg ADDRESS DEPLOYMENT", without the deployment in a file of the service itself.
func (nw *Network) givenTo(f *resolve.File, fact *code.Fact) (root string, v Value, ok bool) {
	part := append(strings.Fields(fact.Type), "", "")
	if part[0] != "arg" {
		return "", v, false
	}
	v = Value{Text: part[1], File: f.Path, Line: fact.Span.StartLine}
	if part[2] == "" {
		root = nw.Services().Root(f.Path)
		return root, v, root != ""
	}
	roots, _ := nw.RootsOf(part[2])
	if len(roots) != 1 {
		return "", v, false
	}
	return roots[0], v, true
}

// settingsScope returns the root of the service that a settings file belongs to. It is the
// service with the name of the file, as in the repository of a configuration server, or else the
// one that contains the file.
func (nw *Network) settingsScope(file string) string {
	if path.Ext(file) == ".php" { // Laravel names such a file after its topic: config/services.php
		return nw.Services().Root(file)
	}
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	name, _, _ = strings.Cut(name, ".")
	for _, start := range []string{"application", "bootstrap", "appsettings"} {
		if strings.HasPrefix(name, start) {
			name = strings.TrimPrefix(strings.TrimPrefix(name, start), "-")
		}
	}
	if root, ok := nw.Services().Called(name); ok && name != "" {
		return root
	}
	return nw.Services().Root(file)
}

// Address converts the value of a variable into a URL: "cart:8080" becomes "http://cart:8080".
func Address(v string) string {
	if strings.Contains(v, "://") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "{") {
		return v
	}
	return "http://" + v
}

// ownNames lists the ends of names of settings in which a service states the name that its
// gateway uses: api.name of cart.
var ownNames = []string{"apiname", "servicename", "appname", "applicationname"}

type settingNamesKey struct{}

// NamedBySetting returns the services that give themselves a name in a setting such as api.name, and the files that
// define it.
func (nw *Network) NamedBySetting(name string) (roots, rests []string) {
	by := resolve.Derive(nw.World, settingNamesKey{}, func() map[string][]Value {
		by := map[string][]Value{}
		for key, values := range nw.Settings().values {
			if slices.ContainsFunc(ownNames, func(end string) bool { return strings.HasSuffix(key, end) }) {
				for _, v := range values {
					by[v.Text] = append(by[v.Text], v)
				}
			}
		}
		return by
	})
	for _, v := range by[name] {
		if v.scope != "" && !slices.Contains(roots, v.scope) {
			roots, rests = append(roots, v.scope), append(rests, v.File)
		}
	}
	slices.Sort(roots)
	return roots, rests
}
