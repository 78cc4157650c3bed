package l2meta

import (
	"strings"

	"sextant/internal/code"
)

// PassedSteps returns the last segments, in lower case, of the paths among the arguments of a
// RolePass fact: "items" for the call get("/orders/{id}/items"). The index stores them, so that the
// calls that may request a route are found by the last segment of its path.
func PassedSteps(fact *code.Fact) (out []string) {
	_, args, _ := strings.Cut(fact.Type, "\t")
	for _, text := range strings.FieldsFunc(args, func(r rune) bool { return r == '\t' || r == '\x1f' }) {
		if key, value, member := strings.Cut(text, "="); member && !strings.ContainsAny(key, "/}") {
			text = value // an argument may be an object: {url=/orders
		}
		if step := LastStep(text); step != "" {
			out = append(out, step)
		}
	}
	return out
}

// LastStep returns the last segment of a path that begins with literal text, in lower case and
// without what follows that text: "items" for "{base}/orders/{id}/items?page=1", and "orders" for
// "/orders/{id}". Braces mark the parts that are not literal. It returns "" if no segment after a
// slash begins with literal text.
func LastStep(path string) (step string) {
	depth, from := 0, -1
	end := func(to int) {
		if from >= 0 && to > from {
			step = path[from:to]
		}
		from = -1
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '{':
			end(i)
			depth++
		case c == '}':
			depth--
		case depth > 0:
		case c == '?' || c == '#':
			end(i)
			return strings.ToLower(step)
		case c == '/':
			end(i)
			from = i + 1
		}
	}
	end(len(path))
	return strings.ToLower(step)
}
