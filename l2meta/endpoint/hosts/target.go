package hosts

import (
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/services/folding"
)

// Target is a parsed URL.
type Target struct {
	Port     string // the port, or the hole in its place: "{port}"; "" for none
	Host     string // literal host without scheme and port; "" if the URL is relative or starts with a hole
	Hole     string // the hole in place of the host: "env:CART_ADDR", "s.cartAddr"
	Path     []string
	Absolute bool
	based    bool // whether the hole replaces everything before the path, and may contain the start of the path
}

// TargetOf parses a URL in which unknown parts are in braces: {env:CART_ADDR}/items.
func TargetOf(url string) Target { return sidecar(parted(url)) }

func parted(url string) (t Target) {
	if scheme, rest, ok := strings.Cut(url, "://"); ok && !strings.Contains(scheme, "/") {
		t.Absolute = true
		if strings.HasPrefix(scheme, "{") && strings.IndexByte(scheme, '}') != len(scheme)-1 {
			rest = url
		}
		url = rest
	} else if strings.HasPrefix(url, "{") {
		t.Absolute, t.based = true, true
	} else {
		t.Path = Segments(url)
		return t
	}
	host := url
	if slash := folding.PathStart(url); slash >= 0 {
		host, t.Path = url[:slash], Segments(url[slash:])
	}
	if start := strings.IndexByte(host, '{'); start >= 0 {
		if start > 1 && host[start-1] == ':' { // the port is a hole: name:{port}
			t.Host, t.Port = host[:start-1], host[start:]
			if t.Host == "127.0.0.1" {
				t.Host = "localhost"
			}
			return t
		}
		end := strings.IndexByte(host[start:], '}')
		t.Hole = host[start+1 : start+max(end, 1)]
		if m := stepBehind.FindStringSubmatch(host); m != nil && t.based {
			t.Path = append([]string{m[1]}, t.Path...) // a base that ends in a slash: {base}connect/token
		}
		if start > 0 && domainLike(t.Hole) { // the hole is the domain: orders{domain}
			t.Host, t.Hole = host[:start], ""
		}
		return t
	}
	if app, ok := strings.CutPrefix(host, "dapr-app-id:"); ok { // app in dapr-app-id:app@host
		t.Host, _, _ = strings.Cut(app, "@")
		return t
	}
	t.Host, t.Port, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	if t.Host == "127.0.0.1" {
		t.Host = "localhost"
	}
	return t
}

// stepBehind matches an address that is only a hole, with the first segment of the path directly behind it.
var stepBehind = regexp.MustCompile(
	`^\{[^{}]*(?:[uU][rR][lLiI]|[aA]ddr(?:ess)?|ADDR(?:ESS)?|[bB]ase|BASE)\}([A-Za-z][\w-]*)$`)

// sidecar returns the target of a request through a Dapr sidecar, which forwards to the application
// that the path names: /v1.0/invoke/orders/method/items.
func sidecar(t Target) Target {
	at := slices.Index(t.Path, "invoke")
	if at < 1 || t.Path[at-1] != "v1.0" || len(t.Path) < at+3 || t.Path[at+2] != "method" {
		return t
	}
	behind := Target{Host: t.Path[at+1], Path: t.Path[at+3:], Absolute: true}
	if strings.HasPrefix(behind.Host, "{") {
		behind.Host, behind.Hole = "", strings.Trim(behind.Host, "{}")
	}
	if app, namespace, ok := strings.Cut(behind.Host, "."); ok && !strings.Contains(namespace, ".") {
		behind.Host = app // the name may have a namespace: orders.production
	}
	return behind
}

// domainLike reports whether a hole, an unknown part in braces, is the domain after a host name:
// http://orders{domain}. Names inside the workspace's network omit the domain.
func domainLike(hole string) bool {
	hole = strings.ToLower(hole)
	return strings.Contains(hole, "domain") || strings.Contains(hole, "suffix") || strings.Contains(hole, "namespace")
}

// Segments returns the non-empty segments of a path.
func Segments(path string) (out []string) {
	for _, s := range strings.Split(path, "/") {
		if s != "" && s != "." { // the path ./orders of a page
			out = append(out, s)
		}
	}
	return out
}

// Variable reports whether a segment of a template or a URL matches any text, and whether it
// matches any number of segments.
func Variable(s string) (is, rest bool) {
	if !strings.ContainsFunc(s, marksVariable) { // this test is cheap and excludes most segments
		return false, false
	}
	switch {
	case s == "**" || strings.HasPrefix(s, "{*") || strings.HasSuffix(s, "...}") || strings.HasPrefix(s, "<path:") ||
		len(s) > 1 && s[0] == '*', s[0] == ':' && strings.HasSuffix(s, "*"),
		s[0] == '{' && (strings.HasSuffix(s, ":path}") || strings.HasSuffix(s, ":.*}") || strings.HasSuffix(s, ":.+}")):
		return true, true
	}
	return s[0] == ':' || s == "*" || strings.ContainsAny(s, "{<(["), false
}

// IsLiteral reports whether a segment of a template matches one text alone, unlike orders* of Express and id?.
func IsLiteral(s string) bool {
	is, _ := Variable(s)
	return !is && !strings.HasSuffix(s, "*") && !strings.HasSuffix(s, "?")
}

// marksVariable reports whether r may mark a variable. Each variable contains such a character.
func marksVariable(r rune) bool {
	switch r {
	case '{', '}', '<', '(', '[', '*', ':':
		return true
	}
	return false
}

// Meets reports whether a request's path matches a template, /items/{id}, and returns the number of equal literal
// segments. fold ignores case.
func Meets(path, template []string, fold bool) (same int, ok bool) {
	for i, t := range template {
		is, rest := Variable(t)
		if rest {
			behind, ok := meetsRest(path[min(i, len(path)):], template[i+1:], fold)
			return same + behind, ok && i <= len(path)
		}
		if i == len(path) {
			return same, strings.HasSuffix(t, "?}") || strings.HasSuffix(t, "?") && is
		}
		if start, open := strings.CutSuffix(t, "*"); open && !is && i == len(template)-1 { // Express's /orders*
			if path[i] == start {
				same++
			}
			return same, strings.HasPrefix(path[i], start)
		}
		switch {
		case is:
		case path[i] == t || fold && strings.EqualFold(path[i], t):
			same++
		default:
			return 0, false
		}
	}
	return same, len(path) == len(template)
}

// meetsRest reports whether some part of a path, after the segments that a variable such as {path...} takes, matches
// what a template has behind that variable: /resend of <path:id>/resend.
func meetsRest(path, template []string, fold bool) (same int, ok bool) {
	if len(template) == 0 {
		return 0, true
	}
	for i := len(path); i >= 0 && !ok; i-- {
		same, ok = Meets(path[i:], template, fold)
	}
	return same, ok
}

// Literals returns the number of literal segments of a path.
func Literals(path []string) (n int) {
	for _, s := range path {
		if is, _ := Variable(s); !is {
			n++
		}
	}
	return n
}
