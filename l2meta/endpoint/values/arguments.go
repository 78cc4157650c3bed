package values

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// PathLike reports whether an argument contains a part of a path, rather than an id or a base
// alone.
func PathLike(text string) bool {
	if _, behind, ok := strings.Cut(text, "://"); ok {
		return strings.Contains(strings.TrimRight(behind, "/"), "/")
	}
	if strings.HasPrefix(text, "{") {
		_, behind, _ := strings.Cut(text, "}")
		return hosts.Literals(hosts.Segments(behind)) > 0
	}
	return strings.Contains(text, "/") && hosts.Literals(hosts.Segments(text)) > 0
}

// Argument returns the text that a call passes for a parameter with a number such as "1", or for
// a member of a parameter, "0.url". If the call passes no argument or a list, Argument returns
// the parameter's default; if it has none, its name in braces.
func Argument(args []string, parameters []code.Parameter, number, name string) string {
	if text := passedFor(args, parameters, number, name); text != "" && text[0] != '[' {
		return text
	}
	return notGiven(name)
}

// ArgumentTexts returns the texts that a call passes for a parameter, several for a list. If the
// call passes no argument, ArgumentTexts returns the parameter's default; if it has none, its
// name in braces.
func ArgumentTexts(args []string, parameters []code.Parameter, number, name string) []string {
	if text := passedFor(args, parameters, number, name); text != "" {
		return services.Items(text)
	}
	return []string{notGiven(name)}
}

// passedFor returns the text that a call passes for a parameter, or for the member of one, or "" if it passes none.
func passedFor(args []string, parameters []code.Parameter, number, name string) string {
	n, member, isMember := strings.Cut(number, ".")
	name, _ = folding.Otherwise(name)
	at := lookup.Digits(n)
	if at < 0 {
		return ""
	}
	text := ""
	if at < len(args) && !IsNamed(args[at]) {
		text = args[at]
	}
	for _, a := range args { // a named argument: f(url=x)
		if key, value, ok := strings.Cut(a, "="); ok && IsNamed(a) &&
			slices.ContainsFunc(parameters, func(p code.Parameter) bool { return folding.BareName(p) == key }) &&
			strings.HasSuffix(strings.SplitN(name, ".", 2)[0], key) {
			text = value
		}
	}
	if handed := wholeParameter.FindStringSubmatch(text); handed != nil && isMember {
		// the argument is a parameter of the caller: send(request)
		return "{#" + handed[1] + "." + member + ":" + handed[2] + "." + member + "}"
	}
	if isMember && constantPassed.MatchString(text) {
		return text // send(Topic.PAID), where a constant of an enumeration has one text
	}
	if isMember {
		rest, ok := strings.CutPrefix(text, "{")
		text = ""
		for _, item := range strings.Split(rest, "\x1f") {
			if key, value, found := strings.Cut(item, "="); ok && found && key == member {
				text = value
			}
		}
	} else if strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "}") && strings.Contains(text, "=") &&
		!strings.Contains(text, "}") {
		text = "" // the argument is an object instead of a text
	}
	return text
}

// IsNamed reports whether an argument has a name: "url=/x".
func IsNamed(arg string) bool {
	key, _, ok := strings.Cut(arg, "=")
	return ok && key != "" && !strings.ContainsFunc(key, func(r rune) bool { return !lookup.Letter(byte(min(r, 0x80))) })
}

// constantPassed matches an argument that is a constant in a type: {Topic.PAID}.
var constantPassed = regexp.MustCompile(`^\{(?:\w+\.)*[A-Z]\w*\.[A-Z][A-Z0-9_]*\}$`)

// wholeParameter matches an argument that is a parameter passed on.
var wholeParameter = regexp.MustCompile(`^\{#(\d+):([^{}]*)\}$`)
