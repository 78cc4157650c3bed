package endpoint

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/rpc"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// routeFinder finds the routes that services serve, with their mounts and handlers.
type routeFinder struct {
	*heritage
	rpc      *rpc.Joiner
	declared *declarer
}

// route is a path that a service serves, including the prefixes below which its router is mounted.
type route struct {
	file    *resolve.File
	owner   int
	at      code.Span
	method  string // HTTP method, "*" for any
	path    []string
	handler string   // expression of the handler; "" for owner itself, "=>" for an anonymous function
	rests   []string // paths of the files that mount it
	// These fields are set for a route of an rpc in a .proto: the declaration that handles it,
	// and the roots of the services that serve it.
	answer resolve.Ref
	roots  []string

	formats   bool       // whether the path may have an extension: /items.json
	operation *operation // operation after which the handler is named; nil for none
	detached  string     // why its program does not serve it; "" if it may
}

// of reports whether the service at one of the roots, or the program at another place, serves the route.
func (r *route) of(ws *lookup.Workspace, roots []string) bool {
	own := r.roots
	if len(own) == 0 {
		own = []string{ws.Services().Root(r.file.Path)}
	}
	return slices.ContainsFunc(own, func(root string) bool { return slices.Contains(roots, root) }) ||
		ws.Services().InPlace(r.file.Path, roots) ||
		slices.ContainsFunc(r.rests, func(file string) bool { return ws.Services().InPlace(file, roots) })
}

// meets reports whether the path of a request matches that of a route without its first over segments, and returns
// the number of equal literal segments.
func (rf *routeFinder) meets(r *route, path []string, over int) (same int, ok bool) {
	fold := rf.World.Language(r.file.Language).RoutesFold
	if same, ok = hosts.Meets(path, r.path[over:], fold); ok || !r.formats || len(path) == 0 {
		return same, ok
	}
	last := len(path) - 1
	bare, is := withoutFormat(path[last])
	if !is {
		return same, ok
	}
	return hosts.Meets(append(slices.Clip(path[:last]), bare), r.path[over:], fold)
}

// withoutFormat returns a segment without the extension that names a format: {id} of {id}.json. It returns false if
// there is none.
func withoutFormat(segment string) (bare string, ok bool) {
	if !strings.Contains(segment, ".") {
		return segment, false
	}
	bare = extension.ReplaceAllString(segment, "")
	return bare, bare != "" && bare != segment
}

// extension matches the extension at the end of a segment.
var extension = regexp.MustCompile(`\.\w+$`)

type routesKey struct{}

// routes returns every route outside of tests: first those that source declares, then those of interfaces of
// clients, then those of OpenAPI documents, each sorted by sortRoutes.
func (rf *routeFinder) routes() []*route {
	return resolve.Derive(rf.World, routesKey{}, func() (out []*route) {
		mounts := rf.mounts()
		for _, u := range rf.unmounted() {
			if u.fixed {
				out = append(out, u.list...)
			} else {
				out = append(out, rf.standing(mounts, u.list, u.router)...)
			}
		}
		rf.dropDoubts(out)
		sortRoutes(out)
		out = append(out, sortRoutes(rf.standing(mounts, rf.clientRoutes(), ""))...)
		return append(out, sortRoutes(rf.operationRoutes(out))...)
	})
}

// sortRoutes sorts routes by the position of their declaration and then by that of their handler.
// Routes that differ in neither, such as those of two mounts, keep their order.
func sortRoutes(list []*route) []*route {
	slices.SortStableFunc(list, func(a, b *route) int {
		return cmp.Or(strings.Compare(a.file.Path, b.file.Path), a.at.StartByte-b.at.StartByte,
			strings.Compare(a.method, b.method), resolve.CompareRefs(a.answer, b.answer))
	})
	return list
}

// unmounted holds the routes of one fact, without the prefixes of the mounts of their router.
type unmounted struct {
	list   []*route
	router string
	fixed  bool // whether no mount applies
}

// unmounted returns the routes of the facts of all files.
func (rf *routeFinder) unmounted() (out []unmounted) {
	for _, f := range rf.Files(l2meta.RoleRoute) {
		if f.Class == code.ClassTest || f.Class == code.ClassGenerated || f.Class == code.ClassFixture {
			continue
		}
		for _, fact := range lookup.Endpoints(f, l2meta.RoleRoute) {
			part := append(strings.Split(fact.Type, "\t"), "", "", "")
			written, formats := strings.CutSuffix(part[1], l2meta.AnyFormat)
			r := route{file: f, owner: fact.Owner, at: fact.Span, method: part[0],
				path: hosts.Segments(written), formats: formats, handler: part[2]}
			if fact.Owner >= 0 && f.Symbols[fact.Owner].Kind == code.KindRPC {
				out = append(out, unmounted{list: rf.transcoded(r), fixed: true})
				continue
			}
			if !rf.placed(&r, written) {
				continue
			}
			own := rf.inheritable(r)
			if kind, _, ok := strings.Cut(r.handler, " "); ok && classRoutes[kind] {
				own = rf.byClass(r)
			}
			out = append(out, unmounted{list: own, router: part[3]})
		}
	}
	return out
}

