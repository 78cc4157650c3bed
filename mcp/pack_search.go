package mcp

import (
	"strconv"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/internal/pack2"
)

// valid returns s with bytes that are not UTF-8 replaced by U+FFFD.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func (p *packer) search(answer *contract.SearchAnswer) {
	h := p.head(answer.Outcome)
	h = append(h, pack2.Int("n", len(answer.Results)))
	p.fresh(&h, &answer.FreshnessDecision)
	h.str("confidence", string(answer.Confidence))
	if answer.CodebaseRoot != "" {
		h.str("root", answer.CodebaseRoot)
	}
	if answer.Path != answer.CodebaseRoot {
		h.str("path", answer.Path)
	}
	if answer.Scope != contract.ScopeRuntime {
		h.str("scope", string(answer.Scope))
	}
	if answer.Tiers != nil {
		for _, t := range []struct {
			name string
			tier contract.Tier
		}{{"lexical", answer.Tiers.Lexical}, {"semantic", answer.Tiers.Semantic}} {
			if t.tier.State != contract.TierOK {
				h.str(t.name, string(t.tier.State))
			}
		}
	}
	p.doc.Attrs = h
	p.warnings(answer.Warnings)
	if m := answer.Matches; m != nil {
		l := attrs{pack2.Int("files", m.Files), pack2.Int("lines", m.Lines)}
		l.flag("complete", m.Complete)
		if out := m.OutOfScope; out != nil {
			l = append(l, pack2.Int("outOfScopeFiles", out.Files), pack2.Int("outOfScopeLines", out.Lines))
		}
		p.line("matches", nil, l, "")
	}
	for i, r := range answer.Results {
		switch r := r.(type) {
		case *contract.Group:
			p.group(i+1, r)
		case *contract.Chunk:
			p.chunk(i+1, r)
		}
	}
	if answer.Cursor != "" && answer.Truncated == nil {
		var l attrs
		l.str("cursor", answer.Cursor)
		p.line("cursor", nil, l, "")
	}
	p.truncated(answer.Truncated)
	for _, n := range answer.DidYouMean {
		p.line("didYouMean", append(at(n.File, n.Line, n.Line), words(n.Kind, n.SymbolLabel)...),
			attrs{pack2.Int("edits", n.Edits), pack2.Int("symbols", n.Symbols)}, "")
		p.next(n.Next)
	}
	if n := answer.RecommendedNextAction; n != nil {
		p.next(&contract.Action{Tool: n.Tool, Args: n.Args, Reason: n.Reason})
	}
	p.hints(answer.Hints)
}

func (p *packer) group(n int, g *contract.Group) {
	fields := append(at(g.File, g.Span.StartLine, g.Span.EndLine),
		words(g.SymbolKind, g.SymbolLabel, g.Language, string(g.Confidence))...)
	var a attrs
	a.str("id", g.SymbolID)
	a.str("service", g.Service)
	a.str("class", string(g.Class))
	a.str("by", strings.Join(g.MatchedBy, "+"))
	if g.StalenessBucket != "fresh" {
		a.str("staleness", g.StalenessBucket)
	}
	if !g.CallGraphHint.Supported {
		a.str("noGraph", string(g.CallGraphHint.Reason))
	}
	p.line(strconv.Itoa(n), fields, a, "")
	p.matched(g.MatchedLines)
	if nav := g.Navigation; nav != nil && n > 3 {
		p.next(nav.RecommendedNextAction)
	}
	if g.Preview != "" {
		span := g.Span
		if g.PreviewSpan != nil {
			span = *g.PreviewSpan
		}
		p.frame(g.File, span, g.Preview)
	}
}

func (p *packer) chunk(n int, c *contract.Chunk) {
	fields := append(at(c.File, c.Span.StartLine, c.Span.EndLine), words(c.SymbolKind, c.SymbolLabel, c.Language)...)
	var a attrs
	a.str("id", c.SymbolID)
	a.str("service", c.Service)
	a.str("class", string(c.Class))
	a.str("by", strings.Join(c.MatchedBy, "+"))
	p.line(strconv.Itoa(n), fields, a, "")
	p.matched(c.MatchedLines)
	p.frame(c.File, c.Span, c.Content)
}

// matched adds the matched lines of the preceding result.
func (p *packer) matched(lines []contract.MatchedLine) {
	for _, l := range lines {
		p.line("line", words(strconv.Itoa(l.Line)), nil, valid(l.Text))
	}
}

func (p *packer) outline(answer *contract.OutlineAnswer) {
	h := p.head(answer.Outcome)
	h.str("file", answer.File)
	h.str("root", answer.CodebaseRoot)
	if answer.Path != answer.CodebaseRoot {
		h.str("path", answer.Path)
	}
	p.fresh(&h, answer.FreshnessDecision)
	if answer.Outline != nil {
		h = append(h, pack2.Int("n", len(answer.Outline.Symbols)))
	}
	if answer.HasMore {
		h.flag("hasMore", true)
	}
	p.doc.Attrs = h
	p.codes(answer.Warnings)
	p.symbols(answer.Outline, answer.File)
	p.truncated(answer.Truncated)
	p.hints(answer.Hints)
	p.made("skeleton", answer.Skeleton)
}

func (p *packer) symbols(o *contract.Outline, file string) {
	if o == nil {
		return
	}
	for i, s := range o.Symbols {
		p.symbol(strconv.Itoa(i+1), s, file)
	}
}

func (p *packer) symbol(key string, s contract.OutlineSymbol, file string) {
	fields := append(words(string(s.Kind), s.SymbolLabel), at(file, s.Span.StartLine, s.Span.EndLine)...)
	var a attrs
	a.str("id", s.SymbolID)
	a.str("parent", s.ParentSymbolID)
	if s.Exported != nil {
		a.flag("exported", *s.Exported)
	}
	if len(s.Annotations) > 0 {
		p.value(&a, "annotations", s.Annotations)
	}
	a.str("doc", s.Doc)
	if !s.CallGraphHint.Supported {
		a.str("noGraph", string(s.CallGraphHint.Reason))
	}
	p.line(key, fields, a, s.Signature)
}
