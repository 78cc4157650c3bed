package callgraph

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// inbound adds evidence to an answer without callers: the number of files that the index covers,
// and the languages that it does not cover. It adds nothing if there are callers, or if the
// request did not ask for callers.
func (g *graphing) inbound(ctx context.Context, part *graphPart, row l2meta.Row) {
	a, w := g.answer, part.walk
	if g.req.Direction == contract.DirectionCallees || slices.ContainsFunc(w.edges, func(e tracedEdge) bool {
		return slices.Contains(w.roots, w.nodes[e.Dst]) && e.up && !e.declares
	}) {
		return
	}
	evidence := &contract.InboundCoverage{SameNameCallSites: len(w.ofRoots.Open), Verification: a.Verification.State,
		IndexComplete: g.sync.Mode != jit.ModeIndexing && g.sync.Pending == 0 && w.ofRoots.Read == w.ofRoots.Files &&
			part.stop != contract.CauseDeadline && !g.within}
	if known, err := g.service.Coverage(ctx, g.place.Root); err == nil {
		evidence.FilesConsidered, evidence.FilesWithParseErrors = known.Parsed, known.ParseErrors
		evidence.UncoveredLanguages = uncoveredLanguages(known.Coverage, row.Language,
			w.roots[0].isImported())
	}
	evidence.UsesNotTraced = isRead(w.roots[0].ref)
	evidence.OperatorsNotTraced = operator.MatchString(row.Symbol.Name)
	evidence.Serves = w.serves
	a.InboundCoverageEvidence = evidence
	a.Warnings = append(a.Warnings, "CALL_GRAPH_INBOUND_COVERAGE_PARTIAL")
	a.Hints = &contract.Hints{NextSteps: g.elsewhere(row, w.roots[0], w.serves)}
}

// elsewhere returns the requests to suggest for a root without callers or importers. For a folder
// these are its outline, and its own imports if the request omits them. For a file of a language
// whose imports name folders, such as Go, it is the call graph of the folder. For all others it
// is a search for every mention, of a handler by the routes that it serves.
func (g *graphing) elsewhere(row l2meta.Row, root *tracedNode, serves []contract.Served) []contract.Action {
	name, edge := mentioned(row.Symbol.Name, serves), "call"
	switch {
	case !root.isImported():
	case root.folder != nil:
		return g.insideFolder(*root.folder)
	case languages.All[row.Language].PackageIsFolder: // the final slash makes the label a path
		return []contract.Action{*contract.Suggest(anew(g.req,
			contract.SymbolRef{SymbolLabel: folder{dir: code.Dir(row.Path)}.label() + "/"})).
			Because("Imports name the folder of " + row.Symbol.Name + " and not its files.")}
	default:
		name, _, _ = strings.Cut(row.Symbol.Name, ".")
		edge = "import"
	}
	return []contract.Action{*contract.Suggest(&contract.SearchRequest{Path: g.place.Root.Path(),
		Query: "must:" + contract.QuoteOperator(name) + " " + name, Scope: contract.ScopeMixed}).
		Because("No " + edge + " of " + row.Symbol.Name + " is settled from syntax; this finds every mention.")}
}

// shortestSegment is the least number of bytes of a segment of a path that a search for requests is worth.
const shortestSegment = 3

// mentioned returns the text by which callers mention a symbol. Requests do not name their handler, but its
// route: for "POST /documents/bulk_edit/{}" it is the last fixed segment, bulk_edit. For a symbol that
// serves no route with such a segment, it is name.
func mentioned(name string, serves []contract.Served) string {
	for _, s := range serves {
		_, route, _ := strings.Cut(s.Via, " /")
		for _, segment := range slices.Backward(strings.Split(route, "/")) {
			if len(segment) >= shortestSegment && !strings.ContainsAny(segment, "{}*") {
				return segment
			}
		}
	}
	return name
}

// insideFolder returns the requests to suggest for a folder: its outline, and its imports if the
// request asks for importers only.
func (g *graphing) insideFolder(f folder) []contract.Action {
	steps := []contract.Action{*contract.Suggest(&contract.OutlineRequest{Path: g.place.Root.Path(), File: f.file()}).
		Because("Shows the files of " + f.file() + ", each of which may be asked for.")}
	if g.req.Direction == contract.DirectionCallers {
		imports := g.req.Next(func(next *contract.GraphRequest) {
			next.Direction, next.Cursor = contract.DirectionCallees, ""
		})
		steps = append(steps, *contract.Suggest(imports).Because("Shows what the files of " + f.file() + " import."))
	}
	return steps
}

// isRead reports whether a symbol is read rather than called: a constant, a variable, a field, or a
// property without code.
func isRead(ref resolve.Ref) bool {
	if !ref.Valid() || ref.Index < 0 || ref.Symbol().Computed {
		return false
	}
	switch ref.Symbol().Kind {
	case code.KindConstant, code.KindVariable, code.KindField, code.KindProperty:
		return true
	}
	return false
}

// operator matches the name of an operator: "operator==", "==", "operator bool".
var operator = regexp.MustCompile(`^(?:operator\b\W.*|[^\pL\pN_\s$]+)$`)

// uncoveredLanguages returns, sorted, the languages in a root of which symbols are indexed but no calls, and
// whose code may call that of the language called: callers in them are unknown. With imports set it returns
// the languages whose imports are not followed.
func uncoveredLanguages(known jit.Coverage, called string, imports bool) (out []string) {
	for name := range known.Languages {
		symbols, calls := l2meta.Understands(name)
		if imports {
			calls = languages.All.FollowsImports(name)
		}
		if symbols && !calls && !languages.All[name].CallsNothing && languages.All.MayCall(name, called) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
