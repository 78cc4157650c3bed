package lookup

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

type namedKey struct {
	file int64
	expr string
}

// Named returns the callable that an expression names: the only one with the name in the file or,
// if there is none, in its folder or in its service. It returns the zero Ref if there is none or
// several.
func (ws *Workspace) Named(f *resolve.File, expr string) resolve.Ref {
	return resolve.Derive(ws.World, namedKey{f.ID, expr}, func() resolve.Ref { return ws.nameIn(f, expr) })
}

func (ws *Workspace) nameIn(f *resolve.File, expr string) resolve.Ref {
	name := LastName(expr)
	if ref := ws.defaultOf(f, expr); ref.Valid() {
		return ref
	}
	if strings.Contains(expr, "::class") { // for example, [OrderController::class, 'show']
		name = strings.Trim(expr[strings.LastIndexAny(expr, ",[")+1:], `]"' `)
	}
	rows, _ := ws.World.Named(name)
	var near [3][]resolve.Ref
	var imports []resolve.Ref // callables of packages that other services may use, too
	module := ""
	if parts := Words(expr); len(parts) > 1 {
		module = Imported(f, parts[0].Text)
	}
	service := ws.Services().Root(f.Path)
	for _, row := range rows {
		if !row.Kind.Callable() || row.Class == code.ClassTest || !ws.World.Together(row.Language, f.Language) {
			continue
		}
		far := 2
		switch {
		case row.FileID == f.ID:
			far = 0
		case code.Dir(row.Path) == f.Dir:
			far = 1
		case ws.Services().Root(row.Path) != service:
			dir := code.Dir(row.Path)
			if module != "" && dir != "" && strings.HasSuffix("/"+module, "/"+dir) || ws.isPackage(row.Path, module) {
				imports = append(imports, ws.World.Ref(row))
			}
			continue
		}
		// few rows only: common names have thousands
		if ref := ws.World.Ref(row); ref.Valid() && (far == 0 || !withinFunction(ref)) {
			near[far] = append(near[far], ref)
		}
	}
	if some := ofModule(f, expr, slices.Concat(near[0], near[1], near[2], imports)); len(some) > 0 {
		near = [3][]resolve.Ref{some}
	}
	if some := ofReceiver(f, expr, slices.Concat(near[0], near[1], near[2])); len(some) > 0 {
		for i := range near { // several packages may have a type of the name, such as Server; the nearest counts
			near[i] = slices.DeleteFunc(near[i], func(r resolve.Ref) bool { return !slices.Contains(some, r) })
		}
	}
	for _, list := range near {
		list = byOwner(list, expr)
		if len(list) == 1 {
			return list[0]
		}
		if len(list) > 1 {
			break
		}
	}
	return resolve.Ref{}
}

// withinFunction reports whether a declaration is local to a function, so that no other file can name it.
func withinFunction(ref resolve.Ref) bool {
	if ref.Index < 0 {
		return false
	}
	parent := ref.Symbol().Parent
	return parent >= 0 && ref.File.Symbols[parent].Kind.Callable()
}

// defaultOf returns the function without a name that a module exports as its default, if f imports it under the name
// expr; the zero Ref if there is none.
func (ws *Workspace) defaultOf(f *resolve.File, expr string) resolve.Ref {
	if !slices.ContainsFunc(f.Imports, func(m code.Import) bool { return m.Alias == expr && expr != "" }) {
		return resolve.Ref{} // imported by another name, or with all of a module
	}
	for _, o := range ws.Origins(f, expr) {
		if o.Name != "" {
			continue
		}
		i := slices.IndexFunc(o.File.Symbols, func(s code.Symbol) bool {
			return s.Parent < 0 && s.Name == nameOfDefault && s.Kind.Callable()
		})
		if i >= 0 {
			return o.File.Ref(i)
		}
	}
	return resolve.Ref{}
}

// nameOfDefault is the name of the symbol of a function that a module exports without a name.
const nameOfDefault = "default"

// isPackage reports whether a file is in the package that an imported module begins with: shop_web::orders of the
// package shop-web.
func (ws *Workspace) isPackage(file, module string) bool {
	first, _, inner := strings.Cut(strings.ReplaceAll(module, "::", "."), ".")
	list := ws.Services()
	return inner && slices.ContainsFunc(list.Named[Folded(first)], func(i int) bool {
		return list.All[i].Root == list.Root(file)
	})
}

// ofModule returns the elements of list in the module that an expression names first: "items.Show"
// after an import of items. It returns nil if expr names no import.
func ofModule(f *resolve.File, expr string, list []resolve.Ref) (some []resolve.Ref) {
	parts := Words(expr)
	if len(parts) < 2 {
		return nil
	}
	module := Imported(f, parts[0].Text)
	if module == "" {
		module = parts[len(parts)-2].Text // items::show, where the file declares the module items
	}
	last := Folded(module[strings.LastIndexAny(module, "./:\\")+1:])
	for _, ref := range list {
		stem := strings.TrimSuffix(path.Base(ref.File.Path), path.Ext(ref.File.Path))
		if last != "" && (Folded(stem) == last || Folded(path.Base(ref.File.Dir)) == last) {
			some = append(some, ref)
		}
	}
	return nearestModule(f, module, some)
}

