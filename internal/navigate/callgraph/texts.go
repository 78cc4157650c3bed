package callgraph

import (
	"context"

	"sextant/internal/navigate/contract"
)

// readTexts reads the source text that the request shows with a page: the lines of the calls, their
// arguments, the bodies around them.
func (g *graphing) readTexts(ctx context.Context, part *graphPart) {
	if g.req.Detail == contract.DetailFull || g.wantsSource() {
		g.addTexts(ctx, part)
	}
	if g.req.Detail == contract.DetailBodies {
		g.readBodies(ctx, part)
	}
}

// wantsSource reports whether edges show the source line of their call sites. By default they
// do in the text format, unless the bodies around the calls are shown.
func (g *graphing) wantsSource() bool {
	if g.req.Source != nil {
		return *g.req.Source
	}
	return g.req.Format == contract.FormatText && g.req.View == contract.ViewGraph &&
		g.req.Detail != contract.DetailBodies
}

// addTexts sets the source line of each call site and, if the request's detail is full, the texts
// of its arguments. It skips call sites in files that have changed since the edges were read.
func (g *graphing) addTexts(ctx context.Context, part *graphPart) {
	texts := map[string][]byte{}
	for i := range part.edges() {
		e := &part.edges()[i]
		text, read := texts[e.Site.File]
		if !read {
			text, _, _ = g.place.Root.Read(ctx, e.Site.File)
			texts[e.Site.File] = text
		}
		if g.req.Detail == contract.DetailFull {
			e.Arguments = argumentsOf(text, &e.call)
		}
		if g.wantsSource() {
			e.Source = lineAt(text, &e.call)
		}
	}
}

// readBodies reads the files of the page's symbols. It skips a file that cannot be read.
func (g *graphing) readBodies(ctx context.Context, part *graphPart) {
	part.texts = map[string][]byte{}
	read := func(n *tracedNode) {
		if _, done := part.texts[n.File]; done || n.External || n.folder != nil || n.CodebaseRoot != "" {
			return
		}
		if text, _, err := g.place.Root.Read(ctx, n.File); err == nil {
			part.texts[n.File] = text
		}
	}
	read(part.walk.roots[0])
	for i := range part.edges() {
		read(part.edges()[i].to)
	}
}
