package callgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/l2meta/resolve"
)

// expand returns the edges of one symbol, tests last. later has tasks for the edges to overrides
// that a call may run instead of its target, so that certain edges of the same depth precede
// them.
func (w *walk) expand(s *side, t task) (found []tracedEdge, later []task, err error) {
	switch {
	case t.dispatch:
		found, err = w.dispatched(t)
		return found, nil, err
	case t.node.folder != nil:
		found, err = w.importedByFolder(s, t)
		if err != nil {
			return nil, nil, err
		}
		crossing, err := w.crossedByService(s, t)
		s.state[t.node.SymbolID].done = err == nil
		found = append(found, crossing...)
		slices.SortStableFunc(found, compareFound)
		return found, nil, err
	case s.up:
		found, err = w.callersOf(s, t)
	default:
		var settled []proof.Link
		found, settled, err = w.calleesOf(s, t)
		if len(settled) > 0 || t.depth == 0 && bodiless(t.node.ref) {
			later = []task{{node: t.node, depth: t.depth, dispatch: true, settled: settled}}
		}
	}
	if err != nil {
		return nil, nil, err
	}
	crossing, err := w.crossed(s, t)
	if err != nil {
		return nil, nil, err
	}
	imports, err := w.imported(s, t)
	if err != nil {
		return nil, nil, err
	}
	found = slices.Concat(found, crossing, imports)
	if s.up && t.depth == 0 && len(found) == 0 {
		if err := w.served(t); err != nil {
			return nil, nil, err
		}
	}
	s.state[t.node.SymbolID].done = true
	slices.SortStableFunc(found, compareFound)
	return found, later, nil
}

// calleesOf returns the edges to the symbols that t's symbol calls, and the resolved call
// sites that may dispatch to another declaration.
func (w *walk) calleesOf(s *side, t task) (out []tracedEdge, settled []proof.Link, err error) {
	links, err := w.links.Callees(t.node.ref)
	if err != nil {
		return nil, nil, err
	}
	c, state := &w.counted().Outgoing, s.state[t.node.SymbolID]
	c.Symbols++
	c.Sites += len(links)
	for i := range links {
		l := &links[i]
		w.refuted(l)
		switch l.Outcome {
		case proof.Settled:
			c.Settled++
			if w.suppressed(l.Confidence, t, l) {
				c.Suppressed++
				state.hidden++
				continue
			}
			out = append(out, w.callEdge(t, w.node(l.Target, t.depth+1), l, false))
			if !l.Direct {
				settled = append(settled, *l)
			}
		case proof.External:
			c.External++
			state.external = append(state.external, l.Module)
			w.external(l)
			w.ask(l)
			if w.req.Detail == contract.DetailFull {
				l.Strategy, l.Provenance, l.Confidence = "external", leavesFor(l),
					max(resolve.Uncalibrated, confidenceBy(l.By))
				out = append(out, w.callEdge(t, w.externalNode(l, t.depth+1), l, false))
			}
		case proof.Builtin:
			c.Builtin++
			state.builtin++
		case proof.Value:
			c.Value++
			state.value++
			w.note(contract.Note{Type: contract.NoteDynamic, SymbolID: t.node.SymbolID, Target: calleeText(l.Call),
				File: l.File, Line: l.Call.NameSpan.StartLine, Detail: l.Reason})
		default:
			c.Unresolved++
			state.open++
			w.ask(l)
			w.note(contract.Note{Type: contract.NoteUnresolved, SymbolID: t.node.SymbolID, Target: calleeText(l.Call),
				File: l.File, Line: l.Call.NameSpan.StartLine, Detail: l.Reason})
		}
	}
	return out, settled, nil
}

// leavesFor describes a call of a function outside the workspace: it names the module or,
// if that is unknown, the reason why the function must be outside.
func leavesFor(l *proof.Link) string {
	if l.Module == "" && l.Reason != "" {
		return "leaves the workspace: " + l.Reason
	}
	return "leaves the workspace for " + cmp.Or(l.Module, "a module that is not known")
}

// callerSource holds the call sites that call a symbol, or that call a declaration which
// it implements or overrides.
type callerSource struct {
	*proof.Inbound
	base *proof.Overriding // nil for the symbol itself
}

// callersOf returns the edges from the callers of t's symbol. It includes callers of the
// declarations that the symbol implements or overrides, if their calls may run it.
func (w *walk) callersOf(s *side, t task) (out []tracedEdge, err error) {
	if t.node.kind == code.KindFile {
		w.counted().Inbound.Symbols++
		return nil, nil // the code of a file is imported, not called
	}
	in, err := w.links.Callers(t.node.ref)
	if err != nil {
		return nil, err
	}
	bases, err := w.links.Declarations(t.node.ref)
	if err != nil {
		return nil, err
	}
	if err := w.askBases(t.node.ref, bases); err != nil {
		return nil, err
	}
	sources := []callerSource{{&in, nil}}
	w.askCallers(t, &in)
	for i := range bases {
		if t.depth == 0 && bodiless(bases[i].Ref) && bases[i].Confidence >= *w.req.MinConfidence {
			out = append(out, w.implementedBy(t, w.node(bases[i].Ref, t.depth+1), &bases[i], true))
		}
		through, err := w.links.CallersThrough(bases[i].Ref, t.node.ref)
		if err != nil {
			return nil, err
		}
		sources = append(sources, callerSource{&through, &bases[i]})
		w.askCallers(task{node: w.node(bases[i].Ref, t.depth), depth: t.depth}, &through)
	}
	for _, src := range sources {
		w.late = w.late || src.Late
		edges, err := w.callersIn(s, t, src)
		if err != nil {
			return nil, err
		}
		out = append(out, edges...)
	}
	return out, w.unresolvedCallers(s, t, &in)
}

