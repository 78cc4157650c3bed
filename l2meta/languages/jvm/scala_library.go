package jvm

import (
	"strings"

	"sextant/l2meta/resolve"
)

// scalaLibraryReader evaluates members of Scala's library.
type scalaLibraryReader struct{ *jvm }

// The lists below group members of the standard library by their results, so that
// list.filter(…).head still has the element type of list. The source code of the library is not
// read.

var scalaKinds = func() map[string]string {
	out := map[string]string{}
	for kind, names := range map[string]string{
		"seq": `Seq List Vector IndexedSeq Array Buffer ListBuffer ArrayBuffer Stream LazyList Queue Stack LinearSeq Range ArraySeq Traversable TraversableOnce
			Iterable IterableOnce Iterator View ArrayDeque ArrayStack Builder Nil ::`,
		"set":    "Set HashSet LinkedHashSet SortedSet TreeSet BitSet ListSet",
		"map":    "Map HashMap LinkedHashMap SortedMap TreeMap ListMap TrieMap ConcurrentMap WeakHashMap AnyRefMap",
		"option": "Option Some None",
		"try":    "Try Success Failure Future",
		"either": "Either Left Right",
	} {
		for name := range resolve.Words(names) {
			out[name] = kind
		}
	}
	return out
}()

// scalaKind returns the kind of container, such as "seq" or "map", to which a library type
// belongs; "" if it is no container.
func scalaKind(name string) string { return scalaKinds[name] }

// Names of members of containers and strings, grouped by their results: scalaKeeps returns the same
// container type, scalaFirsts an element, scalaOptional an element in an Option.
var (
	scalaKeeps = resolve.Words(
		`filter filterNot take drop takeWhile dropWhile takeRight dropRight tail init reverse sorted sortBy sortWith distinct slice withFilter diff intersect
		orElse clone padTo ++ ++: ::: :: +: :+ union concat appended prepended result tapEach filterKeys updated - -- & | &~ distinctBy iterator view toIterable toTraversable
		recover recoverWith force par seq dequeue patch`)
	scalaFirsts = resolve.Words(
		"head last next min max minBy maxBy reduce reduceLeft reduceRight get getOrElse fold applyOrElse dequeue pop")
	scalaOptional = resolve.Words(
		"headOption lastOption find maxByOption minByOption maxOption minOption reduceOption reduceLeftOption")
	scalaBoolean = resolve.Words("isEmpty nonEmpty isDefined contains exists forall equals sameElements startsWith " +
		"endsWith hasNext isLeft isRight isSuccess isFailure isDefinedAt containsSlice isCompleted subsetOf")
	scalaInt = resolve.Words(
		"size length count indexOf indexWhere hashCode lastIndexOf compareTo compare toInt lastIndexWhere")
	scalaString   = resolve.Words("mkString toString")
	scalaUnit     = resolve.Words("foreach foreachEntry onComplete copyToArray clear foreachWithIndex")
	scalaToOthers = map[string]string{
		"toList": "List", "toSeq": "Seq", "toIndexedSeq": "IndexedSeq", "toVector": "Vector", "toSet": "Set",
		"toArray": "Array", "toStream": "Stream", "toBuffer": "Buffer",
		"toIterator": "Iterator", "iterator": "Iterator", "toOption": "Option", "indices": "Range", "asScala": "Seq",
	}
	// scalaTakes lists members that pass each element to a function.
	scalaTakes = resolve.Words(
		`map flatMap foreach filter filterNot withFilter exists forall find collect collectFirst count partition takeWhile dropWhile span groupBy sortBy maxBy minBy
		indexWhere mapConserve tapEach distinctBy toMap flatten maxByOption minByOption lastIndexWhere prefixLength partitionMap groupMap andThen onSuccess keyBy flatTap`)
	scalaStringResults = resolve.Words(
		`toString trim substring concat replace toLowerCase toUpperCase strip repeat intern replaceAll format mkString stripMargin stripPrefix stripSuffix
		capitalize take drop takeRight dropRight takeWhile dropWhile reverse filter filterNot tail init padTo name + * replaceFirst slice formatted simpleName getName getSimpleName`)
)

func scalaOf(name string, args ...jvmType) jvmValue {
	out := library("scala", name)
	for _, a := range args {
		out.args = append(out.args, scalaTypeOf(a))
	}
	return of(out)
}

