package folding

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	environment = regexp.MustCompile(
		`(?:environ(?:\.get)?|\$_(?:ENV|SERVER)|[gG]et_?\w{0,12}[eE]nv\w*|[eE]nv_?[oO]r\w*|LookupEnv|GetEnvironmentVariable|\bENV(?:\.fetch)?|env(?:::var)?|env\.get|MapEnv)\s*[\[(]\s*(?:&?[\w.]+\s*,\s*)?["']([A-Za-z_]\w*)["']`)
	environDot = regexp.MustCompile(`\b(?:(?:process|import\.meta|Deno|Bun)\.env|__ENV)\.([A-Za-z_]\w*)`)
	defaulted  = regexp.MustCompile(
		"^[)\\]]*\\s*(?:,|\\|\\||\\?\\?|\\?:|\\bor\\b|\\.unwrap_or(?:_else)?\\((?:\\|_?\\|)?)\\s*[\"'`]([^\"'`]*)[\"'`]")
	// defaultedBy matches the default of a setting that is a constant, in the rest of the expression: ?? Topics.Paid.
	defaultedBy = regexp.MustCompile(
		`^[)\]]*\s*(?:,|\|\||\?\?|\?:|\bor\b)\s*((?:[A-Za-z_]\w*(?:\.|::))*[A-Z]\w*)\s*\)*$`)
	placeholder = regexp.MustCompile(`[$#]\{([A-Za-z_][\w.-]*)(?::([^{}]*))?\}`)
)

// Placeholders replaces the placeholders of configuration, "${a.url:default}", by holes:
// "{env:a.url|default}".
func Placeholders(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		m := placeholder.FindStringSubmatch(s)
		return SettingHole(m[1], strings.TrimPrefix(m[2], "-"))
	})
}

// SettingHole returns {env:KEY|default} for a setting, which is an environment variable or a key of configuration.
// The default value is escaped; without one, the text is {env:KEY}.
func SettingHole(key, otherwise string) string {
	if otherwise != "" {
		key += "|" + escapes.Replace(otherwise)
	}
	return "{env:" + key + "}"
}

var escapes = strings.NewReplacer("%", "%25", "/", "%2F", ":", "%3A", "{", "%7B", "}", "%7D", "?", "%3F", "#", "%23")

// Setting parses the text of a hole, "env:KEY|default", into the key of a setting and its default
// value; ok is false for other holes.
func Setting(hole string) (key, otherwise string, ok bool) {
	rest, ok := strings.CutPrefix(hole, "env:")
	key, otherwise, _ = strings.Cut(rest, "|")
	if text, err := url.PathUnescape(otherwise); err == nil {
		otherwise = text
	}
	return key, otherwise, ok
}

// SettingOf returns the key that an expression reads from a configuration object, and the default value:
// configuration["A:B"], config.get("a.b", "c"), env.getProperty("a.b"), and a.b for config["a"]["b"]. It returns "" if the expression reads none or
// does more than that.
func SettingOf(expr string) (key, otherwise string) {
	if quote := strings.IndexAny(expr, "\"'"); quote < 2 || !Mentions(expr[:quote], configuring) {
		return "", "" // this test is cheap and excludes most expressions
	}
	if strings.Contains(expr, "\n") {
		expr = brokenDot.ReplaceAllString(expr, ".")
	}
	quote := strings.IndexAny(expr, "\"'")
	if quote < 2 || quote > 80 || expr[quote-1] != '[' && expr[quote-1] != '(' {
		return "", ""
	}
	head := strings.ReplaceAll(expr[:quote-1], "()", "")
	if i := strings.IndexByte(head, '<'); i > 0 {
		head = head[:i]
	}
	steps := strings.Split(strings.ToLower(strings.ReplaceAll(head, "->", ".")), ".")
	last := steps[len(steps)-1]
	if len(steps) > 1 && (strings.HasPrefix(last, "get") || strings.HasPrefix(last, "read") ||
		strings.HasPrefix(last, "require") || strings.HasPrefix(last, "property")) {
		last = steps[len(steps)-2]
	}
	if strings.ContainsAny(head, "([{\"' ") || last != "env" && last != "viper" && !Mentions(last, configuring[2:]) {
		return "", ""
	}
	end := SkipString(expr, quote)
	if end >= len(expr) || !settingKey.MatchString(expr[quote+1:end]) {
		return "", ""
	}
	key, rest := expr[quote+1:end], expr[end+1:]
	for {
		m := subscript.FindStringSubmatch(rest)
		if m == nil {
			break
		}
		if m[1] == "" { // the key is no text: config["topics"][name]
			return "", ""
		}
		key, rest = key+"."+m[1], rest[len(m[0])-1:]
	}
	if d := defaulted.FindStringSubmatch(rest); d != nil {
		otherwise = d[1]
	}
	return key, otherwise
}

// subscript matches the end of one step of a chain of subscripts and the next step, up to its closing bracket:
// ]["paid"] in config["topics"]["paid"]. Without a text as the key, the match ends with the opening bracket.
var subscript = regexp.MustCompile(`^[\])]\s*\[(?:\s*["']([\w.-]+)["']\s*\])?`)

// configuring lists words in the names of configuration objects; the first two have to be the
// whole name.
var configuring = strings.Fields("env viper config settings environment")

// Mentions reports whether a text contains one of some words, in any case of letters.
func Mentions(text string, words []string) bool {
	return ContainsAny(strings.ToLower(text), words)
}

