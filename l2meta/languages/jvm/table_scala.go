package jvm

import "strings"

// scalaJava returns a type as Java's table has it, where Scala has an alias for it.
func scalaJava(t jvmType) jvmType {
	if t.module == "scala" && (t.name == "String" || t.name == "Class" || t.name == "Throwable" || t.name == "Error" || strings.HasSuffix(t.name, "Exception")) {
		t.module = "java.lang"
	}
	return t
}

// scalaOfJava returns a type that Java's table tells as Scala calls it.
func scalaOfJava(t jvmType) jvmType {
	if t.kind == jvmForeign && t.module == "java.lang" {
		switch {
		case t.name == "void":
			return library("scala", "Unit")
		case t.name == "String" || numbers[t.name] > 0 || t.name == "boolean":
			return library("scala", title(t.name))
		}
	}
	return t
}

// scalaTabled returns what Java's table says that member name of x gives, called with
// what c hands over; no value where it does not tell.
func (j *jvm) scalaTabled(x jvmValue, name string, c *scalaCall) jvmValue {
	args := 0
	if len(c.lists) > 0 {
		args = len(c.lists[0])
	}
	sig, ok := libraryMemberOf("scala", scalaJava(x.typ), name, args)
	if !ok || sig.result == "" {
		return jvmValue{}
	}
	return of(scalaOfJava(j.read(sig.typed(sig.result)))).via(x.how)
}

// outsideBases returns the types of libraries that a type of the workspace extends.
func (j *jvm) outsideBases(t jvmType) (out []jvmType) {
	for _, a := range j.ancestry(t.ref).types {
		for _, super := range supers(a.ref) {
			if super.Bind = a.bind; a.depth == 0 {
				super.Bind = j.bindOf(t)
			}
			if base := j.readIn(super, a.ref); base.kind == jvmForeign {
				out = append(out, base)
			}
		}
	}
	return out
}
