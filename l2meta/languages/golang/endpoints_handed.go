package golang

import (
	"strings"

	"sextant/l2meta"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// maxHanded is the largest number of names that keepHanded records for one file.
const maxHanded = 60

// keepHanded records names that may be those of functions which add routes and are used as values:
// each(r, addItems), []func(*gin.Engine){addItems}, r.Group(items.Register).
func keepHanded(r *services.Reader) {
	seen := map[string]bool{}
	for at := 0; at < len(r.Text) && len(seen) < maxHanded; {
		if !folding.IsWord(r.Text[at]) {
			at++
			continue
		}
		from := at
		for at < len(r.Text) && (folding.IsWord(r.Text[at]) || r.Text[at] == '.') {
			at++
		}
		name := r.Text[strings.LastIndexByte(r.Text[from:at], '.')+1+from : at]
		if !seen[name] && isValue(r.Text, from, at) && services.AddsRoutes(name) {
			seen[name] = true
			r.Keep(l2meta.RoleMount, -1, r.SpanAt(from), "", "/", services.Handed+name)
		}
	}
}

// isValue reports whether the expression between two offsets of a text is an argument, an element or an assigned
// value.
func isValue(text string, from, to int) bool {
	before := strings.TrimRight(text[max(0, from-40):from], " \t\n")
	after := strings.TrimLeft(text[to:min(len(text), to+40)], " \t")
	return before != "" && strings.IndexByte("(,{=:", before[len(before)-1]) >= 0 &&
		after != "" && strings.IndexByte(",)}\n;", after[0]) >= 0
}
