package proxies

import "strings"

// apacheRules reads the directive ProxyPass of Apache's httpd: ProxyPass /api http://api:8080/.
func apacheRules(text string) (out []Rule) {
	location, line := "", 0
	for s := range strings.Lines(text) {
		line++
		w := strings.Fields(s)
		switch {
		case len(w) > 1 && strings.EqualFold(w[0], "<Location"):
			location = strings.Trim(strings.TrimSuffix(w[1], ">"), `"`)
		case len(w) > 0 && strings.EqualFold(w[0], "</Location>"):
			location = ""
		case len(w) > 1 && w[0] == "ProxyPass":
			from, to := location, w[1]
			if len(w) > 2 && !strings.Contains(w[1], "://") {
				from, to = w[1], w[2]
			}
			if to == "!" || !strings.HasPrefix(from, "/") {
				continue
			}
			host, path := origin(Variables(strings.Trim(to, `"`)))
			out = append(out, Rule{Match: clean(from + "/**"), Target: host + clean(path+"/**"), Line: line})
		case len(w) > 2 && w[0] == "ProxyPassMatch":
			match, groups, ok := Regexp(w[1])
			to, referred := Refer(Variables(w[2]), groups)
			if ok && referred {
				out = append(out, Rule{Match: match, Target: to, Line: line})
			}
		}
	}
	return out
}

// origin splits a URL into scheme and host, "http://cart:8080", and path.
func origin(url string) (host, path string) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url, ""
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		rest, path = rest[:i], rest[i:]
	}
	return scheme + "://" + rest, path
}

// caddyBlock is a block of a Caddyfile, such as handle_path /api/* { … }: match is the path that it
// applies to, and strip the prefix that it removes from the path.
type caddyBlock struct {
	match, strip string
}

// caddyRules reads the directive reverse_proxy of a Caddyfile, with handle, handle_path, route
// and uri strip_prefix around it.
func caddyRules(text string) (out []Rule) {
	matchers := map[string]string{}
	stack := []caddyBlock{{match: "/**"}}
	line := 0
	for s := range strings.Lines(text) {
		line++
		s, _, _ = strings.Cut(s, " #")
		w := strings.Fields(s)
		if len(w) == 0 || strings.HasPrefix(w[0], "#") {
			continue
		}
		top := stack[len(stack)-1]
		switch {
		case strings.HasPrefix(w[0], "@") && len(w) > 2 && w[1] == "path":
			matchers[w[0]] = w[2]
		case w[0] == "uri" && len(w) > 2 && w[1] == "strip_prefix":
			stack[len(stack)-1].strip = w[2]
		case w[0] == "reverse_proxy":
			out = append(out, caddyProxy(top, matchers, w[1:], line)...)
		}
		switch {
		case w[len(w)-1] == "{":
			b := top
			if p := pathMatcher(w[1:], matchers); p != "" && w[0] != "reverse_proxy" {
				b.match = p
				if w[0] == "handle_path" {
					b.strip = strings.TrimSuffix(p, "*")
				}
			}
			stack = append(stack, b)
		case w[0] == "}" && len(stack) > 1:
			stack = stack[:len(stack)-1]
		}
	}
	return out
}

// pathMatcher returns the path at the start of a directive's arguments, which limits the directive
// to requests for it: "/api/*" in reverse_proxy /api/* api:8080. It returns "" if there is none.
// matchers maps named matchers, "@api", to their paths.
func pathMatcher(words []string, matchers map[string]string) string {
	if len(words) == 0 {
		return ""
	}
	if p := matchers[words[0]]; p != "" {
		return p
	}
	if strings.HasPrefix(words[0], "/") {
		return words[0]
	}
	return ""
}

func caddyProxy(b caddyBlock, matchers map[string]string, words []string, line int) []Rule {
	if p := pathMatcher(words, matchers); p != "" {
		b.match, words = p, words[1:]
	}
	if len(words) == 0 || words[0] == "{" || strings.HasPrefix(words[0], "@") {
		return nil
	}
	host := Variables(words[0])
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	prefix := strings.TrimSuffix(strings.TrimSuffix(b.match, "*"), "*")
	if !strings.HasSuffix(b.match, "*") {
		path := clean("/" + strings.TrimPrefix(b.match, strings.TrimSuffix(b.strip, "/")))
		return []Rule{{Match: b.match, Target: host + path, Line: line}}
	}
	r := Prefix(prefix, host, b.strip, "")
	r.Line = line
	return []Rule{r}
}
