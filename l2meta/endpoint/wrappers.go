package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Programs have helper functions for requests: get(path), request({url}). The request of a helper
// depends on the helper's parameters, so it is attributed to the callers: each call that passes a
// path is a request, with the argument in place of the parameter.

// requestFinder finds the requests of the workspace. It attributes the requests of a helper to the calls that pass it
// a URL.
type requestFinder struct {
	*heritage
	declared *declarer
	served   *routeFinder
}

// maxWrapping is the largest number of helpers through which a URL is passed from one to the
// next.
const maxWrapping = 3

type wrappedKey struct{}

// wrapped returns the requests of calls that pass a part of the path to a helper: get("/orders").
func (qf *requestFinder) wrapped() []fetch {
	return resolve.Derive(qf.World, wrappedKey{}, func() (out []fetch) {
		for _, x := range qf.passed() {
			if x.path && hosts.Literals(x.url.Path) > 0 {
				out = append(out, x)
			}
		}
		return out
	})
}

type openEndsKey struct{}

// openEnds returns the requests of f whose URL is a parameter of a function in f that passes it to
// a helper, if no known caller of that function passes a path.
func (qf *requestFinder) openEnds(f *resolve.File) []fetch {
	return resolve.Derive(qf.World, openEndsKey{}, func() map[int64][]fetch {
		by := map[int64][]fetch{}
		for _, x := range qf.passed() {
			if x.open() && !qf.isWrapped(&x) {
				by[x.file.ID] = append(by[x.file.ID], x)
			}
		}
		return by
	})[f.ID]
}

type passedKey struct{}

// passed returns the requests of calls of helpers, with the arguments of each call in place of
// the helper's parameters.
func (qf *requestFinder) passed() []fetch {
	return resolve.Derive(qf.World, passedKey{}, func() (all []fetch) {
		seen := map[resolve.Ref]bool{}
		next := qf.open(qf.direct(), seen)
		for step := 0; step < maxWrapping && len(next) > 0; step++ {
			found := qf.callsOf(next)
			all = append(all, found...)
			next = qf.open(found, seen)
		}
		return all
	})
}

type wrappedInKey struct{}

// wrappedIn returns the requests of calls in a file that pass a part of the path to a helper.
func (qf *requestFinder) wrappedIn(f *resolve.File) []fetch {
	return resolve.Derive(qf.World, wrappedInKey{}, func() map[int64][]fetch {
		by := map[int64][]fetch{}
		for _, x := range qf.wrapped() {
			by[x.file.ID] = append(by[x.file.ID], x)
		}
		return by
	})[f.ID]
}

// isHelped reports whether the call of a request runs a helper, a function of the program, whose request is known.
func (qf *requestFinder) isHelped(x *fetch) bool {
	return slices.ContainsFunc(qf.wrappedIn(x.file), func(w fetch) bool { return w.at == x.at })
}

type helpersKey struct{}

// isWrapped reports whether the function around a request is a helper: some call of it passes a part of the URL's
// path.
func (qf *requestFinder) isWrapped(x *fetch) bool {
	return resolve.Derive(qf.World, helpersKey{}, func() map[resolve.Ref]bool {
		helpers := map[resolve.Ref]bool{}
		for _, w := range qf.wrapped() {
			for _, ref := range w.through {
				helpers[ref] = true
			}
		}
		return helpers
	})[x.file.Ref(x.file.Callable(x.owner))]
}

// open returns a map from function to the requests in list whose URLs depend on parameters of
// that function, except for functions in seen. It adds the functions that certainly send some to seen.
func (qf *requestFinder) open(list []fetch, seen map[resolve.Ref]bool) map[resolve.Ref][]fetch {
	out := map[resolve.Ref][]fetch{}
	for _, x := range list {
		ref := x.file.Ref(x.file.Callable(x.owner))
		if ref.Index >= 0 && strings.Contains(x.text, "{#") && !seen[ref] && qf.ofKnownClient(&x) {
			out[ref] = append(out[ref], x)
		}
	}
	for ref, sent := range out {
		// what only looks like a request may turn out to call a helper, in a later step
		seen[ref] = slices.ContainsFunc(sent, func(x fetch) bool { return !x.shaped && !x.twin })
	}
	return out
}

