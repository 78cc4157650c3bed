package proof

import (
	"path"
	"path/filepath"
	"strings"
)

// moduleAt returns the module that contains a file outside of the workspace, such as
// "fmt", "github.com/x/y/z", "lodash", "@types/node" or "os". It derives the module from
// the path, and returns "" if it cannot.
func moduleAt(abs string) string {
	p := filepath.ToSlash(abs)
	if _, rest, ok := cutLast(p, "/node_modules/"); ok {
		scope, more, _ := strings.Cut(rest, "/")
		if !strings.HasPrefix(scope, "@") {
			return scope
		}
		name, _, _ := strings.Cut(more, "/")
		return scope + "/" + name
	}
	if _, rest, ok := cutLast(p, "/pkg/mod/"); ok {
		dir := path.Dir(rest)
		if module, more, versioned := strings.Cut(dir, "@"); versioned {
			_, below, _ := strings.Cut(more, "/")
			return path.Join(module, below)
		}
		return dir
	}
	for _, library := range []string{"/site-packages/", "/dist-packages/", "/typeshed/stdlib/"} {
		if _, rest, ok := cutLast(p, library); ok {
			top, _, _ := strings.Cut(rest, "/")
			return strings.TrimSuffix(strings.TrimSuffix(top, ".pyi"), ".py")
		}
	}
	if strings.HasSuffix(p, ".go") {
		if _, rest, ok := cutLast(p, "/src/"); ok {
			return path.Dir(rest)
		}
	}
	return ""
}

// cutLast returns the text before and after the last sep in s, as strings.Cut does for the first.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
