package services

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// Source answers the questions of rules about a file: which calls, arguments, values, types and imports it has.
type Source struct {
	File *code.File
	Text string // text of the file; of a page, only its scripts

	fold      *folding.Folder
	arguments func(behind string) []string // see Idioms.Arguments; it may be nil
	mentioned map[string]bool              // text → whether the file contains it
	matches   map[*regexp.Regexp][][]int   // pattern → its matches in the whole file
	opened    map[string][]int             // name → offsets of " as name:"; nil before the first use
	givens    map[string][]int             // name → result of the method besides
	types     map[string]string            // variable name → its types as written; nil before the first use
}

// newSource returns the source of f. arguments splits the text after the name of a call, nil for calls with
// parentheses.
func newSource(f *code.File, arguments func(behind string) []string) *Source {
	d := folding.New(f)
	return &Source{File: f, Text: d.Text, fold: d, arguments: arguments}
}

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

// Lookup returns the value, as written, of the assignment to a name nearest to a byte offset, and the offset of the
// assignment; "" if there is none. An assignment such as request = request.withHeaders(h) does not count; the one
// before it does.
func (src *Source) Lookup(name string, at int) (value string, where int) {
	value, where = src.fold.Lookup(name, at)
	for step := 0; step < folding.MaxDefinitions && chainsOn(value, name); step++ {
		before, above := src.fold.Lookup(name, where)
		if before == "" || above >= where {
			break
		}
		value, where = before, above
	}
	return value, where
}

// chainsOn reports whether a value is the result of a method of the variable name: request.withHeaders(h).
func chainsOn(value, name string) bool {
	rest, ok := strings.CutPrefix(value, name)
	if !ok {
		rest, ok = strings.CutPrefix(value, "$"+name)
	}
	return ok && (strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "?."))
}

var asName = regexp.MustCompile(` as ([\w$]+):`)

// OpenedAs returns the offset of the nearest " as name:" above a byte offset, as in Python's with
// Client() as name:; -1 if there is none.
func (src *Source) OpenedAs(name string, at int) int {
	if src.opened == nil {
		src.opened = map[string][]int{}
		for _, m := range asName.FindAllStringSubmatchIndex(src.Text, -1) {
			opened := src.Text[m[2]:m[3]]
			src.opened[opened] = append(src.opened[opened], m[0])
		}
	}
	all := src.opened[name]
	above, _ := slices.BinarySearch(all, at-len(" as :")-len(name)+1)
	if above == 0 {
		return -1
	}
	return all[above-1]
}

// Mentions reports whether the file contains a text.
func (src *Source) Mentions(text string) bool {
	is, known := src.mentioned[text]
	if !known {
		if src.mentioned == nil {
			src.mentioned = map[string]bool{}
		}
		is = strings.Contains(src.Text, text)
		src.mentioned[text] = is
	}
	return is
}

// Matches returns the matches of a pattern between two byte offsets, with their groups, as offsets
// in the file. The file is searched once for each pattern.
func (src *Source) Matches(pattern *regexp.Regexp, from, to int) [][]int {
	all, known := src.matches[pattern]
	if !known {
		if src.matches == nil {
			src.matches = map[*regexp.Regexp][][]int{}
		}
		all = pattern.FindAllStringSubmatchIndex(src.Text, -1)
		src.matches[pattern] = all
	}
	all = all[sort.Search(len(all), func(i int) bool { return all[i][0] >= from }):]
	return all[:sort.Search(len(all), func(i int) bool { return all[i][1] > to })]
}

// Typed returns the types of the variables called name in the file, as written, each followed by a blank.
func (src *Source) Typed(name string) (types string) {
	if src.types == nil {
		src.types = map[string]string{}
		for i := range src.File.Facts {
			f := &src.File.Facts[i]
			if f.Kind != code.FactField && f.Kind != code.FactVar && f.Kind != code.FactParam {
				continue
			}
			if known := src.types[f.Name]; len(known) < folding.MaxEndpointText && !strings.Contains(known, f.Type+" ") {
				src.types[f.Name] = known + f.Type + " "
			}
		}
	}
	return src.types[name]
}