// ofKnownClient reports whether x is no call of a name that is only a request if another file constructs a client of
// that name, or whether one does.
func (qf *requestFinder) ofKnownClient(x *fetch) bool {
	if !strings.HasPrefix(x.text, "{?") {
		return true
	}
	_, ok := values.OfInstance(qf.Readings(x.file, x.owner, x.text)[0].Text)
	return ok
}

// open reports whether callers determine the target of a request: its URL has a parameter,
// {#0:url}, and its path has no literal text.
func (x *fetch) open() bool { return strings.Contains(x.text, "{#") && hosts.Literals(x.url.Path) == 0 }

// callersBases returns the URLs (readings) of a request whose base address is a parameter of its function, one for
// each base address that callers pass. It returns nil for any other request.
func (qf *requestFinder) callersBases(x *fetch) (out []values.Reading) {
	if !strings.HasPrefix(x.text, "{#") || hosts.Literals(x.url.Path) == 0 {
		return nil
	}
	ref := x.file.Ref(x.file.Callable(x.owner))
	for _, w := range qf.basesGiven()[ref] {
		if w.inner == x.at && len(out) < values.MaxReadings &&
			!slices.ContainsFunc(out, func(r values.Reading) bool { return r.Text == w.text }) {
			for _, r := range qf.Readings(w.file, w.owner, w.text) {
				r.How, r.Keys = append(slices.Clip(w.how), r.How...), append(slices.Clip(w.keys), r.Keys...)
				r.Rests = append(slices.Clip(w.rests), r.Rests...)
				out = append(out, r)
			}
		}
	}
	return out
}

type basesGivenKey struct{}

func (qf *requestFinder) basesGiven() map[resolve.Ref][]fetch {
	return resolve.Derive(qf.World, basesGivenKey{}, func() map[resolve.Ref][]fetch {
		out := map[resolve.Ref][]fetch{}
		for _, w := range qf.passed() {
			if ref := w.through[len(w.through)-1]; !strings.HasPrefix(w.text, "{#") {
				out[ref] = append(out[ref], w)
			}
		}
		return out
	})
}

// callsOf returns the requests of calls of helpers. helpers maps a function to the requests that
// it sends with its parameters.
func (qf *requestFinder) callsOf(helpers map[resolve.Ref][]fetch) (out []fetch) {
	names, seen := callNames{}, map[fetchIdentity]bool{}
	for ref := range helpers {
		for _, name := range qf.CallNames(ref) {
			names.add(name, ref.File.Language)
		}
		if t := ref.File.Type(ref.Index); t >= 0 {
			// new Request(url) calls the constructor by the name of the type
			names.add(ref.File.Symbols[t].Name, ref.File.Language)
		}
	}
	passingCalls(qf.Workspace, names, func(f *resolve.File, fact *code.Fact, target resolve.Ref) {
		for _, ref := range meant(qf.Workspace, helpers, target) {
			for _, x := range helpers[ref] {
				if when, ok := x.whenPassed(strings.Split(fact.Type, "\t")[1:]); ok {
					y := qf.passing(f, fact, x)
					if y.when = when; !seen[y.identity()] {
						seen[y.identity()] = true
						out = append(out, y)
					}
				}
			}
		}
	})
	slices.SortStableFunc(out, func(a, b fetch) int {
		if a.file != b.file {
			return strings.Compare(a.file.Path, b.file.Path)
		}
		return a.at.StartByte - b.at.StartByte
	})
	return out
}

// callNames maps the names by which calls refer to helpers to the languages of these helpers.
type callNames map[string][]string

func (n callNames) add(name, language string) {
	if !slices.Contains(n[name], language) {
		n[name] = append(n[name], language)
	}
}

