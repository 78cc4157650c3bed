package symbols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/internal/deployable"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/jit"
	"sextant/l2meta"
)

// outlineFolder answers file_outline for a folder with a map of it: its services, its files with
// their main symbols, and the folders in it.
func (s *Service) outlineFolder(ctx context.Context, a *contract.OutlineAnswer, req *contract.OutlineRequest,
	p *engine.Place, dir string) (*contract.OutlineAnswer, error) {
	sync, err := p.Root.Sync(ctx)
	if err != nil {
		if a.Outcome, a.Hints, err = engine.Failed(p.Root.Path(), err); err != nil {
			return nil, fmt.Errorf("file_outline: %w", err)
		}
		return a, nil
	}
	for passes := engine.NewPasses(); ; {
		m, err := s.mapFolder(ctx, req, p, dir)
		if err != nil {
			return nil, fmt.Errorf("file_outline: %w", err)
		}
		check, err := p.Root.VerifySince(ctx, m.paths, sync.Generation)
		if err != nil {
			return nil, fmt.Errorf("file_outline: %w", err)
		}
		fresh := s.Freshness(sync, check)
		warnings := s.Warn(p, sync, check)
		if w, ok := engine.ApartWarning(p.Root, dir); ok {
			warnings.Add(w)
		}
		a.FreshnessDecision, a.Warnings = &fresh, engine.Codes(warnings)
		if !check.Changed() {
			if m.answer(a, req, dir); m.files == 0 {
				a.Outcome = cmp.Or(noneToIndex(p.Absolute(dir)), a.Outcome)
			}
			return a, nil
		}
		if !passes.Again(check) {
			a.Outcome = passes.KeepsMoving("this folder")
			return a, nil
		}
		sync = engine.Join(sync, check)
		sync.Generation = check.Generation
	}
}

// noneToIndex returns the outcome for a folder that is unreadable or empty. For other folders it
// returns the zero Outcome.
func noneToIndex(abs string) contract.Outcome {
	switch entries, err := os.ReadDir(abs); {
	case errors.Is(err, fs.ErrPermission):
		return contract.CondUnverified.Outcome(
			"%s cannot be read (permission denied). Make it readable, then repeat the call.", abs)
	case err == nil && len(entries) == 0:
		return contract.CondMissingFile.Outcome(
			"%s is an empty folder. If it is a submodule, git submodule update --init brings its files.", abs)
	}
	return contract.Outcome{}
}

// folderMap is the map of a folder while it is being built.
type folderMap struct {
	files      int // number of files in the folder and below
	entries    []contract.MapEntry
	symbols    [][]mapSymbol // for each entry its symbols, the main ones first
	unexported int
	paths      []string // paths of the files whose symbols are in the map
}

// mapSymbol is a symbol of an entry and the number of its lines.
type mapSymbol struct {
	contract.MapName
	lines int
}

// fewFiles is the largest number of files in and below a folder with which files in subfolders are
// shown like those in the folder itself, with their symbols. The map is then no longer than that of a
// larger folder.
const fewFiles = 30

// mapFolder builds the map of a folder from the index.
func (s *Service) mapFolder(ctx context.Context, req *contract.OutlineRequest, p *engine.Place,
	dir string) (m *folderMap, err error) {
	m = &folderMap{}
	err = p.Root.View(ctx, func(v *jit.View) error {
		refs, err := v.FilesBelow(ctx, dir)
		if err != nil {
			return err
		}
		m.files = len(refs)
		var near []jit.FileRef
		var below []jit.FileRef
		for _, r := range refs {
			if code.Dir(r.Path) == dir || len(refs) <= fewFiles {
				near = append(near, r)
			} else {
				below = append(below, r)
			}
		}
		m.services(p.Root.Services().List, dir, refs)
		if err := s.addFiles(ctx, v, m, req, dir, near); err != nil {
			return err
		}
		m.folders(dir, below)
		m.order()
		return nil
	})
	return m, err
}

// services adds an entry for each service below a folder. Libraries and test suites are no services.
func (m *folderMap) services(list []jit.Service, dir string, refs []jit.FileRef) {
	for _, s := range list {
		if s.Root == dir || !code.Within(s.Root, dir) || s.Kind == deployable.Library || s.Kind == deployable.Test {
			continue
		}
		e := contract.MapEntry{Path: inside(s.Root, dir) + "/", Service: s.Name, Kind: string(s.Kind),
			Language: s.Language}
		for _, r := range refs {
			if code.Within(r.Path, s.Root) {
				e.Files++
			}
		}
		m.add(e, nil)
	}
}

func (m *folderMap) add(e contract.MapEntry, symbols []mapSymbol) {
	m.entries, m.symbols = append(m.entries, e), append(m.symbols, symbols)
}

