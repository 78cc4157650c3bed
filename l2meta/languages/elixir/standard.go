package elixir

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"sextant/internal/code"
)

//go:embed library.txt
var libraryText string

// library maps the modules of the standard libraries of Elixir and Erlang to their public functions
// and macros, each as "name/arity". Erlang's modules are listed without functions.
type library map[string][]string

// standard is the table that testdata/oracles/elixir_library.exs writes from the installed
// libraries. Each line has the name of a module, a colon, and the module's functions.
var standard = sync.OnceValue(func() library {
	out := library{}
	for line := range strings.Lines(libraryText) {
		if words := strings.Fields(line); len(words) > 0 {
			out[words[0]] = words[1:]
		}
	}
	return out
})

// has reports whether the standard library has a module.
func (l library) has(module string) bool {
	_, ok := l[module]
	return ok
}

// declares reports whether a module of the standard library has the function of a call.
func (l library) declares(module string, c *code.Call) bool {
	return slices.ContainsFunc(l[module], func(f string) bool {
		name, arity, _ := strings.Cut(f, "/")
		return name == c.Callee && (c.Args < 0 || arity == decimal(c.Args))
	})
}

func decimal(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return decimal(n/10) + decimal(n%10)
}
