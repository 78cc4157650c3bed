package contract

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"sextant/l1fts"
)

// problems collects the errors in the arguments of one request. Its methods check an argument each,
// by its name on the wire, and set defaults.
type problems struct {
	tool string
	list []Problem
}

func (p *problems) add(field, format string, args ...any) {
	p.list = append(p.list, Problem{Field: field, Message: fmt.Sprintf(format, args...)})
}

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return &InvalidArguments{Tool: p.tool, Problems: p.list}
}

// oneOf sets an empty *field to the default, the first of values. It records a problem if *field is
// not among values.
func oneOf[T ~string](p *problems, name string, field *T, values ...T) {
	if *field == "" {
		*field = values[0]
		return
	}
	for _, v := range values {
		if *field == v {
			return
		}
	}
	p.add(name, "expected one of %s, got %q; for example %q", joined(values), Clip(string(*field)), values[0])
}

// joined returns the values of an enumeration as a list for messages.
func joined[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return strings.Join(texts, ", ")
}

// within sets a zero *field to byDefault. It records a problem if *field is not between low and
// high.
func (p *problems) within(name string, field *int, low, high, byDefault int) {
	if *field == 0 {
		*field = byDefault
	}
	if *field < low || *field > high {
		p.add(name, "expected a whole number from %d to %d, got %d; for example %d", low, high, *field, byDefault)
	}
}

// text records a problem and returns false if value is no text argument: if it has a NUL byte,
// invalid UTF-8, or more than limit bytes.
func (p *problems) text(name, value string, limit int) bool {
	switch {
	case strings.ContainsRune(value, 0):
		p.add(name, "expected text without NUL bytes, got %q", Clip(value))
	case !utf8.ValidString(value):
		p.add(name, "expected UTF-8, got %q", Clip(value))
	case len(value) > limit:
		p.add(name, "expected at most %d bytes, got %d", limit, len(value))
	default:
		return true
	}
	return false
}

// absolute records a problem unless *path is an absolute path, and cleans *path. example is shown
// in the message.
func (p *problems) absolute(name string, path *string, example string) {
	if *path == "" {
		p.add(name, "required: expected an absolute path, for example %q", example)
		return
	}
	if !p.text(name, *path, MaxPathBytes) {
		return
	}
	if !filepath.IsAbs(*path) {
		p.add(name, "expected an absolute path, got %q; for example %q", Clip(*path), example)
		return
	}
	*path = filepath.Clean(*path)
}

