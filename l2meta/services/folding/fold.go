package folding

import (
	"regexp"
	"strings"

	"sextant/internal/code"
)

// A folder finds definitions in the text, preferring the nearest one above the use. This works for all languages. If
// it finds the wrong definition, the result is usually a URL that no service serves.

// Folder folds the expressions of one file: it evaluates "/orders/" + id to the text "/orders/{id}".
type Folder struct {
	*Definitions

	// Hook folds expressions that only the language of the file has, such as builders of URLs. It returns false for
	// any other expression. It is nil if there are none.
	Hook func(expr string, at, depth int) (string, bool)

	Topical  bool            // whether a topic is being folded, not an address
	choosing bool            // whether the method chosen may take a branch; see Ways
	taken    map[string]bool // condition → whether its first branch is taken at present
	open     []string        // conditions met so far that choose between branches
	within   map[int]bool    // offsets of the definitions being folded, to prevent recursion
	steps    int             // number of steps used for the current expression

	results map[string]string // function without arguments → its result; "" if unknown
	loop    map[string]item   // loop variable → its current value; see EachItem
}

const (
	// MaxFolds is the largest number of definitions and calls through which a value is traced.
	MaxFolds = 6
	// maxNesting limits the depth of nested expressions, maxLooks the number of subexpressions folded for one.
	maxNesting = 12
	maxLooks   = 250
)

// New returns a folder for the expressions of f.
func New(f *code.File) *Folder { return &Folder{Definitions: newDefinitions(f)} }

// hashHoles lists the languages in which "#{" starts an interpolation.
var hashHoles = map[string]bool{"ruby": true, "elixir": true}

// Fold evaluates an expression at a byte offset to a text with holes: "/orders/" + id to "/orders/{id}".
func (d *Folder) Fold(expr string, at int) string {
	d.steps = 0
	return d.Step(expr, at, 0)
}

func (d *Folder) Step(expr string, at, depth int) string {
	expr = strings.TrimSpace(expr)
	for changed := true; changed; {
		changed = false
		for _, prefix := range []string{"await ", "&", "new ", "url=", "uri=", "path=", "(string)", "string("} {
			if rest, ok := strings.CutPrefix(expr, prefix); ok &&
				(prefix != "string(" || strings.HasSuffix(expr, ")")) {
				expr, changed = strings.TrimSpace(rest), true
				if prefix == "string(" {
					expr = expr[:len(expr)-1]
				}
			}
		}
	}
	expr = bare(converted(expr))
	d.Fuel -= 64 + len(expr)
	if d.steps++; expr == "" || depth > maxNesting || d.steps > maxLooks || d.Fuel < 0 {
		return "{}"
	}
	if s, ok := d.composed(expr, at, depth); ok {
		return s
	}
	if key, otherwise := settingOf(expr); key != "" && !formatters.MatchString(expr) {
		return SettingHole(key, otherwise)
	}
	if s, ok := d.assembled(expr, at, depth); ok {
		return s
	}
	if d.Hook != nil {
		if s, ok := d.Hook(expr, at, depth); ok {
			return s
		}
	}
	if s, ok := d.call(expr, at, depth); ok {
		return s
	}
	s := d.variable(expr, at, depth)
	if isHole(s) && !strings.HasPrefix(s, "{#") && !strings.HasPrefix(s, "{env:") {
		if key, otherwise := SettingOf(expr); strings.Contains(key, ".") && otherwise != "" {
			return SettingHole(key, otherwise) // for example, config('services.mail.url', 'http://mail')
		}
	}
	if strings.HasPrefix(s, "{") && strings.Contains(s, "(") && !strings.HasSuffix(expr, "()") {
		if asked, ok := d.asked(expr, at, depth, false); ok {
			return asked
		}
	}
	if strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "{#") && !strings.HasPrefix(s, "{env:") {
		if key, otherwise := SettingOf(expr); key != "" { // an assignment in the file has priority over the setting
			return SettingHole(key, otherwise)
		}
	}
	return s
}

// composed folds a conditional expression, a concatenation or a literal. It returns false for any other expression.
func (d *Folder) composed(expr string, at, depth int) (string, bool) {
	// most expressions are names with members; in PHP, a.b is a concatenation
	if isMember(expr) && d.f.Language != "php" {
		return "", false
	}
	if s, ok := d.conditional(expr, at, depth); ok {
		return s, true
	}
	if s, ok := d.choice(expr, at, depth); ok {
		return s, true
	}
	if parts := parts(d.f, expr); len(parts) > 1 {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(d.Step(p, at, depth+1))
		}
		return b.String(), true
	}
	return d.literal(expr, at, depth)
}

