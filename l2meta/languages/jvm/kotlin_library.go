package jvm

import (
	"strings"

	"sextant/l2meta/resolve"
)

var kotlinScopes = set("let also apply run takeIf takeUnless to use with toString equals hashCode")

// scoped is what the library's functions for any value give of a value.
func (j *jvm) scoped(p place, x jvmValue, e *resolve.Expr) jvmValue {
	if p.file.Language != "kotlin" {
		return jvmValue{}
	}
	switch e.X.Name {
	case "also", "apply", "takeIf", "takeUnless":
		return x
	case "toString":
		return of(library("kotlin", "String"))
	case "hashCode":
		return of(library("kotlin", "Int"))
	case "equals":
		return of(library("kotlin", "Boolean"))
	case "to":
		if len(e.Args) == 1 {
			if second := j.eval(p, e.Args[0]); second.kind == resolve.Instance {
				return of(library("kotlin", "Pair", typeOf(x.typ), typeOf(second.typ)))
			}
		}
		return of(library("kotlin", "Pair"))
	}
	return jvmValue{}
}

// delegated is what a delegate gives: of lazy { e } it is e.
func (j *jvm) delegated(p place, e *resolve.Expr) jvmValue {
	if e.Op == resolve.OpCall && e.X.Op == resolve.OpName && e.X.Name == "lazy" && len(e.Args) > 0 {
		last := strings.TrimSpace(e.Args[len(e.Args)-1].Text)
		if strings.HasPrefix(last, "{") && strings.HasSuffix(last, "}") {
			return j.eval(p, p.parse(last[1:len(last)-1])).asValue()
		}
	}
	return jvmValue{}
}

// libraryFunction is what well-known functions of the library give.
func (j *jvm) libraryFunction(p place, e *resolve.Expr) jvmValue {
	if p.file.Language != "kotlin" {
		return jvmValue{}
	}
	switch name := e.X.Name; {
	case name == "apply" || name == "also":
		return j.this(p, "")
	case (name == "requireNotNull" || name == "checkNotNull") && len(e.Args) > 0:
		return j.eval(p, e.Args[0])
	case name == "buildString" || name == "readLine" || name == "String":
		return of(library("kotlin", "String"))
	case name == "arrayOf" || name == "arrayOfNulls":
		return j.collected(p, "Array", e)
	case strings.HasSuffix(name, "ArrayOf") && arrays[name]:
		return of(library("kotlin", strings.ToUpper(name[:1])+strings.TrimSuffix(name[1:], "Of")))
	}
	if made, ok := kotlinMakers[e.X.Name]; ok {
		return j.collected(p, made, e)
	}
	return jvmValue{}
}

var arrays = set("byteArrayOf intArrayOf longArrayOf shortArrayOf charArrayOf booleanArrayOf floatArrayOf doubleArrayOf")

// kotlinMakers are functions of the library that make a container of what they
// are passed.
var kotlinMakers = map[string]string{
	"listOf": "List", "mutableListOf": "MutableList", "listOfNotNull": "List", "arrayListOf": "ArrayList", "emptyList": "List", "buildList": "List",
	"setOf": "Set", "mutableSetOf": "MutableSet", "hashSetOf": "HashSet", "linkedSetOf": "LinkedHashSet", "emptySet": "Set", "sortedSetOf": "TreeSet", "buildSet": "Set",
	"mapOf": "Map", "mutableMapOf": "MutableMap", "hashMapOf": "HashMap", "linkedMapOf": "LinkedHashMap", "emptyMap": "Map", "sortedMapOf": "TreeMap", "buildMap": "Map",
	"sequenceOf": "Sequence", "emptySequence": "Sequence", "sequence": "Sequence",
}

// collected is a container as the library's functions make it: of the type
// arguments that are written, or of what the first argument is.
func (j *jvm) collected(p place, container string, e *resolve.Expr) jvmValue {
	out := of(library("kotlin.collections", container))
	for _, a := range e.TypeArgs {
		out.typ.args = append(out.typ.args, p.typ(a))
	}
	if len(e.Args) == 0 || len(out.typ.args) > 0 || kotlinSpreads(e.Args[0]) {
		return out
	}
	switch v := j.eval(p, e.Args[0]).asValue(); {
	case v.kind != resolve.Instance || v.typ.kind == jvmFunc:
	case maps[container] && v.typ.name == "Pair":
		out.typ.args = v.typ.args
		return out.via(v.how)
	case !maps[container]:
		out.typ.args = []resolve.Type{typeOf(v.typ)}
		return out.via(v.how)
	}
	return out
}

// kotlinFunctions are functions that Kotlin brings without an import.
var kotlinFunctions = set(`println print listOf mutableListOf setOf mutableSetOf mapOf mutableMapOf arrayOf arrayListOf hashMapOf hashSetOf linkedMapOf linkedSetOf emptyList emptySet
 emptyMap emptyArray require requireNotNull check checkNotNull error TODO run with let also apply lazy repeat synchronized maxOf minOf listOfNotNull sequenceOf sequence buildString
 buildList buildMap buildSet intArrayOf longArrayOf byteArrayOf charArrayOf booleanArrayOf doubleArrayOf assert runCatching to use takeIf takeUnless sortedMapOf sortedSetOf
 generateSequence emptySequence iterator compareBy compareByDescending IntArray ByteArray LongArray CharArray BooleanArray Array List MutableList arrayOfNulls enumValues enumValueOf
 suspendCoroutine readLine lazyOf Comparator Runnable String Regex StringBuilder Pair Triple ArrayList HashMap HashSet LinkedHashMap Exception RuntimeException IllegalStateException
 IllegalArgumentException AssertionError Any Thread UnsupportedOperationException NullPointerException IndexOutOfBoundsException NoSuchElementException`)
