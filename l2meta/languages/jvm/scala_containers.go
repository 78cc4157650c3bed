package jvm

import "sextant/l2meta/resolve"

// containerResult evaluates a call of the member called name of x, a library container: for orders.head
// an Order, for orders.filter(f) a List[Order].
func (j scalaLibraryReader) containerResult(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	kind, element := scalaKind(x.typ.name), j.element(p, x)
	switch {
	case kind == "map":
		if v, ok := j.mapResult(p, x, name); ok {
			return v
		}
	case kind == "option" && name == "fold":
		return j.either(j.passed(p, c, 0, 0), j.handed(p, c, 1, 0))
	case kind == "either" && name == "fold":
		return j.either(j.handed(p, c, 0, 0), j.handed(p, c, 0, 1))
	case kind == "seq" && (name == "apply" || name == "lift"):
		return element
	}
	switch {
	case name == "getOrElse":
		return j.either(element, j.passed(p, c, 0, 0))
	case scalaFirsts[name]:
		return element
	case scalaOptional[name]:
		return scalaOf("Option", element.typ).via(x.how)
	case scalaToOthers[name] != "" && kind != "either":
		return scalaOf(scalaToOthers[name], element.typ).via(x.how)
	case name == "toMap":
		if element.typ.name == "Tuple" {
			return of(library("scala", "Map", element.typ.args...)).via(x.how)
		}
	case scalaKeeps[name]:
		return j.kept(p, x, name, c)
	}
	return j.mapped(p, x, element, name, c)
}

// kept evaluates a member that keeps the elements of container x, such as filter or ++. If x is empty,
// the call determines the type of the elements: order :: Nil is a List[Order].
func (j scalaLibraryReader) kept(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	if element := j.element(p, x); element.kind == resolve.Unknown || element.typ.name == "Nothing" ||
		x.typ.name == "Nil" {
		switch added := j.passed(p, c, 0, 0); name {
		case "::", "+:", ":+":
			return scalaOf("List", added.typ).via(added.how)
		case "++", ":::", "orElse", "++:":
			return added
		}
	}
	switch x.typ.name {
	case "Some", "Range":
		return of(library("scala", map[string]string{"Some": "Option", "Range": "IndexedSeq"}[x.typ.name],
			scalaTypeOf(j.element(p, x).typ))).via(x.how)
	}
	return x
}

func (j scalaLibraryReader) mapResult(p place, x jvmValue, name string) (jvmValue, bool) {
	if len(x.typ.args) != 2 {
		return jvmValue{}, false
	}
	key, value := x.typ.args[0], x.typ.args[1]
	switch name {
	case "apply", "getOrElse", "getOrElseUpdate", "default":
		return of(j.types.read(value)).via(resolve.TypedElement), true
	case "get", "put", "remove":
		return of(library("scala", "Option", value)).via(x.how), true
	case "keys", "keySet", "keysIterator":
		return of(library("scala", "Set", key)).via(x.how), true
	case "values", "valuesIterator":
		return of(library("scala", "Iterable", value)).via(x.how), true
	case "+", "updated", "++", "-", "--", "withDefaultValue", "withDefault", "toMap":
		return x, true
	}
	return jvmValue{}, false
}

// mapped evaluates a member of container x that applies a function to the elements, such as map, or
// that groups or pairs them.
func (j scalaLibraryReader) mapped(p place, x, element jvmValue, name string, c *scalaCall) jvmValue {
	box := func(v jvmValue) jvmValue { return j.boxed(x, v) }
	switch name {
	case "map", "collect", "scanLeft", "mapConserve":
		return box(j.handed(p, c, 0, 0))
	case "flatMap":
		if scalaKind(x.typ.name) == "option" || scalaKind(x.typ.name) == "try" || scalaKind(x.typ.name) == "either" {
			return j.handed(p, c, 0, 0)
		}
		return box(j.element(p, j.handed(p, c, 0, 0)))
	case "flatten":
		return box(j.element(p, element))
	case "collectFirst":
		return scalaOf("Option", j.handed(p, c, 0, 0).typ)
	case "foldLeft", "foldRight", "/:":
		return j.passed(p, c, 0, 0)
	case "zip":
		return box(scalaOf("Tuple", element.typ, j.element(p, j.passed(p, c, 0, 0)).typ))
	case "zipWithIndex":
		return box(scalaOf("Tuple", element.typ, library("scala", "Int")))
	case "groupBy":
		return scalaOf("Map", j.handed(p, c, 0, 0).typ, x.typ)
	case "partition", "span", "splitAt":
		return scalaOf("Tuple", x.typ, x.typ)
	case "mapValues":
		if len(x.typ.args) == 2 {
			return of(library("scala", "Map", x.typ.args[0], scalaTypeOf(j.handed(p, c, 0, 0).typ)))
		}
	case "sliding", "grouped":
		return scalaOf("Iterator", x.typ)
	case "toRight", "toLeft":
		return scalaOf("Either", j.passed(p, c, 0, 0).typ, element.typ)
	}
	return jvmValue{}
}

// scalaWider returns the container type that members such as map return: Option for Some.
func scalaWider(name string) string {
	switch name {
	case "Some", "None":
		return "Option"
	case "Range":
		return "IndexedSeq"
	case "Nil", "::":
		return "List"
	case "Success", "Failure":
		return "Try"
	}
	return name
}
