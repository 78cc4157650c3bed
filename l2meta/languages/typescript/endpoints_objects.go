package typescript

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Programs describe requests by objects, {method: "GET", url: `${base}/orders`}, which libraries then send: a
// resource of redux-rest-easy or an endpoint of RTK Query, for example. Such an object counts as a request by its
// shape alone, whatever function it is passed to.

const (
	maxDescribed  = 100  // number of objects that are read in one file
	maxDescribing = 1500 // length in bytes of an object that is read
)

// readDescribed records the objects of a file that describe a request, unless they are passed to a call that is
// already recorded.
func readDescribed(r *services.Reader) {
	properties := urlProperties(r.Text)
	if len(properties) == 0 {
		return
	}
	calls := slices.Clone(r.Kept())
	for _, at := range properties {
		object, start := objectAround(r.Text, at)
		if object == "" || requested(r, start) {
			continue
		}
		method := folding.MethodOf(folding.Unquoted(folding.Property(object, "method")))
		if method == "" || folding.Property(object, "handler") != "" {
			continue
		}
		url := folding.CleanURL(r.Fold(urlOf(object), at))
		if known(calls, r.Around(at), url) {
			continue
		}
		if end := strings.IndexByte(url, '}'); strings.HasPrefix(url, "/") && len(url) > 1 ||
			strings.Contains(url, "://") ||
			strings.HasPrefix(url, "{") && strings.HasPrefix(url[end+1:], "/") {
			r.Keep(l2meta.RoleFetch, r.Around(at), r.SpanAt(at), method, url, "")
		}
	}
}

// maxSpread is the largest number of objects that are spread into each other.
const maxSpread = 3

// urlIn returns the expression of the URL in an options object, as urlOf does, also if a variable that it contains
// holds a further object: request.url for {xhr, ...options} after options = {dataType, ...request}.
func urlIn(r *services.Reader, c *code.Call, object string) string {
	url := urlOf(object)
	for range maxSpread {
		name, ok := strings.CutSuffix(url, ".url")
		if !ok || !isPlainName(name) {
			return url
		}
		value, _ := r.Lookup(name, c.NameSpan.StartByte)
		if !strings.HasPrefix(value, "{") {
			return url
		}
		inner := urlOf(value)
		if inner == "" {
			return url
		}
		url = prefixed(r, c, name, inner)
	}
	return url
}

// urlSet matches a statement that sets the URL in an object: options.url = root + options.url.
var urlSet = regexp.MustCompile(`\b(\w+)\.url\s*=\s*([^=;\n][^;\n]*)`)

// prefixed returns a URL behind the address that a function of the file puts before the URL of the object that it is
// handed: root + url if the file calls addRoot(options), where addRoot sets options.url = root + options.url.
func prefixed(r *services.Reader, c *code.Call, object, url string) string {
	if !r.Mentions(".url = ") {
		return url
	}
	for _, m := range r.Matches(urlSet, 0, len(r.Text)) {
		own, set := r.Text[m[2]:m[3]]+".url", r.Text[m[4]:m[5]]
		f := r.Around(m[0])
		if f < 0 || f == c.Caller || !strings.Contains(set, own) {
			continue
		}
		for i := range r.File.Calls {
			call := &r.File.Calls[i]
			if call.Callee == r.File.Symbols[f].Name && call.Receiver == "" && call.Caller == c.Caller &&
				slices.Contains(r.Arguments(call), object) {
				return strings.ReplaceAll(set, own, url)
			}
		}
	}
	return url
}

// urlProperties returns the offsets of properties called url or uri in a text.
func urlProperties(text string) (out []int) {
	for _, key := range []string{"url", "uri"} {
		for at := 0; at < len(text); at += len(key) {
			next := strings.Index(text[at:], key)
			if next < 0 {
				break
			}
			at += next
			if rest := strings.TrimLeft(text[at+len(key):], " \t\f\r\n"); strings.HasPrefix(rest, ":") &&
				(at == 0 || !folding.IsWord(text[at-1])) {
				out = append(out, at)
			}
		}
	}
	slices.Sort(out)
	return out[:min(len(out), maxDescribed)]
}

// objectAround returns the text and the offset of the innermost object literal around a byte
// offset; "" if there is none nearby.
func objectAround(text string, at int) (object string, start int) {
	depth := 0
	for i := at - 1; i >= max(0, at-maxDescribing); i-- {
		switch text[i] {
		case '}', ')', ']':
			depth++
		case '(', '[':
			depth--
		case '{':
			if depth--; depth < 0 {
				if i > 0 && text[i-1] == '$' {
					return "", 0
				}
				return text[i:min(len(text), i+maxDescribing)], i
			}
		}
		if depth < 0 {
			return "", 0
		}
	}
	return "", 0
}

// firstArgument matches the text between the name of a call and its first argument.
var firstArgument = regexp.MustCompile(`^\s*(?:<[^()]*>)?\s*\(\s*$`)

// known reports whether a call in a function is already recorded with a URL, because it requests
// the URL or passes it to another function. Then an object with the same URL is not recorded as a
// second request, because a variable may hold it and the call may pass it.
func known(calls []code.Fact, function int, url string) bool {
	return slices.ContainsFunc(calls, func(f code.Fact) bool {
		return (f.Name == l2meta.RoleFetch || f.Name == l2meta.RolePass) && f.Owner == function &&
			strings.Contains(f.Type, url)
	})
}

// requested reports whether the object at byte offset start is the first argument of a recorded
// call, which makes a request or passes the object to a function of the program.
func requested(r *services.Reader, start int) bool {
	around := innermost(r, start)
	if around == nil {
		return false
	}
	return firstArgument.MatchString(r.Text[around.NameSpan.EndByte:start]) &&
		slices.ContainsFunc(r.Kept(), func(f code.Fact) bool {
			return (f.Name == l2meta.RoleFetch || f.Name == l2meta.RolePass) &&
				f.Span.StartByte == around.NameSpan.StartByte
		})
}

// innermost returns the innermost call around a byte offset; nil if there is none.
func innermost(r *services.Reader, at int) (around *code.Call) {
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if c.NameSpan.EndByte < at && at < c.Span.EndByte &&
			(around == nil || c.NameSpan.StartByte > around.NameSpan.StartByte) {
			around = c
		}
	}
	return around
}
