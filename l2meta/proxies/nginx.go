package proxies

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// directive is one directive of nginx with the directives of its block, if it has a block.
type directive struct {
	words []string
	body  []directive
	line  int
}

// nginxRules reads the locations of nginx: location /api/ { proxy_pass … }.
func nginxRules(text string) (out []Rule) {
	s := nginxScanner{text: text, line: 1}
	n := nginx{upstreams: map[string]string{}, values: map[string]string{}}
	all := s.block(0)
	n.declare(all)
	n.read(all, nil, &out)
	return out
}

// nginx holds the upstreams and the variables that a configuration defines.
type nginx struct {
	upstreams map[string]string // name → host and port of its first server
	values    map[string]string // name of a variable, "$api" → the value that a set directive gives it
}

func (n *nginx) declare(list []directive) {
	for _, d := range list {
		switch {
		case d.is("upstream", 2):
			for _, s := range d.body {
				if s.is("server", 2) && n.upstreams[d.words[1]] == "" {
					n.upstreams[d.words[1]] = s.words[1]
				}
			}
		case d.is("set", 3):
			n.values[d.words[1]] = d.words[2]
		}
		n.declare(d.body)
	}
}

func (d *directive) is(name string, words int) bool {
	return len(d.words) >= words && d.words[0] == name
}

// read adds the rules of a block to out. location holds the arguments of the enclosing location
// directive, nil outside of any.
func (n *nginx) read(list []directive, location []string, out *[]Rule) {
	var rewrites [][]string
	for _, d := range list {
		switch {
		case d.is("location", 2):
			n.read(d.body, d.words[1:], out)
		case d.is("rewrite", 3) && location != nil:
			rewrites = append(rewrites, d.words[1:])
		case (d.is("proxy_pass", 2) || d.is("grpc_pass", 2)) && location != nil:
			*out = append(*out, n.passed(location, rewrites, d)...)
		case (d.is("fastcgi_pass", 2) || d.is("uwsgi_pass", 2)) && location != nil:
			*out = append(*out, n.handed(location, d)...)
		default:
			n.read(d.body, location, out)
		}
	}
}

// passed returns the rules for one proxy_pass. A path in its URL replaces the path of the
// location. If the URL has no path, the request keeps its path, or the path that results from the
// rewrites.
func (n *nginx) passed(location []string, rewrites [][]string, d directive) (out []Rule) {
	host, path := n.target(d.words[1])
	for _, w := range rewrites {
		if match, groups, ok := Regexp(w[0]); ok {
			if to, ok := Refer(w[1], groups); ok {
				out = append(out, Rule{Match: match, Target: host + clean(to), Line: d.line})
			}
		}
	}
	if len(rewrites) > 0 {
		return out
	}
	match, groups, ok := located(location)
	if !ok {
		return nil
	}
	if path == "" || strings.HasPrefix(path, "$request_uri") || strings.HasPrefix(path, "$uri") {
		return []Rule{{Match: match, Target: host + match, Line: d.line}}
	}
	path, ok = Refer(path, groups)
	if !ok {
		return nil
	}
	if strings.HasSuffix(match, "**") && !strings.Contains(path, "**") && len(groups) == 0 {
		path += "/**"
	}
	return []Rule{{Match: match, Target: host + clean(path), Line: d.line}}
}

// handed returns the rule of a server that passes requests to a program by FastCGI or uWSGI. A
// location of scripts, ~ \.php$, matches all requests, because try_files leads them to the
// program's first script.
func (n *nginx) handed(location []string, d directive) []Rule {
	if strings.HasPrefix(d.words[1], "unix:") {
		return nil
	}
	match, groups, ok := located(location)
	if len(location) > 1 && script.MatchString(location[1]) {
		match, groups, ok = "/**", nil, true
	}
	if host, _ := n.target(d.words[1]); ok && len(groups) == 0 {
		return []Rule{{Match: match, Target: host + match, Line: d.line}}
	}
	return nil
}

// script matches the expression of a location for scripts in any folder: \.php$, [^/]\.php(/|$).
var script = regexp.MustCompile(`^(?:\[\^/\])?\\\.\w+(?:\$|\()`)

// located returns the path template that a location directive matches. words are its arguments: a
// prefix, "= path", or "~ expression". It returns false for a named location, "@name".
func located(words []string) (match string, groups map[string]string, ok bool) {
	switch {
	case len(words) > 1 && words[0] == "=":
		return clean(words[1]), nil, true
	case len(words) > 1 && words[0][0] == '~':
		return Regexp(words[1])
	case words[len(words)-1][0] == '@':
		return "", nil, false
	}
	return clean(words[len(words)-1] + "/**"), nil, true
}

// target splits the URL of a proxy_pass into an origin, such as "http://cart:8080", and a path. It replaces variables
// and upstreams first. path is "" if the URL has none.
func (n *nginx) target(url string) (host, path string) {
	for range 3 {
		for _, name := range slices.Sorted(maps.Keys(n.values)) {
			value := n.values[name]
			url = strings.Replace(url, "${"+name[1:]+"}", value, 1)
			if at := strings.Index(url, name); at >= 0 && !wordAt(url, at+len(name)) {
				url = url[:at] + value + url[at+len(name):]
			}
		}
	}
	url = Variables(url)
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "http", url
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		rest, path = rest[:i], rest[i:]
	} else if i := strings.Index(rest, "$request_uri"); i > 0 {
		rest = rest[:i]
	}
	name, _, _ := strings.Cut(rest, ":")
	if server := n.upstreams[name]; server != "" {
		rest = Variables(server)
	}
	return scheme + "://" + rest, path
}

func wordAt(s string, i int) bool {
	return i < len(s) && (s[i] == '_' || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' ||
		s[i] >= 'A' && s[i] <= 'Z')
}

// nginxScanner reads directives.
type nginxScanner struct {
	text string
	at   int
	line int
}

// maxDepth is the largest nesting depth of blocks that are read.
const maxDepth = 12

// block reads directives up to the brace that ends their block.
func (s *nginxScanner) block(depth int) (out []directive) {
	var d directive
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '#':
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
			}
		case ' ', '\t', '\r', '\n':
			s.skip()
		case ';':
			s.at++
			out, d = append(out, d), directive{}
		case '{':
			s.at++
			if depth < maxDepth {
				d.body = s.block(depth + 1)
			}
			out, d = append(out, d), directive{}
		case '}':
			s.at++
			return out
		default:
			if len(d.words) == 0 {
				d.line = s.line
			}
			d.words = append(d.words, s.word())
		}
	}
	return out
}

func (s *nginxScanner) skip() {
	if s.text[s.at] == '\n' {
		s.line++
	}
	s.at++
}

// word reads a word, quoted or not; "${NAME}" may be part of a word.
func (s *nginxScanner) word() string {
	if quote := s.text[s.at]; quote == '"' || quote == '\'' {
		start := s.at + 1
		for s.skip(); s.at < len(s.text) && s.text[s.at] != quote; s.skip() {
		}
		end := s.at
		if s.at < len(s.text) {
			s.at++
		}
		return s.text[start:end]
	}
	start, depth := s.at, 0
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '{' && (s.at > start && strings.IndexByte("${\\", s.text[s.at-1]) >= 0 || depth > 0 ||
			s.at+1 < len(s.text) && s.text[s.at+1] == '{'):
			depth++
		case c == '}' && depth > 0:
			depth--
		case c == '\n' || depth == 0 && strings.IndexByte(" \t\r;{}", c) >= 0:
			return s.text[start:s.at]
		}
	}
	return s.text[start:]
}
