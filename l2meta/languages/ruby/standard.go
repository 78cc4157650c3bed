package ruby

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/library"
	"sextant/l2meta/resolve"
)

//go:embed library.txt
var libraryText string

// standard is the table of Ruby's standard library, from the signatures that Ruby ships.
// testdata/oracles/ruby_library.rb generates it.
var standard = library.New(libraryText)

var number = regexp.MustCompile(`^-?\d[\d_]*(\.\d+)?$`)

// heredoc matches the start of a heredoc in an expression.
var heredoc = regexp.MustCompile("^<<[~-]?(?:[A-Za-z_]\\w*|\"[^\"]+\"|'[^']+'|`[^`]+`)$")

// literal evaluates a literal to an object of a library type. ok is false if text is more than a
// literal: "%w[a b].size".
func literal(text string) (object, bool) {
	last := len(text) - 1
	switch c := text[0]; {
	case (c == '"' || c == '\'') && quoted(text, 0) == last, heredoc.MatchString(text):
		return ofStandard("String"), true
	case c == '[' && closing(text, 0) == last, c == '%' && percentList(text):
		return ofStandard("Array"), true
	case c == '{' && closing(text, 0) == last:
		return ofStandard("Hash"), true
	case c == ':' && rubyName.MatchString(text[1:]):
		return ofStandard("Symbol"), true
	case number.MatchString(text):
		if strings.Contains(text, ".") {
			return ofStandard("Float"), true
		}
		return ofStandard("Integer"), true
	case text == "true" || text == "false":
		return ofStandard("bool"), true
	case function(text):
		return ofStandard("Proc"), true
	}
	return object{}, false
}

var percentHead = regexp.MustCompile(`^%[wWiI][^\w\s]`)

// percentList reports whether text is an array of words: %w[a b], %i(a b), %W|a b|.
func percentList(text string) bool {
	if !percentHead.MatchString(text) {
		return false
	}
	open, end := text[2], text[2]
	if i := strings.IndexByte("([{<", open); i >= 0 {
		end = ")]}>"[i]
	}
	depth := 1
	for i := 3; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		// this case comes before that of the opening bracket: if both are the same byte, the second
		// one closes
		case end:
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		case open:
			depth++
		}
	}
	return false
}

var (
	// functionHead matches the head of a function: "->(a) {", "-> a, b do", "lambda {", "proc(&".
	functionHead = regexp.MustCompile(`^(?:->\s*(?:\([^()]*\)|[\w\s,*&]*?)\s*|(?:lambda|proc)\s*)(\{|do\b|\(&)`)
	// sentToEnd matches a call on the result of a block or another construct that ends in "end":
	// "end.call".
	sentToEnd = regexp.MustCompile(`\bend\s*(?:&?\.|\[|\()`)
	ended     = regexp.MustCompile(`\bend$`)
)

// function reports whether text is a function: -> (n) { n }, lambda { |n| n }, proc do |n| n end.
// It returns false if a block with do is followed by ".", as in "end.call", because the text may
// then be a call of the function.
func function(text string) bool {
	head := functionHead.FindStringSubmatchIndex(text)
	if head == nil {
		return false
	}
	if open := head[2]; text[open] != 'd' {
		return closing(text, open) == len(text)-1
	}
	return ended.MatchString(text) && !sentToEnd.MatchString(text)
}

// globals maps global variables, and constants of the language, to their types.
var globals = map[string]string{"$stdout": "IO", "$stderr": "IO", "$stdin": "IO", "$LOAD_PATH": "Array[String]",
	"$:":               "Array[String]",
	"$LOADED_FEATURES": "Array[String]", "$0": "String", "$PROGRAM_NAME": "String", "__FILE__": "String",
	"__dir__": "String", "ARGV": "Array[String]"}

// ofStandard returns an object of the library type typ: an array of strings for "Array[String]",
// the class File itself for "self.File".
func ofStandard(typ string) object {
	switch typ {
	case "":
		return object{}
	case "nil":
		return object{kind: rubyNil}
	case "bool":
		typ = "TrueClass"
	}
	return object{kind: standardType, class: typ, how: resolve.TypedValue}
}

// standardOf returns the library type of x, as the table names it; ok is false if there is none.
func standardOf(x object) (typ string, ok bool) {
	switch {
	case x.kind == standardType:
		return x.class, true
	case x.kind != foreign && x.kind != known:
		return "", false
	}
	typ = strings.ReplaceAll(x.class, ".", "::")
	if x.meta {
		typ = "self." + typ
	}
	return typ, standard.Type(typ) != nil
}

// added looks up a method that the workspace adds to a library type, or to an ancestor of it.
func (r reader) added(p place, typ, name string) found {
	head, _ := library.Split(typ)
	t := standard.Type(head)
	if t == nil {
		return found{}
	}
	for _, ancestor := range append([]string{head}, t.Bases...) {
		ancestor, _ = library.Split(ancestor)
		class, meta := strings.CutPrefix(ancestor, "self.")
		if class = strings.ReplaceAll(class, "::", "."); len(r.declared(class)) == 0 {
			continue
		}
		if m := r.search(p, r.ownSteps(class, meta), name); m.ref.Valid() || m.twice {
			m.twice = m.twice || slices.Contains(m.ref.Parent().Symbol().Modifiers, "if")
			if m.twice {
				m.ref = resolve.Ref{}
			}
			return m
		}
		if r.inBlock(class, name) {
			return found{twice: true}
		}
	}
	return found{}
}

// inBlock reports whether a class of the workspace contains a method called name that search does
// not find, because a block declares it. The method may belong to another class.
func (r reader) inBlock(class, name string) bool {
	return slices.ContainsFunc(r.declared(class), func(d resolve.Ref) bool {
		return slices.ContainsFunc(d.File.Children(d.Index), func(i int) bool { return d.File.Symbols[i].Name == name })
	})
}

// ownSteps returns the lookup order of a library class without its superclasses. meta selects the
// order of its singleton methods.
func (r reader) ownSteps(class string, meta bool) []step {
	steps := r.steps(object{kind: known, class: class, meta: meta})
	for i, s := range steps {
		if s.unknown != "" || s.class == "Object" || s.class == "Class" {
			return steps[:max(i, 1)]
		}
	}
	return steps
}

// makers lists library classes whose instances have members that depend on the arguments and the
// block of new.
var makers = resolve.Words("Class Module Struct Data OpenStruct")

// standardResult evaluates a call of the library method called name on an object of the library
// type typ.
func standardResult(typ, name string) object {
	head, args := library.Split(typ)
	if class, meta := strings.CutPrefix(head, "self."); meta && name == "new" {
		if makers[class] {
			return object{}
		}
		return ofStandard(class)
	}
	result, ok := standard.Member(head, name)
	if !ok {
		return object{}
	}
	return ofStandard(library.Substitute(result, standard.Type(head).Params, args))
}

// declaresStandard reports whether a library type, or an ancestor of it, has a method called name.
func declaresStandard(typ, name string) bool {
	head, _ := library.Split(typ)
	_, ok := standard.Member(head, name)
	return ok
}

// declaresItself reports whether a library type, or an ancestor of it, has a method called name
// that not every object has. The methods of every object come later in the lookup order, after
// those that the workspace adds to Object.
func declaresItself(typ, name string) bool {
	return declaresStandard(typ, name) && !declaresStandard("Object", name) && !declaresStandard("Class", name)
}