// Imports reports whether the file imports or requires a module.
func (src *Source) Imports(module string) bool {
	for i := range src.File.Imports {
		if src.File.Imports[i].Module == module {
			return true
		}
	}
	return false
}

// Imported returns the module that the file imports under a name, which is its alias or the end of its path:
// "example.com/go-retryablehttp" for retryablehttp. It returns "" if there is none.
func (src *Source) Imported(name string) string {
	for i := range src.File.Imports {
		m := &src.File.Imports[i]
		before, ends := strings.CutSuffix(m.Module, name)
		if name != "" && (m.Alias == name ||
			m.Alias == "" && ends && (before == "" || !folding.IsWord(before[len(before)-1]))) {
			return m.Module
		}
	}
	return ""
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

// ImportsName reports whether a file imports a name from a module.
func ImportsName(f *code.File, name, module string) bool {
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Module == module && (m.Name == name && m.Alias == "" || m.Alias == name) {
			return true
		}
	}
	return false
}

// Declares reports whether the file declares a function called name.
func (src *Source) Declares(name string) bool { return src.fold.Declares(name) }

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

// ChainStart returns the receiver of a call, or the first part of a receiver that is too long to be read whole: a router
// with a hundred routes in one chain begins with its construction, and with the path of its scope.
func (src *Source) ChainStart(c *code.Call) string {
	if c.NameSpan.StartByte-c.Span.StartByte <= folding.MaxEndpointText {
		return src.Receiver(c)
	}
	return src.Text[c.Span.StartByte : c.Span.StartByte+folding.MaxEndpointText]
}

// look subtracts the cost of scanning the whole file from the file's work budget. It reports whether any budget is
// left.
func (src *Source) look() bool {
	f := src.File
	src.fold.Fuel -= len(src.Text)/64 + len(f.Imports) + len(f.Calls) + len(f.Symbols) + len(f.Facts)
	return src.fold.Fuel > 0
}

// Fold evaluates an expression at a byte offset to a text. Unknown parts become holes in braces:
// "{env:A_URL}/x/{id}".
func (src *Source) Fold(expr string, at int) string { return src.fold.Fold(expr, at) }

