package csharp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/syntax"
)

// This file records the methods that programs assign to members of delegate types:
//
//	Done = Save, job.Done += Save         Done, job.Done
//	new Job { Done = Save }               new Job().Done
//	new Job(Save), new Job(done: Save)    new Job#0, new Job#=done
//	job.OnDone(Save)                      job.OnDone#0
//
// Each is recorded as a code.FactGiven with the text on the right as its Name. A method that is passed
// as an argument reaches a member if the callee assigns its parameter to the member; that is recorded as
// a code.FactAssign of the callee to "this.Done".

// giveMember records an assignment that may assign a method to a member, Done = Save. It also
// records an assignment of a parameter to a member, Done = done.
func giveMember(w *syntax.Walk, n syntax.Node) {
	left, right := w.Field(n, "left"), w.Field(n, "right")
	target := left
	if w.Is(target, "member_access_expression") {
		target, _ = split(w, w.Field(target, "name"))
	}
	if !w.Is(target, "identifier") || w.Has(n, "-=") {
		return
	}
	if list := w.Parent(n); w.Is(list, "initializer_expression") {
		if made := called(w, w.Parent(list)); strings.HasPrefix(made, "new ") {
			give(w, made+"()."+w.Str(target), right)
		}
		return
	}
	give(w, w.Line(left), right)
	if of := w.Field(left, "expression"); target == left || w.Is(of, "this") {
		keep(w, w.Str(target), right)
	}
}

// keep records that the function around an assignment stores its parameter in a member, Done =
// done, if the parameter may be a delegate.
func keep(w *syntax.Walk, member string, value syntax.Node) {
	if w.Is(value, "binary_expression") { // done ?? throw new ArgumentNullException()
		value = w.Field(value, "left")
	}
	if !w.Is(value, "identifier") || w.Encloser < 0 {
		return
	}
	name := w.Str(value)
	for _, p := range w.Out.Symbols[w.Encloser].Parameters {
		if p.Name == name && mayBeDelegate(p.Type) {
			w.Fact(code.FactAssign, w.Encloser, "this."+member, name, value)
		}
	}
}

// mayBeDelegate reports whether a written type may be a delegate.
func mayBeDelegate(typ string) bool {
	name, _ := cut(bare(typ))
	name = name[strings.LastIndexByte(name, '.')+1:]
	return !strings.HasSuffix(name, "]") && !primitive(name) && !noDelegate[name] && !collections[name] &&
		!csharpInterface(name)
}

// giveArgument records an argument that may be a method: Save in f(Save) or f(done: Save).
func giveArgument(w *syntax.Walk, argument syntax.Node) {
	place, value := code.Place(""), syntax.None
	for c := range w.Tree.Children(argument) {
		switch {
		case w.Is(c, "name_colon"), w.Is(c, ":") && value >= 0:
			place, value = code.PlaceNamed(w.Str(w.FirstNamed(argument))), syntax.None
			if w.Is(c, "name_colon") {
				place = code.PlaceNamed(w.Str(w.FirstNamed(c)))
			}
		case w.IsNamed(c) && !w.IsComment(c):
			value = c
		}
	}
	if !isGroup(w, value) && !w.Is(value, "object_creation_expression") {
		return
	}
	if fn, i := argumentOf(w, value); fn != "" {
		if place == "" {
			place = code.PlaceAt(i)
		}
		give(w, place.Of(fn), value)
	}
}

// collections lists well-known classes that have elements.
var collections = resolve.Set("List", "HashSet", "Queue", "Stack", "LinkedList", "SortedSet", "Collection",
	"ObservableCollection", "ReadOnlyCollection",
	"ConcurrentQueue", "ConcurrentBag", "ConcurrentStack", "ImmutableArray", "ImmutableList", "ImmutableHashSet",
	"BlockingCollection", "DbSet",
	"Dictionary", "ConcurrentDictionary", "SortedDictionary", "ImmutableDictionary", "SortedList")

func isGroup(w *syntax.Walk, value syntax.Node) bool {
	return w.Is(value, "identifier", "member_access_expression")
}

// give records that value is assigned to member, as a code.FactGiven, if it may be a method: Save, or
// new EventHandler(Save).
func give(w *syntax.Walk, member string, value syntax.Node) {
	if w.Is(value, "object_creation_expression") { // new EventHandler(Save)
		args := w.Field(value, "arguments")
		if w.CountNamed(args) != 1 {
			return
		}
		value = w.FirstNamed(w.FirstNamed(args))
	}
	if text := w.Line(value); isGroup(w, value) && l2meta.LastOfPath(text) != "" {
		w.Give(w.Encloser, member, text, value)
	}
}

// keepGiven drops those recorded assignments whose value is no method, which are most. It keeps a
// value with the name of a method of this file, Save, and a value that looks like a method of a
// type, Type.Save.
func keepGiven(w *syntax.Walk, methods map[string]bool) {
	enums := map[string]bool{}
	for i := range w.Out.Symbols {
		if s := &w.Out.Symbols[i]; s.Kind == code.KindEnum {
			enums[s.Name] = true
		}
	}
	w.Out.Facts = slices.DeleteFunc(w.Out.Facts, func(f code.Fact) bool {
		if f.Kind != code.FactGiven || methods[l2meta.LastOfPath(f.Type)] {
			return false
		}
		root, rest, ok := strings.Cut(f.Type, ".")
		return !ok || !upper(root) || !upper(rest) || enums[root] || strings.Contains(rest, ".")
	})
}

func upper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}
