package python

import (
	"regexp"
	"strings"

	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

var (
	handlesMethod = regexp.MustCompile(`^do_([A-Z]+)$`)
	comparesPath  = regexp.MustCompile(
		`(?:\bpath|\burl)\s*(?:==\s*|\.startswith\(\s*|\bin\s*[\[(]\s*)["'](/[^"'\s]*)["']`)
)

// readHandlers records the routes of a BaseHTTPRequestHandler of the standard library: its method do_GET handles each
// path that it compares the request's path with, if self.path == "/items".
func readHandlers(r *services.Reader) {
	if !r.Mentions("HTTPRequestHandler") {
		return
	}
	for i := range r.File.Symbols {
		s := &r.File.Symbols[i]
		m := handlesMethod.FindStringSubmatch(s.Name)
		if m == nil || folding.MethodOf(m[1]) == "" {
			continue
		}
		seen := map[string]bool{}
		for _, at := range r.Matches(comparesPath, s.Span.StartByte, s.Span.EndByte) {
			path := r.Text[at[2]:at[3]]
			if bare, _, _ := strings.Cut(path, "?"); !seen[bare] {
				seen[bare] = true
				r.Route(i, s.NameSpan, m[1], "", bare, "")
			}
		}
	}
}