// element returns an element of x, as a loop over x visits it.
func (j scalaLibraryReader) element(p place, x jvmValue) jvmValue {
	switch {
	case x.kind != resolve.Instance:
		return jvmValue{}
	case x.typ.kind == array:
		return of(j.types.read(x.typ.args[0])).via(resolve.TypedElement)
	case x.typ.kind == jvmForeign && scalaKind(x.typ.name) == "map" && len(x.typ.args) == 2:
		return of(library("scala", "Tuple", x.typ.args...)).via(x.how)
	case x.typ.kind == jvmForeign && scalaKind(x.typ.name) == "either" && len(x.typ.args) == 2:
		return of(j.types.read(x.typ.args[1])).via(resolve.TypedElement)
	case x.typ.kind == jvmForeign && x.typ.name == "Range":
		return scalaOf("Int")
	case x.typ.kind == jvmForeign && x.typ.name == "String":
		return scalaOf("Char")
	case x.typ.kind == jvmForeign && scalaKind(x.typ.name) != "" && len(x.typ.args) == 1:
		return of(j.types.read(x.typ.args[0])).via(x.how).via(resolve.TypedElement)
	case scalaKind(x.typ.name) == "" && scalaTableType(x.typ) != nil:
		if args := as(x.typ, "GenTraversableOnce"); len(args) == 1 {
			return of(j.types.read(args[0])).via(x.how).via(resolve.TypedElement)
		}
	case x.typ.kind == declared:
		if base, ok := j.values.containerOf(x); ok {
			return j.element(p, base)
		}
		for _, name := range []string{"foreach", "map", "flatMap", "get"} {
			m := j.members.choose(p.file, j.members.named(x.typ.ref, name).methods, -1)
			if len(m) != 1 {
				continue
			}
			o := m[0]
			o.bind = j.names.bind(o, x)
			if lists := scalaExplicit(o.ref); name != "get" && len(lists) > 0 && len(lists[0].params) == 1 {
				return j.scalaOverloads.parameter(j.types.read(resolve.Type{Text: lists[0].params[0].Type,
					File: o.ref.File, Scope: o.ref.Index, Bind: o.bind}), "0").via(resolve.TypedElement)
			} else if name == "get" {
				return j.scalaOverloads.gives(p, o, x, &scalaCall{})
			}
		}
	}
	return jvmValue{}
}

// handed evaluates a call of the function that call c passes as an argument: for list.map(f) the
// result of f. The function is argument a of c's argument list number list. It returns no value
// for any other argument.
func (j scalaLibraryReader) handed(p place, c *scalaCall, list, a int) jvmValue {
	if list >= len(c.lists) || a >= len(c.lists[list]) {
		return jvmValue{}
	}
	_, value := scalaArgument(c.lists[list][a])
	v := j.terms.eval(p, value).asValue()
	if v.typ.kind == jvmFunc {
		return of(j.types.read(v.typ.args[len(v.typ.args)-1])).via(resolve.TypedResult)
	}
	return jvmValue{}
}

func (j scalaLibraryReader) passed(p place, c *scalaCall, list, a int) jvmValue {
	if list >= len(c.lists) || a >= len(c.lists[list]) {
		return jvmValue{}
	}
	_, value := scalaArgument(c.lists[list][a])
	return j.terms.eval(p, value).asValue()
}

// result evaluates a call of the member called name of x, a value of a library type: a String for
// n.toString.
func (j scalaLibraryReader) result(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	if x.typ.kind == array {
		x = of(library("scala", "Array", x.typ.args[0])).via(x.how)
	}
	if x.typ.kind == jvmFunc {
		switch name {
		case "apply":
			return of(j.types.read(x.typ.args[len(x.typ.args)-1])).via(resolve.TypedResult)
		case "lift":
			return of(jvmType{kind: jvmFunc,
				args: []resolve.Type{x.typ.args[0],
					scalaTypeOf(library("scala", "Option", x.typ.args[len(x.typ.args)-1]))}})
		}
		return jvmValue{}
	}
	switch {
	case name == "asInstanceOf" && len(c.types) == 1:
		return of(j.types.read(p.typ(c.types[0]))).via(resolve.TypedWritten)
	case x.typ.name == "Tuple" && strings.HasPrefix(name, "_") && len(name) == 2 &&
		int(name[1]-'1') < len(x.typ.args) && name[1] > '0':
		return of(j.types.read(x.typ.args[name[1]-'1'])).via(x.how)
	case x.typ.name == "String" && scalaStringResults[name], name == "toString", name == "getName":
		return scalaOf("String")
	case scalaBoolean[name]:
		return scalaOf("Boolean")
	case scalaInt[name]:
		return scalaOf("Int")
	case scalaNumbers[x.typ.name] > 0 || x.typ.name == "String":
		return j.plainResult(p, x, name, c)
	case scalaKind(x.typ.name) == "" || strings.HasPrefix(x.typ.module, "java."):
		return j.ofTables(p, x, name, c)
	case scalaString[name]:
		return scalaOf("String")
	case scalaUnit[name]:
		return scalaOf("Unit")
	}
	if v := j.containerResult(p, x, name, c); v.kind != resolve.Unknown {
		return v
	}
	return j.ofTables(p, x, name, c)
}

