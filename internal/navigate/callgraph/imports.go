package callgraph

import (
	"fmt"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// strategyImport is the Strategy of an import edge.
const strategyImport = "import"

// imported returns the import edges of a file: one for each imported or importing file,
// placed at the first import statement between the two. It returns nil for other symbols.
func (w *walk) imported(s *side, t task) (out []tracedEdge, err error) {
	if t.node.kind != code.KindFile {
		return nil, nil
	}
	list, err := w.importsOf(s, t.node, t.node.ref.File)
	if err != nil {
		return nil, err
	}
	type pair struct{ from, to int64 }
	var order []pair
	statements := map[pair][]resolve.ImportEdge{}
	for _, x := range list {
		p := pair{x.File.ID, x.Target.ID}
		if statements[p] == nil {
			order = append(order, p)
		}
		statements[p] = append(statements[p], x)
	}
	c, state := w.counted(), s.state[t.node.SymbolID]
	for _, p := range order {
		same := statements[p]
		first := same[0].Import()
		l := proof.Link{Call: code.Call{Callee: first.Module, Span: first.Span, NameSpan: first.Span},
			File: same[0].File.Path, Language: same[0].File.Language,
			Strategy: strategyImport, Provenance: importText(same),
			Confidence: languages.All.ImportConfidence(same[0].File.Language)}
		other := same[0].Target
		if s.up {
			c.Inbound.Imports++
			other = same[0].File
		} else {
			c.Outgoing.Imports++
		}
		if w.suppressed(l.Confidence, t, &l) {
			state.hidden++
			continue
		}
		e := w.callEdge(t, w.node(other.Ref(-1), t.depth+1), &l, s.up)
		e.Kind, e.call = code.EdgeImport, code.Call{}
		e.key.kind = e.Kind
		out = append(out, e)
	}
	return out, nil
}

// importsOf returns the imports of indexed files by file f or, if s is the side of callers, the
// imports of f by other files. For imports in f that lead to no indexed file it adds notes to the
// node n, which is that of the file or of its folder.
func (w *walk) importsOf(s *side, n *tracedNode, f *resolve.File) ([]resolve.ImportEdge, error) {
	if s.up {
		return w.links.Resolver.Importers(f)
	}
	dangling, err := w.links.Resolver.Dangling(f)
	for _, i := range dangling {
		w.note(contract.Note{Type: contract.NoteUnresolved, SymbolID: n.SymbolID, Target: i.Module, File: f.Path,
			Line: i.Span.StartLine, Detail: "the import leads to no indexed file"})
	}
	if err != nil {
		return nil, err
	}
	return w.links.Resolver.Imports(f)
}

// maxImportsNamed is the largest number of names that the provenance of an import edge
// lists.
const maxImportsNamed = 8

// importText describes the names that statements between two files import: "imports Row, count as n from
// ./rows".
func importText(list []resolve.ImportEdge) string {
	verb, names := "imports ", []string{}
	for _, x := range list {
		i := x.Import()
		if x.Reexport() {
			verb = "re-exports "
		}
		name := i.Name
		if name == "" {
			name = "the module"
		}
		if i.Alias != "" {
			name += " as " + i.Alias
		}
		names = append(names, name)
	}
	more := ""
	if n := len(names) - maxImportsNamed; n > 0 {
		names, more = names[:maxImportsNamed], fmt.Sprintf(" and %d more", n)
	}
	return verb + strings.Join(names, ", ") + more + " from " + list[0].Import().Module
}
