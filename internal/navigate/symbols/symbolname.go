package symbols

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// Located is the file that declares the symbol of a reference, and the reference to resolve in that
// file. If File is "", Outcome says why no file was found.
type Located struct {
	File       string
	Ref        contract.SymbolRef
	Outcome    contract.Outcome
	Candidates []contract.Candidate
}

// FileOfSymbol returns the file that a reference names, or the only file that declares its label.
// If prefer is not nil, symbols of kinds that it rejects count only if no other symbol matches.
func (s *Service) FileOfSymbol(ctx context.Context, p *engine.Place, ref contract.SymbolRef,
	prefer func(code.Kind) bool) (Located, error) {
	if ref.File != "" {
		return Located{File: filepath.ToSlash(filepath.Clean(ref.File)), Ref: ref}, nil
	}
	if ref.SymbolLabel == "" {
		return Located{Outcome: contract.CondMissingSymbol.Outcome(
			"A symbolId needs its file: give the file's path, or the symbol's qualified name as symbolLabel.")}, nil
	}
	if where, found, err := s.atLine(ctx, p, ref.SymbolLabel); err != nil || found {
		return where, err
	}
	whole, err := p.Root.Whole(ctx) // determined before the look-up, because the index may become complete meanwhile
	if err != nil {
		return Located{}, err
	}
	rows, near, err := s.rowsLabelled(ctx, p, ref.SymbolLabel, prefer)
	if err != nil {
		return Located{}, err
	}
	route := routeOf(NormalLabel(ref.SymbolLabel))
	isRoute := route == NormalLabel(ref.SymbolLabel) && route != ""
	if isRoute {
		near = nil // a symbol named like the last part of a route is unrelated to the route
	}
	if isRoute && len(rows) == 0 && whole {
		if rows, err = s.answering(ctx, p, route); err != nil {
			return Located{}, err
		}
	}
	switch {
	case len(rows) == 0 && !whole:
		return Located{Outcome: contract.CondIndexing.Outcome("%q is not found in %s so far, and the index is still "+
			"being made. Repeat the call in a moment.", ref.SymbolLabel, p.Path), Candidates: CandidatesOf(near)}, nil
	case len(rows) == 1:
		ref.SymbolLabel, ref.Span = rows[0].Symbol.QualifiedName,
			&contract.LineSpan{StartLine: rows[0].Symbol.Span.StartLine, EndLine: rows[0].Symbol.Span.StartLine}
		return Located{File: rows[0].Path, Ref: ref}, nil
	case len(rows) > 1:
		return Located{Outcome: contract.CondAmbiguous.Outcome("%d symbols are called %q. Repeat with the place, "+
			"file:line, of the one that is meant.", len(rows), ref.SymbolLabel), Candidates: CandidatesOf(rows)}, nil
	case isRoute:
		similar, err := s.similarRoutes(ctx, p, route)
		if err != nil {
			return Located{}, err
		}
		if len(similar) > 0 {
			return Located{Outcome: contract.CondMissingSymbol.Outcome("No function in %s is known to answer %q. "+
				"Similar routes: %s.", p.Path, ref.SymbolLabel, strings.Join(similar, ", "))}, nil
		}
		return Located{Outcome: contract.CondMissingSymbol.Outcome("No function in %s is known to answer %q. "+
			"A search for its path finds where it is written, for another method or by a handler without a name.",
			p.Path, ref.SymbolLabel)}, nil
	case len(near) > 0:
		NearFirst(near, ref.SymbolLabel)
		return Located{Outcome: contract.CondMissingSymbol.Outcome("Nothing in %s is called %q. The candidates bear "+
			"its last name; repeat with the one that is meant.", p.Path, ref.SymbolLabel),
			Candidates: CandidatesOf(near)}, nil
	}
	if near, err = s.nearRows(ctx, p, ref.SymbolLabel, prefer); err != nil {
		return Located{}, err
	}
	if len(near) > 0 {
		return Located{Outcome: contract.CondMissingSymbol.Outcome("Nothing in %s is called %q. The candidates have "+
			"the nearest names; repeat with the one that is meant.", p.Path, ref.SymbolLabel),
			Candidates: CandidatesOf(near)}, nil
	}
	return Located{Outcome: nowhere(p, ref.SymbolLabel)}, nil
}

