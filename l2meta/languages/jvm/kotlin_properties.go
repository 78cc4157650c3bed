package jvm

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// topValue returns the value of the property called name that the package declares at top level or
// that the file imports. It returns false if there is none.
func (j kotlinEvaluator) topValue(p place, name string) (jvmValue, bool) {
	var named, all []resolve.Ref
	for _, i := range p.file.Imports {
		local := i.Alias
		if local == "" {
			local = i.Name
		}
		if i.Name == "*" {
			all = append(all, j.properties(p.file, i.Module, name)...)
		} else if local == name {
			named = append(named, j.properties(p.file, i.Module, i.Name)...)
		}
	}
	if len(named) == 0 && j.importsOutside(p, name) {
		return jvmValue{}, false
	}
	for _, level := range [][]resolve.Ref{named, j.properties(p.file, jvmPackage(p.file, p.at), name), all} {
		if r, ok := j.types.nearest(p.file, level); ok {
			return j.values.field(candidate{ref: r}), true
		}
	}
	return jvmValue{}, false
}

// properties returns the properties called name that a package declares at top level, or that the
// object with the full name pkg declares. Extension properties are left out.
func (j kotlinEvaluator) properties(from *resolve.File, pkg, name string) (out []resolve.Ref) {
	for _, r := range visible(from, j.types.top(pkg, name)) {
		if k := r.Symbol().Kind; (k == code.KindVariable || k == code.KindConstant || k == code.KindProperty) &&
			kotlinReceiver(r) == nil {
			out = append(out, r)
		}
	}
	if r, ok := j.types.qualified(from, strings.Split(pkg, ".")); ok {
		for _, t := range append([]resolve.Ref{r}, companions(r)...) {
			for _, m := range j.members.named(t, name).fields {
				out = append(out, m.ref)
			}
		}
	}
	return out
}
