package bash

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func rules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &state{seen: map[string]bool{}} },
		Handlers: map[string]syntax.Handler{
			"function_definition": function,
			"command":             command,
			"declaration_command": declaration,
			"variable_assignment": variable,
		},
	}
}

// state is the data that the rules keep while they walk one file.
type state struct {
	seen map[string]bool // global variables that are declared already, at their first assignment
}

func function(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: name, Body: w.Field(n, "body"),
		Exported: !strings.HasPrefix(w.Str(name), "_")}
	if base := code.Base(w.Out.Path); strings.HasPrefix(w.Str(name), "test") && strings.Contains(base, "test") {
		d.Kind = code.KindTest
	}
	if name < 0 || w.Str(name) == "" {
		w.Children(n)
		return
	}
	s := w.Declare(d)
	w.Out.Symbols[s].Signature = strings.TrimRight(w.Out.Symbols[s].Signature, " ({")
	w.Inside(s, d.Body)
}

// builtins are commands of the shell itself, which call no function of a script.
var builtins = map[string]bool{
	":": true, "[": true, "alias": true, "bg": true, "bind": true, "break": true, "caller": true, "cd": true,
	"compgen": true, "compopt": true,
	"continue": true, "declare": true, "dirs": true, "disown": true, "echo": true, "enable": true, "exit": true,
	"export": true, "false": true,
	"fc": true, "fg": true, "getopts": true, "hash": true, "help": true, "history": true, "jobs": true, "kill": true,
	"let": true, "local": true,
	"logout": true, "mapfile": true, "popd": true, "printf": true, "pushd": true, "pwd": true, "read": true,
	"readarray": true, "readonly": true,
	"return": true, "set": true, "shift": true, "shopt": true, "suspend": true, "test": true, "times": true,
	"true": true, "type": true,
	"typeset": true, "ulimit": true, "umask": true, "unalias": true, "unset": true, "wait": true,
}

// prefixes lists the commands that run another command, which is their first argument that does
// not begin with "-": deploy in sudo deploy. The value is true for a prefix that bypasses
// functions because it runs only programs or builtins.
var prefixes = map[string]bool{"time": false, "eval": false, "command": true, "exec": true, "sudo": true, "nohup": true,
	"env": true, "xargs": true, "builtin": true}

// command records a command as a call, unless it is a builtin or a path. Which commands are
// functions is only known once all files are indexed.
func command(w *syntax.Walk, n syntax.Node) {
	name := w.Child(w.Field(n, "name"), "word")
	text := w.Str(name)
	_, prefix := prefixes[text]
	switch {
	case text == "source" || text == ".":
		for a := range w.All(n, "argument") {
			w.AddImport(n, code.Import{Module: unquote(w.Line(a)), Name: "*"})
			break
		}
	case text == "alias":
		alias(w, n)
	case text == "trap":
		reference(w, n, "")
	case text == "complete":
		reference(w, n, "-F")
	case prefix:
		prefixed(w, n, text)
	case isName(text) && !builtins[text]:
		w.Call(code.CallPlain, n, name, syntax.None, args(w, n, syntax.None))
	}
	w.Children(n)
}

// isName reports whether a word can be the name of a function.
func isName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/$\"'`\\*?~={}()[]<>|&;!,%@#") && !strings.HasPrefix(s, "-")
}

// args counts the arguments of command n after the node skip. It returns -1 if an argument may
// expand to many words.
func args(w *syntax.Walk, n, skip syntax.Node) int {
	count := 0
	for a := range w.All(n, "argument") {
		if a <= skip {
			continue
		}
		if s := w.Head(a); strings.HasPrefix(s, "$") || strings.Contains(s, "@") && strings.Contains(s, "$") ||
			strings.ContainsAny(s, "*?{") && w.Is(a, "word") {
			return -1
		}
		count++
	}
	return count
}

