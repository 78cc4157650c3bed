package compact

import (
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
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
			w.column = max(w.column, len(lines(contract.Lines(s.Span))))
		}
		for _, s := range a.Outline.Symbols {
			w.symbol(s)
		}
	}
	if a.Folder != nil {
		w.folder(a.Folder)
	}
	if a.Unexported > 0 {
		w.put(plain(fmt.Sprintf("+%d unexported", a.Unexported)), w.option("exported", false))
	}
	if a.Fields > 0 {
		w.put(plain("+"+count(a.Fields, "field")), w.option("detail", contract.DetailFull))
	}
	if t := a.Truncated; t != nil {
		more := w.continued(a.Cursor)
		if a.Cursor == "" {
			more = w.option("maxTokens", contract.MaxMaxTokens)
		}
		w.put(plain(fmt.Sprintf("+%d %s", t.Omitted, t.What)), more)
	}
}

// maxSignature bounds a signature, in bytes.
const maxSignature = 110

// aroundName cuts a signature to maxSignature bytes that include the name.
func aroundName(text, name string) string {
	const lead = 20 // text kept before a name that is far from the start
	if at := strings.Index(text, name); at > lead && at+len(name) > maxSignature {
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
	parts := []typeset.Part{dim(w.margin(s) + " ")}
	if before, after, found := strings.Cut(text, s.Name); found {
		parts = append(parts, plain(before), named(s.Name), quoted(after))
	} else {
		parts = append(parts, quoted(text))
	}
	if w.docs && s.Doc != "" {
		parts = append(parts, dim("  // "+s.Doc))
	}
	w.put(parts...)
}

// margin returns what precedes a declaration: its nesting and its lines. On a
// terminal the lines of all declarations end in one column, and the nesting is
// behind it.
func (w *writer) margin(s contract.OutlineSymbol) string {
	nested, at := strings.Repeat("  ", len(s.ParentPath)), lines(contract.Lines(s.Span))
	if w.terminal == nil {
		return nested + at
	}
	return fmt.Sprintf("%*s %s", w.column, at, nested)
}
