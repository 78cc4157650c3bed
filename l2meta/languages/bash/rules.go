package bash

import (
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/syntax"
)

func bashRules() *syntax.Rules {
	return &syntax.Rules{
		Comments: []string{"comment"},
		File:     func(w *syntax.Walk, _ syntax.Node) { w.State = &bashState{seen: map[string]bool{}} },
		Handlers: map[string]syntax.Handler{
			"function_definition": bashFunction,
			"command":             bashCommand,
			"declaration_command": bashDeclaration,
			"variable_assignment": bashVariable,
		},
	}
}

// bashState is what is known of one file while it is visited.
type bashState struct {
	seen map[string]bool // variables of the file: the first assignment declares one
}

func bashFunction(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	d := syntax.Decl{Kind: code.KindFunction, Node: n, Name: name, Body: w.Field(n, "body"), Exported: !strings.HasPrefix(w.Str(name), "_")}
	if base := w.Out.Path[strings.LastIndexByte(w.Out.Path, '/')+1:]; strings.HasPrefix(w.Str(name), "test") && strings.Contains(base, "test") {
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

// bashBuiltins are commands of the shell itself that call nothing of a script.
var bashBuiltins = map[string]bool{
	":": true, "[": true, "alias": true, "bg": true, "bind": true, "break": true, "caller": true, "cd": true, "compgen": true, "compopt": true,
	"continue": true, "declare": true, "dirs": true, "disown": true, "echo": true, "enable": true, "exit": true, "export": true, "false": true,
	"fc": true, "fg": true, "getopts": true, "hash": true, "help": true, "history": true, "jobs": true, "kill": true, "let": true, "local": true,
	"logout": true, "mapfile": true, "popd": true, "printf": true, "pushd": true, "pwd": true, "read": true, "readarray": true, "readonly": true,
	"return": true, "set": true, "shift": true, "shopt": true, "suspend": true, "test": true, "times": true, "true": true, "type": true,
	"typeset": true, "ulimit": true, "umask": true, "unalias": true, "unset": true, "wait": true,
}

// bashPrefixes run the command that is their first argument that is no option.
// True are those that run programs only, or pass over functions.
var bashPrefixes = map[string]bool{"time": false, "eval": false, "command": true, "exec": true, "sudo": true, "nohup": true, "env": true, "xargs": true, "builtin": true}

// bashCommand records a command as a call, unless it is a builtin or a path:
// which of them are functions is known when all files are.
func bashCommand(w *syntax.Walk, n syntax.Node) {
	name := w.Child(w.Field(n, "name"), "word")
	text := w.Str(name)
	_, prefix := bashPrefixes[text]
	switch {
	case text == "source" || text == ".":
		for a := range w.All(n, "argument") {
			w.AddImport(n, code.Import{Module: bashUnquote(w.Line(a)), Name: "*"})
			break
		}
	case text == "alias":
		bashAlias(w, n)
	case text == "trap":
		bashReference(w, n, "")
	case text == "complete":
		bashReference(w, n, "-F")
	case prefix:
		bashPrefixed(w, n, text)
	case bashIsName(text) && !bashBuiltins[text]:
		w.Call(code.CallPlain, n, name, syntax.None, bashArgs(w, n, syntax.None))
	}
	w.Children(n)
}

// bashIsName reports whether a word may name a function.
func bashIsName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/$\"'`\\*?~={}()[]<>|&;!,%@#") && !strings.HasPrefix(s, "-")
}

// bashArgs counts the arguments behind a node; one that may be many words
// hides the count.
func bashArgs(w *syntax.Walk, n, behind syntax.Node) int {
	count := 0
	for a := range w.All(n, "argument") {
		if a <= behind {
			continue
		}
		if s := w.Head(a); strings.HasPrefix(s, "$") || strings.Contains(s, "@") && strings.Contains(s, "$") || strings.ContainsAny(s, "*?{") && w.Is(a, "word") {
			return -1
		}
		count++
	}
	return count
}

