package compact

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

// writer collects the lines of one text, or those of a drawing.
type writer struct {
	strings.Builder
	docs     bool      // whether declarations show their documentation
	implied  bool      // whether the call named no path, and the caller does not know its root
	column   int       // width of the widest line numbers of an outline
	sources  sources   // the source lines of the results of a search written so far
	terminal *Terminal // nil for plain text
	drawing  Drawing   // the output for a terminal, instead of the text
}

// line writes one line of plain text.
func (w *writer) line(format string, args ...any) {
	w.put(plain(fmt.Sprintf(format, args...)))
}

// put writes one line.
func (w *writer) put(parts ...typeset.Part) {
	if w.terminal != nil {
		w.drawing.Lines = append(w.drawing.Lines, parts)
		return
	}
	for _, p := range parts {
		w.WriteString(p.Text)
	}
	w.WriteByte('\n')
}

// note writes a warning.
func (w *writer) note(text string) {
	if w.terminal != nil {
		w.drawing.Notes = append(w.drawing.Notes, text)
		return
	}
	w.line("note: %s", text)
}

// head writes the first lines of an answer. They name the root, to which paths are relative, unless
// it equals asked, the argument "path" of the call. They state the outcome, if it is not ok.
func (w *writer) head(o contract.Outcome, asked, root string) {
	if w.implied {
		asked = ""
	}
	if root != "" && root != asked && w.terminal == nil {
		w.line("root %s", code.QuotePath(root))
	}
	if o.Status != contract.StatusOK {
		w.outcome(o)
	}
}

// outcome writes the status, the reason and the message of an outcome that is not ok.
func (w *writer) outcome(o contract.Outcome) {
	if o.Status == contract.StatusOK {
		return
	}
	name := string(o.Status)
	if o.Reason != "" && string(o.Reason) != name {
		name += " " + string(o.Reason)
	}
	w.line("%s: %s", name, o.Message)
}

// maxCalls is the largest number of suggested calls in an answer whose outcome is not ok.
const maxCalls = 3

// hints writes the calls that an answer suggests if its outcome is not ok.
func (w *writer) hints(h *contract.Hints) {
	if h == nil {
		return
	}
	left := maxCalls
	call := func(a *contract.Action) {
		if a == nil || left == 0 {
			return
		}
		// a suggested call needs no argument for the format that the caller already receives
		a.Args.Want().Format = ""
		if args, err := contract.Encode(a.Args); err == nil {
			w.line("try: %s %s", a.Tool, args)
			left--
		}
	}
	for _, a := range []*contract.Action{h.Retry, h.Create, h.UseRoot, h.Sync, h.Reindex, h.Repair, h.Clear, h.Status} {
		call(a)
	}
	for i := range h.NextSteps {
		call(&h.NextSteps[i])
	}
	if h.Debug != nil {
		w.debug(h.Debug)
	}
}

func (w *writer) debug(v any) {
	if text, err := contract.Encode(v); err == nil {
		w.line("debug: %s", text)
	}
}

// quiet holds the codes of warnings that the text omits.
var quiet = map[string]bool{
	"WATCH_LIMIT_REACHED":                 true, // concerns only the speed
	"CALL_GRAPH_INBOUND_COVERAGE_PARTIAL": true, // stated in the line on callers
	"CALL_GRAPH_VERIFICATION_PENDING":     true, // stated in the line on servers
	"GRAPH_LISTS_OMITTED":                 true, // concerns only JSON
}

func (w *writer) warnings(ws contract.Warnings) {
	for _, x := range ws {
		if !quiet[x.Code] {
			w.note(cmp.Or(x.Message, x.Code))
		}
	}
}

// codes writes warnings in the form CODE or CODE:detail.
func (w *writer) codes(list []string) {
	for _, text := range Notes(list) {
		w.note(text)
	}
}

// Notes converts warnings in the form CODE or CODE:detail to text for readers. It omits the codes
// in quiet.
func Notes(codes []string) (texts []string) {
	for _, c := range codes {
		code, detail, _ := strings.Cut(c, ":")
		if !quiet[code] {
			texts = append(texts, cmp.Or(detail, codeTexts[code], code))
		}
	}
	return texts
}

// codeTexts maps codes without a detail to their meaning.
var codeTexts = map[string]string{
	"INDEX_PARTIAL":           "the index is still being built: what is not in it yet is missing here",
	"INDEX_CREATED":           "the index of this root has just been started: what is not in it yet is missing here",
	"INDEX_DAMAGED":           "the index is being rebuilt: what is not in it yet is missing here",
	"INDEX_REBUILT":           "the index was rebuilt",
	"SOURCE_CHANGES_PENDING":  "many files changed and are still being indexed: new code may be missing here",
	"SOURCE_STATE_UNVERIFIED": "some files cannot be read",
	"PARSE_ERRORS":            "parts of some files could not be parsed",
}

// place returns PATH:LINE or PATH:FIRST-LAST as a string, or the path alone if span has no
// lines.
func place(file string, span contract.LineSpan) string {
	file = code.QuotePath(file)
	if span.StartLine < 1 {
		return file
	}
	return file + ":" + lines(span)
}

// lines returns the line numbers of a span: "12" or "12-20".
func lines(span contract.LineSpan) string {
	if span.EndLine <= span.StartLine {
		return fmt.Sprint(span.StartLine)
	}
	return fmt.Sprintf("%d-%d", span.StartLine, span.EndLine)
}

// maxWidth is the largest length of a quoted line of source, in bytes.
const maxWidth = 160

// excerpt returns a line of source for quoting: without its indentation, and cut at maxWidth.
func excerpt(source string) string {
	s := strings.TrimSpace(source)
	if len(s) <= maxWidth {
		return s
	}
	cut := maxWidth
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// block writes lines of source below the heading of a result. It omits blank lines, and the
// indentation that all lines share. first is the number of the first line, which a terminal
// shows; 0 if it is not known.
func (w *writer) block(source string, first int) {
	trimmed := strings.TrimLeft(source, "\r\n")
	first += strings.Count(source[:len(source)-len(trimmed)], "\n")
	list := strings.Split(strings.TrimRight(trimmed, "\r\n"), "\n")
	if len(list) <= shortBlock {
		var before int
		list, before = telling(list)
		first += before
	}
	shared := -1
	for i, l := range list {
		l = strings.ReplaceAll(strings.TrimRight(l, " \t\r"), "\t", "  ")
		list[i] = l
		if l != "" {
			if n := len(l) - len(strings.TrimLeft(l, " ")); shared < 0 || n < shared {
				shared = n
			}
		}
	}
	for i, l := range list {
		if l == "" {
			continue
		}
		l = l[shared:]
		inner := len(l) - len(strings.TrimLeft(l, " "))
		w.put(w.number(first+i), quoted(l[:inner]+excerpt(l)))
	}
}

// shortBlock is the largest number of lines of a block that telling shortens. A longer block is a
// whole body and stays whole.
const shortBlock = 3

// telling returns a list of lines without those at both ends that have no letter, such as a lone
// bracket. before is the number of lines dropped at the beginning.
func telling(list []string) (told []string, before int) {
	wordless := func(s string) bool { return !strings.ContainsFunc(s, unicode.IsLetter) }
	for len(list) > 1 && wordless(list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	for len(list) > 1 && wordless(list[0]) {
		list = list[1:]
		before++
	}
	return list, before
}

// count returns "1 file" or "1,234 files".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return grouped(n) + " " + what
}

// grouped returns n in decimal with commas between thousands.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