// isMember reports whether an expression consists of names with dots between them: a.b.c.
func isMember(expr string) bool {
	for i := 0; i < len(expr); i++ {
		if c := expr[i]; c != '.' && !IsWord(c) {
			return false
		}
	}
	return true
}

// literal folds a string literal with its interpolated parts. It returns false for other expressions.
func (d *Folder) literal(expr string, at, depth int) (string, bool) {
	start := strings.IndexAny(expr, "\"'`")
	if start < 0 || start > 3 || strings.Trim(expr[:start], "fFrRbBuU$@") != "" &&
		// Scala has prefixes such as s"…" and uri"…"
		(d.f.Language != "scala" || !Identifier.MatchString(expr[:start])) {
		return "", false
	}
	end := SkipString(expr, start)
	// An interpolated expression may contain strings: f"/{','.join(ids)}".
	if strings.ContainsAny(expr[:start], "$f") ||
		hashHoles[d.f.Language] && expr[start] == '"' && strings.Contains(expr, "#{") {
		end = interpolatedEnd(expr, start)
	}
	if strings.HasPrefix(expr[start:], `"""`) {
		return strings.Trim(expr[start:], "\""), true
	}
	if end >= len(expr) {
		return "", false
	}
	body, rest := expr[start+1:end], strings.TrimSpace(expr[end+1:])
	if expr[start] != '`' { // "http:\/\/a" has escaped slashes; a template may hold a regular expression
		body = strings.ReplaceAll(body, `\/`, "/")
	}
	if networkPath.MatchString(body) {
		body = "http:" + body
	}
	switch {
	case rest == "" || strings.HasPrefix(rest, ".to_") || strings.HasPrefix(rest, ".to_string()"):
		return d.template(body, expr[:start], expr[start], at, depth), true
	case d.f.Language == "python" && anotherString.MatchString(rest):
		// adjacent literals: "a" f"b"
		return d.template(body, expr[:start], expr[start], at, depth) + d.Step(rest, at, depth+1), true
	case strings.HasPrefix(rest, ".format(") || strings.HasPrefix(rest, ".formatted("):
		return d.format(body, ListItems(rest[strings.IndexByte(rest, '(')+1:]), at, depth), true
	}
	return "", false
}

// networkPath matches the start of a URL without its scheme, which is that of the page: //localhost:8000/orders. If
// the host has neither a dot nor a port, the text may be an XPath expression, and does not match.
var networkPath = regexp.MustCompile(`^//(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d+)(?:[:/]|$)`)

// anotherString matches a string literal directly after another.
var anotherString = regexp.MustCompile(`^[fFrRbBuU]{0,2}["']`)

// template replaces the interpolated expressions in a string, ${x}, {x}, #{x}, $x, by their folded texts.
func (d *Folder) template(body, prefix string, quote byte, at, depth int) string {
	open := ""
	switch d.f.Language {
	case "javascript", "typescript", "svelte", "vue", "html":
		if quote == '`' {
			open = "${"
		}
	case "kotlin":
		open = "$"
	case "swift":
		open, body = "${", swiftParts.ReplaceAllString(body, "$${$1}")
	case "scala":
		if prefix != "" {
			open = "$"
		}
	case "php":
		if quote == '"' {
			open, body = "${", phpParts.ReplaceAllString(body, "$${$1$2}")
		}
	case "python", "csharp":
		if strings.ContainsAny(prefix, "fF$") {
			open = "{"
		}
	case "ruby", "elixir":
		if quote == '"' {
			open = "#{"
		}
	}
	body = ofConfiguration(body, open)
	if open == "" {
		return body
	}
	var b strings.Builder
	for {
		i := strings.Index(body, open)
		if i < 0 {
			return b.String() + body
		}
		b.WriteString(body[:i])
		rest := strings.TrimPrefix(body[i+len(open):], "{")
		braced := strings.HasSuffix(open, "{") || len(rest) < len(body)-i-len(open)
		if strings.HasPrefix(rest, "env:") {
			end := strings.IndexByte(rest, '}')
			b.WriteString("{" + rest[:end+1])
			body = rest[end+1:]
			continue
		}
		n := 0
		if braced {
			for level := 1; n < len(rest); n++ {
				if rest[n] == '{' {
					level++
				} else if rest[n] == '}' {
					if level--; level == 0 {
						break
					}
				}
			}
		} else {
			for n < len(rest) && (rest[n] == '_' || IsLetter(rest[n])) {
				n++
			}
		}
		name := rest[:n]
		if open == "{" {
			if i := strings.IndexByte(name, ':'); i >= 0 && !strings.ContainsAny(name[:i], "[\"'(") {
				name = name[:i] // the rest is a format specifier
			}
		}
		b.WriteString(d.Step(name, at, depth+1))
		if braced {
			n = min(n+1, len(rest))
		}
		body = rest[n:]
	}
}

