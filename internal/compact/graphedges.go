package compact

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// maxSites is the largest number of lines listed for the calls between two symbols,
// unless detail is full.
const maxSites = 20

// siteLines lists the lines of calls, "12,40,+3".
func (g *graph) siteLines(edges []*contract.Edge) string {
	var out []string
	shown := g.bounded(len(edges), maxSites)
	for _, e := range edges[:shown] {
		if l := fmt.Sprint(e.Site.StartLine); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	if n := len(edges) - shown; n > 0 {
		out = append(out, fmt.Sprintf("+%d", n))
	}
	return strings.Join(out, ",")
}

// bounded returns how many of n items a list shows: all with detail full, else at most
// limit. It adds the number of the others to g.hidden.
func (g *graph) bounded(n, limit int) int {
	if g.request.Detail == contract.DetailFull || n <= limit {
		return n
	}
	g.hidden += n - limit
	return limit
}

// source returns ": " and the source line of a call site, or nil if the edge has none.
func source(e *contract.Edge) []typeset.Part {
	if e.Source == "" {
		return nil
	}
	return []typeset.Part{plain(": "), quoted(excerpt(e.Source))}
}

// quotes reports whether the line of a callee shows the source of its call site: the first line of several does, such
// as those of s.Put(keyOf(x)) for keyOf, for the interface's Put, and for each Put that it may run.
func (g *graph) quotes(e *contract.Edge) bool {
	at := contract.Site{File: e.Site.File, StartLine: e.Site.StartLine}
	if g.quoted[at] {
		return false
	}
	g.quoted[at] = true
	return true
}

// surely is the least confidence, from 0 to 1, at which the text calls an edge resolved from
// source.
const surely = 0.9

// resolved is the phrase for an edge that was resolved from source.
const resolved = "resolved from source"

// evidence returns a phrase such as "proven by gopls", or "" for an edge without evidence to
// mention.
func evidence(e *contract.Edge) string {
	switch {
	case e.Kind != code.EdgeCall && e.Kind != code.EdgeImport:
		return ""
	case e.Evidence == code.Proven:
		return "proven by " + strings.Fields(cmp.Or(e.ConfirmedBy, "a language server"))[0]
	case e.Confidence >= surely:
		return resolved
	}
	return ""
}

// usual returns the evidence that most of the calls share, for the end of a heading: ": proven by
// gopls". It returns "" if none of them has evidence to mention.
func usual(list []*calls) string {
	tally := map[string]int{}
	for _, c := range list {
		for _, e := range c.edges {
			tally[evidence(e)]++
		}
	}
	delete(tally, "")
	best := ""
	for name, n := range tally {
		if n > tally[best] || n == tally[best] && name < best {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	return ": " + best
}

// mark returns the arguments of a call in parentheses, and the special properties of its edge in
// brackets: " (ctx, id) [http GET /orders, shop -> orders]".
func (g *graph) mark(c *calls) string {
	e := c.edges[0]
	var parts []string
	switch e.Kind {
	case code.EdgeHTTP, code.EdgeGRPC, code.EdgeMessage:
		parts = append(parts, strings.TrimSpace(string(e.Kind)+" "+e.Via))
		if from, to := c.src.Service, c.dst.Service; from+to != "" {
			parts = append(parts, cmp.Or(from, "?")+" -> "+cmp.Or(to, "?"))
		}
	case code.EdgeDynamic:
		if e.Via != "" {
			parts = append(parts, "possible, via "+e.Via)
		} else {
			parts = append(parts, "as a value")
		}
	}
	if ev := evidence(e); ev != "" {
		if ": "+ev != g.usual {
			parts = append(parts, ev)
		}
	} else {
		parts = append(parts, strings.TrimPrefix(code.ShownConfidence(e.Confidence), "0"))
	}
	if n := g.nodes[e.Dst]; n != nil && n.CodebaseRoot != "" {
		parts = append(parts, "in "+code.QuotePath(n.CodebaseRoot))
	}
	out := ""
	if len(e.Arguments) > 0 {
		out = "  (" + strings.Join(e.Arguments, ", ") + ")"
	}
	if len(parts) > 0 {
		out += "  [" + strings.Join(parts, ", ") + "]"
	}
	return out
}
