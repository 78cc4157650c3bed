package jvm

import (
	"strings"

	"sextant/l2meta/expr"
	"sextant/l2meta/languages/jvm/facts"
	"sextant/l2meta/resolve"
)

// libraryReader evaluates members of the standard libraries.
type libraryReader struct{ *jvm }

// The lists below group members of library containers by their results, so that
// list.stream().findFirst() still has the element type of list. The source code of the libraries
// is not read.

// keeps lists members that return a container with the same elements.
var keeps = resolve.Words(
	`stream parallelStream iterator listIterator filter sorted distinct limit skip peek subList descendingIterator findFirst findAny
 or filterNot filterNotNull sortedBy sortedByDescending sortedWith reversed take takeWhile drop dropWhile toList toSet toMutableList toMutableSet asSequence
 distinctBy plus minus asIterable asReversed shuffled onEach tail init toArray toSeq toVector toTypedArray subSet headSet tailSet withFilter parallel sequential
 dropLast takeLast orEmpty toSortedSet reversedArray copyOf iterator elements`)

// elements lists members that return an element.
var elements = resolve.Words(
	`get next previous first last orElse orElseGet orElseThrow remove removeFirst removeLast getFirst getLast poll pollFirst pollLast
 peekFirst peekLast pop element elementAt single firstOrNull lastOrNull singleOrNull find min max minBy maxBy minOrNull maxOrNull minByOrNull maxByOrNull head headOption
 getOrNull getOrElse getOrDefault random call join await receive value take removeAt component1 getAndSet nextElement getOrThrow apply ceiling floor higher lower`)

// member evaluates x.name, a property of a library value, in Kotlin and Scala.
func (j libraryReader) member(language string, x jvmValue, name string) jvmValue {
	if facts.Maps[x.typ.name] {
		switch name {
		case "keys", "values", "entries":
			return j.mapView(x, map[string]string{"keys": "keySet", "values": "values", "entries": "entrySet"}[name])
		case "key", "value":
			return j.argument(x, map[string]int{"key": 0, "value": 1}[name])
		}
	}
	if x.typ.name == "KClass" && strings.HasPrefix(name, "java") {
		return of(library("java.lang", "Class", x.typ.args...))
	}
	if facts.Containers[x.typ.name] {
		return j.memberOfContainer(x, name)
	}
	if sig, ok := libraryMemberOf(language, x.typ, name, -1); ok && sig.result != "" {
		if v := of(j.types.read(sig.typed(sig.result))); v.kind != resolve.Unknown {
			return v
		}
	}
	return j.values.lent(x)
}

func (j libraryReader) memberOfContainer(x jvmValue, name string) jvmValue {
	switch {
	case elements[name]:
		return j.argument(x, 0).via(resolve.TypedElement)
	case keeps[name]:
		x.typ.name = kept(x.typ.name, name)
		return x
	}
	return handed(x)
}

// kept returns the type of container that a member listed in keeps returns if it is called on the
// type container: Stream for list.stream(), List for list.filter(f).
func kept(container, member string) string {
	switch member {
	case "stream", "parallelStream":
		return "Stream"
	case "iterator", "listIterator":
		return "Iterator"
	case "findFirst", "findAny", "headOption":
		return "Optional"
	case "toList", "toMutableList", "toSeq":
		return "List"
	case "toSet", "toMutableSet", "toSortedSet":
		return "Set"
	case "asSequence":
		return "Sequence"
	case "toTypedArray":
		return "Array"
	}
	if container == "Array" { // except for those above, members of an array return lists
		return "List"
	}
	return container
}

// argument returns a value of the i-th type argument of x's type: for a Map<String, Order> and i =
// 1, an Order. If x's type has no such argument, it returns a library value that may be an object
// of the workspace (see handed).
func (j libraryReader) argument(x jvmValue, i int) jvmValue {
	if i >= len(x.typ.args) {
		return handed(x)
	}
	return of(j.types.read(x.typ.args[i])).via(resolve.TypedElement)
}

// element returns an element of x: by iterating x if member is "iterator", by indexing x if it is
// "get".
func (j libraryReader) element(x jvmValue, member string) jvmValue {
	switch {
	case x.kind != resolve.Instance:
		return jvmValue{}
	case x.typ.kind == array:
		return of(j.types.read(x.typ.args[0])).via(x.how).via(resolve.TypedElement)
	case x.typ.kind == jvmForeign && facts.Containers[x.typ.name]:
		return j.argument(x, 0).via(x.how)
	case x.typ.kind == jvmForeign && facts.Maps[x.typ.name] && member == "get":
		return j.argument(x, 1).via(x.how)
	case x.typ.kind == jvmForeign && facts.Maps[x.typ.name]:
		return of(library("java.util", "Entry", x.typ.args...)).via(x.how)
	case x.typ.kind == declared:
		return j.elementOfDeclared(x, member)
	}
	return jvmValue{}
}