// addFiles adds an entry for each file in refs, with its main symbols.
func (s *Service) addFiles(ctx context.Context, v *jit.View, m *folderMap, req *contract.OutlineRequest, dir string,
	refs []jit.FileRef) error {
	var ids []int64
	for _, r := range refs {
		ids = append(ids, r.ID)
	}
	rows, err := v.FilesByID(ctx, ids)
	if err != nil {
		return err
	}
	for _, f := range rows {
		e := contract.MapEntry{Path: inside(f.Path, dir), Language: f.Language, Lines: f.Lines}
		if f.Class != code.ClassSource {
			e.Class = f.Class
		}
		var main []mapSymbol
		if f.Class == code.ClassSource && f.Parsed {
			symbols, err := s.Facts.OfKinds(ctx, v, f.ID, mappedKinds)
			if err != nil {
				return err
			}
			all := req.Exported != nil && !*req.Exported
			found, left := mainSymbols(symbols, f.Lines, all)
			main, m.unexported, m.paths = found, m.unexported+left, append(m.paths, f.Path)
		}
		m.add(e, main)
	}
	return nil
}

// folders adds an entry for each folder in dir that contains files of below. A chain of folders that
// contain nothing but the next folder is one entry: src/main/java/.
func (m *folderMap) folders(dir string, below []jit.FileRef) {
	tree := map[string]*branch{"": {}}
	for _, f := range below {
		at := tree[""]
		up := ""
		steps := strings.Split(inside(f.Path, dir), "/")
		for _, step := range steps[:len(steps)-1] {
			up = path.Join(up, step)
			if tree[up] == nil {
				tree[up] = &branch{}
				at.folders = append(at.folders, up)
			}
			at = tree[up]
			if at.files++; f.Class == code.ClassSource {
				at.source++
			}
		}
		at.own++
	}
	for _, name := range tree[""].folders {
		for tree[name].own == 0 && len(tree[name].folders) == 1 {
			name = tree[name].folders[0]
		}
		if !slices.ContainsFunc(m.entries, func(e contract.MapEntry) bool { return e.Path == name+"/" }) {
			m.add(contract.MapEntry{Path: name + "/", Files: tree[name].files, Class: tree[name].class()}, nil)
		}
	}
}

// branch is a folder below the folder whose map is built.
type branch struct {
	folders            []string // paths of the folders directly in it
	own, files, source int      // number of files directly in it, of all files below it, and of source files below it
}

// class returns ClassDocs for a folder without source code, and "" for others.
func (b *branch) class() code.Class {
	if b.source == 0 {
		return code.ClassDocs
	}
	return ""
}

// inside returns the path of a file relative to dir, a folder around it.
func inside(file, dir string) string {
	return strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
}

// order sorts the entries: services, files with symbols, folders with source code, other folders, and
// last other files by their class.
func (m *folderMap) order() {
	rank := func(i int) int {
		switch e := &m.entries[i]; {
		case e.Service != "":
			return 0
		case len(m.symbols[i]) > 0:
			return 1
		case e.Files > 0 && e.Class == "":
			return 2
		case e.Files > 0:
			return 3
		}
		return 4 + ClassOrder(cmp.Or(m.entries[i].Class, code.ClassSource))
	}
	at := make([]int, len(m.entries))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(x, y int) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(m.entries[x].Path, m.entries[y].Path))
	})
	entries, symbols := m.entries, m.symbols
	m.entries, m.symbols = nil, nil
	for _, i := range at {
		m.add(entries[i], symbols[i])
	}
}

// mappedKinds are the kinds of symbols in a map, and those around them.
var mappedKinds = []code.Kind{code.KindClass, code.KindStruct, code.KindInterface, code.KindTrait, code.KindEnum,
	code.KindType, code.KindFunction, code.KindMethod, code.KindConstructor, code.KindComponent, code.KindHook,
	code.KindTest, code.KindMacro, code.KindRoute, code.KindNamespace, code.KindModule}

// mainSymbols returns the symbols that characterize a file best, the largest types first. rows holds
// its symbols of mappedKinds, lines is the number of its lines. The main symbols
// are the exported symbols, and a type that takes most of the file; or all symbols, if all is set
// or no symbol qualifies. The methods are among them only if the file declares at most one type
// or function at top level. left is the number of symbols that are not returned.
func mainSymbols(rows []l2meta.Row, lines int, all bool) (out []mapSymbol, left int) {
	var hidden []mapSymbol
	tops := 0
	take := func(r *l2meta.Row, label string) {
		s := &r.Symbol
		m := mapSymbol{contract.MapName{SymbolLabel: label, Kind: s.Kind, Line: s.Span.StartLine},
			s.Span.EndLine - s.Span.StartLine}
		if s.Exported || all || IsType(s.Kind) && 2*m.lines > lines {
			out = append(out, m)
		} else {
			hidden = append(hidden, m)
		}
	}
	top := onTop(rows)
	for i := range rows {
		if s := &rows[i].Symbol; top[i] && (IsType(s.Kind) || s.Kind.Callable() && !member(s.Kind)) {
			tops++
			take(&rows[i], s.QualifiedName)
		}
	}
	if tops <= 1 {
		for i := range rows {
			// constructors are omitted: their type has the same name
			if s := &rows[i].Symbol; s.Kind == code.KindMethod {
				take(&rows[i], s.QualifiedName)
			}
		}
	}
	if len(out) == 0 {
		out, hidden = hidden, nil
	}
	slices.SortStableFunc(out, func(x, y mapSymbol) int {
		return cmp.Or(-cmp.Compare(weight(x.Kind), weight(y.Kind)), -cmp.Compare(x.lines, y.lines))
	})
	return out, len(hidden)
}