// ofConfiguration replaces the placeholders of configuration in a string, ${a.url}, by holes, {env:a.url}. open is
// the text that begins an interpolation of the string's language, "" for none. If that is the dollar sign, only
// escaped placeholders, \${a.url}, are meant for configuration.
func ofConfiguration(body, open string) string {
	switch {
	case open == "" || open == "{":
		return Placeholders(body)
	case open == "$" && strings.Contains(body, `\$`):
		return escapedPart.ReplaceAllStringFunc(body, func(s string) string { return Placeholders(s[1:]) })
	}
	return body
}

// escapedPart matches a placeholder of configuration, \${a.url}, in a language whose own interpolations begin with
// the same sign.
var escapedPart = regexp.MustCompile(`\\\$\{[^{}]*\}`)

// swiftParts matches Swift's interpolations, \(x) and \(f(x)), which are rewritten as ${…}.
var swiftParts = regexp.MustCompile(`\\\(((?:[^()]|\([^()]*\))*)\)`)

// phpParts matches PHP's interpolations $x, $x->y, {$x->y()}, which are rewritten as ${…}.
var phpParts = regexp.MustCompile(`\{(\$[^{}]*)\}|(\$\w+(?:->\w+)?)`)

// IsLetter reports whether a byte is a letter or a digit of ASCII.
func IsLetter(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

var verbs = regexp.MustCompile(`%[+#]?[sdvqxu]|\{\d*(?::\?)?\}`)

var namedVerb = regexp.MustCompile(`\{[A-Za-z_]\w*\}`)

// format replaces the verbs of a format, such as %s in "/orders/%s", by the folded arguments.
func (d *Folder) format(body string, args []string, at, depth int) string {
	next := 0
	body = namedVerb.ReplaceAllStringFunc(body, func(verb string) string {
		if given := Keyword(args, verb[1:len(verb)-1]); given != "" { // for example, "{base}/x".format(base=b)
			return d.Step(given, at, depth+1)
		}
		return verb
	})
	return verbs.ReplaceAllStringFunc(body, func(verb string) string {
		i := next
		if len(verb) > 2 && verb[0] == '{' && verb[1] >= '0' && verb[1] <= '9' {
			i = int(verb[1] - '0')
		}
		next++
		if i >= len(args) {
			return "{}"
		}
		return d.Step(args[i], at, depth+1)
	})
}

var formatters = regexp.MustCompile(
	`^(?:fmt\.Sprintf|MessageFormat\.format|Kernel\.format|format|[sS]tring\.[fF]ormat|sprintf|format!|std::format!)\(`)

// call folds a call that returns its first argument as a URL, URI.create(url), or that composes a text from its
// arguments. It returns false for any other expression.
func (d *Folder) call(expr string, at, depth int) (string, bool) {
	open := strings.IndexByte(expr, '(')
	if open <= 0 || !strings.HasSuffix(expr, ")") {
		return "", false
	}
	args := ListItems(expr[open+1:])
	if len(args) == 0 {
		return "", false
	}
	name := expr[:open]
	if formatters.MatchString(expr) {
		if s, ok := d.literal(args[0], at, depth); ok {
			return d.format(s, args[1:], at, depth), true
		}
	}
	last := name[strings.LastIndexAny(name, ".:")+1:]
	if strings.HasPrefix(last, "U") && d.Declares(last) { // Url(path) may be a function of the file
		return "", false
	}
	switch last {
	case "URL":
		if len(args) == 2 { // for example, new URL(path, base)
			return JoinURL(d.Step(args[1], at, depth+1), d.Step(args[0], at, depth+1)), true
		}
		return d.Step(args[0], at, depth+1), true
	case "urljoin", "JoinPath":
		out := d.Step(args[0], at, depth+1)
		for _, a := range args[1:] {
			out = JoinURL(out, d.Step(a, at, depth+1))
		}
		return out, true
	case "URI", "Uri", "create", "parse", "Parse", "fromUriString", "fromHttpUrl", "Url", "from", "StringBuilder":
		return d.Step(args[0], at, depth+1), true
	}
	return "", false
}

var stringText = regexp.MustCompile(`["']([\w.-]+)["']`)
