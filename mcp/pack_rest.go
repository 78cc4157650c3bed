package mcp

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/pack2"
)

func (p *packer) graph(a *contract.GraphAnswer) {
	h := p.head(a.Outcome)
	h = append(h, pack2.Int("nodes", len(a.Nodes)), pack2.Int("edges", len(a.Edges)))
	h.str("direction", a.Direction)
	h.num("depth", a.Depth)
	p.fresh(&h, a.FreshnessDecision)
	h.str("root", a.CodebaseRoot)
	if a.Path != a.CodebaseRoot {
		h.str("path", a.Path)
	}
	if !a.Supported {
		h.flag("supported", false)
	}
	if v := a.Verification; v != nil {
		h.str("verification", v.State)
		h.num("confirmed", v.Confirmed)
		h.num("refuted", v.Refuted)
		h.num("added", v.Added)
		h.num("pending", v.Pending)
	}
	p.doc.Attrs = h
	p.codes(a.Warnings)
	number := map[string]string{}
	for i, n := range a.Nodes {
		number[n.SymbolID] = strconv.Itoa(i + 1)
		p.node(number[n.SymbolID], n)
	}
	for _, e := range a.Edges {
		p.edge(e, number)
	}
	p.counts(a.Counts)
	p.notes(a)
	p.evidence(a)
	p.truncated(a.Truncated)
	p.hints(a.Hints)
	p.made("tree", a.Tree)
	p.made("mermaid", a.Mermaid)
}

func (p *packer) node(key string, n contract.Node) {
	fields := append(at(n.File, n.Span.StartLine, n.Span.EndLine), words(n.SymbolLabel, n.Language)...)
	var l attrs
	l.str("id", n.SymbolID)
	l.num("depth", n.Depth)
	l.str("service", n.Service)
	l.str("root", n.CodebaseRoot)
	if n.External {
		l.flag("external", true)
	}
	p.line(key, fields, l, "")
}

// edge adds an edge, whose ends are the numbers of their node records.
func (p *packer) edge(e contract.Edge, number map[string]string) {
	end := func(id string) string {
		if n := number[id]; n != "" {
			return n
		}
		return id
	}
	fields := append(words(end(e.Src), end(e.Dst)), at(e.Site.File, e.Site.StartLine, e.Site.EndLine)...)
	fields = append(fields, words(string(e.Kind), e.Evidence.String(), code.ShownConfidence(e.Confidence))...)
	var l attrs
	if e.State != "confirmed" {
		l.str("state", e.State)
	}
	l.str("strategy", e.Strategy)
	l.str("confirmedBy", e.ConfirmedBy)
	l.str("via", e.Via)
	if e.RemoteSite != nil {
		p.value(&l, "remote", e.RemoteSite)
	}
	if len(e.Arguments) > 0 {
		p.value(&l, "args", e.Arguments)
	}
	p.line("edge", fields, l, e.Provenance)
}

// counts adds the counts of resolved call sites, a line per direction.
func (p *packer) counts(c *contract.GraphCounts) {
	if c == nil {
		return
	}
	line := func(word string, v any) {
		l, err := pack2.Args(v)
		if err != nil {
			p.fail(err)
		}
		p.line("counts", words(word), l, "")
	}
	if c.Outgoing != (contract.OutgoingCounts{}) {
		line("outgoing", c.Outgoing)
	}
	if c.Inbound != (contract.InboundCounts{}) {
		line("inbound", c.Inbound)
	}
}

func (p *packer) notes(a *contract.GraphAnswer) {
	for _, n := range a.Notes {
		var l attrs
		l.str("callee", n.Target)
		l.str("caller", n.SymbolID)
		p.line(pack2.KeyNote, append(words(n.Type), at(n.File, n.Line, n.Line)...), l, n.Detail)
	}
	if a.NotesTruncated {
		p.line(pack2.KeyNote, words("truncated"), nil,
			strconv.Itoa(a.ReturnedNoteCount)+" of "+strconv.Itoa(a.TotalNoteCount)+" notes shown")
	}
}

// evidence adds the facts that support an answer without callers or without a
// symbol.
func (p *packer) evidence(a *contract.GraphAnswer) {
	p.candidates(a.Candidates)
	for _, t := range a.TestReferences {
		p.line("test", append(at(t.File, t.Line, t.Line), words(t.Label)...), nil, "")
	}
	if c := a.InboundCoverageEvidence; c != nil {
		l, err := pack2.Args(c)
		if err != nil {
			p.fail(err)
		}
		p.line("coverage", nil, l, "")
	}
	if v := a.Verification; v != nil {
		for _, s := range v.Servers {
			p.server(s)
		}
	}
}

func (p *packer) server(s contract.ServerState) {
	var l attrs
	l.str("root", s.Root)
	p.line("server", words(s.Language, s.Server, s.State), l, s.Detail)
}

