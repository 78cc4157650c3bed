package navigate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/l2meta/resolve"
)

// GraphCounts says what became of every call site that a walk came across, up
// to the last edge shown, those of earlier pages included.
type GraphCounts struct {
	Outgoing OutgoingCounts `json:"outgoing,omitzero"` // with direction callees or both
	Inbound  InboundCounts  `json:"inbound,omitzero"`  // with direction callers or both
}

// OutgoingCounts are of the calls that the symbols make. Sites is the sum of
// Settled, External, Builtin, Value and Unresolved.
type OutgoingCounts struct {
	Symbols    int `json:"symbols"` // whose calls were looked at
	Sites      int `json:"sites"`
	Settled    int `json:"settled"`              // on a symbol of the workspace
	External   int `json:"external"`             // into the standard library or a dependency
	Builtin    int `json:"builtin,omitempty"`    // of the language itself
	Value      int `json:"value,omitempty"`      // through a value that holds a function
	Unresolved int `json:"unresolved"`           //
	Dynamic    int `json:"dynamic,omitempty"`    // declarations that a settled call may run in the place of its target
	Suppressed int `json:"suppressed,omitempty"` // of Settled and Dynamic, below minConfidence
	Services   int `json:"services,omitempty"`   // edges to what answers in another service; no sites of their own
	Imports    int `json:"imports,omitempty"`    // edges to files that files import; no sites of their own
	Unanswered int `json:"unanswered,omitempty"` // calls of services that nothing in the workspace answers
}

// InboundCounts are of the calls of the symbols.
type InboundCounts struct {
	Symbols    int `json:"symbols"`              // whose callers were looked for
	Settled    int `json:"settled"`              // call sites, those through an interface included
	Unresolved int `json:"unresolved"`           // call sites of the same name that nothing settles
	Suppressed int `json:"suppressed,omitempty"` // of Settled, below minConfidence
	Services   int `json:"services,omitempty"`   // edges from clients in other services
	Imports    int `json:"imports,omitempty"`    // edges from files that import the files
}

// tally is what looking at one symbol counted, with the number of edges before
// it.
type tally struct {
	GraphCounts
	at int
}

// add sums up counts.
func (c *GraphCounts) add(d *GraphCounts) {
	o, p := &c.Outgoing, &d.Outgoing
	o.Symbols, o.Sites, o.Settled, o.External, o.Builtin = o.Symbols+p.Symbols, o.Sites+p.Sites, o.Settled+p.Settled, o.External+p.External, o.Builtin+p.Builtin
	o.Value, o.Unresolved, o.Dynamic, o.Suppressed = o.Value+p.Value, o.Unresolved+p.Unresolved, o.Dynamic+p.Dynamic, o.Suppressed+p.Suppressed
	o.Services, o.Unanswered = o.Services+p.Services, o.Unanswered+p.Unanswered
	i, j := &c.Inbound, &d.Inbound
	i.Symbols, i.Settled, i.Unresolved, i.Suppressed = i.Symbols+j.Symbols, i.Settled+j.Settled, i.Unresolved+j.Unresolved, i.Suppressed+j.Suppressed
	i.Services += j.Services
	o.Imports, i.Imports = o.Imports+p.Imports, i.Imports+j.Imports
}

// counted is the counts that what is looked at now adds to.
func (w *walk) counted() *GraphCounts {
	if n := len(w.tallies); n > 0 && w.tallies[n-1].at == len(w.edges) {
		return &w.tallies[n-1].GraphCounts
	}
	w.tallies = append(w.tallies, tally{at: len(w.edges)})
	return &w.tallies[len(w.tallies)-1].GraphCounts
}

// leaving is a call that leaves the workspace, with the number of edges
// before it.
type leaving struct {
	module, callee string
	at             int
}

// external takes note of a call that leaves the workspace.
func (w *walk) external(l *link) {
	w.beyond = append(w.beyond, leaving{l.module, l.call.Callee, len(w.edges)})
}

// maxCalleesNamed bounds the functions that the note on a module names.
const maxCalleesNamed = 6

// externalNotes sums up calls that leave the workspace, one note a module,
// the most called first.
func externalNotes(calls []leaving) (out []Note) {
	total, callees := map[string]int{}, map[string]map[string]int{}
	for _, c := range calls {
		if callees[c.module] == nil {
			callees[c.module] = map[string]int{}
		}
		total[c.module]++
		callees[c.module][c.callee]++
	}
	modules := slices.SortedFunc(maps.Keys(total), func(a, b string) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	for _, m := range modules {
		names := callees[m]
		order := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(cmp.Compare(names[b], names[a]), cmp.Compare(a, b)) })
		var b strings.Builder
		fmt.Fprintf(&b, "%s: ", plural(total[m], "call"))
		for i, name := range order[:min(len(order), maxCalleesNamed)] {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(name)
			if names[name] > 1 {
				fmt.Fprintf(&b, " ×%d", names[name])
			}
		}
		if more := len(order) - maxCalleesNamed; more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		module := m
		if module == "" {
			module = "(module not known)"
		}
		out = append(out, Note{Type: NoteExternal, Target: module, Detail: b.String()})
	}
	return out
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxSitesNamed bounds the places that the note on unresolved callers names.
const maxSitesNamed = 5

// openCallers takes note of call sites that bear a symbol's name and are not
// settled: each of them with detail full, else all of them in one note that
// names the first.
func (w *walk) openCallers(t task, open []resolve.SiteRef) error {
	if len(open) == 0 {
		return nil
	}
	if w.req.Detail == "full" {
		links, err := w.links.sites(open)
		for _, o := range links {
			w.note(Note{Type: NoteUnresolved, Target: calleeText(o.call), File: o.file, Line: o.call.NameSpan.StartLine,
				Detail: "may call " + t.node.SymbolLabel + ": " + o.reason})
		}
		return err
	}
	var places []string
	for _, at := range open[:min(len(open), maxSitesNamed)] {
		places = append(places, fmt.Sprintf("%s:%d", at.File.Path, at.Line))
	}
	more := ""
	if n := len(open) - len(places); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	w.note(Note{Type: NoteUnresolved, Target: t.node.SymbolLabel,
		Detail: fmt.Sprintf("%s of that name may be callers and are not settled: %s%s", plural(len(open), "call site"), strings.Join(places, ", "), more)})
	return nil
}