// standing returns each route in list once for every path at which its router is mounted:
// /api/items and /v1/items.
func (rf *routeFinder) standing(mounts *mounts, list []*route, router string) (out []*route) {
	for _, r := range list {
		if slices.ContainsFunc(mounts.replaced[r.file.ID], func(name string) bool { return mounts.replaces[name] }) {
			continue
		}
		r.path = rf.settled(r)
		for _, m := range mounts.of(rf.Workspace, r, router) {
			at := *r
			at.path, at.rests = append(hosts.Segments(m.prefix), r.path...), append(slices.Clip(r.rests), m.rests...)
			at.detached = mounts.doubt(rf.Workspace, r, router, m)
			// If another file mounts the router, as a program does with one of a library, the route
			// belongs to the service of that file.
			if m.file != r.file {
				at.roots = []string{rf.Services().Root(m.file.Path)}
			}
			out = append(out, &at)
		}
	}
	return out
}

// settled returns the path of a route with its settings replaced by their values in the service:
// @RequestMapping("${api.base:/v1}/items").
func (rf *routeFinder) settled(r *route) []string {
	from := r.file
	if r.answer.Valid() {
		from = r.answer.File
	}
	path := "/" + strings.Join(r.path, "/")
	if text := rf.configured(from, r.owner, path); text != path {
		return hosts.Segments(text)
	}
	return r.path
}

// configured returns a path with its settings and constants replaced by their values, if they have one each:
// app.include_router(items, prefix=settings.API_PREFIX).
func (rf *routeFinder) configured(f *resolve.File, owner int, path string) string {
	if !settingInPath.MatchString(path) {
		return path
	}
	read := rf.Readings(f, owner, path)
	if len(read) != 1 {
		return path
	}
	return strings.ReplaceAll(read[0].Text, "http://", "/") // a setting without a slash was read as an address
}

// settingInPath matches a setting or constant in a path, {env:API_PREFIX} or {config.PREFIX}, but not a route's path
// parameter, {id}.
var settingInPath = regexp.MustCompile(`\{(?:env:|\w+(?:\.\w+)+\}|[A-Z][A-Z0-9_]*\})`)

// transcoded returns the HTTP routes of an rpc in a .proto, one for each declaration that handles the rpc. Services
// that register a gateway for the rpc serve the routes. If there are none, each route belongs to the service of its
// handler.
func (rf *routeFinder) transcoded(r route) (out []*route) {
	m, ok := rf.rpc.DeclaredBy(r.file.Ref(r.owner))
	if !ok {
		return nil
	}
	var gateways []string
	for _, f := range rf.Files(l2meta.RoleServes) {
		if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
			continue
		}
		for _, call := range lookup.Endpoints(f, l2meta.RoleServes) {
			if strings.HasPrefix(call.Type, "Register"+m.ServiceName()+"Handler") {
				gateways = append(gateways, rf.Services().Root(f.Path))
				r.rests = append(r.rests, f.Path)
			}
		}
	}
	for _, h := range rf.rpc.Handlers(m) {
		at := r
		at.answer, at.roots, at.rests = h.Ref, gateways, append(slices.Clip(r.rests), h.Rests...)
		if len(gateways) == 0 {
			at.roots = []string{rf.Services().Root(h.Ref.File.Path)}
		}
		out = append(out, &at)
	}
	return out
}

