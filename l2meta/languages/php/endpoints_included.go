package php

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
)

// included matches a statement that runs another file: require __DIR__.'/api/auth.php',
// include base_path('routes/v1.php').
var included = regexp.MustCompile(
	`(?m)^\s*(?:require|include)(?:_once)?\s*\(?\s*(?:__DIR__\s*\.\s*|base_path\(\s*)?["']([^"'\n$]+\.php)["']`)

// readIncluded records the files that a file of routes includes. Their routes are below the path
// prefixes of the groups around the include statement.
func readIncluded(r *services.Reader) {
	if !strings.Contains(r.Text, "Route::") && routerOf(r) == "" && !strings.Contains("/"+r.File.Path, "/routes/") {
		return
	}
	for _, m := range included.FindAllStringSubmatchIndex(r.Text, -1) {
		at := &code.Call{Caller: r.Around(m[0]), NameSpan: r.SpanAt(m[2])}
		g := groups(r, at)
		r.MountOn(at, g.prefix, "'"+strings.TrimLeft(r.Text[m[2]:m[3]], "./")+"'", routerOf(r))
	}
}
