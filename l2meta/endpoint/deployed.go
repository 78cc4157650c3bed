package endpoint

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

// place adds the directories of a service to l.roots.
func (l *serviceList) place(s Service) {
	for _, dir := range append([]string{s.Root}, s.Also...) {
		if dir != "" {
			l.roots[dir] = s.Root
		}
	}
}

// spellings returns the names of a service, including the name of its directory.
func (s *Service) spellings() []string {
	out := append([]string{s.Name}, s.Names...)
	if s.Root != "" {
		out = append(out, path.Base(s.Root))
	}
	return out
}

// deployed removes the roots of libraries and tests from a list of service roots, unless nothing else is in it.
func (l *serviceList) deployed(roots []string) []string {
	beside := func(root string) bool {
		return slices.ContainsFunc(l.all, func(s Service) bool { return s.Root == root && s.Beside })
	}
	if len(roots) < 2 || !slices.ContainsFunc(roots, func(r string) bool { return !beside(r) }) {
		return roots
	}
	return slices.DeleteFunc(roots, beside)
}

// local returns the root of the only service that listens on a port of the developer's machine; ok
// is false if no service does, or several.
func (l *serviceList) local(port string) (root string, ok bool) {
	if port == "" {
		return "", false
	}
	for _, s := range l.all {
		if !slices.Contains(s.Names, "localhost:"+port) {
			continue
		}
		if ok {
			return "", false
		}
		root, ok = s.Root, true
	}
	return root, ok && root != ""
}

// played returns the service to which a load generator sends requests: the service that an address
// in its deployment names, as HOST: http://web:8080 does. ok is false if x is not of a load
// generator, or if its addresses name no service or several.
func (nw *network) played(x *fetch) (h host, ok bool) {
	root := nw.services().root(x.file.Path)
	if !slices.ContainsFunc(nw.services().all, func(s Service) bool { return s.Root == root && s.Plays }) {
		return h, false
	}
	for key, v := range nw.hosts().given(root) {
		roots, rests := nw.rootsOf(first(targetOf(address(v.value)).host))
		if len(roots) != 1 || roots[0] == root {
			continue
		}
		if ok && roots[0] != h.roots[0] {
			return host{}, false
		}
		if !ok || v.file < h.rests[0] {
			h = host{roots: roots, rests: append([]string{v.file}, rests...),
				how: fmt.Sprintf("%s is %s in %s:%d, that deploys it", key, v.value, v.file, v.line)}
		}
		ok = true
	}
	return h, ok
}

// given yields the settings that manifests define for the service at root, each with its folded name.
func (h *hosts) given(root string) func(func(string, variableValue) bool) {
	return func(yield func(string, variableValue) bool) {
		for _, key := range slices.Sorted(maps.Keys(h.values)) {
			for _, v := range h.values[key] {
				if v.scope == root && !yield(key, v) {
					return
				}
			}
		}
	}
}
