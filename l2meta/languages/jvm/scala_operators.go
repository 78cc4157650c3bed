package jvm

import (
	"sextant/internal/code"
	"sextant/l2meta/languages/jvm/scala"
	"sextant/l2meta/resolve"
)

// scalaEquality lists operators that every value has. A class can declare such an operator only
// with other parameter types.
var scalaEquality = resolve.Words("== != eq ne ##")

// ofLanguage reports whether c is an operator that the language defines: equality, if the workspace
// declares no function of that name, and the operators of numbers, strings and Booleans on operands
// of such types. For these operands, Scala tries no implicit conversion.
func (j scalaSettler) ofLanguage(p place, c *code.Call) bool {
	call := scalaCallAt(p.file, c.NameSpan.StartByte)
	if call == nil || call.receiver == nil || c.Kind != code.CallPlain {
		return false
	}
	if scalaEquality[c.Callee] {
		return !j.declares(c.Callee, false)
	}
	name := scalaAssigned(c.Callee)
	if !scalaBuiltin[name] {
		return false
	}
	x := j.terms.eval(p, call.receiver).asValue()
	if x.kind != resolve.Instance || x.typ.kind != jvmForeign {
		return false
	}
	other := j.scalaLibrary.passed(p, call, 0, 0).typ
	switch {
	case x.typ.name == "String":
		return name == "+"
	case x.typ.name == "Boolean":
		return scalaOfTruth[name] && other.kind != declared
	case scalaNumbers[x.typ.name] == 0:
		return false
	}
	return name != "&&" && name != "||" && other.kind == jvmForeign &&
		(scalaNumbers[other.name] > 0 || name == "+" && other.name == "String")
}

// selected resolves x.name for a call of that name. For a += b it returns a's method +, if a has no
// method +=.
func (j scalaSettler) selected(p place, x jvmValue, name string) scalaFound {
	found := j.names.member(p, x, name)
	if other := scalaAssigned(name); other != name && len(found.methods) == 0 && found.value.kind == resolve.Unknown {
		return j.names.member(p, x, other)
	}
	return found
}

// scalaAssigned returns the operator in an assignment operator, "+" for "+=", and returns any other
// name unchanged.
func scalaAssigned(name string) string {
	if scala.Assigns(name) {
		return name[:len(name)-1]
	}
	return name
}

// scalaBuiltin lists the operators of numbers and strings, scalaOfTruth those of Booleans.
var (
	scalaBuiltin = resolve.Words("+ - * / % < > <= >= & | ^ << >> >>> && ||")
	scalaOfTruth = resolve.Words("&& || & | ^")
)
