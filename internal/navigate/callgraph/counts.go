package callgraph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/l2meta/resolve"
)

// tally counts the call sites of symbols whose callers or callees were followed. at is the number
// of edges found before; it determines to which page of the answer the counts belong.
type tally struct {
	contract.GraphCounts
	at int
}

// counted returns the counts to which call sites are added at present. It starts a new tally if
// edges were found since the last tally was started.
func (w *walk) counted() *contract.GraphCounts {
	if n := len(w.tallies); n > 0 && w.tallies[n-1].at == len(w.edges) {
		return &w.tallies[n-1].GraphCounts
	}
	w.tallies = append(w.tallies, tally{at: len(w.edges)})
	return &w.tallies[len(w.tallies)-1].GraphCounts
}

// leaving is a call that leaves the workspace, with the function that it calls. at is the number of
// edges found before; it determines to which page of the answer the call belongs.
type leaving struct {
	module, callee string
	at             int
}

// external records a call of a function outside the workspace.
func (w *walk) external(l *proof.Link) {
	w.beyond = append(w.beyond, leaving{l.Module, l.Call.Callee, len(w.edges)})
}

// maxCalleesNamed is the largest number of functions that the note on a module names.
const maxCalleesNamed = 6

// externalNotes summarizes calls of functions outside the workspace, in one note for each
// module, the most called module first.
func externalNotes(calls []leaving) (out []contract.Note) {
	total, callees := map[string]int{}, map[string]map[string]int{}
	for _, c := range calls {
		if callees[c.module] == nil {
			callees[c.module] = map[string]int{}
		}
		total[c.module]++
		callees[c.module][c.callee]++
	}
	modules := slices.SortedFunc(maps.Keys(total), func(a, b string) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b))
	})
	for _, m := range modules {
		names := callees[m]
		order := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
			return cmp.Or(cmp.Compare(names[b], names[a]), cmp.Compare(a, b))
		})
		var b strings.Builder
		fmt.Fprintf(&b, "%s: ", contract.Plural(total[m], "call"))
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
		out = append(out, contract.Note{Type: contract.NoteExternal, Target: module, Detail: b.String()})
	}
	return out
}

// maxSitesNamed is the largest number of call sites that the note on unresolved callers
// lists.
const maxSitesNamed = 5

// openCallers adds notes on the calls in open, which are unresolved and have the name of t's
// symbol, so that they may call it. If the request's detail is full, each call site has a note,
// else one note lists the first maxSitesNamed.
func (w *walk) openCallers(t task, open []resolve.SiteRef) error {
	if len(open) == 0 {
		return nil
	}
	if w.req.Detail == contract.DetailFull {
		links, err := w.links.Sites(open)
		for _, o := range links {
			w.note(contract.Note{Type: contract.NoteUnresolved, Target: calleeText(o.Call), File: o.File,
				Line: o.Call.NameSpan.StartLine, Detail: "may call " + t.node.SymbolLabel + ": " + o.Reason})
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
	w.note(contract.Note{Type: contract.NoteUnresolved, Target: t.node.SymbolLabel,
		Detail: fmt.Sprintf("%s of that name may be callers, unresolved: %s%s", contract.Plural(len(open), "call site"),
			strings.Join(places, ", "), more)})
	return nil
}