// FoldFor evaluates an expression at a byte offset for a use at another one. A parameter of a constructor that a
// method uses, base in @http = Faraday.new(url: base), is that of the constructor: {@OrderClient#0:base}.
func (src *Source) FoldFor(expr string, at, used int) string {
	return src.fold.OfMaker(src.fold.Fold(expr, at), at, used)
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

// binds reports whether an import of the file binds a name: ORDERS_URL after import { ORDERS_URL } from './urls'.
func (src *Source) binds(name string) bool {
	return folding.Identifier.MatchString(name) && slices.ContainsFunc(src.File.Imports,
		func(m code.Import) bool { return cmp.Or(m.Alias, m.Name) == name })
}

// Expression returns the text from a byte offset to the end of its statement or of its item in a list.
func (src *Source) Expression(at int) string { return src.fold.Expression(at) }

// SpanAt returns a byte offset as an empty span with the number of its line.
func (src *Source) SpanAt(at int) code.Span { return spanOfLine(src.File.Text, at) }

// Around returns the index of the innermost function or method around a byte offset, or -1.
func (src *Source) Around(at int) int { return src.fold.Function(at) }

// Path evaluates an argument such as PREFIX + "/orders" to the path template of a route; false if it is no path.
func (src *Source) Path(arg string, at int) (string, bool) {
	if arg == "" || !strings.ContainsAny(arg, "\"'`") && !folding.IsPlain(arg) {
		return "", false
	}
	path := src.Fold(arg, at)
	return path, strings.HasPrefix(path, "/") || strings.HasPrefix(path, "{") && strings.Contains(path, "}/")
}

// Enclosing returns the calls of the named functions that contain a byte offset, the outermost first.
func (src *Source) Enclosing(at int, names ...string) (out []*code.Call) {
	src.fold.Fuel -= len(src.File.Calls)
	for i := 0; i < len(src.File.Calls) && src.fold.Fuel > 0; i++ {
		c := &src.File.Calls[i]
		if c.Span.StartByte < at && at < c.Span.EndByte && c.NameSpan.EndByte < at && slices.Contains(names, c.Callee) {
			out = append(out, c)
		}
	}
	return out
}

// callAt returns the call whose callee is at a position, or nil.
func (src *Source) callAt(at code.Span) *code.Call {
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
	return src.Text[end:min(len(src.Text), end+maxChain)]
}

// given returns the value of a variable or field, and its byte offset. The value is that of the assignment nearest to
// an offset, or else of an object literal or multiple assignment anywhere, or else of the Ruby method of that name.
// It is "" if there is none.
func (src *Source) given(name string, at int) (string, int) {
	if value, where := src.Lookup(name, at); value != "" {
		return value, where
	}
	if m := src.besides(name); m != nil {
		return src.fold.Expression(m[1]), m[0]
	}
	return src.lastOf(name)
}

// lastOf returns the last expression of the Ruby method called name, which is its result, and the expression's
// offset. It returns "" if the file declares no such method without parameters.
func (src *Source) lastOf(name string) (string, int) {
	if src.File.Language != "ruby" {
		return "", 0
	}
	for i := range src.File.Symbols {
		s := &src.File.Symbols[i]
		if s.Name != name || !s.Kind.Callable() || len(s.Parameters) > 0 {
			continue
		}
		whole := src.Text[s.NameSpan.EndByte:s.Span.EndByte]
		body := folding.TrimBlank(strings.TrimSuffix(folding.TrimBlank(whole), "end"))
		last := strings.TrimSpace(body[strings.LastIndexByte(body, '\n')+1:])
		return last, s.NameSpan.EndByte + strings.LastIndex(whole, last)
	}
	return "", 0
}

// besides returns the byte range from a name to its value at the first place where an object literal sets it,
// T{writer: kafka.NewWriter(…)}, or where it is the first of several results, q, err := declare(…). It returns nil if
// there is none.
func (src *Source) besides(name string) []int {
	found, known := src.givens[name]
	if known || name == "" {
		return found
	}
	src.fold.Fuel -= len(src.Text) / 16 // a search by the library is faster than one byte by byte
	for at := 0; src.fold.Fuel > 0; {
		next := strings.Index(src.Text[at:], name)
		if next < 0 {
			break
		}
		start := at + next
		at = start + len(name)
		if within := start > 0 && folding.IsWord(src.Text[start-1]); within == folding.IsWord(name[0]) {
			continue
		}
		if sign := besideName.FindString(src.Text[at:min(len(src.Text), at+folding.MaxLook)]); sign != "" {
			found = []int{start, at + len(sign)}
			break
		}
	}
	if src.givens == nil {
		src.givens = map[string][]int{}
	}
	src.givens[name] = found
	return found
}

// besideName matches the text between a name and its value in name: value and in name, err := value.
var besideName = regexp.MustCompile(`^\s*(?:,\s*\w+\s*:?=|:)\s*`)

// within returns the class around a declaration, -1 if there is none.
func (src *Source) within(symbol int) int {
	for symbol >= 0 && src.File.Symbols[symbol].Kind != code.KindClass {
		symbol = src.File.Symbols[symbol].Parent
	}
	return symbol
}

// isAround reports whether a function is another one or contains it. Both are indexes of symbols, -1 for the file.
func (src *Source) isAround(outer, inner int) bool {
	for inner >= 0 && inner != outer {
		inner = src.File.Symbols[inner].Parent
	}
	return inner == outer
}