// unquote returns a word without its quotes.
func unquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// prefixed records the command after a prefix: sudo deploy. The prefix becomes the call's receiver
// if it runs only programs.
func prefixed(w *syntax.Walk, n syntax.Node, prefix string) {
	skip := false
	for a := range w.All(n, "argument") {
		s := w.Head(a)
		if skip {
			skip = false
			continue
		}
		// These options of sudo, xargs and exec have a value.
		skip = s == "-u" || s == "-g" || s == "-n" || s == "-I" || s == "-a"
		if strings.HasPrefix(s, "-") || strings.Contains(s, "=") {
			if s == "-v" || s == "-V" {
				return // prints the command's path and does not run it
			}
			continue
		}
		if w.Is(a, "word") && isName(s) && !builtins[s] {
			w.Call(code.CallPlain, n, a, syntax.None, args(w, n, a))
			if prefixes[prefix] {
				w.Out.Calls[len(w.Out.Calls)-1].Receiver = prefix
			}
		}
		return
	}
}

// reference records a function that a command takes by its name, to be called later: cleanup in
// `trap cleanup EXIT`. The name is the value of the given option, or the first argument if option
// is "".
func reference(w *syntax.Walk, n syntax.Node, option string) {
	take := option == ""
	for a := range w.All(n, "argument") {
		s := w.Head(a)
		if name := unquote(s); take && isName(name) && !builtins[name] && w.Is(a, "word", "string", "raw_string") {
			start := w.Start(a) + (len(s)-len(name))/2 // skips an opening quote
			w.Out.Calls = append(w.Out.Calls, code.Call{
				Kind: code.CallReference, Callee: name, Caller: w.Encloser, Span: w.Span(n),
				NameSpan: w.Lines.Span(start, start+len(name)),
			})
			return
		}
		if take && option == "" {
			return
		}
		take = s == option
	}
}

func alias(w *syntax.Walk, n syntax.Node) {
	for a := range w.All(n, "argument") {
		name, value, ok := strings.Cut(w.Head(a), "=")
		if !ok || w.Encloser >= 0 || !isName(name) {
			continue
		}
		s := w.Declare(syntax.Decl{Kind: code.KindFunction, Node: n, Name: a, Text: name, Exported: true})
		w.Out.Symbols[s].NameSpan = w.Lines.Span(w.Start(a), w.Start(a)+len(name))
		w.Fact(code.FactAlias, s, name, unquote(strings.TrimSpace(syntax.OneLine([]byte(value)))), a)
	}
}

// declaration declares the variables of an export, readonly, declare, local or typeset command.
func declaration(w *syntax.Walk, n syntax.Node) {
	word := w.Str(n + 1)
	d := syntax.Decl{Kind: code.KindVariable, Node: n, Modifiers: []string{word}, Exported: word == "export"}
	if word == "readonly" {
		d.Kind = code.KindConstant
	}
	for c := range w.Named(n) {
		switch {
		case w.Is(c, "word"):
			d.Modifiers = append(d.Modifiers, w.Str(c))
			if strings.HasPrefix(w.Str(c), "-") && strings.Contains(w.Str(c), "r") {
				d.Kind = code.KindConstant
			}
			d.Exported = d.Exported || strings.HasPrefix(w.Str(c), "-") && strings.Contains(w.Str(c), "x")
		case w.Is(c, "variable_assignment"):
			d.Name = w.Field(c, "name")
			declare(w, d)
			place(w, c)
			w.Visit(w.Field(c, "value"))
		case w.Is(c, "variable_name"):
			d.Name = c
			declare(w, d)
		default:
			w.Visit(c)
		}
	}
}

func variable(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	if !w.Is(w.Parent(n), "command") && w.Is(name, "variable_name") {
		declare(w, syntax.Decl{Kind: code.KindVariable, Node: n, Name: name})
		place(w, n)
	}
	w.Visit(w.Field(n, "value"))
}

// place records a variable that holds the script's directory, from which the script sources other
// files: DIR in DIR=$(dirname "$0").
func place(w *syntax.Walk, n syntax.Node) {
	if value := w.Line(w.Field(n, "value")); strings.Contains(value, "BASH_SOURCE") || strings.Contains(value, "$0") ||
		strings.Contains(value, "${0") {
		w.Fact(code.FactAssign, w.Encloser, w.Str(w.Field(n, "name")), value, n)
	}
}

// declare declares a global variable at its first assignment. It skips variables of functions.
func declare(w *syntax.Walk, d syntax.Decl) {
	st := w.State.(*state)
	name := w.Str(d.Name)
	if w.Encloser >= 0 || name == "" || st.seen[name] || w.Is(d.Name, "subscript") {
		return
	}
	st.seen[name] = true
	w.Declare(d)
}
