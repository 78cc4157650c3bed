package main

import (
	"context"
	"fmt"
	"os/exec"
	"path"
	"strings"
	"time"

	"sextant/internal/code"
	"sextant/internal/diagram"
	"sextant/internal/navigate/contract"
)

// picture prints the graph as DOT or SVG. With --engine auto, it uses the
// builtin layout if Graphviz fails.
func (r *graphRun) picture(ctx context.Context) error {
	g, err := r.gather(ctx)
	if err != nil {
		return err
	}
	if g.Status != contract.StatusOK {
		return r.failed(g)
	}
	p := pictureOf(g)
	text := ""
	switch {
	case r.opt.format == "dot":
		text = diagram.DOT(p)
	case r.opt.engine == "builtin":
		text = diagram.SVG(p)
	default:
		if text, err = graphviz(ctx, diagram.DOT(p)); err != nil {
			if r.opt.engine == "dot" {
				return err
			}
			text = diagram.SVG(p)
		}
	}
	if err := r.emit(text, g); err != nil {
		return err
	}
	r.rest(g)
	return nil
}

// gather calls call_graph for page after page until the limit, the deadline or
// the end, and joins the pages to one answer. A single page has only as many
// edges as an agent's token budget allows.
func (r *graphRun) gather(ctx context.Context) (*contract.GraphAnswer, error) {
	limit, until := r.req.Limit, time.Now().Add(time.Duration(r.req.DeadlineMs)*time.Millisecond)
	whole, err := r.service.CallGraph(ctx, r.req)
	if err != nil || whole.Status != contract.StatusOK {
		return whole, err
	}
	known := map[string]bool{}
	for _, n := range whole.Nodes {
		known[n.SymbolID] = true
	}
	for whole.Truncated != nil && whole.Truncated.Cause == contract.CauseMaxTokens && len(whole.Edges) < limit {
		next := whole.Truncated.Next.Args.(*contract.GraphRequest).Next(func(next *contract.GraphRequest) {
			next.Limit, next.DeadlineMs = limit-len(whole.Edges), max(int(time.Until(until).Milliseconds()), 1)
		})
		if err := next.Normalize(); err != nil {
			return nil, err
		}
		page, err := r.service.CallGraph(ctx, *next)
		if err != nil {
			return nil, err
		}
		if page.Status != contract.StatusOK {
			break // files changed meanwhile: keep the pages that describe the earlier state
		}
		for _, n := range page.Nodes {
			if !known[n.SymbolID] {
				known[n.SymbolID] = true
				whole.Nodes = append(whole.Nodes, n)
			}
		}
		whole.Edges = append(whole.Edges, page.Edges...)
		whole.Truncated, whole.Cursor = page.Truncated, page.Cursor
	}
	if whole.Truncated != nil {
		whole.Truncated.Shown = len(whole.Edges)
	}
	return whole, nil
}

// graphvizTime is the time limit of Graphviz for a layout. A graph that takes longer would be
// unreadable anyway.
const graphvizTime = 20 * time.Second

// graphviz runs dot to render text, a graph in DOT, as SVG.
func graphviz(ctx context.Context, text string) (string, error) {
	program, err := exec.LookPath("dot")
	if err != nil {
		return "", fmt.Errorf("find Graphviz: %w; --engine builtin draws without it", err)
	}
	ctx, cancel := context.WithTimeout(ctx, graphvizTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-Tsvg")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run %s: %w; --engine builtin draws without it", program, err)
	}
	return string(out), nil
}

// pictureOf converts an answer to a diagram. Boxes are coloured by service if
// there are several, else by folder, else by file.
func pictureOf(g *contract.GraphAnswer) *diagram.Graph {
	title := map[contract.Direction]string{contract.DirectionCallers: "Callers of ",
		contract.DirectionCallees: "Callees of ",
		contract.DirectionBoth:    "Callers and callees of "}[g.Direction] + g.SymbolRef.SymbolLabel
	p := &diagram.Graph{Title: fmt.Sprintf("%s, depth %d: %s, %s", title, g.Depth, count(len(g.Nodes), "symbol"),
		count(len(g.Edges), "call site")), Root: g.SymbolRef.SymbolID}
	if g.Truncated != nil {
		p.Note = fmt.Sprintf("Not all of it: stopped by %s after %s.", g.Truncated.Cause,
			count(g.Truncated.Shown, "call site"))
	}
	group := grouping(g.Nodes)
	for _, n := range g.Nodes {
		box := diagram.Node{ID: n.SymbolID, Label: n.SymbolLabel, External: n.External}
		if n.External {
			// the place of an external symbol is its id, which has the module
			box.Place = strings.TrimPrefix(n.SymbolID, "ext:")
		} else {
			box.Place, box.Group = n.File, group(n)
			if n.Span.StartLine > 0 { // a folder has no lines
				box.Place = fmt.Sprintf("%s:%d", n.File, n.Span.StartLine)
			}
		}
		p.Nodes = append(p.Nodes, box)
	}
	evidence := map[code.Evidence]diagram.Evidence{code.Lexical: diagram.Lexical, code.Syntactic: diagram.Syntactic,
		code.Proven: diagram.Proven}
	for _, e := range g.Edges {
		drawn := diagram.Edge{From: e.Src, To: e.Dst, Evidence: evidence[e.Evidence],
			Possible: e.Kind == code.EdgeDynamic}
		if e.RemoteSite != nil || e.Kind == code.EdgeImport {
			drawn.Label = string(e.Kind)
		}
		p.Edges = append(p.Edges, drawn)
	}
	return p
}

// grouping returns a function that gives the service, the folder or the file of
// a node: the first of these three that differs among nodes, or else the file.
func grouping(nodes []contract.Node) func(contract.Node) string {
	by := []func(contract.Node) string{
		func(n contract.Node) string { return n.Service },
		func(n contract.Node) string { return path.Dir(n.File) },
		func(n contract.Node) string { return n.File },
	}
	for _, group := range by {
		names := map[string]bool{}
		for _, n := range nodes {
			if !n.External {
				names[group(n)] = true
			}
		}
		if len(names) > 1 {
			return group
		}
	}
	return by[2]
}