// passingCalls calls visit for each call outside of tests and generated code that has one of the
// names, whose arguments the extractor recorded, and which is in a language that can call such a
// function. fact holds the arguments; target is the function that the call resolves to, the zero
// Ref if it is unresolved.
func passingCalls(ws *lookup.Workspace, names callNames,
	visit func(f *resolve.File, fact *code.Fact, target resolve.Ref)) {
	for name, languages := range names {
		if ws.World.Err() != nil {
			return
		}
		for _, id := range ws.World.Telling(l2meta.RolePass, name) {
			at, ok := ws.World.Place(id)
			if !ok || at.Class == code.ClassTest || at.Class == code.ClassGenerated || !slices.ContainsFunc(languages,
				func(language string) bool { return ws.World.Together(language, at.Language) }) {
				continue // many languages have functions of the name, such as send
			}
			f := ws.World.ByID(id)
			if f == nil {
				continue
			}
			for _, fact := range lookup.Endpoints(f, l2meta.RolePass) {
				if strings.HasPrefix(fact.Type, name+"\t") {
					visit(f, fact, ws.Target(f, fact, name))
				}
			}
		}
	}
}

// whenPassed returns the conditions of a request, such as "2=true", as conditions on the parameters of the function
// that calls the helper. ok is false if the arguments of the call contradict them.
func (x *fetch) whenPassed(args []string) (when string, ok bool) {
	var rest []string
	for _, condition := range strings.Split(x.when, ",") {
		number, want, _ := strings.Cut(condition, "=")
		n := lookup.Digits(number)
		if n < 0 || n >= len(args) {
			continue
		}
		given := strings.Trim(args[n], "{}")
		if own, is := strings.CutPrefix(given, "#"); is {
			own, _, _ = strings.Cut(own, ":")
			rest = append(rest, own+"="+want)
		} else if given = strings.ToLower(given); (given == "true" || given == "false") && given != want {
			return "", false
		}
	}
	return strings.Join(rest, ","), true
}

// fetchIdentity identifies a request by its position and its URL.
type fetchIdentity struct {
	file         *resolve.File
	at, inner    code.Span
	method, text string
}

func (x *fetch) identity() fetchIdentity {
	return fetchIdentity{x.file, x.at, x.inner, x.method, x.text}
}

// meant returns the helpers that a call of target may run: target itself, or, if target is a member of an interface
// or abstract type, the helpers that implement it.
func meant[T any](ws *lookup.Workspace, helpers map[resolve.Ref][]T, target resolve.Ref) (out []resolve.Ref) {
	if _, is := helpers[target]; is || !target.Valid() || target.Index < 0 {
		return []resolve.Ref{target}
	}
	for _, m := range ws.Implementing(target) {
		if _, is := helpers[m]; is {
			out = append(out, m)
		}
	}
	return out
}

// passing returns the request of the call at fact, in f, that runs a helper: x, the helper's
// request, with the arguments of the call in place of the helper's parameters.
func (qf *requestFinder) passing(f *resolve.File, fact *code.Fact, x fetch) fetch {
	args := strings.Split(fact.Type, "\t")[1:]
	helper := x.file.Symbols[x.file.Callable(x.owner)]
	if len(x.through) == 0 {
		x.inner = x.at
	}
	x.path = false
	fill := func(text string) string {
		var b strings.Builder
		for {
			i := strings.Index(text, "{#")
			end := i + strings.IndexByte(text[max(i, 0):], '}')
			if i < 0 || end < i {
				return b.String() + text
			}
			number, name, _ := strings.Cut(text[i+2:end], ":")
			given := qf.composed(f, fact.Owner, values.Argument(args, helper.Parameters, number, name), &x)
			b.WriteString(text[:i])
			if values.PathLike(given) && lookup.Letter(given[0]) && strings.HasSuffix(text[:i], "}") && b.Len() == i {
				b.WriteByte('/') // there is no slash between the parts: {base}orders
			}
			b.WriteString(given)
			x.path = x.path || values.PathLike(given) || folding.IsStep(given) && strings.HasSuffix(text[:i], "/")
			text = text[end+1:]
		}
	}
	overridden(qf.Reader, f, fact.Owner, &x)
	// Other unknown parts of the helper's text are looked up in the helper's file, because they
	// do not depend on the caller.
	for _, r := range qf.Readings(x.file, x.owner, x.text)[:1] {
		x.text, x.how, x.rests, x.keys = r.Text, append(slices.Clip(x.how), r.How...),
			append(slices.Clip(x.rests), r.Rests...), append(slices.Clip(x.keys), r.Keys...)
	}
	x.rests = append(slices.Clip(x.rests), x.file.Path)
	x.through = append([]resolve.Ref{x.file.Ref(x.file.Callable(x.owner))}, x.through...)
	if m := methodPassed(args); x.method == "*" || x.unless && m != "*" {
		x.method, x.unless = m, false
	}
	x.keys = append(slices.Clip(x.keys), qf.servicesPassed(args)...)
	text := folding.CleanURL(fill(x.text))
	x.file, x.owner, x.at, x.text, x.url = f, fact.Owner, fact.Span, text, hosts.TargetOf(values.Unnumbered(text))
	return x
}

