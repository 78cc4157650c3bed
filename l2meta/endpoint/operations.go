package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// An OpenAPI document names operations. Generated code, committed or not, has a method for each,
// named after the operation. A class that implements the generated interface handles the
// operation; a call of a generated client requests it.

// StrategyOperation marks an edge from the call of a client that an OpenAPI document describes.
const StrategyOperation = "http_operation"

// operation is an operation that one or more OpenAPI documents describe; some of these may be copies for clients.
type operation struct {
	id     string // id of the operation, without the module of connexion's functions
	module string // "orders.handlers", "" for none
	method string
	path   []string
	base   []string // path of the document's first server
	tag    string
	in     []*resolve.File
}

type operationsKey struct{}

// operations returns the operations of the workspace's documents outside of tests and vendored code, in the order
// of the documents' paths.
func operations(ws *lookup.Workspace) []*operation {
	return resolve.Derive(ws.World, operationsKey{}, func() (out []*operation) {
		type identity struct{ id, method, path string }
		seen := map[identity]*operation{}
		for _, f := range ws.Files(l2meta.RoleOperation) {
			if f.Class == code.ClassTest || f.Class == code.ClassFixture || f.Class == code.ClassVendor {
				continue
			}
			for _, fact := range lookup.Endpoints(f, l2meta.RoleOperation) {
				part := strings.Split(fact.Type, "\t")
				o := operation{id: part[0], method: part[1], path: hosts.Segments(part[2]),
					base: hosts.Segments(part[3]), tag: part[4]}
				if dot := strings.LastIndexByte(o.id, '.'); dot >= 0 {
					o.module, o.id = o.id[:dot], o.id[dot+1:]
				}
				same := identity{o.id, o.method, part[2]}
				if seen[same] == nil {
					seen[same] = &o
					out = append(out, &o)
				}
				seen[same].in = append(seen[same].in, f)
			}
		}
		return out
	})
}

// whole returns the path of an operation, preceded by the base path of its document.
func (o *operation) whole() []string { return append(slices.Clip(o.base), o.path...) }

// methodName returns the name of the method that generated code has for an operation, in the given case: get_item or
// getItem. Generators split an id at characters other than letters and digits and, for names in lower case, at
// capitals.
func methodName(id string, in resolve.Case) string {
	var b strings.Builder
	for i, word := range idWords.FindAllString(id, -1) {
		switch {
		case in == resolve.CaseSnake:
			if i > 0 {
				b.WriteByte('_')
			}
			b.WriteString(strings.ToLower(word))
		case in == resolve.CaseCamel && i == 0:
			b.WriteString(code.Decapitalized(word))
		default:
			b.WriteString(code.Capitalized(word))
		}
	}
	return b.String()
}

// idWords matches the words of an operation's id.
var idWords = regexp.MustCompile(`[A-Z]+(?:[a-z\d]+|\d*)|[a-z\d]+`)

// isDistinctive reports whether the id of an operation has several words, not all of which are common. It is true for
// listOrders, and false for getItem.
func (o *operation) isDistinctive() bool {
	list := idWords.FindAllString(o.id, -1)
	return len(list) > 1 && slices.ContainsFunc(list, func(w string) bool { return !ofAnyInterface[strings.ToLower(w)] })
}

// ofAnyInterface lists words that are common in the names of operations and methods.
var ofAnyInterface = wordSet(`get list create update delete find add remove post put patch all one by id ids many item
	items search save fetch read write health status new set check ping info me count exists query data page value key
	handle run send load close open start stop login logout register process execute type name object result`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}