// elementOfDeclared returns an element of x, whose type is declared in the workspace: by its method
// called member (iterator or get), or by the library container that it extends.
func (j libraryReader) elementOfDeclared(x jvmValue, member string) jvmValue {
	found := j.members.choose(x.typ.ref.File, j.members.named(x.typ.ref, member).methods, -1)
	if base, ok := j.values.containerOf(x); ok && (member == "iterator" || len(found) == 0) {
		return j.element(base, member)
	}
	if len(found) == 0 {
		return jvmValue{}
	}
	c := found[0]
	v := j.values.resultOf(place{file: c.ref.File, at: c.ref.Index}, c, x, &expr.Expr{})
	if member == "iterator" {
		return j.element(v, "next")
	}
	return v
}

// result evaluates a method call on x, a value of a library type: an Order for orders.get(0), where orders
// is a List<Order>.
func (j libraryReader) result(p place, x jvmValue, e *expr.Expr) jvmValue {
	name := e.X.Name
	switch {
	case x.typ.kind == array:
		if name == "clone" {
			return x
		}
		if elements[name] {
			return j.element(x, "get")
		}
		return handed(x)
	}
	if v, ok := j.tabledResult(p, x, e); ok {
		return v
	}
	switch {
	case x.kind == resolve.Class:
		return j.static(p, x, e)
	case facts.Maps[x.typ.name]:
		switch name {
		case "get", "put", "remove", "getOrDefault", "computeIfAbsent", "getValue", "putIfAbsent", "replace",
			"getOrPut", "merge", "compute", "getOrElse", "setValue", "apply":
			return j.argument(x, 1)
		case "getKey", "firstKey", "lastKey":
			return j.argument(x, 0)
		case "keySet", "values", "entrySet":
			return j.mapView(x, name)
		case "firstEntry", "lastEntry", "pollFirstEntry", "floorEntry", "ceilingEntry":
			return of(library("java.util", "Entry", x.typ.args...)).via(x.how)
		case "filter", "filterKeys", "filterValues", "toMap", "toMutableMap":
			return x
		}
	case facts.Containers[x.typ.name]:
		return j.memberOfContainer(x, name)
	}
	return jvmValue{kind: resolve.Foreign, pkg: x.typ.module, origin: j.values.givenBack(p, x, e)}
}

func (j libraryReader) mapView(x jvmValue, name string) jvmValue {
	if len(x.typ.args) < 2 {
		return handed(x)
	}
	switch name {
	case "keySet":
		return of(library("java.util", "Set", x.typ.args[0])).via(x.how)
	case "values":
		return of(library("java.util", "Collection", x.typ.args[1])).via(x.how)
	}
	entry := resolve.Type{Text: "\x00java.util.Entry", Bind: resolve.Bind([]string{"K", "V"}, x.typ.args, nil)}
	return of(library("java.util", "Set", entry)).via(x.how)
}

// static evaluates a static call T.f(x…) of the library. It only knows calls that return their
// argument, such as Objects.requireNonNull(x), or a container of it, such as List.of(x).
func (j libraryReader) static(p place, x jvmValue, e *expr.Expr) jvmValue {
	switch x.typ.name + "." + e.X.Name {
	case "List.of", "Set.of", "Arrays.asList", "Optional.of", "Optional.ofNullable", "Collections.singletonList",
		"Collections.singleton", "Stream.of":
		if len(e.Args) > 0 {
			if v := j.values.eval(p, e.Args[0]); v.kind == resolve.Instance && v.typ.kind != array {
				return of(library("java.util", strings.TrimSuffix(x.typ.name, "s"), typeOf(v.typ))).via(v.how)
			}
		}
	case "Objects.requireNonNull", "Collections.unmodifiableList", "Collections.unmodifiableSet",
		"Collections.unmodifiableMap", "Collections.unmodifiableCollection":
		if len(e.Args) > 0 {
			return j.values.eval(p, e.Args[0])
		}
	case "Arrays.stream":
		if len(e.Args) > 0 {
			if v := j.values.eval(p, e.Args[0]); v.typ.kind == array {
				return of(library("java.util.stream", "Stream", v.typ.args[0])).via(v.how)
			}
		}
	}
	return jvmValue{kind: resolve.Foreign, pkg: x.typ.module, origin: j.values.givenBack(p, x, e)}
}

// takers lists members of containers that pass elements to a function.
var takers = resolve.Words(
	`forEach filter map flatMap mapNotNull anyMatch allMatch noneMatch any all none ifPresent ifPresentOrElse removeIf peek takeWhile dropWhile
 mapToInt mapToLong mapToDouble mapToObj forEachOrdered filterNot find firstOrNull first last lastOrNull single singleOrNull count sumBy sumOf sortedBy sortedByDescending maxBy minBy maxByOrNull minByOrNull groupBy
 associateBy associateWith associate partition onEach indexOfFirst indexOfLast forall exists foreach collect distinctBy joinToString sortBy sumByDouble takeLastWhile dropLastWhile
 orElseThrow thenAccept thenApply thenCompose whenComplete withFilter mkString foldLeft collectFirst getOrElse onSuccess`)

