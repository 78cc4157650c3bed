package endpoints

import (
	"strings"

	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// foldBuilder evaluates an expression that builds a URL, as far as the file determines it:
// UriComponentsBuilder.fromPath("/a").path("/b").build() to /a/b. The builder may be a
// UriComponentsBuilder, an HttpUrl, a URIBuilder, a JAX-RS target, or the parameter of a lambda
// that is passed to WebClient. It returns false for any other expression.
func foldBuilder(r *services.Reader, expr string, at int, inner services.Folding) (string, bool) {
	if parameter, body, ok := strings.Cut(expr, "->"); ok && !strings.ContainsAny(parameter, "\"'.") {
		return foldLambda(strings.Trim(parameter, "() \n\t"), body, at, inner)
	}
	if r.File.Language == "scala" {
		if text, ok := foldUri(expr, at, inner); ok {
			return text, true
		}
	}
	root, steps := folding.Chain(expr)
	if len(steps) == 0 {
		return "", false
	}
	for i, s := range steps { // a JAX-RS target: ClientBuilder.newClient().target("http://a")
		if text, ok := startOf(root, s, at, inner); ok && (i == 0 || s.Name == "target") {
			return appended(text, steps[i+1:], at, inner)
		}
	}
	out := ""
	if root == "" || !builds(steps) || root[0] == '"' {
		return "", false
	} else if out = inner(root, at); strings.HasPrefix(out, "{") && !strings.Contains(out, "}/") &&
		!strings.HasPrefix(out, "{env:") && !strings.HasPrefix(out, "{#") {
		if value, _ := r.Lookup(folding.LastWord(root), at); value == "" {
			return "", false
		}
	}
	return appended(out, steps, at, inner)
}

// foldLambda evaluates b -> b.path("/items").build() to /items, a path relative to the address of the
// client. It returns false if the body does anything else than build a URL.
func foldLambda(parameter, body string, at int, inner services.Folding) (string, bool) {
	body = strings.TrimSpace(body)
	if rest, ok := strings.CutPrefix(body, "{"); ok {
		body = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "return "))
	}
	root, steps := folding.Chain(body)
	if root != parameter || !builds(steps) {
		return "", false
	}
	return appended("", steps, at, inner)
}

// startOf returns the text with which a chain of builder calls starts: http://a for
// fromHttpUrl("http://a").path("/b"). It returns false if the first call does not start a URL.
func startOf(root string, s folding.Step, at int, inner services.Folding) (text string, ok bool) {
	switch s.Name {
	case "fromHttpUrl", "fromUriString", "fromUri", "fromPath", "target", "parse", "URIBuilder", "create", "of",
		"StringBuilder", "URI", "URL":
		if len(s.Args) == 1 && (s.Name != "of" || strings.HasSuffix(root, "UriBuilder")) {
			return inner(s.Args[0], at), true
		}
	case "newInstance", "UriComponentsBuilder", "URLBuilder":
		if len(s.Args) == 0 {
			return "", true
		}
	}
	// an empty builder, whose parts are set later: new HttpUrl.Builder().host("a")
	if (s.Name == "Builder" || s.Name == "URIBuilder") && len(s.Args) == 0 {
		return "", true
	}
	return "", false
}

// builds reports whether a chain of calls composes a URL and does nothing else, as
// fromPath("/a").path("/b").toUriString() does.
func builds(steps []folding.Step) bool {
	some := false
	for _, s := range steps {
		switch kind := builderSteps[s.Name]; {
		case kind == adds:
			some = true
		case kind != ignored:
			return false
		}
		some = some || s.Name == "toUriString" || s.Name == "toUri" || s.Name == "toURI" ||
			s.Name == "buildAndExpand" || s.Name == "toString"
	}
	return some
}

type builderStep int

const (
	other   builderStep = iota
	adds                // appends to the URL
	ignored             // has no effect on the path
)

// builderSteps maps the names of calls on URL builders to their effects: path adds text to the
// URL, and build is ignored. A name that is not in the map has the effect other: it is no call of
// a builder.
var builderSteps = map[string]builderStep{}

func init() {
	for _, name := range strings.Fields("path pathSegment addPathSegment addPathSegments encodedPath appendPath " +
		"setPath replacePath scheme host port setHost setScheme setPort resolve append appendPathSegments") {
		builderSteps[name] = adds
	}
	for _, name := range strings.Fields(
		`queryParam queryParams queryParamIfPresent query replaceQueryParam addQueryParameter addEncodedQueryParameter addParameter setParameter
		build buildAndExpand expand encode toUriString toUri toURI toURL toHttpUrl toHttpUrlOrNull toString newBuilder uriVariables resolveTemplate resolveTemplates register property fragment
		matrixParam matrixParams clone get encodeTemplate normalize toASCIIString`) {
		builderSteps[name] = ignored
	}
}

// appended returns the URL that out becomes by the given calls on a builder: http://a/b for
// http://a and .path("/b"). It returns false if it does not know one of the calls.
func appended(out string, steps []folding.Step, at int, inner services.Folding) (string, bool) {
	for _, s := range steps {
		if builderSteps[s.Name] == other {
			return "", false
		}
		if builderSteps[s.Name] == ignored {
			continue
		}
		for _, a := range s.Args {
			text := inner(a, at)
			switch s.Name {
			case "scheme", "setScheme":
			case "host", "setHost":
				out = "http://" + text
			case "port", "setPort":
				out += ":" + text
			case "append":
				out += text
			case "resolve":
				if strings.Contains(text, "://") {
					out = text
				} else {
					out = folding.JoinURL(out, text)
				}
			default:
				out = folding.JoinURL(out, text)
			}
		}
	}
	return out, true
}
