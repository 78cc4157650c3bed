package mcp

import (
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/pack2"
)

func (p *packer) graph(answer *contract.GraphAnswer) {
	h := p.head(answer.Outcome)
	h = append(h, pack2.Int("nodes", len(answer.Nodes)), pack2.Int("edges", len(answer.Edges)))
	h.str("direction", string(answer.Direction))
	h.num("depth", answer.Depth)
	p.fresh(&h, answer.FreshnessDecision)
	h.str("root", answer.CodebaseRoot)
	if answer.Path != answer.CodebaseRoot {
		h.str("path", answer.Path)
	}
	if !answer.Supported {
		h.flag("supported", false)
	}
	if v := answer.Verification; v != nil {
		h.str("verification", string(v.State))
		h.num("confirmed", v.Confirmed)
		h.num("refuted", v.Refuted)
		h.num("added", v.Added)
		h.num("pending", v.Pending)
	}
	p.doc.Attrs = h
	p.codes(answer.Warnings)
	number := map[string]string{}
	for i, n := range answer.Nodes {
		number[n.SymbolID] = strconv.Itoa(i + 1)
		p.node(number[n.SymbolID], n)
	}
	for _, e := range answer.Edges {
		p.edge(e, number)
	}
	p.counts(answer.Counts)
	p.notes(answer)
	p.evidence(answer)
	p.truncated(answer.Truncated)
	p.hints(answer.Hints)
	p.made("tree", answer.Tree)
	p.made("mermaid", answer.Mermaid)
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
	if e.State != contract.StateConfirmed {
		l.str("state", string(e.State))
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
		p.line(pack2.KeyNote, append(words(string(n.Type)), at(n.File, n.Line, n.Line)...), l, n.Detail)
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
	p.line("server", words(s.Language, s.Server, string(s.State)), l, s.Detail)
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

func (p *packer) read(answer *contract.ReadAnswer) {
	h := p.head(answer.Outcome)
	h.str("kind", answer.Kind)
	h.str("path", answer.Path)
	h.str("root", answer.CodebaseRoot)
	h.str("outline", answer.OutlineStatus)
	p.fresh(&h, answer.FreshnessDecision)
	if answer.HasMore {
		h.flag("hasMore", true)
	}
	p.doc.Attrs = h
	p.warnings(answer.Warnings)
	file := answer.File
	if file == "" {
		file = answer.Path
	}
	if answer.Symbol != nil {
		p.symbol("symbol", *answer.Symbol, file)
	}
	p.symbols(answer.Outline, file)
	p.candidates(answer.Candidates)
	p.truncated(answer.Truncated)
	if answer.Continuation != "" && answer.Truncated == nil {
		p.line(pack2.KeyNote, words("truncated"), nil, answer.Continuation)
	}
	p.hints(answer.Hints)
	body := answer.Content
	if answer.Plain {
		body = string(answer.Text)
	}
	if answer.Status == contract.StatusOK {
		var span contract.LineSpan
		if answer.Span != nil {
			span = *answer.Span
		}
		p.frame(file, span, body)
	}
	for _, r := range answer.Related {
		p.line("related", append(at(r.File, r.Span.StartLine, r.Span.EndLine), words(r.Role, r.Label)...), nil, "")
		p.frame(r.File, r.Span, r.Content)
	}
}

func (p *packer) manage(answer *contract.ManageAnswer) {
	h := p.head(answer.Outcome)
	h.str("action", string(answer.Action))
	h.str("path", answer.Path)
	h.str("state", string(answer.State))
	h.str("quality", answer.SymbolQuality)
	p.fresh(&h, answer.FreshnessDecision)
	p.doc.Attrs = h
	if p.doc.Message == "" {
		p.doc.Message = answer.HumanText
	}
	p.warnings(answer.Warnings)
	object := func(key string, v any) {
		l, err := pack2.Args(v)
		if err != nil {
			p.fail(err)
			return
		}
		p.line(key, nil, l, "")
	}
	if answer.Preflight != nil {
		object("preflight", answer.Preflight)
	}
	if answer.Operation != nil {
		object("operation", answer.Operation)
	}
	if answer.Progress != nil {
		object("progress", answer.Progress)
	}
	if answer.SyncStats != nil {
		object("sync", answer.SyncStats)
	}
	if answer.Coverage != nil {
		object("coverage", answer.Coverage)
	}
	if t := answer.Tiers; t != nil {
		object("l1", t.L1)
		object("l2", t.L2)
		p.line("l3", nil, attrs{pack2.Int("max", t.L3.Max),
			pack2.Attr{Name: "idleTimeoutMs", Value: strconv.FormatInt(t.L3.IdleTimeoutMs, 10), JSON: true}}, "")
		for _, s := range t.L3.Servers {
			p.server(s)
		}
	}
	for _, c := range answer.LanguageCapability {
		object("language", c)
	}
	for _, s := range answer.Services {
		object("service", s)
	}
	if answer.Disk != nil {
		object("disk", answer.Disk)
	}
	p.hints(answer.Hints)
}

func (p *packer) list(answer contract.ListAnswer) {
	p.doc.Status = string(contract.StatusOK)
	p.doc.Attrs = attrs{pack2.Int("n", answer.Total()), pack2.Int("pid", answer.Owner.PID),
		pack2.String("version", answer.Owner.Version)}
	for _, r := range answer.Ready {
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
	for _, r := range answer.Indexing {
		l := attrs{pack2.String("root", r.Path)}
		l.float("percent", r.Percent)
		p.line("indexing", nil, l, "")
	}
	for _, section := range []struct {
		key   string
		roots []contract.StoppedRoot
	}{{"requires_reindex", answer.RequiresReindex}, {"failed", answer.Failed}} {
		for _, r := range section.roots {
			p.line(section.key, nil, attrs{pack2.String("root", r.Path)}, r.Reason)
		}
	}
	if answer.Total() == 0 {
		p.line(pack2.KeyNote, words("empty"), nil,
			`no codebase is tracked; to track one call manage_index with action create and its absolute path`)
	}
}