// gives evaluates a parameter of a function literal that is passed to a member of a library value
// x: in list.forEach { e -> … }, e is an element of list. parameter is the index of the
// parameter, or "this" for the receiver.
func (j libraryReader) gives(x jvmValue, member, parameter string) jvmValue {
	switch member {
	case "let", "also", "takeIf", "takeUnless", "use":
		if parameter == "0" && x.kind == resolve.Instance {
			return x
		}
	case "apply", "run":
		if parameter == "this" && x.kind == resolve.Instance {
			return x
		}
	}
	switch {
	case parameter == "this" || x.kind != resolve.Instance:
		return jvmValue{}
	case x.typ.kind == jvmForeign && facts.Containers[x.typ.name] && parameter == "0" && takers[member],
		x.typ.kind == array && parameter == "0" && takers[member]:
		return j.element(x, "iterator")
	case x.typ.kind == jvmForeign && facts.Containers[x.typ.name] && parameter == "1" &&
		strings.HasSuffix(member, "Indexed"):
		return j.element(x, "iterator")
	case x.typ.kind == jvmForeign && facts.Maps[x.typ.name] && member == "forEach" && len(x.typ.args) == 2 &&
		(parameter == "0" || parameter == "1"):
		return j.argument(x, int(parameter[0]-'0'))
	case x.typ.kind == jvmForeign && facts.Maps[x.typ.name] && member == "computeIfAbsent" && parameter == "0":
		return j.argument(x, 0)
	}
	return jvmValue{}
}

// implicit returns the package of a library type that files of the language use without an import.
// It returns false if there is no such type.
func implicit(language, name string) (module string, ok bool) {
	switch {
	case language == "scala" && scalaTypes[name]:
		return "scala", true
	case javaLang[name] && language != "kotlin", javaLang[name] && len(name) > 0 && name[0] < 'a':
		return "java.lang", true
	case language == "kotlin" && kotlinTypes[name]:
		return "kotlin", true
	}
	return "", false
}

var javaLang = resolve.Words(
	`boolean byte short char int long float double void Object String Integer Long Short Byte Character Boolean Double Float Number Void Math System Class Enum Record
 Iterable Comparable CharSequence Runnable Thread Throwable Exception RuntimeException Error IllegalArgumentException IllegalStateException NullPointerException
 UnsupportedOperationException IndexOutOfBoundsException ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException ClassCastException ClassNotFoundException
 CloneNotSupportedException InterruptedException NumberFormatException ArithmeticException ArrayStoreException NegativeArraySizeException AssertionError OutOfMemoryError
 StackOverflowError NoSuchFieldException NoSuchMethodException InstantiationException IllegalAccessException ReflectiveOperationException SecurityException
 LinkageError NoClassDefFoundError ExceptionInInitializerError AbstractMethodError VerifyError StringBuilder StringBuffer ThreadLocal InheritableThreadLocal Process
 ProcessBuilder Runtime Appendable AutoCloseable Cloneable Readable ClassLoader Package StackTraceElement StrictMath ThreadGroup Module ModuleLayer StackWalker
 Deprecated Override SuppressWarnings SafeVarargs FunctionalInterface`)

var kotlinTypes = resolve.Words(
	`Any Unit Nothing Int Long Short Byte Double Float Boolean Char String CharSequence Number Array IntArray LongArray ByteArray CharArray BooleanArray
 DoubleArray FloatArray ShortArray List MutableList Set MutableSet Map MutableMap Collection MutableCollection Iterable MutableIterable Iterator MutableIterator Sequence
 Pair Triple Comparable Comparator Throwable Exception RuntimeException Error IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException
 IndexOutOfBoundsException ClassCastException NumberFormatException ArithmeticException NoSuchElementException AssertionError Lazy Result Regex StringBuilder Enum Annotation
 ReplaceWith DeprecationLevel Suppress Retention Target MustBeDocumented Repeatable AnnotationTarget AnnotationRetention
 Function ArrayList HashMap HashSet LinkedHashMap LinkedHashSet UInt ULong UByte UShort Random AutoCloseable Appendable ConcurrentModificationException
 Deprecated Suppress JvmStatic JvmField JvmName JvmOverloads Throws Volatile Synchronized Transient OptIn Experimental UseExperimental`)

var scalaTypes = resolve.Words(
	`Any AnyRef AnyVal Unit Nothing Null Int Long Short Byte Double Float Boolean Char String Array List Nil Seq IndexedSeq Set Map Option Some None Either Left Right Iterable
 Iterator Traversable TraversableOnce Stream Vector Range BigInt BigDecimal Product Serializable Function Function1 Function2 PartialFunction Throwable Exception RuntimeException Error
 IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException IndexOutOfBoundsException ClassCastException NumberFormatException
 NoSuchElementException Console Enumeration MatchError NotImplementedError Proxy Dynamic Ordering Ordered Numeric StringBuilder Symbol Class Manifest ClassManifest App Predef Equiv LazyList IterableOnce StringContext Integral Fractional
 Equals Product1 Product2 Product3 Function3 Function4 Function5 PartialOrdering PartiallyOrdered DelayedInit Specializable UninitializedFieldError Mutable Immutable Singleton`)
