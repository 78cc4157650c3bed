package accuracy

import (
	"slices"
	"strings"
)

// ProvenEdge is an edge of a call_graph answer, from a call site to a callee. A language server may
// have proven it.
type ProvenEdge struct {
	Line     int    // line of the call site
	Name     string // the last name of the callee's label
	File     string // file that declares the callee
	From, To int    // lines of the callee's declaration
	Proven   bool
	Stated   float64 // confidence of the edge
}

// to reports whether the edge leads to one of targets: to a declaration whose lines contain the
// target's.
func (e *ProvenEdge) to(targets []Place) bool {
	return slices.ContainsFunc(targets, func(p Place) bool {
		return p.File == e.File && e.From <= p.Line && p.Line <= e.To
	})
}

// at reports whether the edge belongs to the call site of t: it has the same line, and the same
// name or a target of t. The names may differ, if the call goes through an alias of the callee.
func (e *ProvenEdge) at(t *Truth) bool {
	return e.Line == t.Line && (e.to(t.Targets) || strings.EqualFold(e.Name, t.Name))
}

// Proof holds the measured quality of edges that a language server confirmed,
// refuted or added.
type Proof struct {
	Precision       Rate // precision of proven edges
	RecallProven    Rate // static sites with a proven edge
	RecallStatic    Rate // static sites with a proven or confident edge
	RecallInterface Rate
	RecallBefore    Rate // static sites with a confident edge from syntax alone
	Values          int  // sites that call through function values, where no edge is expected
	AtValues        int  // proven edges at these sites: reported separately, not judged
	Unjudged        int  // proven edges at sites without truth
}

// OpenSite is a statically bound call site for which no language server proved a right edge.
type OpenSite struct {
	Truth
	Found bool // whether the site has a right, confident edge
}

// Add compares the edges of one function with the truth about its call sites. before are the edges
// from syntax alone, after those with a language server. It returns the proven edges that the truth
// contradicts, and the static sites without a right, proven edge.
func (p *Proof) Add(truth []Truth, before, after []ProvenEdge) (wrong []ProvenEdge, open []OpenSite) {
	for i := range truth {
		if proven, found := p.recall(&truth[i], before, after); !proven {
			open = append(open, OpenSite{truth[i], found})
		}
	}
	for i := range after {
		if e := &after[i]; e.Proven && !p.precision(truth, e) {
			wrong = append(wrong, *e)
		}
	}
	return wrong, open
}

// recall counts one call site. It reports whether a static site has a right edge that is proven,
// and whether it has one that is proven or confident.
func (p *Proof) recall(t *Truth, before, after []ProvenEdge) (isProven, isFound bool) {
	found := func(edges []ProvenEdge, least func(*ProvenEdge) bool) bool {
		return slices.ContainsFunc(edges, func(e ProvenEdge) bool {
			return e.Line == t.Line && e.to(t.Targets) &&
				least(&e)
		})
	}
	proven := func(e *ProvenEdge) bool { return e.Proven }
	confident := func(e *ProvenEdge) bool { return e.Proven || e.Stated >= Confident-1e-9 }
	switch t.Class {
	case ClassStatic:
		isProven, isFound = found(after, proven), found(after, confident)
		p.RecallProven.add(isProven)
		p.RecallStatic.add(isFound)
		p.RecallBefore.add(found(before, confident))
		return isProven, isFound
	case ClassInterface:
		p.RecallInterface.add(found(after, confident))
	case ClassValue:
		p.Values++
	}
	return true, true
}

// precision counts a proven edge. It reports false if the truth contradicts the edge, and true if
// the edge is right or cannot be judged.
func (p *Proof) precision(truth []Truth, e *ProvenEdge) bool {
	class := ClassUnknown
	for i := range truth {
		t := &truth[i]
		if !e.at(t) {
			continue
		}
		if e.to(t.Targets) {
			p.Precision.add(true)
			return true
		}
		if t.Class != ClassUnknown {
			class = t.Class
		}
	}
	switch class {
	case ClassUnknown:
		p.Unjudged++
		return true
	case ClassValue:
		p.AtValues++
		return true
	}
	p.Precision.add(false)
	return false
}