// plainResult evaluates a call of member name on x, a number or a string: n.toString, s.split(",").
func (j scalaLibraryReader) plainResult(p place, x jvmValue, name string, c *scalaCall) jvmValue {
	switch name {
	case "to", "until":
		return scalaOf("Range")
	case "toInt", "charAt", "toLong", "toDouble", "toChar", "toByte", "toShort", "toFloat":
		if name == "charAt" {
			return scalaOf("Char")
		}
		return scalaOf(name[2:])
	case "split":
		return scalaOf("Array", library("scala", "String"))
	case "lines", "linesIterator":
		return scalaOf("Iterator", library("scala", "String"))
	case "toList", "toSeq", "toArray", "toVector":
		return scalaOf(scalaToOthers[name], library("scala", "Char"))
	case "+", "-", "*", "/", "%", "&", "|", "^", "max", "min", "abs":
		if name == "abs" {
			return x
		}
		return scalaNumber(name, x, j.passed(p, c, 0, 0))
	case "<<", ">>", ">>>", "unary_-":
		return x
	}
	return j.ofTables(p, x, name, c)
}

// either returns a value of the common type of two alternatives, or no value if there is none.
func (j scalaLibraryReader) either(a, b jvmValue) jvmValue {
	nothing := func(v jvmValue) bool {
		return v.typ.kind == jvmForeign && (v.typ.name == "Nothing" || v.typ.name == "Null")
	}
	switch {
	case nothing(b):
		return a
	case nothing(a):
		return b
	case a.kind != resolve.Instance || b.kind != resolve.Instance:
		return jvmValue{}
	}
	if t, ok := j.terms.base(a.typ, b.typ); ok {
		a.typ = t
		return a.via(b.how)
	}
	return jvmValue{}
}

// static evaluates T.name for a library object T.
func (j scalaLibraryReader) static(x jvmValue, name string) jvmValue {
	if typeLike(name) {
		return named(library(strings.Trim(x.typ.module+"."+x.typ.name, "."), name))
	}
	if name == "empty" && scalaKind(x.typ.name) != "" {
		return of(library("scala", scalaWider(x.typ.name)))
	}
	return jvmValue{kind: resolve.Foreign, pkg: x.typ.module}
}

// made evaluates T(…) for a library object T, such as List(a, b).
func (j scalaLibraryReader) made(p place, x jvmValue, c *scalaCall) jvmValue {
	name := scalaWider(x.typ.name)
	kind := scalaKind(name)
	if kind == "" {
		if v := j.ofTables(p, x, "apply", c); v.kind != resolve.Unknown {
			return v
		}
		return jvmValue{kind: resolve.Foreign, pkg: x.typ.module}
	}
	out := library("scala", name)
	for _, t := range c.types {
		out.args = append(out.args, p.typ(t))
	}
	if len(out.args) > 0 || len(c.lists) == 0 || len(c.lists[0]) == 0 {
		return of(out).via(resolve.TypedValue)
	}
	element := jvmValue{}
	for i := range c.lists[0] {
		v := j.passed(p, c, 0, i)
		if i == 0 {
			element = v
		} else {
			element = j.either(element, v)
		}
	}
	switch {
	case element.kind == resolve.Unknown:
	case kind == "map" && element.typ.name == "Tuple" && len(element.typ.args) == 2:
		out.args = element.typ.args
	case kind == "either" && x.typ.name == "Right":
		out.name, out.args = "Either", []resolve.Type{{}, scalaTypeOf(element.typ)}
	case kind == "either":
		out.name, out.args = "Either", []resolve.Type{scalaTypeOf(element.typ), {}}
	case kind != "map" && x.typ.name != "Failure":
		out.args = []resolve.Type{scalaTypeOf(element.typ)}
	}
	return of(out).via(resolve.TypedValue)
}