func (p *packer) candidates(list []contract.Candidate) {
	for _, c := range list {
		var l attrs
		l.str("id", c.SymbolID)
		l.str("service", c.Service)
		p.line("candidate", append(at(c.File, c.Span.StartLine, c.Span.EndLine),
			words(c.Kind, c.SymbolLabel, c.Language)...), l, c.Signature)
	}
}

func (p *packer) read(a *contract.ReadAnswer) {
	h := p.head(a.Outcome)
	h.str("kind", a.Kind)
	h.str("path", a.Path)
	h.str("root", a.CodebaseRoot)
	h.str("outline", a.OutlineStatus)
	p.fresh(&h, a.FreshnessDecision)
	if a.HasMore {
		h.flag("hasMore", true)
	}
	p.doc.Attrs = h
	p.warnings(a.Warnings)
	file := a.File
	if file == "" {
		file = a.Path
	}
	if a.Symbol != nil {
		p.symbol("symbol", *a.Symbol, file)
	}
	p.symbols(a.Outline, file)
	p.candidates(a.Candidates)
	p.truncated(a.Truncated)
	if a.Continuation != "" && a.Truncated == nil {
		p.line(pack2.KeyNote, words("truncated"), nil, a.Continuation)
	}
	p.hints(a.Hints)
	body := a.Content
	if a.Plain {
		body = string(a.Text)
	}
	if a.Status == contract.StatusOK {
		var span contract.LineSpan
		if a.Span != nil {
			span = *a.Span
		}
		p.frame(file, span, body)
	}
	for _, r := range a.Related {
		p.line("related", append(at(r.File, r.Span.StartLine, r.Span.EndLine), words(r.Role, r.Label)...), nil, "")
		p.frame(r.File, r.Span, r.Content)
	}
}

func (p *packer) manage(a *contract.ManageAnswer) {
	h := p.head(a.Outcome)
	h.str("action", a.Action)
	h.str("path", a.Path)
	h.str("state", string(a.State))
	h.str("quality", a.SymbolQuality)
	p.fresh(&h, a.FreshnessDecision)
	p.doc.Attrs = h
	if p.doc.Message == "" {
		p.doc.Message = a.HumanText
	}
	p.warnings(a.Warnings)
	object := func(key string, v any) {
		l, err := pack2.Args(v)
		if err != nil {
			p.fail(err)
			return
		}
		p.line(key, nil, l, "")
	}
	if a.Preflight != nil {
		object("preflight", a.Preflight)
	}
	if a.Operation != nil {
		object("operation", a.Operation)
	}
	if a.Progress != nil {
		object("progress", a.Progress)
	}
	if a.SyncStats != nil {
		object("sync", a.SyncStats)
	}
	if a.Coverage != nil {
		object("coverage", a.Coverage)
	}
	if t := a.Tiers; t != nil {
		object("l1", t.L1)
		object("l2", t.L2)
		p.line("l3", nil, attrs{pack2.Int("max", t.L3.Max),
			pack2.Attr{Name: "idleTimeoutMs", Value: strconv.FormatInt(t.L3.IdleTimeoutMs, 10), JSON: true}}, "")
		for _, s := range t.L3.Servers {
			p.server(s)
		}
	}
	for _, c := range a.LanguageCapability {
		object("language", c)
	}
	for _, s := range a.Services {
		object("service", s)
	}
	if a.Disk != nil {
		object("disk", a.Disk)
	}
	p.hints(a.Hints)
}

func (p *packer) list(a contract.ListAnswer) {
	p.doc.Status = string(contract.StatusOK)
	p.doc.Attrs = attrs{pack2.Int("n", a.Total()), pack2.Int("pid", a.Owner.PID),
		pack2.String("version", a.Owner.Version)}
	for _, r := range a.Ready {
		l := attrs{pack2.String("root", r.Path), pack2.String("symbolQuality", r.SymbolQuality),
			pack2.Int("files", r.Files), pack2.Int("symbols", r.Symbols)}
		l.str("lastSync", r.LastSync)
		p.line("ready", nil, l, "")
		for _, s := range r.Services {
			var l attrs
			l.str("path", strings.TrimSuffix(s.Path, "/"))
			p.line("service", words(s.Name, s.Language), l, "")
		}
	}
	for _, r := range a.Indexing {
		l := attrs{pack2.String("root", r.Path)}
		l.float("percent", r.Percent)
		p.line("indexing", nil, l, "")
	}
	for _, section := range []struct {
		key   string
		roots []contract.StoppedRoot
	}{{"requires_reindex", a.RequiresReindex}, {"failed", a.Failed}} {
		for _, r := range section.roots {
			p.line(section.key, nil, attrs{pack2.String("root", r.Path)}, r.Reason)
		}
	}
	if a.Total() == 0 {
		p.line(pack2.KeyNote, words("empty"), nil,
			`no codebase is tracked; to track one call manage_index with action create and its absolute path`)
	}
}
