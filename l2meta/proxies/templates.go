package proxies

import (
	"regexp"
	"strconv"
	"strings"

	"sextant/l2meta/services/folding"
)

// Regexp returns the path template that is equivalent to a regular expression of a proxy, and the
// placeholder of each of its groups, by number and by name: "^/red/?(?<rest>.*)$" is "/red/**", and
// both "1" and "rest" map to "**". It reports false if no template is equivalent.
func Regexp(expr string) (match string, groups map[string]string, ok bool) {
	t := template{rest: strings.TrimPrefix(expr, "^"), groups: map[string]string{}}
	for t.rest != "" && t.rest != "$" {
		if !t.step() {
			return "", nil, false
		}
	}
	if match = t.out.String(); t.rest == "" && !strings.HasSuffix(match, "**") && !strings.HasSuffix(match, "}") {
		match += "/**"
	}
	return match, t.groups, true
}

// template is the state of the translation of a regular expression to a template.
type template struct {
	rest   string
	out    strings.Builder
	groups map[string]string
	count  int
}

var (
	anything  = regexp.MustCompile(`^/?\??(?:\.\*|\.\+)\??$`)
	segment   = regexp.MustCompile(`^(?:\[[^\]]+\]|\\[wd]|\.)[+*]?(?:\{[\d,]+\})?$`)
	groupName = regexp.MustCompile(`^\?P?<(\w+)>`)
	bareAny   = regexp.MustCompile(`^\.[*+]\??$?`)
	oneClass  = regexp.MustCompile(`^(?:\[\^?[^\]]+\]|\\[wd])[+*]`)
)

// step translates the next part of the expression, such as a group or a letter, and appends it to
// the template. It reports false if that part has no equivalent.
func (t *template) step() bool {
	switch c := t.rest[0]; {
	case c == '(':
		end := strings.IndexByte(t.rest, ')')
		if end < 0 {
			return false
		}
		body, after := t.rest[1:end], t.rest[end+1:]
		t.rest = strings.TrimPrefix(after, "?")
		return t.group(body)
	case strings.HasPrefix(t.rest, "/?"):
		t.out.WriteByte('/')
		t.rest = t.rest[2:]
		return true
	case c == '\\' && len(t.rest) > 1 && strings.IndexByte("./-_", t.rest[1]) >= 0:
		t.out.WriteByte(t.rest[1])
		t.rest = t.rest[2:]
		return true
	case bareAny.MatchString(t.rest):
		t.rest = strings.TrimPrefix(t.rest[2:], "?")
		t.out.WriteString("/**")
		return t.rest == "" || t.rest == "$"
	case oneClass.MatchString(t.rest):
		t.rest = t.rest[len(oneClass.FindString(t.rest)):]
		t.out.WriteString("*")
		return true
	case strings.IndexByte(`.[]{}|+*?^$\`, c) >= 0:
		return false
	default:
		t.out.WriteByte(c)
		t.rest = t.rest[1:]
		return true
	}
}

// group translates a group, (body). It reports false if the group has no equivalent.
func (t *template) group(body string) bool {
	name := ""
	if m := groupName.FindStringSubmatch(body); m != nil {
		name, body = m[1], body[len(m[0]):]
	} else if rest, plain := strings.CutPrefix(body, "?:"); plain {
		t.rest = rest + t.rest
		return !strings.Contains(body, "|")
	}
	t.count++
	number, value := strconv.Itoa(t.count), ""
	switch {
	case body == "/|$" || body == "/$":
		value = "/"
	case anything.MatchString(body):
		if t.rest != "" && t.rest != "$" {
			return false
		}
		value = "**"
		if strings.HasPrefix(body, "/") {
			value = "/**"
		}
	case segment.MatchString(body):
		value = "{" + number + "}"
		if name != "" {
			value = "{" + name + "}"
		}
	default:
		return false
	}
	if value == "**" && !strings.HasSuffix(t.out.String(), "/") {
		t.out.WriteByte('/')
	}
	t.out.WriteString(value)
	t.groups[number] = value
	if name != "" {
		t.groups[name] = value
	}
	return true
}

var reference = regexp.MustCompile(`\$\\?\{(\w+)\}|\$(\w+)|\\(\d)`)

// Refer replaces the references to groups in the replacement of a regular expression, "/$1" or
// "/${rest}", by their placeholders. It reports false if a reference has no group.
func Refer(text string, groups map[string]string) (out string, ok bool) {
	ok = true
	out = reference.ReplaceAllStringFunc(text, func(ref string) string {
		m := reference.FindStringSubmatch(ref)
		value, known := groups[m[1]+m[2]+m[3]]
		ok = ok && known
		return value
	})
	return out, ok
}

// Tail converts the placeholders of a template to those of a Rule: ":id" to "{id}", and a
// placeholder that matches several segments to "**". The latter are "{**x}" of ASP.NET, ":path*"
// of Next.js, "{proxy+}" of API gateways, and "*" or ":splat" at the end.
func Tail(p string) string {
	all := strings.Split(p, "/")
	for i, s := range all {
		switch {
		case strings.HasPrefix(s, "{*") || strings.HasPrefix(s, "{proxy+") || strings.HasSuffix(s, "+}"),
			strings.HasPrefix(s, ":") && (strings.HasSuffix(s, "*") || strings.HasSuffix(s, "+")),
			(s == "*" || s == ":splat") && i == len(all)-1:
			all[i] = "**"
		case strings.HasPrefix(s, ":") && len(s) > 1:
			all[i] = "{" + s[1:] + "}"
		}
	}
	return strings.Join(all, "/")
}

var shellVariable = regexp.MustCompile(
	`\$\{([A-Za-z_]\w*)(?::-?([^}]*))?\}|%\(ENV_(\w+)\)s|\{\$(\w+)(?::([^}]*))?\}|\{\{\s*(?:env|getenv)\s+"(\w+)"[^}]*\}\}`)

// Variables replaces the environment variables in a configured address by placeholders:
// "http://${CART_HOST}:8080" becomes "http://{env:CART_HOST}:8080".
func Variables(text string) string {
	return shellVariable.ReplaceAllStringFunc(text, func(ref string) string {
		m := shellVariable.FindStringSubmatch(ref)
		return folding.SettingHole(m[1]+m[3]+m[4]+m[6], m[2]+m[5])
	})
}
