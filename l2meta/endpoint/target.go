package endpoint

import (
	"slices"
	"strings"

	"sextant/l2meta/services"
)

// target is a parsed URL.
type target struct {
	port     string // literal, "" for none
	host     string // literal, without scheme and port; "" if the URL is relative or starts with a hole
	hole     string // the hole in place of the host: "env:CART_ADDR", "s.cartAddr"
	path     []string
	absolute bool
	based    bool // the hole replaces everything before the path, and may contain its start
}

// targetOf parses a URL in which unknown parts are in braces: {env:CART_ADDR}/items.
func targetOf(url string) target { return sidecar(parted(url)) }

func parted(url string) (t target) {
	if scheme, rest, ok := strings.Cut(url, "://"); ok && !strings.Contains(scheme, "/") {
		t.absolute = true
		if strings.HasPrefix(scheme, "{") && strings.IndexByte(scheme, '}') != len(scheme)-1 {
			rest = url
		}
		url = rest
	} else if strings.HasPrefix(url, "{") {
		t.absolute, t.based = true, true
	} else {
		t.path = segments(url)
		return t
	}
	host := url
	if slash := services.PathStart(url); slash >= 0 {
		host, t.path = url[:slash], segments(url[slash:])
	}
	if start := strings.IndexByte(host, '{'); start >= 0 {
		if start > 1 && host[start-1] == ':' { // name:{port}
			t.host = host[:start-1]
			return t
		}
		end := strings.IndexByte(host[start:], '}')
		t.hole = host[start+1 : start+max(end, 1)]
		if start > 0 && domainLike(t.hole) { // orders{domain}
			t.host, t.hole = host[:start], ""
		}
		return t
	}
	if app, ok := strings.CutPrefix(host, "dapr-app-id:"); ok { // app in dapr-app-id:app@host
		t.host, _, _ = strings.Cut(app, "@")
		return t
	}
	t.host, t.port, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	if t.host == "127.0.0.1" {
		t.host = "localhost"
	}
	return t
}

// sidecar returns the target of a request through a Dapr sidecar, which forwards to the application
// that the path names: /v1.0/invoke/orders/method/items.
func sidecar(t target) target {
	at := slices.Index(t.path, "invoke")
	if at < 1 || t.path[at-1] != "v1.0" || len(t.path) < at+3 || t.path[at+2] != "method" {
		return t
	}
	behind := target{host: t.path[at+1], path: t.path[at+3:], absolute: true}
	if strings.HasPrefix(behind.host, "{") {
		behind.host, behind.hole = "", strings.Trim(behind.host, "{}")
	}
	if app, namespace, ok := strings.Cut(behind.host, "."); ok && !strings.Contains(namespace, ".") {
		behind.host = app // orders.production
	}
	return behind
}

// domainLike reports whether a hole, an unknown part in braces, is the domain after a host name:
// http://orders{domain}. Names inside the workspace's network omit the domain.
func domainLike(hole string) bool {
	hole = strings.ToLower(hole)
	return strings.Contains(hole, "domain") || strings.Contains(hole, "suffix") || strings.Contains(hole, "namespace")
}

// segments returns the non-empty segments of a path.
func segments(path string) (out []string) {
	for _, s := range strings.Split(path, "/") {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// variable reports whether a segment of a template or a URL matches any text, and whether it
// matches any number of segments.
func variable(s string) (is, rest bool) {
	if !strings.ContainsFunc(s, marksVariable) { // most segments
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

// marksVariable reports whether r may mark a variable. Each variable contains such a character.
func marksVariable(r rune) bool {
	switch r {
	case '{', '}', '<', '(', '[', '*', ':':
		return true
	}
	return false
}

// meets reports whether a request's path matches a template, /items/{id}, and returns the number of equal literal
// segments. fold ignores case.
func meets(path, template []string, fold bool) (same int, ok bool) {
	for i, t := range template {
		is, rest := variable(t)
		if rest {
			return same, i <= len(path)
		}
		if i == len(path) {
			return same, strings.HasSuffix(t, "?}") || strings.HasSuffix(t, "?") && is
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

// literals returns the number of literal segments of a path.
func literals(path []string) (n int) {
	for _, s := range path {
		if is, _ := variable(s); !is {
			n++
		}
	}
	return n
}