// nowhere returns the outcome for a label that fits nothing below p.
func nowhere(p *engine.Place, label string) contract.Outcome {
	if _, err := os.Lstat(p.Path); errors.Is(err, fs.ErrNotExist) {
		return contract.CondMissingPath.Outcome("%s does not exist. Give the path of an existing folder, or none to "+
			"ask about the whole workspace.", p.Path)
	}
	if at, ok := contract.ParsePlace(label); ok {
		return contract.CondMissingSymbol.Outcome("No indexed file in %s is called %q. search_codebase finds files by "+
			"parts of their paths.", p.Path, at.File)
	}
	return contract.CondMissingSymbol.Outcome("Nothing in %s is called %q. search_codebase finds it by words.", p.Path,
		label)
}

// answering returns the named functions below p that handle a route such as "POST /orders/{id}".
func (s *Service) answering(ctx context.Context, p *engine.Place, route string) (rows []l2meta.Row, err error) {
	err = p.Root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		rows, err = s.Answering(ctx, p, Snapshot{v, generation, services}, route)
		return err
	})
	return rows, err
}

// Snapshot is a state of the index of a root, as Root.ViewServices gives it.
type Snapshot struct {
	View       *jit.View
	Generation int64
	Services   *jit.Services
}

// Answering returns the functions below p that handle a route such as "POST /orders/{id}" or, of any method,
// "ANY /orders/{id}", on a snapshot of the index.
func (s *Service) Answering(ctx context.Context, p *engine.Place, at Snapshot, route string) (rows []l2meta.Row,
	err error) {
	r := resolve.New(ctx, at.View, s.Derived(p.Root), at.Generation)
	handlers, err := engine.Joiner(r, at.Services).Handlers(NormalLabel(route))
	for _, ref := range handlers {
		if code.Within(ref.File.Path, p.Rel) {
			rows = append(rows, RowOf(ref))
		}
	}
	return rows, err
}

// maxLabelRows is the largest number of symbols of one name that a look-up reads.
const maxLabelRows = 2000

// rowsLabelled syncs the index and returns the stored symbols below p that a label may refer to, of
// the best kind of match only. If nothing matches, near has the symbols that share the label's last
// name.
func (s *Service) rowsLabelled(ctx context.Context, p *engine.Place, label string,
	prefer func(code.Kind) bool) (rows, near []l2meta.Row, err error) {
	if _, err := p.Root.Sync(ctx); err != nil {
		return nil, nil, err
	}
	ways := spellings(label)
	err = p.Root.View(ctx, func(v *jit.View) error {
		for _, way := range ways {
			found, alike, err := s.lookUp(ctx, p, v, way)
			if err != nil {
				return err
			}
			if len(found) > 0 {
				near = nil
				rows, err = s.declared(ctx, v, preferred(found, prefer))
				rows = original(rows)
				return err
			}
			if len(near) == 0 {
				near = preferred(alike, prefer)
			}
		}
		if rows, err = s.inherited(ctx, p, v, ways[len(ways)-1]); len(rows) > 0 {
			near = nil
		}
		return err
	})
	slices.SortStableFunc(near, func(a, b l2meta.Row) int {
		return cmp.Or(cmp.Compare(ClassOrder(a.Class), ClassOrder(b.Class)), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Index, b.Index))
	})
	return rows, near, err
}

// original returns the rows outside of documents, fixtures and tests, and of these the ones outside of generated
// files; it keeps all rows where such a choice would leave none. It drops the heading of a page about a function, a
// copy of its declaration in a snapshot, its test double, and the stubs of a remote method beside the function that
// answers it, which all have the function's name. A label with the path of such a file still selects them.
func original(rows []l2meta.Row) []l2meta.Row {
	rows = without(rows, code.ClassDocs, code.ClassFixture, code.ClassTest)
	return without(rows, code.ClassGenerated)
}

// without returns the rows whose files are of none of the classes, or all rows if there are none.
func without(rows []l2meta.Row, classes ...code.Class) []l2meta.Row {
	out := slices.DeleteFunc(slices.Clone(rows), func(r l2meta.Row) bool { return slices.Contains(classes, r.Class) })
	if len(out) == 0 {
		return rows
	}
	return out
}