// composed returns an argument, with a call that composes a text replaced by that text:
// post(urlFor("/users"), user). The argument may also be a path that is a setting or a value of
// another file: post(config["Urls:Users"], user), post(self.urls["users"], user). It adds the
// evidence to x.
func (qf *requestFinder) composed(f *resolve.File, owner int, given string, x *fetch) string {
	called := strings.HasPrefix(given, "{call:")
	if !strings.HasPrefix(given, "{") || strings.HasPrefix(given, "{#") || values.PathLike(given) {
		return given
	}
	r := qf.Readings(f, owner, given)[0]
	if called && values.IsUnknownCall(r.Text) || !called && !values.PathLike(r.Text) {
		return given
	}
	x.how, x.rests = append(slices.Clip(x.how), r.How...), append(slices.Clip(x.rests), r.Rests...)
	x.keys = append(slices.Clip(x.keys), r.Keys...)
	return r.Text
}

// servicesPassed returns the arguments of a call that are names of services: f("orders",
// "/items").
func (qf *requestFinder) servicesPassed(args []string) (names []string) {
	for _, arg := range args {
		if !folding.IsStep(arg) {
			continue
		}
		if roots, _ := qf.RootsOf(arg); len(roots) == 1 {
			names = append(names, arg)
		}
	}
	return names
}

// methodPassed returns the HTTP method among the arguments of a call: f("GET", url), f(url,
// {method: "GET"}), f(HttpMethod.GET, url); "*" if there is none.
func methodPassed(args []string) string {
	for _, arg := range args {
		items := []string{arg}
		if rest, ok := strings.CutPrefix(arg, "{"); ok && strings.Contains(rest, "=") {
			items = strings.Split(rest, "\x1f")
		}
		for _, item := range items {
			if key, value, ok := strings.Cut(item, "="); ok && methodKey.MatchString(key) {
				if item = value; folding.MethodOf(strings.Trim(value, "{}")) != "" {
					return folding.MethodOf(strings.Trim(value, "{}"))
				}
			}
			if constant := methodConstant.FindStringSubmatch(item); constant != nil {
				item = constant[1]
			}
			if item = strings.ToUpper(item); slices.Contains(folding.Methods, item) {
				return item
			}
		}
	}
	return "*"
}

// methodKey matches the names of members that hold an HTTP method.
var methodKey = regexp.MustCompile(`^(?i:(?:http|request|api)?_?(?:method|verb|type))$`)

// methodConstant matches an argument that is a constant of HTTP methods, in braces: {HttpMethod.POST}.
var methodConstant = regexp.MustCompile(`^\{\w*(?:[Mm]ethod|[Vv]erb|[Hh]ttp)\w*(?:\.|::)(?:Method)?(\w+)\}$`)

// passesOn reports whether a request is that of a gateway: a helper that forwards a request, with
// any method and with the rest of its path, {path}. Any route may match such a request.
func (x *fetch) passesOn() bool {
	last := len(x.url.Path) - 1
	if x.method != "*" || len(x.through) == 0 || last < 0 {
		return false
	}
	open, _ := hosts.Variable(x.url.Path[last])
	return open && restOfPath.MatchString(x.url.Path[last])
}

// restOfPath matches a path parameter that is named after the rest of a path: {path}, {splat}.
var restOfPath = regexp.MustCompile(`(?i)path|rest|splat|everything|wildcard`)

// firstGiven matches the URL of a helper that is given the start of the path, behind an address that is not known:
// {root}/{#1:url}/test.
var firstGiven = regexp.MustCompile(`^(?:\{[^#{}][^{}]*\})?/?\{#\d[^{}]*\}/`)
