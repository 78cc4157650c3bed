package compact

import (
	"strings"

	"sextant/internal/navigate/contract"
)

func (w *writer) outline(a *contract.OutlineAnswer, req *contract.OutlineRequest) {
	w.docs = req.Detail == contract.DetailFull
	w.head(a.Outcome, a.Path, a.CodebaseRoot)
	w.codes(a.Warnings)
	if a.Status != contract.StatusOK && a.Status != contract.StatusAmbiguous {
		w.hints(a.Hints)
		return
	}
	if a.Skeleton != "" {
		w.WriteString(a.Skeleton)
		if !strings.HasSuffix(a.Skeleton, "\n") {
			w.WriteByte('\n')
		}
	}
	if a.Outline != nil {
		if len(a.Outline.Symbols) == 0 && a.Skeleton == "" && a.Unexported+a.Fields == 0 {
			w.line("no symbols")
		}
		for _, s := range a.Outline.Symbols {
			w.symbol(s)
		}
	}
	if a.Unexported > 0 {
		w.line("+%d unexported   exported: false", a.Unexported)
	}
	if a.Fields > 0 {
		w.line("+%s   detail: \"full\"", count(a.Fields, "field"))
	}
	if t := a.Truncated; t != nil {
		more := continued(a.Cursor)
		if a.Cursor == "" {
			more = "   maxTokens: 25000"
		}
		w.line("+%d %s%s", t.Omitted, t.What, more)
	}
}

// maxSignature bounds a signature, in bytes.
const maxSignature = 110

// aroundName cuts a signature to maxSignature, such that it keeps the name.
func aroundName(text, name string) string {
	const lead = 20 // of what precedes a name that stands far behind
	if at := strings.Index(text, name); at+len(name) > maxSignature {
		at -= lead
		text = "…" + strings.ToValidUTF8(text[at+strings.IndexByte(text[at:], ' ')+1:], "")
	}
	if len(text) > maxSignature {
		text = strings.ToValidUTF8(text[:maxSignature], "") + "…"
	}
	return text
}

// symbol writes one declaration, indented by its nesting.
func (w *writer) symbol(s contract.OutlineSymbol) {
	text := strings.Join(strings.Fields(s.Signature), " ")
	switch {
	case text == "":
		text = string(s.Kind) + " " + s.Name
	case !strings.Contains(text, s.Name):
		text = s.Name + " " + text
	}
	text = aroundName(text, s.Name)
	if w.docs && s.Doc != "" {
		text += "  // " + s.Doc
	}
	w.line("%s%s %s", strings.Repeat("  ", len(s.ParentPath)), lines(contract.Lines(s.Span)), text)
}
