package folding

import (
	"regexp"
	"slices"
	"strings"
)

// Annotation splits "@a.Get('x', y)" into the last name, Get, and the arguments.
func Annotation(text string) (name string, args []string) {
	text = strings.TrimLeft(strings.TrimSpace(text), "@#[")
	name, rest, ok := strings.Cut(text, "(")
	if ok {
		args = ListItems(rest)
	}
	name = strings.TrimRight(name, "] ")
	return name[strings.LastIndexAny(name, `.:\`)+1:], args
}

// FirstPath returns the first path in the arguments of an annotation, without quotation marks: /x for value = "/x".
// It returns false if there is none.
func FirstPath(args []string) (string, bool) {
	all := Paths(args)
	if len(all) == 0 {
		return "", false
	}
	return all[0], true
}

// Paths returns the paths in the arguments of an annotation, without quotation marks: "x", value
// = "x", path = {"x", "y"}. It reads only the first argument that has any path.
func Paths(args []string) (out []string) {
	for _, a := range args {
		key, value, named := strings.Cut(a, "=")
		key = strings.TrimSpace(key)
		if named && !strings.ContainsAny(key, "\"'`") {
			if key != "value" && key != "path" && key != "template" && key != "Template" && key != "rule" {
				continue
			}
			a = strings.TrimSpace(value)
		}
		for _, item := range ListItems(strings.Trim(strings.TrimPrefix(a, "arrayOf("), "{}[]()")) {
			if p, ok := Quoted(strings.TrimSpace(item)); ok {
				out = append(out, p)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return out
}

// Keyword returns the value of a named argument, x for the name target in target=x; "" if no argument has the name.
func Keyword(args []string, name string) string {
	for _, a := range args {
		if key, value, ok := strings.Cut(a, "="); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Property returns the value of a key in the source text of an object literal, as written; "" if there is none.
func Property(object, key string) string {
	if !strings.HasPrefix(object, "{") {
		return ""
	}
	for _, item := range ListItems(object[1:]) {
		if item == key {
			return key
		}
		if name, value, ok := strings.Cut(item, ":"); ok && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Unquoted returns an argument without the quotation marks around it.
func Unquoted(arg string) string {
	if text, ok := Quoted(arg); ok {
		return text
	}
	return arg
}

// Quoted returns the text of an argument that is a plain string literal, and false for any other.
func Quoted(arg string) (string, bool) {
	if len(arg) < 2 || strings.IndexByte("\"'`", arg[0]) < 0 || SkipString(arg, 0) != len(arg)-1 {
		return "", false
	}
	return arg[1 : len(arg)-1], true
}

// MethodOf returns the HTTP method that a text names, or "": "POST", http.MethodPost,
// HttpMethod.Post.
func MethodOf(text string) string {
	word := strings.ToUpper(text[strings.LastIndexAny(text, ".:")+1:])
	word = strings.TrimPrefix(strings.Trim(word, "\"'` "), "METHOD")
	if slices.Contains(Methods, word) {
		return word
	}
	return ""
}

// LastWord returns the last name of a receiver, client for this.client, or "" for the result of a call.
func LastWord(receiver string) string {
	receiver = strings.TrimSpace(receiver)
	if i := strings.IndexByte(receiver, '('); i >= 0 {
		return ""
	}
	for i := len(receiver); i > 0; i-- {
		if c := receiver[i-1]; c != '_' && c != '$' && !IsLetter(c) {
			return receiver[i:]
		}
	}
	return receiver
}

// IsFunction reports whether the text of a handler is that of an anonymous function.
func IsFunction(text string) bool {
	for _, start := range []string{"func(", "function", "async ", "fn ", "fn(", "static fn", "static function",
		"lambda", "|", "move |", "delegate"} {
		if strings.HasPrefix(text, start) {
			return true
		}
	}
	if pair := pairHead.FindString(text); pair != "" { // an option of Ruby or PHP: :durable => true
		return IsFunction(strings.TrimSpace(text[len(pair):]))
	}
	return strings.Contains(text, "=>") || lambdaHead.MatchString(text)
}

// pairHead matches the key of a pair in Ruby and PHP, :durable => or 'durable' =>.
var pairHead = regexp.MustCompile(`^(?::\w+|"[^"]*"|'[^']*')\s*=>`)

// lambdaHead matches the head of a Java lambda: ctx ->, (request, response) ->.
var lambdaHead = regexp.MustCompile(`^(?:\w+|\([\w\s,]*\))\s*->`)

// Identifier matches a name, without dots or signs.
var Identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// IsWord reports whether a byte matches \w.
func IsWord(c byte) bool { return c == '_' || IsLetter(c) }

// Methods lists the HTTP methods that routes and requests may have.
var Methods = []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}