// relative records a problem if file is not a path below the codebase root. It accepts "", which
// the caller must check.
func (p *problems) relative(name, file string) {
	const example = "internal/server/server.go"
	if file == "" || !p.text(name, file, MaxPathBytes) {
		return
	}
	switch {
	case strings.HasPrefix(file, "/") || strings.HasPrefix(file, `\`) || drive(file):
		p.add(name, "expected a path relative to the codebase root, got %q; for example %q", Clip(file), example)
	case dotted(file):
		p.add(name, `expected a path without "..", got %q; for example %q`, Clip(file), example)
	}
}

// drive reports whether file starts with a Windows drive, as in C:\src. A file may be called "a:12".
func drive(file string) bool {
	return len(file) > 2 && file[1] == ':' && (file[0]|0x20 >= 'a' && file[0]|0x20 <= 'z') &&
		(file[2] == '/' || file[2] == '\\')
}

// dotted reports whether a step of the path file is "..".
func dotted(file string) bool {
	for _, step := range strings.FieldsFunc(file, func(r rune) bool { return r == '/' || r == '\\' }) {
		if step == ".." {
			return true
		}
	}
	return false
}

// lines checks a range of lines and raises negative numbers to 0. It sets no upper bound, as the
// length of the file is not known yet.
func (p *problems) lines(startName, endName string, start, end *int) {
	*start, *end = max(*start, 0), max(*end, 0)
	if *end > 0 && *start > *end {
		p.add(startName, "expected at most %s, got %d > %d; for example %s 10, %s 40", endName, *start,
			*end, startName, endName)
	}
}

// delivery checks the options for encoding an answer and sets their defaults.
func (p *problems) delivery(d *Delivery) {
	p.within("maxTokens", &d.MaxTokens, MinMaxTokens, MaxMaxTokens, DefaultMaxTokens)
	if d.Format == FormatPack2 {
		d.Format = FormatText
	}
	if d.Format == "" {
		d.Format = FormatJSON
	}
	oneOf(p, "format", &d.Format, FormatText, FormatJSON)
}

// Normalize implements [Request].
func (r *ListRequest) Normalize() error {
	p := &problems{tool: ToolList}
	p.delivery(&r.Delivery)
	return p.err()
}

// Normalize implements [Request].
func (r *SearchRequest) Normalize() error {
	p := &problems{tool: ToolSearch}
	p.absolute("path", &r.Path, "/home/me/project")
	if strings.TrimSpace(r.Query) == "" {
		p.add("query", `required: expected what to look for, for example "where are sessions expired"`)
	} else {
		p.text("query", r.Query, MaxQueryBytes)
	}
	if r.Scope == "" {
		r.Scope = defaultScope(r.Query)
	}
	oneOf(p, "scope", &r.Scope, ScopeRuntime, ScopeMixed, ScopeDocs)
	oneOf(p, "resultMode", &r.ResultMode, ResultsGrouped, ResultsRaw)
	oneOf(p, "groupBy", &r.GroupBy, GroupBySymbol, GroupByFile)
	oneOf(p, "rankingMode", &r.RankingMode, RankChangedFirst, RankDefault)
	r.Unlimited = r.Unlimited || r.Limit == 0
	p.within("limit", &r.Limit, 1, MaxSearchLimit, r.usualLimit())
	p.within("context", &r.Context, 0, MaxContextLines, 0)
	p.within("disclosureLimit", &r.DisclosureLimit, 1, MaxSearchLimit, min(max(r.Limit, 1), MaxSearchLimit))
	oneOf(p, "debugMode", &r.DebugMode, DebugNone, DebugSummary, DebugRanking, DebugFreshness, DebugFull)
	oneOf(p, "detail", &r.Detail, DetailCompact, DetailFull)
	p.text("service", r.Service, MaxPathBytes)
	p.text("cursor", r.Cursor, MaxQueryBytes)
	p.delivery(&r.Delivery)
	return p.err()
}

// usualLimit returns the limit of a search without one.
func (r *SearchRequest) usualLimit() int {
	if r.Later() {
		return LaterSearchLimit
	}
	return DefaultSearchLimit
}

// Later reports whether r asks for a page of ranked results after the first.
func (r *SearchRequest) Later() bool {
	shown, _, ok := ParseRankCursor(r.Cursor)
	return ok && shown > 0
}

// Normalize implements [Request].
func (r *OutlineRequest) Normalize() error {
	p := &problems{tool: ToolOutline}
	p.absolute("path", &r.Path, "/home/me/project")
	r.linesOfFile()
	p.relative("file", r.File)
	p.lines("start_line", "end_line", &r.StartLine, &r.EndLine)
	p.within("limitSymbols", &r.LimitSymbols, 1, MaxSymbolLimit, DefaultSymbolLimit)
	oneOf(p, "resolveMode", &r.ResolveMode, ResolveOutline, ResolveExact)
	p.text("symbolIdExact", r.SymbolIDExact, MaxQueryBytes)
	p.text("symbolLabelExact", r.SymbolLabelExact, MaxQueryBytes)
	if r.ResolveMode == ResolveExact && r.SymbolIDExact == "" && r.SymbolLabelExact == "" {
		p.add("resolveMode",
			`exact needs symbolIdExact or symbolLabelExact, for example symbolLabelExact "Server.Handle"`)
	}
	oneOf(p, "detail", &r.Detail, DetailSummary, DetailFull, DetailSkeleton)
	if at, err := strconv.Atoi(r.Cursor); r.Cursor != "" && (err != nil || at < 0) {
		p.add("cursor",
			"%q is not a cursor of file_outline: expected the cursor of an answer to the same file; leave cursor "+
				"out to start over", Clip(r.Cursor))
	}
	p.delivery(&r.Delivery)
	return p.err()
}

// symbolRef checks a reference to a symbol, a file or a change; name is the argument that holds ref, such
// as "symbolRef".
func (p *problems) symbolRef(name string, ref *SymbolRef) {
	if ref.Diff != nil {
		p.change(name, ref)
	}
	p.relative(name+".file", ref.File)
	switch {
	case ref.Diff != nil:
	case ref.SymbolID == "" && ref.SymbolLabel == "" && ref.SymbolInstanceID == "" && ref.File == "":
		p.add(name, `required: expected symbolId or symbolLabel, for example {"symbolLabel":"Server.Handle"}`)
	case ref.SymbolID == "" && ref.SymbolLabel == "" && ref.SymbolInstanceID == "":
		ref.File, ref.SymbolLabel = "", ref.File // the file itself, or a symbol by its line
	}
	p.text(name+".symbolId", ref.SymbolID, MaxQueryBytes)
	p.text(name+".symbolInstanceId", ref.SymbolInstanceID, MaxQueryBytes)
	p.text(name+".symbolLabel", ref.SymbolLabel, MaxQueryBytes)
	if ref.Span != nil {
		p.lines(name+".span.startLine", name+".span.endLine", &ref.Span.StartLine, &ref.Span.EndLine)
	}
}

// change checks a reference to a change, such as {"diff":"HEAD"}; name is the argument that holds
// ref.
func (p *problems) change(name string, ref *SymbolRef) {
	if p.tool != ToolGraph {
		p.add(name+".diff",
			"expected a symbol, as only call_graph takes a change; for example {\"symbolLabel\":\"Server.Handle\"}")
		return
	}
	p.text(name+".diff", *ref.Diff, MaxPathBytes)
	if ref.File != "" || ref.SymbolID != "" || ref.SymbolLabel != "" || ref.SymbolInstanceID != "" {
		p.add(name, `expected either diff or a symbol, got both; for example {"diff":"HEAD"}`)
	}
}

// ofChange checks the other arguments of a request that refers to a change. Such a request can only
// follow callers, and its answer consists of lists.
func (p *problems) ofChange(r *GraphRequest) {
	switch r.Direction {
	case "", DirectionBoth:
		r.Direction = DirectionCallers
	case DirectionCallees:
		p.add("direction",
			"expected callers, as a change is followed up to the code and the tests that reach it; leave direction out")
	}
	if r.View != "" && r.View != ViewGraph {
		p.add("view", "expected graph, as what a change touches is answered as lists; leave view out")
	}
}

// maxGlobs is the largest number of patterns in the arguments include and exclude. Each pattern is
// matched against each edge.
const maxGlobs = 20

// globs checks the path patterns of the argument name. A request that refers to a change takes
// none.
func (p *problems) globs(name string, list []string, ofChange bool) {
	switch {
	case len(list) > 0 && ofChange:
		p.add(name, "expected none with symbolRef.diff: path alone bounds what a change touches; leave %s out", name)
	case len(list) > maxGlobs:
		p.add(name, "expected at most %d patterns, got %d", maxGlobs, len(list))
	}
	for _, g := range list {
		if !p.text(name, g, MaxPathBytes) {
			continue
		}
		if _, err := l1fts.Glob(g); err != nil {
			p.add(name, "%q is no gitignore pattern (%v); an example is \"*_test.go\"", Clip(g), err)
		}
	}
}

// bodies checks that the other arguments can be combined with detail bodies, and sets its default
// token budget.
func (p *problems) bodies(r *GraphRequest) {
	switch {
	case r.Detail != DetailBodies:
	case r.SymbolRef.Diff != nil:
		p.add("detail", "expected compact or full, as what a change touches is answered as lists; leave detail out")
	case r.View != ViewGraph:
		p.add("view", "expected graph with detail bodies, got %q; leave view out", r.View)
	case r.MaxTokens == 0:
		r.MaxTokens = DefaultReadTokens
	}
}

// Normalize implements [Request].
func (r *GraphRequest) Normalize() error {
	p := &problems{tool: ToolGraph}
	p.absolute("path", &r.Path, "/home/me/project")
	p.symbolRef("symbolRef", &r.SymbolRef)
	if r.Direction == "bidirectional" {
		r.Direction = DirectionBoth
	}
	edges, depth := DefaultEdgeLimit, DefaultDepth
	if r.Format == FormatText || r.Format == FormatPack2 {
		edges = DefaultTextEdges
	}
	if r.SymbolRef.Diff != nil {
		edges, depth = DefaultTestLimit, MaxDepth
		p.ofChange(r)
	}
	oneOf(p, "direction", &r.Direction, DirectionBoth, DirectionCallers, DirectionCallees)
	p.within("depth", &r.Depth, 1, MaxDepth, depth)
	p.within("limit", &r.Limit, 1, MaxEdgeLimit, edges)
	oneOf(p, "view", &r.View, ViewGraph, ViewTree, ViewMermaid)
	for i := range r.Expand {
		oneOf(p, fmt.Sprintf("expand[%d]", i), &r.Expand[i], FoldTests, FoldDynamic)
	}
	p.globs("include", r.Include, r.SymbolRef.Diff != nil)
	p.globs("exclude", r.Exclude, r.SymbolRef.Diff != nil)
	oneOf(p, "detail", &r.Detail, DetailCompact, DetailFull, DetailBodies)
	p.bodies(r)
	oneOf(p, "verify", &r.Verify, VerifyAuto, VerifyOff, VerifyWait)
	p.within("deadlineMs", &r.DeadlineMs, 1, MaxDeadline, DefaultDeadline)
	if r.CrossService == nil {
		across := true
		r.CrossService = &across
	}
	if r.MinConfidence == nil {
		least := DefaultConfidence
		r.MinConfidence = &least
	}
	if c := *r.MinConfidence; !(c >= 0 && c <= 1) {
		p.add("minConfidence", "expected a number from 0 to 1, got %v; for example %v", c, DefaultConfidence)
	}
	p.text("cursor", r.Cursor, MaxQueryBytes)
	p.delivery(&r.Delivery)
	return p.err()
}

// Normalize implements [Request]. For a relative path it returns a *Refusal, whatever the other arguments
// are, because clients of read_file expect that.
func (r *ReadRequest) Normalize() error {
	p := &problems{tool: ToolRead}
	if r.Path != "" && !filepath.IsAbs(r.Path) && p.text("path", r.Path, MaxPathBytes) {
		hints := &Hints{NextSteps: []Action{*Suggest(&ListRequest{})}}
		return CondRelative.Refuse(Clip(r.Path), hints,
			"%q is a relative path: give the absolute path of the file, for example \"/home/me/project/main.go\". "+
				"list_codebases shows the roots.", Clip(r.Path))
	}
	p.absolute("path", &r.Path, "/home/me/project/internal/server/server.go")
	r.linesOfFile()
	p.relative("file", r.File)
	p.lines("start_line", "end_line", &r.StartLine, &r.EndLine)
	oneOf(p, "mode", &r.Mode, ReadPlain, ReadAnnotated)
	p.identifiers(r)
	if r.Implied && r.File == "" && r.OpenSymbol == nil && r.SymbolRef == nil {
		p.add("file", `required: expected a file or open_symbol; for example {"file":"internal/server/server.go"}`)
	}
	if r.OpenSymbol != nil && r.SymbolRef != nil {
		p.add("symbolRef", "expected open_symbol or symbolRef, got both")
	}
	if r.SymbolRef != nil {
		p.symbolRef("symbolRef", r.SymbolRef)
	}
	if r.OpenSymbol != nil {
		p.openSymbol(r.OpenSymbol)
	}
	if r.MaxTokens == 0 {
		r.MaxTokens = DefaultReadTokens
	}
	p.delivery(&r.Delivery)
	return p.err()
}

// maxIdentifiers is the largest number of identifiers in one call. Each is searched separately.
const maxIdentifiers = 20

func (p *problems) identifiers(r *ReadRequest) {
	if len(r.Identifiers) > maxIdentifiers {
		p.add("identifiers", "expected at most %d, got %d", maxIdentifiers, len(r.Identifiers))
		return
	}
	p.items("identifiers", r.Identifiers, "token")
}

// linesOfFile moves the lines in r.File ("server.go:10-20") into r, unless r has lines. Written keeps them.
func (r *OutlineRequest) linesOfFile() {
	if at, ok := ParsePlace(r.File); ok && r.StartLine == 0 && r.EndLine == 0 {
		r.Written, r.File, r.StartLine, r.EndLine = r.File, at.File, at.First, at.Last
	}
}

// linesOfFile moves the lines in r.File ("server.go:10-20") into r, unless r has lines. If r names a symbol, they are
// dropped. Written keeps them.
func (r *ReadRequest) linesOfFile() {
	at, ok := ParsePlace(r.File)
	switch {
	case !ok:
	case r.OpenSymbol != nil || r.SymbolRef != nil:
		r.Written, r.File = r.File, at.File
	case r.StartLine == 0 && r.EndLine == 0:
		r.Written, r.File, r.StartLine, r.EndLine = r.File, at.File, at.First, at.Last
	}
}

func (p *problems) openSymbol(o *OpenSymbol) {
	const name = "open_symbol"
	p.text(name+".symbolId", o.SymbolID, MaxQueryBytes)
	p.text(name+".symbolInstanceId", o.SymbolInstanceID, MaxQueryBytes)
	p.text(name+".symbolLabel", o.SymbolLabel, MaxQueryBytes)
	p.lines(name+".start_line", name+".end_line", &o.StartLine, &o.EndLine)
	switch {
	case o.ContractVersion == 2:
		if (o.SymbolID == "") == (o.SymbolLabel == "") {
			p.add(name,
				`contractVersion 2 expects either symbolId or symbolLabel, for example {"contractVersion":2,"symbolLabel":"Server.Handle","context":{"preset":"definition"}}`)
		}
		if o.Context == nil {
			o.Context = &SymbolContext{}
		}
		oneOf(p, name+".context.preset", &o.Context.Preset, PresetDefinition, PresetImplementation, PresetCallContext)
		if o.Context.MaxLines < 0 {
			p.add(name+".context.maxLines", "expected a whole number above 0, got %d; for example 80",
				o.Context.MaxLines)
		}
	case o.ContractVersion != 0 && o.ContractVersion != 1:
		p.add(name+".contractVersion", "expected 1 or 2, got %d", o.ContractVersion)
	case o.Context != nil:
		p.add(name+".context",
			`expected with contractVersion 2, for example {"contractVersion":2,"symbolLabel":"Server.Handle","context":{"preset":"definition"}}`)
	case o.SymbolID == "" && o.SymbolLabel == "" && o.SymbolInstanceID == "" && o.StartLine == 0 && o.EndLine == 0:
		p.add(name, `expected symbolId, symbolLabel or lines, for example {"symbolLabel":"Server.Handle"}`)
	}
}

// Normalize implements [Request].
func (r *ManageRequest) Normalize() error {
	p := &problems{tool: ToolManage}
	if r.Action == "" {
		p.add("action", `required: expected one of create, reindex, sync, status, clear, repair; for example "create"`)
	} else {
		oneOf(p, "action", &r.Action, ManageCreate, ManageReindex, ManageSync, ManageStatus, ManageClear, ManageRepair)
	}
	p.absolute("path", &r.Path, "/home/me/project")
	p.items("customExtensions", r.CustomExtensions, ".tpl")
	p.items("ignorePatterns", r.IgnorePatterns, "*.min.js")
	oneOf(p, "detail", &r.Detail, DetailSummary, DetailFull)
	p.within("deadlineMs", &r.DeadlineMs, 1, MaxWait, DefaultWait)
	p.delivery(&r.Delivery)
	return p.err()
}

// items records a problem for each item that is not one line of text.
func (p *problems) items(name string, items []string, example string) {
	if len(items) > MaxListItems {
		p.add(name, "expected at most %d items, got %d", MaxListItems, len(items))
		return
	}
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", name, i)
		if strings.TrimSpace(item) == "" || strings.ContainsAny(item, "\n\r") {
			p.add(at, "expected one line of text, got %q; for example %q", Clip(item), example)
			continue
		}
		p.text(at, item, MaxPathBytes)
	}
}
