package jvm

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// scalaTerm is a parsed term, which is the notation for expressions of scala/rules_terms.go: a
// word, a quoted type, or a list of terms. (. (n cart) size) for cart.size is a list of three
// terms.
type scalaTerm struct {
	word   string
	quoted bool
	list   []*scalaTerm
}

func (t *scalaTerm) isList() bool { return t.word == "" && !t.quoted }

// head returns the first word of a list, which is the kind of the expression: "n" for (n x), a
// name. It returns "" for an empty list and for other terms.
func (t *scalaTerm) head() string {
	if len(t.list) == 0 {
		return ""
	}
	return t.list[0].word
}

// at returns the i-th part of a list, or an empty term beyond its end.
func (t *scalaTerm) at(i int) *scalaTerm {
	if i < len(t.list) {
		return t.list[i]
	}
	return &scalaTerm{}
}

func (t *scalaTerm) number(i int) int {
	n, err := strconv.Atoi(t.at(i).word)
	if err != nil {
		return -1
	}
	return n
}

type scalaTermKey string

// scalaParse parses the text of a term, such as (. (n cart) size).
func scalaParse(f *resolve.File, text string) *scalaTerm {
	return resolve.Memo(f, scalaTermKey(text), func() *scalaTerm {
		t, _ := scalaReadTerm(text, 0)
		return t
	})
}

func scalaReadTerm(text string, depth int) (t *scalaTerm, rest string) {
	t = &scalaTerm{}
	if text = strings.TrimLeft(text, " "); text == "" || depth > maxJVMDepth {
		return t, ""
	}
	switch text[0] {
	case '(':
		for text = strings.TrimLeft(text[1:], " "); text != "" && text[0] != ')'; text = strings.TrimLeft(text, " ") {
			var part *scalaTerm
			part, text = scalaReadTerm(text, depth+1)
			t.list = append(t.list, part)
		}
		return t, strings.TrimPrefix(text, ")")
	case '"':
		end := strings.IndexByte(text[1:], '"')
		if end < 0 {
			return t, ""
		}
		t.word, t.quoted = text[1:end+1], true
		return t, text[end+2:]
	}
	end := strings.IndexAny(text, " ()")
	if end < 0 {
		end = len(text)
	}
	if end == 0 { // stops at a closing bracket without an opening one
		return t, text[1:]
	}
	t.word = text[:end]
	return t, text[end:]
}

// scalaCall is a recorded call with its arguments.
type scalaCall struct {
	index    int            // index of the call in File.Calls
	receiver *scalaTerm     // nil for a bare name
	types    []string       // type arguments
	lists    [][]*scalaTerm // arguments, a list for each pair of parentheses
}

type scalaCallsKey struct{}

// scalaCallAt returns the call whose callee's name starts at byte offset pos, or nil.
func scalaCallAt(f *resolve.File, pos int) *scalaCall {
	return resolve.Memo(f, scalaCallsKey{}, func() map[int]*scalaCall {
		by := map[int]*scalaCall{}
		for i := range f.Calls() {
			if c := &f.Calls()[i]; c.Kind != code.CallReference && c.Kind != code.CallDecorator {
				by[c.NameSpan.StartByte] = &scalaCall{index: i}
			}
		}
		for i := range f.AllFacts() {
			fact := &f.AllFacts()[i]
			if c := by[fact.Span.StartByte]; c != nil && fact.Kind == code.FactArguments {
				c.fill(scalaParse(f, fact.Type))
			}
		}
		return by
	})[pos]
}

func (c *scalaCall) fill(t *scalaTerm) {
	if t.head() != "call" {
		return
	}
	if r := t.at(1); r.isList() {
		c.receiver = r
	}
	for _, typ := range t.at(2).list {
		c.types = append(c.types, typ.word)
	}
	for _, list := range t.list[min(3, len(t.list)):] {
		c.lists = append(c.lists, list.list)
	}
}

// scalaArgument splits an argument into its parameter name, "" if it is positional, and its value.
func scalaArgument(t *scalaTerm) (name string, value *scalaTerm) {
	if t.head() == "=" {
		return t.at(1).word, t.at(2)
	}
	return "", t
}

// scalaList is one parameter list of a callable.
type scalaList struct {
	params   []code.Parameter
	implicit bool
}

func (l scalaList) takes(args []*scalaTerm) bool {
	low, high := arity(&code.Symbol{Parameters: l.params})
	if len(args) < low && !(len(args) == 0 && len(l.params) == 0) || high >= 0 && len(args) > high {
		return false
	}
	for i, a := range args {
		name, value := scalaArgument(a)
		if name != "" && l.index(name, i) < 0 {
			return false
		}
		if value.head() == "as" && strings.HasSuffix(value.at(1).word, "_*") && high >= 0 {
			return false
		}
	}
	return true
}

// index returns the index of the parameter for the i-th argument, or for an argument passed by
// name; -1 if there is none.
func (l scalaList) index(name string, i int) int {
	if name != "" {
		for k, p := range l.params {
			if p.Name == name {
				return k
			}
		}
		return -1
	}
	if i >= len(l.params) {
		if last := len(l.params) - 1; last >= 0 && l.params[last].Variadic {
			return last
		}
		return -1
	}
	return i
}

type scalaListsKey int

// scalaLists returns the parameter lists of r: [a] and [b, c] for def f(a: A)(b: B, c: C). The symbol holds
// all parameters in one list, and a fact, recorded by extraction, holds the sizes of the lists.
func scalaLists(r resolve.Ref) []scalaList {
	return resolve.Memo(r.File, scalaListsKey(r.Index), func() (out []scalaList) {
		rest := r.Symbol().Parameters
		for _, fact := range r.Facts() {
			if fact.Kind != code.FactParam || fact.Name != "" {
				continue
			}
			for _, l := range code.CutParameterLists(fact.Type) {
				if l.Count > len(rest) {
					return nil
				}
				out, rest = append(out, scalaList{rest[:l.Count], l.Implicit}), rest[l.Count:]
			}
			return out
		}
		if len(rest) > 0 {
			out = append(out, scalaList{params: rest})
		}
		return out
	})
}

// scalaExplicit returns the parameter lists of r that are not implicit.
func scalaExplicit(r resolve.Ref) (out []scalaList) {
	for _, l := range scalaLists(r) {
		if !l.implicit {
			out = append(out, l)
		}
	}
	return out
}

// scalaAccepts reports whether r accepts the arguments in lists. If r has fewer lists, the rest are
// passed to its result, as in f(a)(b). A callable without parameter lists accepts none.
func scalaAccepts(r resolve.Ref, lists [][]*scalaTerm) bool {
	own := scalaExplicit(r)
	if len(own) == 0 && len(lists) > 0 {
		return false
	}
	for i, l := range lists {
		switch {
		case i < len(own):
			if !own[i].takes(l) {
				return false
			}
		default:
			return true
		}
	}
	return true
}
