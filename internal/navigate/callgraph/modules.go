package callgraph

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// isImported reports whether a node is a file or a folder, which are imported and not
// called.
func (n *tracedNode) isImported() bool { return n.folder != nil || n.kind == code.KindFile }

// place returns the position of a node for a reader: FILE:LINE, or the path of a folder.
func (n *tracedNode) place() string {
	if n.folder != nil {
		return n.File
	}
	return fmt.Sprintf("%s:%d", n.File, n.Span.StartLine)
}

// importedByFolder returns the edges to the folders from which the files of a folder import or,
// on the side of callers, to the folders that import from it. There is one edge for each folder,
// at the import statement of the highest confidence. It omits imports within the folder.
func (w *walk) importedByFolder(s *side, t task) (out []tracedEdge, err error) {
	files, err := w.filesIn(t.node.folder)
	if err != nil {
		return nil, err
	}
	var order []*tracedNode
	statements := map[*tracedNode][]resolve.ImportEdge{}
	for _, f := range files {
		list, err := w.importsOf(s, t.node, f)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			other := x.Target
			if s.up {
				other = x.File
			}
			if t.node.folder.has(other.Path) {
				continue
			}
			n := w.folderNode(other, t.depth+1)
			if statements[n] == nil {
				order = append(order, n)
			}
			statements[n] = append(statements[n], x)
		}
	}
	c, state := w.counted(), s.state[t.node.SymbolID]
	if s.up {
		c.Inbound.Imports += len(order)
	} else {
		c.Outgoing.Imports += len(order)
	}
	for _, n := range order {
		l, rests := folderLink(statements[n])
		if w.suppressed(l.Confidence, t, &l) {
			state.hidden++
			continue
		}
		e := w.callEdge(t, n, &l, s.up)
		e.Kind, e.call, e.rests = code.EdgeImport, code.Call{}, rests
		e.key.kind = e.Kind
		out = append(out, e)
	}
	return out, nil
}

// filesIn returns the files of a folder that are in a language whose imports are
// followed, sorted by path.
func (w *walk) filesIn(f *folder) (out []*resolve.File, err error) {
	world := w.links.Resolver.World()
	refs := world.Dir(f.dir)
	if f.below {
		refs = world.Below(f.dir)
	}
	for _, ref := range refs {
		if !languages.All.FollowsImports(ref.Language) {
			continue
		}
		if file := world.Load(ref); file != nil {
			out = append(out, file)
		}
	}
	return out, world.Err()
}

// folderNode returns the node of the folder that contains a file: the root of the graph if it
// contains the file, otherwise the directory of the file, without its subdirectories.
func (w *walk) folderNode(of *resolve.File, depth int) *tracedNode {
	f := folder{dir: code.Dir(of.Path)}
	if root := w.roots[0]; root.folder.has(of.Path) {
		return root
	}
	if n, ok := w.folders[f]; ok {
		if of.Class != code.ClassTest {
			n.class = of.Class
		}
		return n
	}
	n := nodeOf(f.row(), w.services)
	n.folder, n.Language, n.class, n.Depth = &f, of.Language, of.Class, depth
	w.folders[f] = n
	return n
}

// folderLink returns one link for all import statements in list, which lead from one folder to another,
// and the paths of the files that it depends on.
func folderLink(list []resolve.ImportEdge) (l proof.Link, rests []string) {
	slices.SortStableFunc(list, func(a, b resolve.ImportEdge) int {
		return cmp.Or(-cmp.Compare(languages.All.ImportConfidence(a.File.Language),
			languages.All.ImportConfidence(b.File.Language)),
			cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Number, b.Number))
	})
	var files, modules []string
	tests := true
	for _, x := range list {
		rests = append(rests, x.File.Path)
		files = append(files, path.Base(x.File.Path))
		modules = append(modules, x.Import().Module)
		tests = tests && x.File.Class == code.ClassTest
	}
	first := list[0].Import()
	text := eachOnce(files) + " import " + eachOnce(modules)
	if tests {
		text += ", in tests alone"
	}
	slices.Sort(rests)
	return proof.Link{Call: code.Call{Callee: first.Module, Span: first.Span, NameSpan: first.Span},
			File: list[0].File.Path, Language: list[0].File.Language,
			Strategy: strategyImport, Provenance: text,
			Confidence: languages.All.ImportConfidence(list[0].File.Language)},
		append(slices.Compact(rests), list[0].Target.Path)
}

// maxModules is the largest number of files, and of modules, that the provenance of an
// edge between folders lists.
const maxModules = 3

// eachOnce lists the first maxModules of the different names, and the number of others.
func eachOnce(all []string) string {
	var names []string
	for _, n := range all {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	text := strings.Join(names[:min(len(names), maxModules)], ", ")
	if more := len(names) - maxModules; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