// handler returns the declaration that handles a route, and its position. An anonymous handler is
// part of the symbol around it, at the route's line.
func (rf *routeFinder) handler(r *route) (resolve.Ref, code.Span) {
	if r.answer.Valid() {
		return r.answer, r.answer.Symbol().Span
	}
	around := r.file.Ref(r.file.Callable(r.owner))
	switch r.handler {
	case "":
		if r.owner >= 0 && (r.at.StartByte == r.file.Symbols[r.owner].NameSpan.StartByte ||
			r.file.Symbols[r.owner].Kind == code.KindRoute) {
			return around, r.file.Symbols[r.owner].Span
		}
		return around, r.at
	case "=>":
		return around, r.at
	}
	if named, is := strings.CutPrefix(r.handler, services.ByMethod); is {
		name, object, _ := strings.Cut(named, " ")
		if ref := rf.methodOf(r, object, name); ref.Valid() {
			return ref, ref.Symbol().Span
		}
		return around, r.at
	}
	if named, is := strings.CutPrefix(r.handler, services.Deployed); is {
		ref := rf.deployedAt(r.file, named)
		if !ref.Valid() || ref.Index < 0 {
			return ref, code.Span{}
		}
		return ref, ref.Symbol().Span
	}
	if rest, posted := strings.CutPrefix(r.handler, services.Posted+" "); posted {
		return rf.postedTo(r, rest)
	}
	ref := rf.answering(r.file, r.handler, 0)
	if !ref.Valid() {
		if held, at := rf.Held(r.file, r.handler); held.Valid() {
			return held, at
		}
		return around, r.at
	}
	if run := rf.Implementing(ref); len(run) == 1 { // the handler is a method of an interface with one implementation
		ref = run[0]
	}
	return ref, ref.Symbol().Span
}

// methodOf returns the method called name of the type of an expression, such as NewResizer(store), or the only method
// of that name in the service of the route; the zero Ref if there is none.
func (rf *routeFinder) methodOf(r *route, object, name string) (found resolve.Ref) {
	rf.TypeNames(r.file, r.owner, object, func(in *resolve.File, class string) {
		t := rf.TypeNamed(in, class)
		if !t.Valid() || found.Valid() {
			return
		}
		for _, m := range rf.Members(t) {
			if m.Symbol().Name == name && m.Symbol().Kind.Callable() {
				found = m
			}
		}
	}, 0)
	if found.Valid() {
		return found
	}
	return rf.onlyMethod(r.file, name)
}

// onlyMethod returns the only method called name in the service of f, outside of tests; the zero Ref if there are none
// or several.
func (rf *routeFinder) onlyMethod(f *resolve.File, name string) (only resolve.Ref) {
	rows, _ := rf.World.Named(name)
	for _, row := range rows {
		if !row.Kind.Callable() || row.Class != code.ClassSource ||
			rf.Services().Root(row.Path) != rf.Services().Root(f.Path) {
			continue
		}
		if ref := rf.World.Ref(row); ref.Valid() && ref.File.Language == f.Language {
			if only.Valid() {
				return resolve.Ref{}
			}
			only = ref
		}
	}
	return only
}

// postedTo returns the handler of the route to which a broker posts messages. "/orders
// billing,mail" is a route of the services billing and mail, "/orders" one of the file's own
// service. For a file of no service, it is the only such route of the workspace.
func (rf *routeFinder) postedTo(to *route, text string) (resolve.Ref, code.Span) {
	path, apps, named := strings.Cut(text, " ")
	roots := []string{rf.Services().Root(to.file.Path)}
	if named {
		roots = nil
		for _, app := range strings.Split(apps, ",") {
			found, _ := rf.RootsOf(app)
			roots = append(roots, found...)
		}
	}
	anywhere := !named && roots[0] == ""
	// the method configured explains the scheme
	path = strings.Replace(rf.Readings(to.file, to.owner, path)[0].Text, "/http://", "/", 1)
	var found []*route
	for _, r := range rf.routes() {
		if _, ok := hosts.Meets(hosts.Segments(path), r.path, false); ok && (r.method == "*" || r.method == "POST") &&
			(anywhere || r.of(rf.Workspace, roots)) {
			found = append(found, r)
		}
	}
	if len(found) == 0 || anywhere && len(found) > 1 {
		return resolve.Ref{}, to.at
	}
	return rf.handler(found[0])
}

// answering returns the callable that an expression names, or the one that it wraps: show of
// auth(http.HandlerFunc(show)).
func (rf *routeFinder) answering(f *resolve.File, expr string, depth int) resolve.Ref {
	if args := lookup.Arguments(expr); depth < lookup.MaxSteps && len(args) > 0 && strings.HasSuffix(expr, ")") {
		for _, a := range args {
			if strings.ContainsAny(a[:1], "\"'`{[") {
				continue
			}
			if ref := rf.answering(f, a, depth+1); ref.Valid() {
				return ref
			}
		}
	}
	if ref := rf.Brought(f, expr); ref.Valid() {
		return ref
	}
	if m := methodOfLiteral.FindStringSubmatch(expr); m != nil {
		if class := rf.TypeNamed(f, m[1]); class.Valid() {
			if ref := rf.MemberNamed(class, m[2], 0); ref.Valid() {
				return ref
			}
		}
	}
	if ref := rf.methodOfResult(f, expr); ref.Valid() {
		return ref
	}
	return rf.Named(f, expr)
}

