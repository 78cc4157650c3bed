package code

import (
	"strconv"
	"strings"
)

// This file holds all notations that extraction adds to the text of a Fact, a statement about a
// name and its type. None of them occurs in source, where '#' starts no operator.
//
// A marker follows an expression and selects a part of its value. In each line, the first column
// is the source text, the second the name with its recorded expression, and the third the
// meaning:
//
//	for x in rows              x: rows#each                 an element
//	for k, v := range m        k: m#key                     a key (Go)
//	a, b := f()                b: f()#1                     a part by position
//	['id' => $x] = f()         $x: f()#id                   a part by key (PHP)
//	with open(p) as f          f: open(p)#with              the value that a context manager enters (Python)
//	except OSError as e        e: OSError#except            an instance of the class (Python)
//	val x by lazy { 1 }        x: lazy { 1 }#by             the value of a delegate (Kotlin)
//	Some(x) = o                x: o#some                    the content of an Option (Rust)
//	Ok(x) = r, Err(e) = r      x: r#ok, e: r#err            the contents of a Result (Rust)
//	Load(p, out var x)         x: Load#out1                 an out argument (C#)
//	Run(1, (a, b) => …)        b: Run#in1x1                 a parameter of a lambda by its argument (C#)
//	run { a, b -> … }          b: ?#p99q1                   a parameter of a lambda after the call (Kotlin)
//
//
// A form is written like a call of a function. Members may follow it:
//
//	run(1, x => …)             x: #param(#arg(run, 1), 0)   a parameter of the expected function (TypeScript)
//	<Row onPick={pick}/>       #arg(Row, 0).onPick          a key of the expected argument (TypeScript)
//	for ([a, b] of rows)       a: #each(rows)[0]            an element (TypeScript)
//
//
// A place is the Name of a FactGiven for a function that is passed as an argument:
//
//	server{serve}, Job(run)    server#0, Job#0              by position
//	Job(done = run)            Job#=done                    by name
//
//
// The sizes of a function's parameter lists are the Type of the FactParam without a name. An "i"
// marks an implicit list:
//
//	def f(a, b)(implicit c)    2 i1                         (Scala)

// Marker selects a part of the value before it: "each" in "rows#each" selects an element of rows.
type Marker string

// These are the markers without a number. Each follows "#" in the text of a Fact.
const (
	MarkEach   Marker = "each"
	MarkKey    Marker = "key"
	MarkWith   Marker = "with"
	MarkExcept Marker = "except"
	MarkBy     Marker = "by"
	MarkSome   Marker = "some"
	MarkOk     Marker = "ok"
	MarkErr    Marker = "err"
)

// mark separates a value from its marker, as in "rows#each", and a callee from the position of an
// argument, as in "server#0".
const mark = "#"

// PartMarker returns the marker of part i of a destructured value, 0 for the first: "0" for a in a,
// b := f().
func PartMarker(i int) Marker { return Marker(strconv.Itoa(i)) }

// OutMarker returns the marker of the value that a call assigns to its out argument i: "out1" for x
// in the C# call Load(p, out var x).
func OutMarker(i int) Marker { return Marker("out" + strconv.Itoa(i)) }

// InMarker returns the marker of parameter k of the function literal that is passed as argument i:
// "in1x0" for a in Run(1, (a, b) => …).
func InMarker(i, k int) Marker { return Marker("in" + strconv.Itoa(i) + "x" + strconv.Itoa(k)) }

// After returns value followed by m: "rows#each".
func (m Marker) After(value string) string { return value + mark + string(m) }

// Part returns the position that a PartMarker selects, 1 for "1"; false if m is another marker.
func (m Marker) Part() (i int, ok bool) { return number(string(m)) }

// Out returns the position of the argument of an OutMarker, 1 for "out1"; false if m is another
// marker.
func (m Marker) Out() (i int, ok bool) {
	rest, ok := strings.CutPrefix(string(m), "out")
	if !ok {
		return 0, false
	}
	return number(rest)
}

// In returns the positions of the argument and the parameter of an InMarker, 1 and 0 for "in1x0";
// false if m is another marker.
func (m Marker) In() (i, k int, ok bool) {
	rest, isIn := strings.CutPrefix(string(m), "in")
	a, b, _ := strings.Cut(rest, "x")
	i, iok := number(a)
	k, kok := number(b)
	return i, k, isIn && iok && kok
}

// CutMarker splits a text into a value and the marker after it: "rows#each" into "rows" and "each".
// It reports false if the text ends in no marker. In JavaScript this.#x is a private name, no
// marker.
func CutMarker(text string) (value string, m Marker, ok bool) {
	i := strings.LastIndex(text, mark)
	if i <= 0 || text[i-1] == '.' || !isMarker(text[i+1:]) {
		return text, "", false
	}
	return text[:i], Marker(text[i+1:]), true
}

