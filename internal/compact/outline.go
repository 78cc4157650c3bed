package compact

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
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
		w.symbols(a.Outline.Symbols)
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

// maxSignature is the largest length of a signature, in bytes.
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

// symbols writes declarations. If several in a row begin with the same words, such as Go methods
// with their receiver, it writes these words once, on a line above them:
//
//	func (c *conn):
//	  354-360 hijacked() bool
//	  363-370 close()
//
// If a declaration has the name of the one above, as overloads do, "…" replaces their common
// beginning up to the name.
func (w *writer) symbols(list []contract.OutlineSymbol) {
	var above *contract.OutlineSymbol
	for len(list) > 0 {
		lead, n := alike(list)
		if w.terminal != nil || (n-1)*(contract.Tokens(lead)-indented) < worthLead {
			lead, n = "", 1
		} else {
			w.line("%s:", strings.TrimSpace(lead))
		}
		for i := range list[:n] {
			head := sharedHead(above, &list[i])
			if w.terminal == nil && contract.Tokens(head)-contract.Tokens(lead) >= worthHead {
				w.declaration(list[i], lead, "…"+strings.TrimPrefix(declaration(list[i]), head))
			} else {
				w.symbol(list[i], lead)
			}
			above = &list[i]
		}
		for n < len(list) && sameStatement(list[n-1], list[n]) {
			n++
		}
		list = list[n:]
	}
}

// sameStatement reports whether two symbols are declared by one statement, which is the signature
// of both: save and reset in `const { save, reset } = useForm()`.
func sameStatement(a, b contract.OutlineSymbol) bool {
	return a.Span == b.Span && a.Signature == b.Signature && strings.Contains(a.Signature, b.Name)
}

const (
	// worthLead is the number of tokens that must be saved for common words to get a line of their own.
	worthLead = 6
	// worthHead is the least number of tokens in the common beginning of overloads at which later
	// overloads omit it.
	worthHead = 4
	// indented is the price in tokens of indenting a line below such words.
	indented = 3
)

// alike returns the words before the name of the first declaration, such as "func (c *conn) ", and
// the number of declarations in a row that begin with them.
func alike(list []contract.OutlineSymbol) (lead string, n int) {
	lead, n = leadOf(list[0]), 1
	for lead != "" && n < len(list) && len(list[n].ParentPath) == 0 &&
		strings.HasPrefix(declaration(list[n]), lead+list[n].Name) {
		n++
	}
	return lead, n
}

// leadOf returns the words before the name of a top-level declaration, such as "func (c *conn) ".
// It returns "" for a member of a type, which is written below the type.
func leadOf(s contract.OutlineSymbol) string {
	lead, _, _ := strings.Cut(declaration(s), s.Name)
	if len(s.ParentPath) > 0 || len(lead) > maxLead || !strings.HasSuffix(lead, " ") {
		return ""
	}
	return lead
}

// maxLead is the largest length in bytes of common words that get a line of their own.
const maxLead = maxSignature / 2

// sharedHead returns the common beginning of two overloads, up to their parameters, such as
// "public int size". It returns "" if the symbols are no overloads of each other, or if above is
// nil.
func sharedHead(above, s *contract.OutlineSymbol) string {
	head, _, found := strings.Cut(declaration(*s), s.Name+"(")
	if head += s.Name; above == nil || !found || !slices.Equal(above.ParentPath, s.ParentPath) ||
		!strings.HasPrefix(declaration(*above), head+"(") {
		return ""
	}
	return head
}

// declaration returns the signature of a symbol in one line, with its name. A value of several lines ends
// where it opens: "limits = map[string]int{…", `USAGE = """…`.
func declaration(s contract.OutlineSymbol) string {
	text := strings.Join(strings.Fields(s.Signature), " ")
	if s.Span.EndLine > s.Span.StartLine && (s.Kind == code.KindVariable || s.Kind == code.KindConstant) {
		text = opened(text)
	}
	switch {
	case text == "":
		return string(s.Kind) + " " + s.Name
	case !strings.Contains(text, s.Name):
		return s.Name + " " + text
	}
	return text
}

// opened cuts the value of a variable after the mark that opens its lines, such as a brace. It
// returns text unchanged if there is no such mark, as in a sum.
func opened(text string) string {
	at := strings.Index(text, " = ")
	if at < 0 {
		return text
	}
	at += len(" = ")
	for i := at; i < len(text); i++ {
		end := 0
		switch c := text[i]; {
		case c == '{', c == '`', c == '[' && i == at:
			end = i + 1
		case strings.HasPrefix(text[i:], `"""`), strings.HasPrefix(text[i:], "'''"):
			end = i + 3
		case c == '"', c == '\'':
			closing := strings.IndexByte(text[i+1:], c)
			if closing < 0 {
				return text
			}
			i += closing + 1
		}
		if end > 0 {
			return text[:end] + "…"
		}
	}
	return text
}

// symbol writes one declaration, indented by its nesting. It omits lead, the first words of the
// declaration, if a line above has them.
func (w *writer) symbol(s contract.OutlineSymbol, lead string) {
	w.declaration(s, lead, strings.TrimPrefix(declaration(s), lead))
}

// declaration writes text, the rest of a declaration after the words that lines above already
// have. lead holds those of the words that are on a line of their own.
func (w *writer) declaration(s contract.OutlineSymbol, lead, text string) {
	text = aroundName(text, s.Name)
	margin := w.margin(s)
	if lead != "" {
		margin = "  " + margin
	}
	parts := []typeset.Part{dim(margin + " ")}
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

// margin returns the text before a declaration: indentation for its nesting, and its line numbers. On a
// terminal the line numbers of all declarations come first, aligned in a column, and the indentation follows.
func (w *writer) margin(s contract.OutlineSymbol) string {
	nested, at := strings.Repeat("  ", len(s.ParentPath)), lines(contract.Lines(s.Span))
	if w.terminal == nil {
		return nested + at
	}
	return fmt.Sprintf("%*s %s", w.column, at, nested)
}
