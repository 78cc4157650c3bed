package symbols

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// spellings returns the ways to read a label, the likeliest first. The first is the normalized
// label. Others lack the parts that only the notation of a language adds to a name: the arity of
// Elixir ("publish/7"), type arguments ("Selection::map<F>"), the trait of Rust ("<Range as
// Default>::default"), arguments ("Server.Handle(ctx)"), "crate", and the separators of Lua
// ("Picker:find"), of Laravel's routes ("Blog@show") and of PHP's namespaces
// ("App\Kernel::boot"). The first name of a PHP namespace is omitted, since no folder has it.
func spellings(label string) []string {
	out := []string{NormalLabel(label)}
	if route := routeOf(out[0]); route != "" {
		return out
	}
	plain := bare(label)
	out = append(out, NormalLabel(plain))
	if strings.Contains(label, `\`) {
		_, rest, _ := strings.Cut(plain, ".")
		out = append(out, NormalLabel(rest))
	}
	return slices.Compact(out)
}

var (
	arity      = regexp.MustCompile(`[^/]/\d+$`)
	qualifying = regexp.MustCompile(`^<([^<>]+?)(?:<.*>)?(?: as .+)?>::`)
	atMethod   = regexp.MustCompile(`(\w)@(\w+)$`)
	rooted     = regexp.MustCompile(`^(?:crate|self|super)\.`)
)

// bare returns a label without arity, type arguments and arguments, with dots for all separators.
// It keeps the name of an operator, such as "operator<", whole.
func bare(label string) string {
	label = strings.TrimLeft(strings.TrimSpace(label), `\`)
	if at := arity.FindStringIndex(label); at != nil {
		label = label[:at[0]+1]
	}
	label = qualifying.ReplaceAllString(label, "$1::")
	if !strings.Contains(label, "operator") {
		if open := closing(label, '(', ')'); open > 0 {
			label = label[:open]
		}
		for {
			start := strings.LastIndexByte(label, '<')
			end := strings.IndexByte(label[max(start, 0):], '>')
			if start <= 0 || end < 0 {
				break
			}
			label = label[:start] + label[start+end+1:]
		}
		label = atMethod.ReplaceAllString(label, "$1.$2")
		label = strings.NewReplacer("::", ".", ":", ".", `\`, ".").Replace(label)
	}
	return rooted.ReplaceAllString(label, "")
}

// closing returns the offset of the opening bracket that the last byte of label closes; -1 if
// that byte is no closing bracket.
func closing(label string, open, shut byte) int {
	if label == "" || label[len(label)-1] != shut {
		return -1
	}
	depth := 0
	for i := len(label) - 1; i >= 0; i-- {
		switch label[i] {
		case shut:
			depth++
		case open:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// enclosed reports whether label is a qualified name with names of the crate, package or
// namespace before it, and whether the path of the file has these names in the same order:
// "helix_view.Document.apply" for the symbol Document.apply of helix-view/src/document.rs.
func enclosed(file, qualified, label string) bool {
	outer, ok := strings.CutSuffix(label, "."+qualified)
	if !ok || outer == "" {
		return false
	}
	steps := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	for _, name := range strings.Split(outer, ".") {
		at := slices.IndexFunc(steps, func(step string) bool { return sameStep(step, name) })
		if at < 0 {
			return false
		}
		steps = steps[at+1:]
	}
	return true
}

// sameStep reports whether a folder has the name of a module, apart from "-" instead of "_" and
// from case.
func sameStep(step, name string) bool {
	return strings.EqualFold(strings.ReplaceAll(step, "-", "_"), strings.ReplaceAll(name, "-", "_"))
}
