package resolve

import (
	"path"
	"slices"
	"strings"
)

// Set returns the words as a set.
func Set(words ...string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// Words returns the words of a text as a set. White space separates them.
func Words(text string) map[string]bool { return Set(strings.Fields(text)...) }

// Qualified joins a scope and a name: "a::b" for "::", "a" and "b". It returns the name alone if
// scope is "", the outermost scope.
func Qualified(separator, scope, name string) string {
	if scope == "" {
		return name
	}
	return scope + separator + name
}

// SplitPath splits a path at "::" and drops type arguments: "a::B<T>::c" into a, B and c.
func SplitPath(p string) []string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '<':
			depth++
		case c == '>' && i > 0 && p[i-1] != '-':
			depth--
		case depth == 0 && c != ' ':
			b.WriteByte(c)
		}
	}
	segments := strings.Split(b.String(), "::")
	return slices.DeleteFunc(segments, func(s string) bool { return s == "" })
}

// JoinPath joins a folder and a relative path: "a" for "a/b" and "..". It returns false if the
// result is outside of the root.
func JoinPath(dir, rel string) (string, bool) {
	p := path.Join(dir, rel)
	if p == "." {
		p = ""
	}
	return p, p != ".." && !strings.HasPrefix(p, "../")
}