// isMarker reports whether s consists of lower-case letters and digits.
func isMarker(s string) bool {
	for _, c := range s {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// number parses a decimal number without a sign; it returns false for any other text.
func number(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}

// passed is the beginning of each text that LiteralParameter returns. The "?" means that the text
// alone does not determine the value, because it depends on the called function.
const passed = "?" + mark + "p"

// LiteralParameter returns the text for a parameter of a function literal that is passed to a
// call: "?#p1q0" for x in run(1, x => …), where 1 is the position of the literal among the
// arguments. parameter is the position of the parameter, "0", or "this" for the receiver.
func LiteralParameter(argument int, parameter string) string {
	return passed + strconv.Itoa(argument) + "q" + parameter
}

// IsLiteralParameter reports whether LiteralParameter returned a text, such as "?#p1q0". A marker
// after the text does not count.
func IsLiteralParameter(text string) bool { return strings.HasPrefix(text, passed) }

// CutLiteralParameter returns the argument and the parameter of a LiteralParameter: 1 and "0" for
// "?#p1q0". It returns false for any other text.
func CutLiteralParameter(text string) (argument int, parameter string, ok bool) {
	rest, ok := strings.CutPrefix(text, passed)
	a, parameter, cut := strings.Cut(rest, "q")
	argument, isNumber := number(a)
	return argument, parameter, ok && cut && isNumber
}

// Form is the name of a notation that extraction writes like a call: "#arg" in "#arg(run, 1)", the
// value that the function run expects as argument 1.
type Form string

const (
	FormArgument  Form = mark + "arg"   // (f, i) or (f, i, hint): the value that f expects as argument i
	FormParameter Form = mark + "param" // (f, i): the value that the expected function f has as parameter i
	FormEach      Form = mark + "each"  // (x): an element of x
)

// Of returns the text of a form with arguments: "#arg(run, 1)".
func (f Form) Of(arguments ...string) string {
	return string(f) + "(" + strings.Join(arguments, ", ") + ")"
}

// FormOf returns the form with that name, such as "#arg". It reports false for the name of an
// ordinary function.
func FormOf(name string) (Form, bool) {
	switch f := Form(name); f {
	case FormArgument, FormParameter, FormEach:
		return f, true
	}
	return "", false
}

// Place is an argument of a call, or a field of a literal: "0" by its position, "=done" by its
// name.
type Place string

// PlaceAt returns the place of the argument at a position, "0" for the first.
func PlaceAt(i int) Place { return Place(strconv.Itoa(i)) }

// PlaceNamed returns the place of an argument that is passed by name: "=done" for Job(done = run).
func PlaceNamed(name string) Place { return Place("=" + name) }

// Of returns the text for place p in a call of callee, or in a literal of a type called callee:
// "server#0". It is the Name of a FactGiven.
func (p Place) Of(callee string) string { return callee + mark + string(p) }

// Index returns the index of the argument or field for a place such as "0". It returns false for
// a place by name, "=done".
func (p Place) Index() (int, bool) { return number(string(p)) }

// Name returns the name in a place by name, "done" of "=done"; false for a place by index, "0".
func (p Place) Name() (string, bool) { return strings.CutPrefix(string(p), "=") }

// CutPlace splits the text that Place.Of returned into the callee, or the type, and the place:
// "server#0" into "server" and "0". It reports false for the name of a property, "job.done".
func CutPlace(name string) (of string, p Place, ok bool) {
	i := strings.LastIndex(name, mark)
	if i <= 0 || i+1 == len(name) || name[i+1] != '=' && strings.Trim(name[i+1:], "0123456789") != "" {
		return name, "", false
	}
	return name[:i], Place(name[i+1:]), true
}

// ParameterList is one parameter list of a function, in a language whose functions may have
// several: def f(a)(b) in Scala.
type ParameterList struct {
	Count    int
	Implicit bool // whether the caller may omit it
}

// ParameterLists returns the text that holds the sizes of a function's parameter lists, each after
// an "i" if it is implicit: "2 i1" for def f(a, b)(implicit c). It is the Type of a FactParam.
func ParameterLists(lists []ParameterList) string {
	var b strings.Builder
	for i, l := range lists {
		if i > 0 {
			b.WriteByte(' ')
		}
		if l.Implicit {
			b.WriteByte('i')
		}
		b.WriteString(strconv.Itoa(l.Count))
	}
	return b.String()
}

// CutParameterLists parses the text that ParameterLists returned, such as "2 i1".
func CutParameterLists(text string) (lists []ParameterList) {
	for word := range strings.FieldsSeq(text) {
		count, implicit := strings.CutPrefix(word, "i")
		n, _ := number(count)
		lists = append(lists, ParameterList{n, implicit})
	}
	return lists
}