// weight ranks kinds of symbols by how much they say about a file: types most, then functions.
func weight(k code.Kind) int {
	switch {
	case IsType(k):
		return 2
	case member(k):
		return 0
	}
	return 1
}

func member(k code.Kind) bool { return k == code.KindMethod || k == code.KindConstructor }

// onTop reports for each symbol of mappedKinds whether it is at top level, where namespaces and modules
// around it do not count.
func onTop(rows []l2meta.Row) []bool {
	top := make([]bool, len(rows))
	open := map[int]bool{-1: true} // index of a namespace or module at top level; -1 is the file
	for i := range rows {
		s := &rows[i].Symbol
		top[i] = open[s.Parent] // a parent precedes its children
		if top[i] && (s.Kind == code.KindNamespace || s.Kind == code.KindModule) {
			open[rows[i].Index] = true
		}
	}
	return top
}

// mapWidths are the limits to try for the symbols shown of each file. The largest limit is used with
// which the whole map fits the token budget.
var mapWidths = [...]int{12, 6, 3}

// answer writes the map into a, cut to the token budget.
func (m *folderMap) answer(a *contract.OutlineAnswer, req *contract.OutlineRequest, dir string) {
	a.Status, a.Unexported = contract.StatusOK, m.unexported
	a.Folder = &contract.FolderMap{Folder: cmp.Or(dir, "."), Files: m.files}
	if m.files == 0 {
		a.Folder = nil
		a.Outcome = contract.CondMissingFile.Outcome("No indexed file is in %s or below it. search_codebase path:%s "+
			"finds by name; list_codebases shows the roots.", cmp.Or(dir, "."), path.Join(dir, "**"))
		return
	}
	budget := contract.NewBudget(&req.Delivery)
	budget.Spend(a)
	widths := mapWidths[:]
	if req.Detail == contract.DetailFull {
		widths = []int{contract.MaxSymbolLimit}
	}
	var list []contract.MapEntry
	for _, width := range widths {
		list = m.narrowed(width)
		total := 0
		for _, e := range list {
			total += budget.Price(e)
		}
		if total <= budget.Left() {
			break
		}
	}
	from := cursorAt(req.Cursor, len(list))
	rest := list[from:]
	shown := contract.Fit(budget, rest)
	if len(shown) == 0 && len(rest) > 0 { // or the cursor would never advance
		shown = []contract.MapEntry{m.narrowest(from, budget)}
	}
	a.Folder.Entries = shown
	for _, e := range shown {
		a.Folder.Hidden += e.Hidden
	}
	if len(shown) == len(rest) {
		return
	}
	a.HasMore, a.Cursor = true, strconv.Itoa(from+len(shown))
	next := req.Next(func(r *contract.OutlineRequest) { r.Cursor = a.Cursor })
	a.Truncated = &contract.Truncation{What: "entries", Shown: len(shown), Omitted: len(rest) - len(shown),
		Cause: contract.CauseMaxTokens, Next: contract.Suggest(next)}
}

// narrowest returns an entry with as many symbols as fit into the budget, at least the fewest of mapWidths.
func (m *folderMap) narrowest(entry int, budget *contract.Budget) (e contract.MapEntry) {
	for width := contract.MaxSymbolLimit; width >= mapWidths[len(mapWidths)-1]; width /= 2 {
		if e = m.narrowed(width)[entry]; budget.Price(e) <= budget.Left() {
			break
		}
	}
	return e
}

// narrowed returns the entries with at most width symbols each.
func (m *folderMap) narrowed(width int) []contract.MapEntry {
	out := slices.Clone(m.entries)
	for i := range out {
		list := m.symbols[i]
		if len(list) > width {
			out[i].Hidden = len(list) - width
			list = list[:width]
		}
		for _, s := range list {
			out[i].Symbols = append(out[i].Symbols, s.MapName)
		}
		slices.SortStableFunc(out[i].Symbols, func(x, y contract.MapName) int { return cmp.Compare(x.Line, y.Line) })
	}
	return out
}
