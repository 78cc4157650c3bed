package mcp

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"sextant/internal/navigate/contract"
	"sextant/internal/pack2"
)

// document returns an answer as a PACK2 document: the same facts as its JSON,
// with facts that all records share written once.
func document(name string, answer any) (*pack2.Document, error) {
	p := &packer{doc: &pack2.Document{Tool: name}}
	switch a := answer.(type) {
	case contract.ListAnswer:
		p.list(a)
	case *contract.SearchAnswer:
		p.search(a)
	case *contract.OutlineAnswer:
		p.outline(a)
	case *contract.GraphAnswer:
		p.graph(a)
	case *contract.ReadAnswer:
		p.read(a)
	case *contract.ManageAnswer:
		p.manage(a)
	default:
		return nil, fmt.Errorf("no form for %T", answer)
	}
	return p.doc, p.err
}

// packer builds one document and keeps its first error.
type packer struct {
	doc *pack2.Document
	err error
}

// attrs collects the attributes of a line. Empty values are omitted.
type attrs []pack2.Attr

func (a *attrs) str(name, value string) {
	if value != "" {
		*a = append(*a, pack2.String(name, value))
	}
}

func (a *attrs) num(name string, value int) {
	if value != 0 {
		*a = append(*a, pack2.Int(name, value))
	}
}

func (a *attrs) float(name string, value float64) {
	*a = append(*a, pack2.Attr{Name: name, Value: strconv.FormatFloat(value, 'g', 3, 64), JSON: true})
}

func (a *attrs) flag(name string, value bool) {
	*a = append(*a, pack2.Attr{Name: name, Value: strconv.FormatBool(value), JSON: true})
}

// value adds an attribute that is a JSON object or list.
func (p *packer) value(a *attrs, name string, v any) {
	text, err := contract.Encode(v)
	if err != nil {
		p.fail(err)
		return
	}
	*a = append(*a, pack2.Attr{Name: name, Value: string(text), JSON: true})
}

func (p *packer) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// head sets the document's status and message, and returns its first
// attributes.
func (p *packer) head(o contract.Outcome) attrs {
	p.doc.Status, p.doc.Message = string(o.Status), o.Message
	var a attrs
	a.str("reason", string(o.Reason))
	a.str("code", o.Code)
	return a
}

func (p *packer) line(key string, fields []pack2.Field, a attrs, text string) {
	p.doc.Lines = append(p.doc.Lines, pack2.Line{Key: key, Fields: fields, Attrs: a, Text: text})
}

func words(list ...string) (fields []pack2.Field) {
	for _, w := range list {
		fields = append(fields, pack2.Word(w))
	}
	return fields
}

// at returns a file position as fields, none if file is "".
func at(file string, start, end int) []pack2.Field {
	switch {
	case file == "":
		return nil
	case start < 1:
		return words(file)
	}
	return []pack2.Field{pack2.At(file, start, max(start, end))}
}

func (p *packer) fresh(a *attrs, f *contract.Freshness) {
	if f == nil {
		return
	}
	a.str("fresh", string(f.Mode))
	if f.Gate != nil && f.Gate.FilesReindexed > 0 {
		a.num("reindexed", f.Gate.FilesReindexed)
	}
}

func (p *packer) warnings(ws contract.Warnings) {
	for _, w := range ws {
		var a attrs
		if w.BlocksUse {
			a.flag("blocksUse", true)
		}
		p.line(pack2.KeyWarn, words(w.Code, string(w.Severity)), a, w.Message)
		p.next(w.Action)
	}
}

func (p *packer) codes(list []string) {
	for _, c := range list {
		p.line(pack2.KeyWarn, words(c), nil, "")
	}
}

// next adds a line for each suggested call that is not nil.
func (p *packer) next(actions ...*contract.Action) {
	for _, a := range actions {
		if a != nil {
			p.callLine(pack2.KeyNext, a, a.Reason)
		}
	}
}

func (p *packer) callLine(key string, a *contract.Action, text string) {
	args, err := pack2.Args(a.Args)
	if err != nil {
		p.fail(err)
		return
	}
	p.line(key, words(a.Tool), args, text)
}

// truncated adds a line with the count of omitted records, and the call that
// continues.
func (p *packer) truncated(t *contract.Truncation) {
	if t == nil {
		return
	}
	said := fmt.Sprintf("%d of %d %s shown (%s)", t.Shown, t.Shown+t.Omitted, t.What, t.Cause)
	if t.Next == nil {
		p.line(pack2.KeyNote, words("truncated"), nil, said)
		return
	}
	p.callLine(pack2.KeyMore, t.Next, said)
}

// hints adds the suggested calls and notes of an answer.
func (p *packer) hints(h *contract.Hints) {
	if h == nil {
		return
	}
	p.next(h.Create, h.Status, h.Sync, h.Reindex, h.Repair, h.Clear, h.UseRoot, h.Retry)
	for i := range h.NextSteps {
		p.next(&h.NextSteps[i])
	}
	if n := h.NoiseMitigation; n != nil {
		var a attrs
		p.value(&a, "top", n.Top)
		p.line(pack2.KeyNote, words("noise"), a, n.Reason)
		p.next(n.Action)
	}
	if h.Debug != nil {
		var a attrs
		p.value(&a, "debug", []any{h.Debug})
		p.line("debug", nil, a, "")
	}
}

// frame adds source text as on disk. The protocol cannot carry bytes that are
// not UTF-8: they are replaced, and the frame is named not_utf8.
func (p *packer) frame(file string, span contract.LineSpan, body string) {
	f := pack2.Frame{Path: file, Start: span.StartLine, End: max(span.StartLine, span.EndLine), Body: []byte(body)}
	if span.StartLine < 1 {
		f.Start, f.End = 0, 0
	}
	if !utf8.ValidString(body) {
		f.Name, f.Body = "not_utf8", []byte(valid(body))
	}
	p.doc.Frames = append(p.doc.Frames, f)
}

// made adds a text that is not on disk: a tree, a skeleton.
func (p *packer) made(name, body string) {
	if body != "" {
		p.doc.Frames = append(p.doc.Frames, pack2.Frame{Name: name, Body: []byte(valid(body))})
	}
}