// methodOfResult returns the method that an expression calls on the result of a function: Save of
// m.ShopModule().Save, which ShopModule declares the type of. It returns the zero Ref for any other expression.
func (rf *routeFinder) methodOfResult(f *resolve.File, expr string) resolve.Ref {
	m := memberOfCall.FindStringSubmatch(expr)
	if m == nil {
		return resolve.Ref{}
	}
	made := rf.Named(f, m[1])
	if !made.Valid() {
		return resolve.Ref{}
	}
	for _, fact := range made.File.FactsOf(made.Index) {
		if fact.Kind != code.FactResult {
			continue
		}
		if class := rf.TypeNamed(made.File, fact.Type); class.Valid() {
			return rf.MemberNamed(class, m[2], 0)
		}
	}
	return resolve.Ref{}
}

// memberOfCall matches a member of what a call returns.
var memberOfCall = regexp.MustCompile(`^([\w.$]+)\([^()]*\)\.(\w+)$`)

// methodOfLiteral matches a method of a value that the expression constructs:
// Counter{store{}}.Count.
var methodOfLiteral = regexp.MustCompile(`^\(?&?([\w.]+)\{.*\}\)?\.(\w+)$`)

// serves reports whether ref handles a route.
func (rf *routeFinder) serves(ref resolve.Ref) bool {
	known := len(rf.World.Reaching(l2meta.RoleRoute))+len(rf.World.Reaching(l2meta.RoleInherit))+
		len(rf.World.Reaching(l2meta.RoleOperation)) > 0
	return known && slices.ContainsFunc(rf.routes(), func(r *route) bool { return rf.handles(ref, r) }) ||
		rf.isEntry(ref)
}

// handles reports whether ref is the handler of a route.
func (rf *routeFinder) handles(ref resolve.Ref, r *route) bool {
	here := r.file == ref.File && r.file.Callable(r.owner) == ref.Index
	if !here && r.answer != ref && rf.renamed(r) != ref &&
		(ref.Index >= 0 && !strings.Contains(r.handler, ref.Symbol().Name) ||
			ref.Index < 0 && len(ref.File.Named(lookup.LastName(r.handler))) == 0) {
		return false
	}
	h, _ := rf.handler(r)
	return h == ref
}

// renamed returns the handler of a route if it may have another name than at the registration of the route.
func (rf *routeFinder) renamed(r *route) resolve.Ref {
	if r.handler == "" || r.handler == "=>" {
		return resolve.Ref{}
	}
	expr := r.handler
	for args := lookup.Arguments(expr); len(args) > 0 && strings.HasSuffix(expr, ")") &&
		!strings.HasPrefix(expr, "require("); {
		expr = args[len(args)-1] // the last argument of a wrapper is the handler
		args = lookup.Arguments(expr)
	}
	return rf.Brought(r.file, expr)
}

// Served is a route that a declaration handles or a message that it consumes, with the place that
// registers it: a line of config/routes.rb, a decorator, a call of app.get.
type Served struct {
	Via  string // in the form of Crossing.Via
	File string
	Line int // 1-based
}

// servedAt returns the Served that is declared at a span of a file.
func servedAt(via string, f *resolve.File, at code.Span) Served {
	return Served{via, f.Path, at.StartLine}
}

// added appends a route or message to list unless the list has it.
func added(list []Served, s Served) []Served {
	if slices.ContainsFunc(list, func(known Served) bool { return known.Via == s.Via }) {
		return list
	}
	return append(list, s)
}

// Serves returns the routes that ref handles and the messages that it consumes, each once. Their callers may be
// outside of the workspace, or use an address that is not known.
func (j *Joiner) Serves(ref resolve.Ref) (list []Served, err error) {
	if e := keptEnds(j.Workspace); e != nil {
		return slices.Clone(e.Serves[declarationOf(ref)]), nil
	}
	for _, r := range j.http.routes() {
		if j.http.handles(ref, r) {
			list = added(list, servedAt(r.via(), r.file, r.at))
		}
	}
	for _, c := range j.messages.consumedBy(ref) {
		list = added(list, servedAt(c.via(), c.file, c.at))
	}
	return list, j.World.Err()
}

// byHandler returns list without routes whose handler an earlier route has, because tests within a file may repeat
// the registration of a route.
func (rf *routeFinder) byHandler(list []*route) (out []*route) {
	if len(list) < 2 {
		return list
	}
	seen := map[resolve.Ref]bool{}
	for _, r := range list {
		ref, _ := rf.handler(r)
		if ref.Index < 0 || r.handler == "=>" || !seen[ref] {
			out = append(out, r)
		}
		seen[ref] = true
	}
	return out
}
