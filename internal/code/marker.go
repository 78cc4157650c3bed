package code

import (
	"strconv"
	"strings"
)

// This file holds all that extraction adds to the text of a fact beyond what the source spells.
// Each form has one constructor and one reader. No form occurs in source, as '#' starts no operator.
//
// A marker follows an expression and selects a part of its value:
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
//	run { a, b -> … }          b: ?#p99q1                   the same for the call around it (Kotlin)
//
// A form is called like a function. Members may follow it:
//
//	run(1, x => …)             x: #param(#arg(run, 1), 0)   a parameter of the expected function (TypeScript)
//	<Row onPick={pick}/>       #arg(Row, 0).onPick          a key of the expected argument (TypeScript)
//	for ([a, b] of rows)       a: #each(rows)[0]            an element (TypeScript)
//
// A place names an argument in the Name of a FactGiven:
//
//	server{serve}, Job(run)    server#0, Job#0              by position
//	Job(done = run)            Job#=done                    by name
//
// Parameter lists are written in the FactParam without a name:
//
//	def f(a, b)(implicit c)    2 i1                         (Scala)

// Marker selects a part of the value before it.
type Marker string

// The markers that are words.
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

// mark separates a value from its marker, and a callee from a place.
const mark = "#"

// PartMarker returns the marker of part i of a destructured value, 0 for the first: "0" for a in a,
// b := f().
func PartMarker(i int) Marker { return Marker(strconv.Itoa(i)) }

// OutMarker returns the marker of the value that a call assigns to its out argument i.
func OutMarker(i int) Marker { return Marker("out" + strconv.Itoa(i)) }

// InMarker returns the marker of parameter k of the function literal that is passed as argument i.
func InMarker(i, k int) Marker { return Marker("in" + strconv.Itoa(i) + "x" + strconv.Itoa(k)) }

// After returns value followed by m: "rows#each".
func (m Marker) After(value string) string { return value + mark + string(m) }

// Part returns the position that m selects; false if m is no PartMarker.
func (m Marker) Part() (i int, ok bool) { return number(string(m)) }

// Out returns the position of the argument of an OutMarker; false if m is no OutMarker.
func (m Marker) Out() (i int, ok bool) {
	rest, ok := strings.CutPrefix(string(m), "out")
	if !ok {
		return 0, false
	}
	return number(rest)
}

// In returns the positions of the argument and the parameter of an InMarker; false if m is no
// InMarker.
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

// passed is the beginning of the text of every LiteralParameter. The "?" is a value that the text
// does not determine.
const passed = "?" + mark + "p"

// LiteralParameter returns the text for a parameter of a function literal that is an argument of a
// call: "?#p1q0" is the first parameter of the literal in run(1, x => …). The parameter is a
// position, "0", or "this" for the receiver.
func LiteralParameter(argument int, parameter string) string {
	return passed + strconv.Itoa(argument) + "q" + parameter
}

// IsLiteralParameter reports whether a text is a LiteralParameter, or a part of one.
func IsLiteralParameter(text string) bool { return strings.HasPrefix(text, passed) }

// CutLiteralParameter returns the argument and the parameter of a LiteralParameter; false for any
// other text.
func CutLiteralParameter(text string) (argument int, parameter string, ok bool) {
	rest, ok := strings.CutPrefix(text, passed)
	a, parameter, cut := strings.Cut(rest, "q")
	argument, isNumber := number(a)
	return argument, parameter, ok && cut && isNumber
}

// Form is the name of a form that is called like a function, such as "#arg".
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

// FormOf returns the form called name. It reports false for the name of an ordinary function.
func FormOf(name string) (Form, bool) {
	switch f := Form(name); f {
	case FormArgument, FormParameter, FormEach:
		return f, true
	}
	return "", false
}

// Place is an argument of a call, or a field of a literal, by position or by name.
type Place string

// PlaceAt returns the place at a position, 0 for the first.
func PlaceAt(i int) Place { return Place(strconv.Itoa(i)) }

// PlaceNamed returns the place of an argument that is passed by name.
func PlaceNamed(name string) Place { return Place("=" + name) }

// Of returns the Name of a FactGiven for place p in a call of callee, or in a literal of that type:
// "server#0".
func (p Place) Of(callee string) string { return callee + mark + string(p) }

// Index returns the position of a place; false if the place is a name.
func (p Place) Index() (int, bool) { return number(string(p)) }

// Name returns the name of a place; false if the place is a position.
func (p Place) Name() (string, bool) { return strings.CutPrefix(string(p), "=") }

// CutPlace splits the Name of a FactGiven into a callee, or a type, and a place: "server#0" into
// "server" and "0". It reports false for the name of a property.
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
	Implicit bool // the caller may omit it
}

// ParameterLists returns the Type of the FactParam that holds the parameter lists of a function: "2
// i1".
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

// CutParameterLists parses the text that ParameterLists returned.
func CutParameterLists(text string) (lists []ParameterList) {
	for word := range strings.FieldsSeq(text) {
		count, implicit := strings.CutPrefix(word, "i")
		n, _ := number(count)
		lists = append(lists, ParameterList{n, implicit})
	}
	return lists
}