// callersIn returns an edge for each resolved call site in src whose confidence is at least the request's
// minConfidence. It counts all resolved sites as Settled, and those with less confidence also as Suppressed.
func (w *walk) callersIn(s *side, t task, src callerSource) (out []tracedEdge, err error) {
	c, state := &w.counted().Inbound, s.state[t.node.SymbolID]
	links := src.Links
	for _, at := range src.Unread {
		if src.base.Confident(at.Confidence) >= *w.req.MinConfidence {
			c.Settled++
			out = append(out, unreadEdge(t, at, src.base))
			continue
		}
		hidden, err := w.links.Sites([]resolve.SiteRef{at})
		if err != nil {
			return nil, err
		}
		links = append(links, hidden...)
	}
	for i := range links {
		l := &links[i]
		c.Settled++
		if w.suppressed(src.base.Confident(l.Confidence), t, l) {
			c.Suppressed++
			state.hidden++
			continue
		}
		out = append(out, w.callerEdge(t, l, src.base))
	}
	return out, nil
}

// unresolvedCallers counts the unresolved call sites that may call t's symbol and adds
// notes on them, and on files with such calls that were not read.
func (w *walk) unresolvedCallers(s *side, t task, in *proof.Inbound) error {
	c := &w.counted().Inbound
	s.state[t.node.SymbolID].open = len(in.Open)
	c.Symbols++
	c.Unresolved += len(in.Open)
	if t.depth == 0 {
		w.ofRoots.Open = append(w.ofRoots.Open, in.Open...)
		w.ofRoots.Files, w.ofRoots.Read = w.ofRoots.Files+in.Files, w.ofRoots.Read+in.Read
	}
	if err := w.openCallers(t, in.Open); err != nil {
		return err
	}
	if unread := in.Files - in.Read; unread > 0 {
		w.note(contract.Note{Type: contract.NoteUnresolved, Target: t.node.SymbolLabel,
			Detail: fmt.Sprintf("%s with calls of that name were not read: callers may be missing",
				contract.Plural(unread, "file"))})
	}
	return nil
}

// callerEdge returns the edge from the call site l to t's symbol. If base is not nil, l
// calls base, which the symbol overrides, and the edge is one of possible dispatch.
func (w *walk) callerEdge(t task, l *proof.Link, base *proof.Overriding) tracedEdge {
	if base == nil {
		return w.callEdge(t, w.node(l.Caller, t.depth+1), l, true)
	}
	possible := *l
	possible.Confidence, possible.Strategy = base.Confident(l.Confidence), base.Strategy
	possible.Provenance = "calls " + base.Ref.Symbol().QualifiedName + "; " + base.Provenance
	e := w.callEdge(t, w.node(l.Caller, t.depth+1), &possible, true)
	e.throughBase(base)
	return e
}

// unread is a caller of which only the call site is known, because the index's record of its file is not
// decoded yet.
type unread struct {
	task
	site resolve.SiteRef
	base *proof.Overriding
}

// unreadEdge returns a placeholder for the edge of a caller whose file is not decoded yet. It has the
// fields that compareFound orders by. The method read completes it when it is about to be shown.
func unreadEdge(t task, at resolve.SiteRef, base *proof.Overriding) tracedEdge {
	return tracedEdge{from: t.node, up: true, unread: &unread{t, at, base},
		key: edgeKey{dst: t.node.SymbolID, file: at.File.Path, at: at.Offset},
		to:  &tracedNode{class: at.File.Class, Node: contract.Node{File: at.File.Path}}}
}

// read decodes the file of u's call site and returns the complete edge. It returns false if the
// site no longer exists.
func (w *walk) read(u *unread) (e tracedEdge, ok bool, err error) {
	links, err := w.links.Sites([]resolve.SiteRef{u.site})
	if err != nil || len(links) == 0 {
		return e, false, err
	}
	return w.callerEdge(u.task, &links[0], u.base), true, nil
}

// externalNode returns the node of a function outside of the workspace. Its id consists of
// the module and the function's name.
func (w *walk) externalNode(l *proof.Link, depth int) *tracedNode {
	label := l.Call.Callee
	if i := strings.LastIndexByte(l.Call.Receiver, '.'); l.Call.Receiver != "" && i < 0 {
		label = l.Call.Receiver + "." + label
	}
	id := "ext:" + l.Call.Callee
	if l.Module != "" {
		id = "ext:" + l.Module + "." + l.Call.Callee
	}
	if n, ok := w.nodes[id]; ok {
		return n
	}
	return &tracedNode{Node: contract.Node{SymbolID: id, SymbolLabel: label, Language: l.Language,
		Depth: depth, External: true}}
}
