// Package proxies reads the rules of proxies and gateways from one file: which paths they match,
// and where they send the requests.
//
// A rule is a pair of templates, Match and Target. A placeholder in braces, or "**" at the end of
// Match, occurs again in Target if the rule keeps that part of the path:
//
//	/api/cart/**      http://cart:8080/**     nginx: location /api/cart/ { proxy_pass http://cart:8080/; }
//	/api/vet/**       lb://vets-service/**    Spring Cloud Gateway: Path=/api/vet/**, StripPrefix=2
//	/{service}/**     lb://{service}/**       Zuul without routes
//
// The package reads configuration files. Rules in source code are found by the idioms of its
// language, which also use Rule and Regexp.
package proxies

import (
	"path"
	"strings"

	"sextant/internal/code"
	"sextant/internal/configtree"
	"sextant/l2meta"
)

// Rule is one rule of a proxy.
type Rule struct {
	// Match is a path template: literal segments, "{name}" for a segment that Target may repeat,
	// and "**" at the end for the rest of the path.
	Match  string
	Target string // a URL with the same placeholders
	Entry  string // the host whose requests the rule applies to: Own, Dev, Edge, or a name
	Method string // upper case, separated by commas; "" for any
	// Library limits the rule to modules that use a library in a version before or since a major
	// one: "proxy<3", "proxy>=3". An unknown version counts as older. "" is no limit.
	Library string
	Line    int // 1-based
}

// These constants are the values of Rule.Entry that are not names of hosts.
const (
	Own  = ""  // the service that the file belongs to
	Dev  = "~" // the service that the file belongs to, but only during development
	Edge = "*" // any host by which requests enter the cluster from outside
)

// maxRules is the largest number of rules of one file, maxBytes the largest size of the files
// that are read.
const (
	maxRules = 500
	maxBytes = 1 << 20
)

// Fact returns the rule as a fact of its file: "match target entry method library" under RoleProxy,
// separated by tabs. It reports false if the match is not a template or the target has no host.
func (r Rule) Fact(at code.Span) (code.Fact, bool) {
	ok := r.normalize()
	text := strings.Join([]string{r.Match, r.Target, r.Entry, strings.ToUpper(r.Method)}, "\t")
	if r.Library != "" {
		text += "\t" + r.Library
	}
	return code.Fact{Kind: code.FactEndpoint, Owner: -1, Name: l2meta.RoleProxy, Type: text, Span: at}, ok
}

// Facts returns the rules of a configuration file as facts; nil for any other file, and for one
// that is too long.
func Facts(p string, text []byte) (out []code.Fact) {
	if len(text) > maxBytes {
		return nil
	}
	for _, r := range read(p, string(text)) {
		if fact, ok := r.Fact(code.Span{StartLine: r.Line, EndLine: r.Line, StartColumn: 1, EndColumn: 1}); ok &&
			len(out) < maxRules {
			out = append(out, fact)
		}
	}
	return out
}

// read returns the rules of a file. The name of the file and, for some servers, its text decide how
// it is read.
func read(p, text string) []Rule {
	base := strings.ToLower(path.Base(p))
	switch ext := path.Ext(base); {
	case ext == ".yaml" || ext == ".yml":
		return yamlRules(p, text)
	case ext == ".properties":
		return springRules(p, configtree.Properties(text))
	case ext == ".json":
		return jsonRules(base, text)
	case strings.HasPrefix(base, "caddyfile") || ext == ".caddyfile":
		return caddyRules(text)
	case strings.Contains(text, "ProxyPass "):
		return apacheRules(text)
	case configLike(base, ext) && (strings.Contains(text, "proxy_pass") || strings.Contains(text, "fastcgi_pass") ||
		strings.Contains(text, "uwsgi_pass")):
		return nginxRules(text)
	}
	return nil
}

// configLike reports whether a file name is usual for the configuration of a server, rather than
// for a program or a page.
func configLike(base, ext string) bool {
	switch ext {
	case ".conf", ".template", ".tmpl", ".tpl", ".j2", ".erb", ".cfg", ".inc", ".nginx", "":
		return true
	}
	return strings.Contains(base, "nginx") && (ext == ".in" || ext == ".sample" || ext == ".dev" || ext == ".prod")
}

// normalize adds a "/" to the beginning of Match if it lacks one. It returns false if Match is
// not a template or Target has no host.
func (r *Rule) normalize() bool {
	r.Match = clean(r.Match)
	if strings.ContainsAny(r.Match, " \t\n\"'<>|\\^$()") || strings.ContainsAny(r.Target, " \t\n\"'<>\\^$()") {
		return false
	}
	return strings.Contains(r.Target, "://") || strings.HasPrefix(r.Target, "{")
}

// clean returns a path template with one slash between segments and none at its end.
func clean(p string) string {
	var out []string
	for _, s := range strings.Split(p, "/") {
		if s != "" {
			out = append(out, s)
		}
	}
	return "/" + strings.Join(out, "/")
}

// Prefix returns the rule for all paths below prefix: it removes strip from the start of the
// path, and puts add before the rest. Prefix("/api", "http://a", "/api", "/v1") leads from
// /api/** to http://a/v1/**.
func Prefix(prefix, host, strip, add string) Rule {
	rest := strings.TrimPrefix(clean(prefix)+"/", clean(strip)+"/")
	if clean(strip) == "/" {
		rest = strings.TrimPrefix(clean(prefix), "/")
	}
	return Rule{Match: clean(prefix + "/**"), Target: strings.TrimRight(host, "/") + clean(add+"/"+rest+"/**")}
}