// nearestModule returns those elements of list whose files have most trailing path segments in
// common with a module. If there are several, it returns those in the folder of f: in Django each
// application has its views.py, such as hc.api.views.
func nearestModule(f *resolve.File, module string, list []resolve.Ref) []resolve.Ref {
	if len(list) < 2 {
		return list
	}
	steps := strings.FieldsFunc(module, func(r rune) bool { return strings.ContainsRune("./:\\", r) })
	shared := func(p string) (n int) {
		have := strings.Split(p, "/")
		for n < len(have) && n < len(steps) && Folded(have[len(have)-1-n]) == Folded(steps[len(steps)-1-n]) {
			n++
		}
		return n
	}
	most, best, beside := -1, []resolve.Ref(nil), []resolve.Ref(nil)
	for _, ref := range list {
		n := max(shared(strings.TrimSuffix(ref.File.Path, path.Ext(ref.File.Path))), shared(ref.File.Dir))
		if n > most {
			most, best, beside = n, nil, nil
		}
		if n == most {
			best = append(best, ref)
			if ref.File.Dir == f.Dir {
				beside = append(beside, ref)
			}
		}
	}
	if len(beside) > 0 {
		return beside
	}
	return best
}

// ofReceiver returns the methods in list that belong to the type of the receiver in an
// expression, according to f: for controller.show, those of OrderController after function
// routes(controller: OrderController), or after controller := NewOrderController().
func ofReceiver(f *resolve.File, expr string, list []resolve.Ref) (some []resolve.Ref) {
	parts := Words(expr)
	if len(list) < 2 || len(parts) < 2 {
		return nil
	}
	types := typesOf(f, parts[len(parts)-2].Text)
	for _, ref := range list {
		owner, _, _ := strings.Cut(ref.Symbol().QualifiedName, ".") // of a method that is written outside of its type
		if t := ref.File.Type(ref.Index); t >= 0 {
			owner = ref.File.Symbols[t].Name
		}
		if types[owner] {
			some = append(some, ref)
		}
	}
	return some
}

// typesOf returns the names of the types of a variable, a field or a parameter in a file,
// according to its declaration or to the constructor whose result it is assigned.
func typesOf(f *resolve.File, name string) map[string]bool {
	types := map[string]bool{}
	for i := range f.Symbols {
		for _, p := range f.Symbols[i].Parameters {
			if folding.BareName(p) == name {
				types[l2meta.TypeName(p.Type)] = true
			}
		}
	}
	for _, fact := range Named(f, name) {
		switch fact.Kind {
		case code.FactField, code.FactVar, code.FactParam:
			types[l2meta.TypeName(fact.Type)] = true
		case code.FactAssign, code.FactMade:
			if m := constructed.FindStringSubmatch(fact.Type); m != nil {
				types[m[1]] = true
			}
		}
	}
	delete(types, "")
	return types
}

// constructed matches an expression that constructs a value, up to the name of its type: new OrderController(…),
// handlers.NewOrderController(…), OrderController(…), &OrderController{…}.
var constructed = regexp.MustCompile(`^&?(?:await |new )?(?:\w+(?:\.|::))*(?:[Nn]ew_?)?([A-Z]\w*)\s*[({<]`)

// byOwner returns the callables in list whose type or file the expression names, too: show of OrderController for
// "OrderController.show". It returns all of list if there are none.
func byOwner(list []resolve.Ref, expr string) []resolve.Ref {
	if len(list) < 2 {
		return list
	}
	said := Folded(expr)
	var some, whole []resolve.Ref
	for _, ref := range list {
		if strings.Contains(ref.Symbol().QualifiedName, ".") && strings.Contains(said, Folded(ref.Symbol().QualifiedName)) {
			whole = append(whole, ref) // for example, ShopWeb.OrderController.show
		}
		owner, _, member := strings.Cut(ref.Symbol().QualifiedName, ".")
		if member && strings.Contains(said, Folded(owner)) ||
			strings.Contains(said, Folded(strings.TrimSuffix(path.Base(ref.File.Path), path.Ext(ref.File.Path)))) {
			some = append(some, ref)
		}
	}
	switch {
	case len(whole) == 1:
		return whole
	case len(some) > 0:
		return some
	}
	return list
}

// Function returns the callable called name in f. If there is none, it returns the only one in
// the folder of f or in a folder above or below it, or the zero Ref.
func (ws *Workspace) Function(f *resolve.File, name string) (found resolve.Ref) {
	for _, i := range f.Named(name) {
		if f.Symbols[i].Kind.Callable() {
			return f.Ref(i)
		}
	}
	rows, _ := ws.World.Named(name)
	for _, row := range rows {
		ref := ws.World.Ref(row)
		if !ref.Valid() || !row.Kind.Callable() || ref.File.Class == code.ClassTest ||
			!SharesFolder(ref.File, f) {
			continue
		}
		if found.Valid() {
			return resolve.Ref{}
		}
		found = ref
	}
	return found
}

// SharesFolder reports whether one file's folder is the other's or contains it.
func SharesFolder(a, b *resolve.File) bool {
	return strings.HasPrefix(a.Dir+"/", b.Dir+"/") || strings.HasPrefix(b.Dir+"/", a.Dir+"/")
}
