package source

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// Speaks reports whether the receiver of a call has one of names, or is the result of one of the
// functions in makers.
func (src *Source) Speaks(c *code.Call, names, makers []string) bool {
	if c.Receiver == "" {
		return false
	}
	name := folding.LastWord(c.Receiver)
	for _, n := range names {
		if name == n || c.Receiver == n {
			return true
		}
	}
	if !slices.ContainsFunc(makers, src.Mentions) {
		return false // this test is cheap and excludes most files
	}
	text := c.Receiver
	if name != "" {
		value, _ := src.Lookup(name, c.NameSpan.StartByte)
		text = value + " " + src.Typed(name)
		if folding.IsPlain(value) { // for example, self._client = client
			text += src.Typed(folding.LastWord(value))
		}
		if i := src.OpenedAs(name, c.NameSpan.StartByte); i >= 0 {
			text += src.Text[max(0, i-100):i]
		}
	}
	for _, m := range makers {
		if strings.Contains(text, m) {
			return true
		}
	}
	return false
}

// HasFunction reports whether one of the arguments is an anonymous function. If so, a call such as get("/x", f) adds
// a route.
func (src *Source) HasFunction(args []string) bool {
	for _, a := range args {
		if folding.IsFunction(a) {
			return true
		}
	}
	return false
}

// Behind returns the calls after c in its chain: Methods("GET") for the call of HandleFunc in r.HandleFunc("/x",
// h).Methods("GET").
func (src *Source) Behind(c *code.Call) []folding.Step {
	start, end := min(c.Span.EndByte, len(src.Text)), min(len(src.Text), c.Span.EndByte+folding.MaxEndpointText)
	return folding.StepsOf(src.Text[start:end])
}

// Receiver returns the whole expression before the name of a call, as written.
func (src *Source) Receiver(c *code.Call) string {
	if c.Span.StartByte >= c.NameSpan.StartByte {
		return c.Receiver
	}
	from := max(c.Span.StartByte, c.NameSpan.StartByte-folding.MaxEndpointText)
	return strings.TrimSpace(strings.TrimRight(strings.TrimSpace(src.Text[from:c.NameSpan.StartByte]), ".:?!->"))
}

// ChainStart returns the receiver of a call, or the first part of a receiver that is too long to be read whole: a
// router with a hundred routes in one chain begins with its construction, and with the path of its scope.
func (src *Source) ChainStart(c *code.Call) string {
	if c.NameSpan.StartByte-c.Span.StartByte <= folding.MaxEndpointText {
		return src.Receiver(c)
	}
	return src.Text[c.Span.StartByte : c.Span.StartByte+folding.MaxEndpointText]
}

// Arguments returns the arguments of a call, as written.
func (src *Source) Arguments(c *code.Call) []string {
	text := src.After(c)
	if src.arguments != nil {
		return src.arguments(text)
	}
	i := folding.Opening(text)
	if i < 0 {
		return nil
	}
	return folding.ListItems(text[i+1:])
}

// After returns the text of a call after its callee's name.
func (src *Source) After(c *code.Call) string {
	return src.Text[c.NameSpan.EndByte:min(max(c.Span.EndByte, c.NameSpan.EndByte),
		c.NameSpan.EndByte+folding.MaxEndpointText)]
}

// Enclosing returns the calls of the named functions that contain a byte offset, the outermost first.
func (src *Source) Enclosing(at int, names ...string) (out []*code.Call) {
	src.Folder.Fuel -= len(src.File.Calls)
	for i := 0; i < len(src.File.Calls) && src.Folder.Fuel > 0; i++ {
		c := &src.File.Calls[i]
		if c.Span.StartByte < at && at < c.Span.EndByte && c.NameSpan.EndByte < at && slices.Contains(names, c.Callee) {
			out = append(out, c)
		}
	}
	return out
}

// CallAt returns the call whose callee is at a position, or nil.
func (src *Source) CallAt(at code.Span) *code.Call {
	for i := range src.File.Calls {
		if c := &src.File.Calls[i]; c.NameSpan.StartByte == at.StartByte && c.Kind == code.CallPlain {
			return c
		}
	}
	return nil
}

// chain returns the text after a call in its chain: .with(y) for to(x) in to(x).with(y).
func (src *Source) chain(c *code.Call) string {
	end := min(len(src.Text), c.Span.EndByte)
	return src.Text[end:min(len(src.Text), end+MaxChain)]
}