// lookUp returns the symbols below p that a normalized label names best. If there are none, near has those
// that share its last name.
func (s *Service) lookUp(ctx context.Context, p *engine.Place, v *jit.View, label string) (rows, near []l2meta.Row,
	err error) {
	// A label may start with a file or a folder, whose name may contain dots.
	names := []string{LastName(label), label[strings.LastIndexAny(label, ".:/")+1:]}
	for _, name := range slices.Compact(names) {
		found, err := s.Facts.Named(ctx, v, name, maxLabelRows)
		if err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(found, func(r l2meta.Row) bool { return !code.Within(r.Path, p.Rel) })
		if rows = bestLabelled(found, label, filepath.Base(p.Root.Path())); len(rows) > 0 {
			return rows, nil, nil
		}
		near = append(near, found...)
	}
	return nil, near, nil
}

// preferred returns the rows of kinds that prefer accepts, or all rows if there are none or prefer
// is nil.
func preferred(rows []l2meta.Row, prefer func(code.Kind) bool) []l2meta.Row {
	if prefer == nil {
		return rows
	}
	var out []l2meta.Row
	for _, r := range rows {
		if prefer(r.Symbol.Kind) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return rows
	}
	return out
}

// maxDeclared is the largest number of symbols that declared and definitions compare with each
// other.
const maxDeclared = 50

// declared drops rows that only declare a symbol which another row of the same name defines:
// overload signatures in the same file, C prototypes, and type declarations beside JavaScript
// files. It keeps interface methods, since a method of the same name elsewhere is a different
// symbol.
func (s *Service) declared(ctx context.Context, v *jit.View, rows []l2meta.Row) ([]l2meta.Row, error) {
	if len(rows) < 2 || len(rows) > maxDeclared {
		return rows, nil
	}
	all := make([]code.Symbol, len(rows))
	for i, r := range rows {
		facts, err := s.Facts.Facts(ctx, v, r.FileID)
		if err != nil {
			return nil, err
		}
		all[i] = r.Symbol
		if r.Index < len(facts.Symbols) {
			all[i] = facts.Symbols[r.Index]
		}
	}
	var out []l2meta.Row
	for i, r := range rows {
		apart := languages.All[r.Language].DeclaredApart || strings.HasSuffix(r.Path, ".d.ts")
		redundant := false
		for j := range rows {
			redundant = redundant || (apart || rows[j].Path == r.Path) && defines(r.Language, &all[j], &all[i])
		}
		if !redundant {
			out = append(out, r)
		}
	}
	return out, nil
}

// bestLabelled returns the rows that match a normalized label best. root is the base name of the
// codebase root, with which a label may start.
func bestLabelled(rows []l2meta.Row, label, root string) []l2meta.Row {
	best, out := 0, []l2meta.Row(nil)
	for _, r := range rows {
		rank := placedRank(r.Symbol.QualifiedName, label, rests(root+"/"+r.Path, label))
		if rank == 0 && (extends(r.Symbol, label) || enclosed(root+"/"+r.Path, r.Symbol.QualifiedName, label)) {
			rank = 1
		}
		if rank > best {
			best, out = rank, nil
		}
		if rank == best && rank > 0 {
			out = append(out, r)
		}
	}
	return out
}

// extends reports whether a normalized label names an extension function by the type that it extends:
// "Synchronizer.sync" for "fun Synchronizer.sync()" or "fun Synchronizer<T>.sync()".
func extends(s code.Symbol, label string) bool {
	dot := strings.LastIndexByte(label, '.')
	if dot <= 0 || label[dot+1:] != s.Name {
		return false
	}
	receiver, _, ok := strings.Cut(s.Signature, "."+s.Name+"(")
	if !ok {
		return false
	}
	if open := closing(receiver, '<', '>'); open > 0 {
		receiver = receiver[:open]
	}
	owner := label[strings.LastIndexByte(label[:dot], '.')+1 : dot]
	rest, ok := strings.CutSuffix(strings.TrimSuffix(receiver, "?"), owner)
	return ok && (strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "."))
}
