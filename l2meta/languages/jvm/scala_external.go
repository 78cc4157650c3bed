package jvm

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// proven returns the verdict v. If v says without proof that the call leaves the workspace, it
// returns an unresolved verdict instead, because implicit conversions and results of a library
// may lead back to the workspace unseen. So if the workspace declares the callee's name, the call
// is external only if an import names it, collections or strings have it, its receiver certainly
// belongs to a library, or it constructs a type that the tables of libraries list.
func (j scalaSettler) proven(p place, c *code.Call, v resolve.Verdict) resolve.Verdict {
	if v.Outcome != resolve.External || objectMethods[c.Callee] ||
		!j.declares(c.Callee, c.Kind == code.CallNew || c.Kind == code.CallSuper) {
		return v
	}
	if c.Receiver != "" && scalaIsCommon(c.Callee) {
		return v
	}
	if call := scalaCallAt(p.file, c.NameSpan.StartByte); call != nil && call.receiver != nil &&
		j.isLibrarys(c, j.terms.eval(p, call.receiver)) {
		return v
	}
	if c.Kind == code.CallNew && tabled(j.types.read(annotated(p).typ(path(c.Receiver, c.Callee)))) != nil {
		return v
	}
	if slices.ContainsFunc(p.file.Imports, func(i code.Import) bool {
		return i.Name == c.Callee || i.Alias == c.Callee
	}) {
		return v
	}
	return resolve.Unresolved("the workspace declares a " + c.Callee + ", too")
}

// isLibrarys reports whether the receiver x of call c certainly belongs to a library: the tables list the
// called member for x, or x is a library object that c names directly, or x has a library type without
// workspace types among its type arguments.
func (j scalaSettler) isLibrarys(c *code.Call, x jvmValue) bool {
	switch {
	case x.kind == resolve.Instance && scalaHas(x, c.Callee):
		return true
	case x.kind == resolve.Module:
		return scalaPackageHas(x.pkg, c.Callee)
	case x.kind == resolve.Class || x.kind == resolve.Foreign:
		return !strings.ContainsAny(c.Receiver, "([{ ")
	case x.kind != resolve.Instance || x.typ.kind != jvmForeign || strings.HasPrefix(x.typ.name, "Function") ||
		strings.HasPrefix(x.typ.name, "Tuple"):
		return false
	}
	return facts.Boxes[x.typ.name] == "" && x.typ.name != "Boolean" && !j.values.typesCarry(x.typ.args)
}

// scalaIsCommon reports whether collections or strings have a method of that name.
func scalaIsCommon(name string) bool {
	for _, have := range []map[string]bool{scalaKeeps, scalaFirsts, scalaOptional, scalaBoolean, scalaInt, scalaString,
		scalaUnit, scalaTakes, scalaStringResults} {
		if have[name] {
			return true
		}
	}
	return false
}

type scalaDeclaresKey struct {
	name string
	typ  bool
}

// declares reports whether a Scala or Java file of the workspace declares something called name: a type
// if typ is set, otherwise anything but a type.
func (j scalaSettler) declares(name string, typ bool) bool {
	return resolve.Derive(j.w, scalaDeclaresKey{name, typ}, func() bool {
		rows, all := j.w.Named(name)
		return !all || slices.ContainsFunc(rows, func(row l2meta.Declaration) bool {
			return (row.Language == "scala" || row.Language == "java") && resolve.IsType(row.Kind) == typ &&
				row.Kind != code.KindTest
		})
	})
}