// parts returns the i-th value that a pattern of the library binds when it matches x: for Some(y)
// and an Option[Order] an Order.
func (j scalaLibraryReader) parts(x jvmValue, pattern string, i int) jvmValue {
	_, name, _ := cutLast(pattern)
	if x.typ.kind == declared && x.kind == resolve.Instance {
		return jvmValue{} // a type of the workspace contains no library values
	}
	element := j.element(place{}, x)
	switch name {
	case "Some", "Success", "Right", "List", "Seq", "Array", "Vector", "IndexedSeq":
		return element
	case "Left":
		if len(x.typ.args) == 2 {
			return of(j.types.read(x.typ.args[0])).via(resolve.TypedElement)
		}
	case "Failure", "NonFatal":
		return of(library("java.lang", "Throwable"))
	case "::", "+:":
		if i == 0 {
			return element
		}
		return x
	case ":+":
		if i == 1 {
			return element
		}
		return x
	case "->":
		if x.typ.name == "Tuple" && i < len(x.typ.args) {
			return of(j.types.read(x.typ.args[i]))
		}
	}
	return jvmValue{}
}

// gives evaluates a parameter of a function literal that call c passes to a member of library value x: in
// list.map(e => …), e is an element. The literal is argument at[1] of argument list at[0]; q is the index of
// the parameter, or "*" for all.
func (j scalaLibraryReader) gives(p place, x jvmValue, member string, c *scalaCall, at [2]int, q string) jvmValue {
	element := j.element(p, x)
	kind := scalaKind(x.typ.name)
	if x.typ.kind == array {
		kind = "seq"
	}
	var parts []jvmValue
	switch {
	case kind == "" && x.typ.name != "String":
		return j.tabledGives(x, member, c, at, q)
	case kind == "either" && member == "fold" && at[1] == 0 && len(x.typ.args) == 2:
		parts = []jvmValue{of(j.types.read(x.typ.args[0]))}
	case kind == "either" && member == "fold" && at[1] == 1, kind == "option" && member == "fold" && at[0] == 1,
		scalaTakes[member] && at == [2]int{}:
		parts = []jvmValue{element}
	case kind == "map" && (member == "mapValues" || member == "transform") && len(x.typ.args) == 2:
		if parts = []jvmValue{of(j.types.read(x.typ.args[1]))}; member == "transform" {
			parts = []jvmValue{of(j.types.read(x.typ.args[0])), parts[0]}
		}
	case kind == "map" && member == "filterKeys" && len(x.typ.args) == 2:
		parts = []jvmValue{of(j.types.read(x.typ.args[0]))}
	case member == "foldLeft" && at[0] == 1, member == "/:" && at[0] == 1:
		parts = []jvmValue{j.passed(p, c, 0, 0), element}
	case member == "foldRight" && at[0] == 1:
		parts = []jvmValue{element, j.passed(p, c, 0, 0)}
	case strings.HasPrefix(member, "reduce"), member == "sortWith":
		parts = []jvmValue{element, element}
	case kind == "try" && (strings.HasPrefix(member, "recover") || member == "failed"):
		parts = []jvmValue{of(library("java.lang", "Throwable"))}
	}
	switch {
	case q == "*" && len(parts) == 1:
		return parts[0].via(resolve.TypedElement)
	case q == "*" && len(parts) == 2:
		return scalaOf("Tuple", parts[0].typ, parts[1].typ).via(resolve.TypedElement)
	case q == "0" && len(parts) > 0:
		return parts[0].via(resolve.TypedElement)
	case q == "1" && len(parts) > 1:
		return parts[1].via(resolve.TypedElement)
	case len(parts) == 0:
		return j.tabledGives(x, member, c, at, q)
	}
	return jvmValue{}
}

// predef resolves a name that every Scala file can use without an import.
func (j scalaLibraryReader) predef(p place, name string) (out scalaFound) {
	switch {
	case scalaKind(name) != "" || scalaTypes[name] || javaLang[name]:
		out.value = named(library("scala", name))
		if name == "None" || name == "Nil" {
			out.value = of(library("scala", scalaWider(name)))
		}
	case name == "classOf":
		out.value = of(jvmType{kind: jvmFunc, args: []resolve.Type{scalaTypeOf(library("java.lang", "Class"))}})
	case scalaPredefs[name] || scalaHas(named(library("scala", "Predef")), name):
		out.value = jvmValue{kind: resolve.Foreign, pkg: "scala"}
	}
	return out
}

// scalaPredefs lists methods that every object has. Other methods that need no import are members of the
// object Predef, which the table of Scala's library lists.
var scalaPredefs = resolve.Words(
	"synchronized getClass hashCode equals toString notify wait eq ne isInstanceOf asInstanceOf finalize")