// bashUnquote is a word without the quotes around it.
func bashUnquote(s string) string {
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

// bashPrefixed records the command behind a prefix, which is the call's receiver
// where it means a program.
func bashPrefixed(w *syntax.Walk, n syntax.Node, prefix string) {
	skip := false
	for a := range w.All(n, "argument") {
		s := w.Head(a)
		if skip {
			skip = false
			continue
		}
		skip = s == "-u" || s == "-g" || s == "-n" || s == "-I" || s == "-a" // options with a value, of sudo, xargs and exec
		if strings.HasPrefix(s, "-") || strings.Contains(s, "=") {
			if s == "-v" || s == "-V" {
				return // asks, and does not run
			}
			continue
		}
		if w.Is(a, "word") && bashIsName(s) && !bashBuiltins[s] {
			w.Call(code.CallPlain, n, a, syntax.None, bashArgs(w, n, a))
			if bashPrefixes[prefix] {
				w.Out.Calls[len(w.Out.Calls)-1].Receiver = prefix
			}
		}
		return
	}
}

// bashReference records the function that is named behind an option, or by the
// first argument: it is called later.
func bashReference(w *syntax.Walk, n syntax.Node, option string) {
	take := option == ""
	for a := range w.All(n, "argument") {
		s := w.Head(a)
		if name := bashUnquote(s); take && bashIsName(name) && !bashBuiltins[name] && w.Is(a, "word", "string", "raw_string") {
			start := w.Start(a) + (len(s)-len(name))/2 // behind the quote
			w.Out.Calls = append(w.Out.Calls, code.Call{
				Kind: code.CallReference, Callee: name, Caller: w.Encloser, Span: w.Span(n), NameSpan: w.Lines.Span(start, start+len(name)),
			})
			return
		}
		if take && option == "" {
			return
		}
		take = s == option
	}
}

func bashAlias(w *syntax.Walk, n syntax.Node) {
	for a := range w.All(n, "argument") {
		name, value, ok := strings.Cut(w.Head(a), "=")
		if !ok || w.Encloser >= 0 || !bashIsName(name) {
			continue
		}
		s := w.Declare(syntax.Decl{Kind: code.KindFunction, Node: n, Name: a, Text: name, Exported: true})
		w.Out.Symbols[s].NameSpan = w.Lines.Span(w.Start(a), w.Start(a)+len(name))
		w.Fact(code.FactAlias, s, name, bashUnquote(strings.TrimSpace(syntax.OneLine([]byte(value)))), a)
	}
}

// bashDeclaration handles export, readonly, declare, local and typeset.
func bashDeclaration(w *syntax.Walk, n syntax.Node) {
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
			bashDeclare(w, d)
			bashPlace(w, c)
			w.Visit(w.Field(c, "value"))
		case w.Is(c, "variable_name"):
			d.Name = c
			bashDeclare(w, d)
		default:
			w.Visit(c)
		}
	}
}

func bashVariable(w *syntax.Walk, n syntax.Node) {
	name := w.Field(n, "name")
	if !w.Is(w.Parent(n), "command") && w.Is(name, "variable_name") {
		bashDeclare(w, syntax.Decl{Kind: code.KindVariable, Node: n, Name: name})
		bashPlace(w, n)
	}
	w.Visit(w.Field(n, "value"))
}

// bashPlace records a variable that holds where the script lies: other files
// are sourced from there.
func bashPlace(w *syntax.Walk, n syntax.Node) {
	if value := w.Line(w.Field(n, "value")); strings.Contains(value, "BASH_SOURCE") || strings.Contains(value, "$0") || strings.Contains(value, "${0") {
		w.Fact(code.FactAssign, w.Encloser, w.Str(w.Field(n, "name")), value, n)
	}
}

// bashDeclare declares a variable of the file at its first assignment; those
// of functions are theirs.
func bashDeclare(w *syntax.Walk, d syntax.Decl) {
	st := w.State.(*bashState)
	name := w.Str(d.Name)
	if w.Encloser >= 0 || name == "" || st.seen[name] || w.Is(d.Name, "subscript") {
		return
	}
	st.seen[name] = true
	w.Declare(d)
}