// brokenDot matches a line break before the dot of a member.
var brokenDot = regexp.MustCompile(`\s*\n\s*\.`)

var settingKey = regexp.MustCompile(`^[\w-]+(?:[.:]+[\w-]+)*$`)

// settingOf returns the name of the environment variable that an expression reads, and its
// default value. key is "" if the expression reads none.
func settingOf(expr string) (key, otherwise string) {
	if !MentionsEnvironment(expr) {
		return "", ""
	}
	var m []int
	if strings.Contains(expr, ".env.") || strings.Contains(expr, "__ENV.") {
		m = environDot.FindStringSubmatchIndex(expr)
	}
	if (m == nil || m[0] >= maxBefore) && strings.ContainsAny(expr, "\"'") {
		m = environment.FindStringSubmatchIndex(expr)
	}
	if m == nil || m[0] >= maxBefore {
		return "", ""
	}
	if d := defaulted.FindStringSubmatch(expr[m[1]:]); d != nil {
		otherwise = d[1]
	} else if d := defaultedBy.FindStringSubmatch(expr[m[1]:]); d != nil {
		otherwise = "{" + d[1] + "}"
	}
	return expr[m[2]:m[3]], otherwise
}

// settingByHelper folds a call with the name of an environment variable, and perhaps a default,
// as arguments, whatever function the program reads variables with: getString("ORDERS_URL",
// "http://orders"), must("ORDERS_URL").
func (d *Folder) settingByHelper(expr string, at, depth int) (string, bool) {
	if open := strings.IndexByte(expr, '('); open <= 0 || !strings.HasSuffix(expr, ")") ||
		!variableName.MatchString(expr[open+1:]) {
		return "", false
	}
	_, name, args, ok := lastCall(expr)
	// t("ORDERS_URL") translates a text
	if !ok || len(args) == 0 || len(args) > maxHelperArgs || Deaf[name] || len(name) == 1 {
		return "", false
	}
	key, quoted := Quoted(args[0])
	if !quoted {
		return "", false
	}
	otherwise := ""
	if len(args) > 1 {
		if text := d.Step(args[1], at, depth+1); !strings.Contains(text, "{") {
			otherwise = text
		}
	}
	if !MentionsAddress(key) && !strings.Contains(otherwise, "://") {
		return "", false
	}
	return SettingHole(key, otherwise), true
}

// maxHelperArgs is the largest number of arguments of a function that reads a variable: its name,
// a default, and an option.
const maxHelperArgs = 3

// variableName matches the start of arguments with the name of an environment variable: "ORDERS_URL", …
var variableName = regexp.MustCompile("^\\s*[\"'`][A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[\"'`]\\s*[,)]")

// maxBefore is the largest offset of a setting in an expression. If the offset is larger, the
// expression does more than read the setting.
const maxBefore = 48

// conditional folds a choice between a setting and a text, which becomes the default of the
// setting: getenv("A") == null ? "a" : getenv("A"), "a" if environ.get("A") is None else
// environ["A"]. If the expression does more than read the setting, it returns the text alone. It
// returns false for any other expression.
func (d *Folder) conditional(expr string, at, depth int) (string, bool) {
	if !mentionsSetting(expr) {
		return "", false
	}
	a, b, ok := branches(expr)
	if !ok {
		return "", false
	}
	first, second := d.Step(a, at, depth+1), d.Step(b, at, depth+1)
	if strings.Contains(first, "{env:") {
		first, second = second, first
	}
	switch {
	case strings.Contains(first, "{") || !strings.Contains(second, "{env:"):
		return "", false
	// In this case, the expression does more with the setting than read it.
	case strings.IndexByte(second, '}') != len(second)-1 || !strings.HasPrefix(second, "{env:"):
		return first, true
	}
	key, _, _ := Setting(second[1 : len(second)-1])
	return SettingHole(key, first), true
}

// branches returns the two branches of a conditional expression: a and b of c ? a : b, and of a if c else b.
func branches(expr string) (a, b string, ok bool) {
	if a, b, ok = ifBranches(expr); ok {
		return a, b, true
	}
	for _, operators := range [][2]string{{"?", ":"}, {" if ", " else "}} {
		first := outside(expr, operators[0])
		if first < 0 {
			continue
		}
		rest := expr[first+len(operators[0]):]
		second := outside(rest, operators[1])
		if second < 0 {
			continue
		}
		a, b = rest[:second], rest[second+len(operators[1]):]
		if operators[0] != "?" {
			a = expr[:first]
		}
		return bare(a), bare(b), true
	}
	return "", "", false
}

// bare returns an expression without the parentheses around it.
func bare(expr string) string {
	expr = strings.TrimSpace(expr)
	if len(expr) > 1 && expr[0] == '(' && outside(expr[1:], ")") == len(expr)-2 {
		return strings.TrimSpace(expr[1 : len(expr)-1])
	}
	return expr
}

// outside returns the index of an operator in an expression, outside of brackets and strings, or
// -1. A single question mark does not match two, which are another operator.
func outside(expr, operator string) int {
	depth := 0
	for i := 0; i < len(expr); i++ {
		if depth == 0 && strings.HasPrefix(expr[i:], operator) {
			if operator != "?" || i+1 < len(expr) && strings.IndexByte("?.[:", expr[i+1]) < 0 &&
				(i == 0 || expr[i-1] != '?') {
				return i
			}
		}
		switch c := expr[i]; c {
		case '"', '\'', '`':
			i = SkipString(expr, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return -1
}
