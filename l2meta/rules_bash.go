package l2meta

import (
	"strings"

	"sextant/internal/code"
)

func bashRules() *rules {
	return &rules{
		comments: []string{"comment"},
		file:     func(w *walk, _ node) { w.state = &bashState{seen: map[string]bool{}} },
		handlers: map[string]handler{
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

func bashFunction(w *walk, n node) {
	name := w.field(n, "name")
	d := decl{kind: code.KindFunction, node: n, name: name, body: w.field(n, "body"), exported: !strings.HasPrefix(w.str(name), "_")}
	if base := w.out.Path[strings.LastIndexByte(w.out.Path, '/')+1:]; strings.HasPrefix(w.str(name), "test") && strings.Contains(base, "test") {
		d.kind = code.KindTest
	}
	if name < 0 || w.str(name) == "" {
		w.children(n)
		return
	}
	s := w.declare(d)
	w.out.Symbols[s].Signature = strings.TrimRight(w.out.Symbols[s].Signature, " ({")
	w.inside(s, d.body)
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
func bashCommand(w *walk, n node) {
	name := w.child(w.field(n, "name"), "word")
	text := w.str(name)
	_, prefix := bashPrefixes[text]
	switch {
	case text == "source" || text == ".":
		for a := range w.all(n, "argument") {
			w.addImport(n, code.Import{Module: bashUnquote(w.line(a)), Name: "*"})
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
		w.call(code.CallPlain, n, name, none, bashArgs(w, n, none))
	}
	w.children(n)
}

// bashIsName reports whether a word may name a function.
func bashIsName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/$\"'`\\*?~={}()[]<>|&;!,%@#") && !strings.HasPrefix(s, "-")
}

// bashArgs counts the arguments behind a node; one that may be many words
// hides the count.
func bashArgs(w *walk, n, behind node) int {
	count := 0
	for a := range w.all(n, "argument") {
		if a <= behind {
			continue
		}
		if s := w.head(a); strings.HasPrefix(s, "$") || strings.Contains(s, "@") && strings.Contains(s, "$") || strings.ContainsAny(s, "*?{") && w.is(a, "word") {
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
func bashPrefixed(w *walk, n node, prefix string) {
	skip := false
	for a := range w.all(n, "argument") {
		s := w.head(a)
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
		if w.is(a, "word") && bashIsName(s) && !bashBuiltins[s] {
			w.call(code.CallPlain, n, a, none, bashArgs(w, n, a))
			if bashPrefixes[prefix] {
				w.out.Calls[len(w.out.Calls)-1].Receiver = prefix
			}
		}
		return
	}
}

// bashReference records the function that is named behind an option, or by the
// first argument: it is called later.
func bashReference(w *walk, n node, option string) {
	take := option == ""
	for a := range w.all(n, "argument") {
		s := w.head(a)
		if name := bashUnquote(s); take && bashIsName(name) && !bashBuiltins[name] && w.is(a, "word", "string", "raw_string") {
			start := w.start(a) + (len(s)-len(name))/2 // behind the quote
			w.out.Calls = append(w.out.Calls, code.Call{
				Kind: code.CallReference, Callee: name, Caller: w.encloser, Span: w.span(n), NameSpan: w.lines.Span(start, start+len(name)),
			})
			return
		}
		if take && option == "" {
			return
		}
		take = s == option
	}
}

func bashAlias(w *walk, n node) {
	for a := range w.all(n, "argument") {
		name, value, ok := strings.Cut(w.head(a), "=")
		if !ok || w.encloser >= 0 || !bashIsName(name) {
			continue
		}
		s := w.declare(decl{kind: code.KindFunction, node: n, name: a, text: name, exported: true})
		w.out.Symbols[s].NameSpan = w.lines.Span(w.start(a), w.start(a)+len(name))
		w.fact(code.FactAlias, s, name, bashUnquote(strings.TrimSpace(oneLine([]byte(value)))), a)
	}
}

// bashDeclaration handles export, readonly, declare, local and typeset.
func bashDeclaration(w *walk, n node) {
	word := w.str(n + 1)
	d := decl{kind: code.KindVariable, node: n, modifiers: []string{word}, exported: word == "export"}
	if word == "readonly" {
		d.kind = code.KindConstant
	}
	for c := range w.named(n) {
		switch {
		case w.is(c, "word"):
			d.modifiers = append(d.modifiers, w.str(c))
			if strings.HasPrefix(w.str(c), "-") && strings.Contains(w.str(c), "r") {
				d.kind = code.KindConstant
			}
			d.exported = d.exported || strings.HasPrefix(w.str(c), "-") && strings.Contains(w.str(c), "x")
		case w.is(c, "variable_assignment"):
			d.name = w.field(c, "name")
			bashDeclare(w, d)
			bashPlace(w, c)
			w.visit(w.field(c, "value"))
		case w.is(c, "variable_name"):
			d.name = c
			bashDeclare(w, d)
		default:
			w.visit(c)
		}
	}
}

func bashVariable(w *walk, n node) {
	name := w.field(n, "name")
	if !w.is(w.parent(n), "command") && w.is(name, "variable_name") {
		bashDeclare(w, decl{kind: code.KindVariable, node: n, name: name})
		bashPlace(w, n)
	}
	w.visit(w.field(n, "value"))
}

// bashPlace records a variable that holds where the script lies: other files
// are sourced from there.
func bashPlace(w *walk, n node) {
	if value := w.line(w.field(n, "value")); strings.Contains(value, "BASH_SOURCE") || strings.Contains(value, "$0") || strings.Contains(value, "${0") {
		w.fact(code.FactAssign, w.encloser, w.str(w.field(n, "name")), value, n)
	}
}

// bashDeclare declares a variable of the file at its first assignment; those
// of functions are theirs.
func bashDeclare(w *walk, d decl) {
	st := w.state.(*bashState)
	name := w.str(d.name)
	if w.encloser >= 0 || name == "" || st.seen[name] || w.is(d.name, "subscript") {
		return
	}
	st.seen[name] = true
	w.declare(d)
}
