package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/store"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// A program has helpers of its own for requests: get(path), request({url}). What
// such a helper requests depends on its parameters, so the request is that of its
// callers: each call that passes a text is one, with the text in place.

// maxWrapping bounds how many helpers stand in each other.
const maxWrapping = 3

type wrappedKey struct{}

// wrapped returns the requests that calls of helpers make: those that pass the
// path.
func (j *Joiner) wrapped() []fetch {
	return resolve.Derive(j.w, wrappedKey{}, func() (out []fetch) {
		for _, x := range j.passed() {
			if x.path && literals(x.url.path) > 0 {
				out = append(out, x)
			}
		}
		return out
	})
}

type passedKey struct{}

// passed returns the requests of helpers with what calls pass in place of their
// parameters.
func (j *Joiner) passed() []fetch {
	return resolve.Derive(j.w, passedKey{}, func() (all []fetch) {
		seen := map[resolve.Ref]bool{}
		next := j.open(j.direct(), seen)
		for step := 0; step < maxWrapping && len(next) > 0; step++ {
			found := j.callsOf(next)
			all = append(all, found...)
			next = j.open(found, seen)
		}
		return all
	})
}

type wrappedInKey struct{}

// wrappedIn returns the requests that calls of helpers make in a file.
func (j *Joiner) wrappedIn(f *resolve.File) []fetch {
	return resolve.Derive(j.w, wrappedInKey{}, func() map[int64][]fetch {
		by := map[int64][]fetch{}
		for _, x := range j.wrapped() {
			by[x.file.ID] = append(by[x.file.ID], x)
		}
		return by
	})[f.ID]
}

// isHelped reports whether the call at which a request stands is that of a helper,
// whose request is known.
func (j *Joiner) isHelped(x *fetch) bool {
	return slices.ContainsFunc(j.wrappedIn(x.file), func(w fetch) bool { return w.at == x.at })
}

type helpersKey struct{}

// isWrapped reports whether calls of the function that makes a request were found
// to say where it goes.
func (j *Joiner) isWrapped(x *fetch) bool {
	return resolve.Derive(j.w, helpersKey{}, func() map[resolve.Ref]bool {
		helpers := map[resolve.Ref]bool{}
		for _, w := range j.wrapped() {
			for _, ref := range w.through {
				helpers[ref] = true
			}
		}
		return helpers
	})[x.file.Ref(x.file.Callable(x.owner))]
}

// open returns the requests that depend on the parameters of their functions, by
// function, and marks these as seen.
func (j *Joiner) open(list []fetch, seen map[resolve.Ref]bool) map[resolve.Ref][]fetch {
	out := map[resolve.Ref][]fetch{}
	for _, x := range list {
		ref := x.file.Ref(x.file.Callable(x.owner))
		if ref.Index >= 0 && strings.Contains(x.text, "{#") && !seen[ref] {
			out[ref] = append(out[ref], x)
		}
	}
	for ref := range out {
		seen[ref] = true
	}
	return out
}

// open reports whether callers decide where a request goes: the path has no text of
// its own.
func (x *fetch) open() bool { return strings.Contains(x.text, "{#") && literals(x.url.path) == 0 }

// callersBases returns the readings of a request whose base alone is a parameter,
// as the callers of its function give it.
func (j *Joiner) callersBases(x *fetch) (out []reading) {
	if !strings.HasPrefix(x.text, "{#") || literals(x.url.path) == 0 {
		return nil
	}
	ref := x.file.Ref(x.file.Callable(x.owner))
	for _, w := range j.basesGiven()[ref] {
		if w.inner == x.at && len(out) < maxReadings &&
			!slices.ContainsFunc(out, func(r reading) bool { return r.text == w.text }) {
			for _, r := range j.readings(w.file, w.owner, w.text) {
				out = append(out, reading{r.text, append(slices.Clip(w.how), r.how...),
					append(slices.Clip(w.keys), r.keys...), append(slices.Clip(w.rests), r.rests...)})
			}
		}
	}
	return out
}

type basesGivenKey struct{}

func (j *Joiner) basesGiven() map[resolve.Ref][]fetch {
	return resolve.Derive(j.w, basesGivenKey{}, func() map[resolve.Ref][]fetch {
		out := map[resolve.Ref][]fetch{}
		for _, w := range j.passed() {
			if ref := w.through[len(w.through)-1]; !strings.HasPrefix(w.text, "{#") {
				out[ref] = append(out[ref], w)
			}
		}
		return out
	})
}

// callsOf returns the requests of the calls that lead to helpers.
func (j *Joiner) callsOf(helpers map[resolve.Ref][]fetch) (out []fetch) {
	names := map[string]bool{}
	for ref := range helpers {
		names[ref.Symbol().Name] = true
		if t := ref.File.Type(ref.Index); t >= 0 {
			names[ref.File.Symbols[t].Name] = true // new Request(url) runs its constructor
		}
	}
	for name := range names {
		for _, id := range j.w.Telling(l2meta.RolePass, name) {
			f := j.w.ByID(id)
			if f == nil || f.Class == code.ClassTest || f.Class == code.ClassGenerated {
				continue
			}
			for _, fact := range endpoints(f, l2meta.RolePass) {
				if !strings.HasPrefix(fact.Type, name+"\t") {
					continue
				}
				for _, ref := range j.meant(helpers, j.target(f, fact, name)) {
					for _, x := range helpers[ref] {
						if when, ok := x.whenPassed(strings.Split(fact.Type, "\t")[1:]); ok {
							y := j.passing(f, fact, x)
							if y.when = when; !slices.ContainsFunc(out, y.same) {
								out = append(out, y)
							}
						}
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b fetch) int {
		if a.file != b.file {
			return strings.Compare(a.file.Path, b.file.Path)
		}
		return a.at.StartByte - b.at.StartByte
	})
	return out
}

// target returns what the call at a fact leads to.
func (j *Joiner) target(f *resolve.File, fact *code.Fact, name string) resolve.Ref {
	for _, i := range f.CallsOf(name) {
		if f.Calls()[i].NameSpan.StartByte != fact.Span.StartByte {
			continue
		}
		s, ok, err := j.r.At(resolve.SiteRef{File: &store.FileRef{ID: f.ID, Path: f.Path, Language: f.Language,
			Class: f.Class, Hash: f.Hash}, Call: i})
		if err == nil && ok && s.Outcome == resolve.Settled { // an error is the world's
			return s.Target
		}
	}
	return resolve.Ref{}
}

// whenPassed returns the conditions of a request as the caller of its function has them.
// It reports false where what the call passes says otherwise.
func (x *fetch) whenPassed(args []string) (when string, ok bool) {
	var rest []string
	for _, condition := range strings.Split(x.when, ",") {
		number, want, _ := strings.Cut(condition, "=")
		n := digits(number)
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

// same reports whether another request stands at the same place and goes to the same URL.
func (x *fetch) same(o fetch) bool {
	return o.file == x.file && o.at == x.at && o.method == x.method && o.text == x.text && o.inner == x.inner
}

// meant returns the helpers that a call of target may run: itself, or, where target is
// declared by an interface or an abstract type, those of the types below it.
func (j *Joiner) meant(helpers map[resolve.Ref][]fetch, target resolve.Ref) (out []resolve.Ref) {
	if _, is := helpers[target]; is || !target.Valid() || target.Index < 0 {
		return []resolve.Ref{target}
	}
	class := target.File.Type(target.Index)
	if class < 0 || isConcrete(target.File.Ref(class)) {
		return nil
	}
	for _, sub := range resolve.Descendants(target.File.Ref(class), j.subtypesOf) {
		for _, m := range j.members(sub) {
			if _, is := helpers[m]; is && m.Symbol().Name == target.Symbol().Name &&
				len(m.Symbol().Parameters) == len(target.Symbol().Parameters) {
				out = append(out, m)
			}
		}
	}
	return out
}

// passing returns the request x of a helper as the call at a fact of f makes it.
func (j *Joiner) passing(f *resolve.File, fact *code.Fact, x fetch) fetch {
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
			given := argument(args, helper.Parameters, number, name)
			b.WriteString(text[:i])
			if pathLike(given) && letter(given[0]) && strings.HasSuffix(text[:i], "}") && b.Len() == i {
				b.WriteByte('/') // {base}orders
			}
			b.WriteString(given)
			x.path = x.path || pathLike(given) || services.IsStep(given) && strings.HasSuffix(text[:i], "/")
			text = text[end+1:]
		}
	}
	// What the helper's file says of its other holes holds whoever calls.
	for _, r := range j.readings(x.file, x.owner, x.text)[:1] {
		x.text, x.how, x.rests, x.keys = r.text, append(slices.Clip(x.how), r.how...),
			append(slices.Clip(x.rests), r.rests...), append(slices.Clip(x.keys), r.keys...)
	}
	x.rests = append(slices.Clip(x.rests), x.file.Path)
	x.through = append([]resolve.Ref{x.file.Ref(x.file.Callable(x.owner))}, x.through...)
	if x.method == "*" {
		x.method = methodPassed(args)
	}
	text := services.CleanURL(fill(x.text))
	x.file, x.owner, x.at, x.text, x.url = f, fact.Owner, fact.Span, text, targetOf(unnumbered(text))
	return x
}

// methodPassed returns the HTTP method among what a call passes: f("GET", url),
// f(url, {method: "GET"}); "*" where it is not said.
func methodPassed(args []string) string {
	for _, arg := range args {
		items := []string{arg}
		if rest, ok := strings.CutPrefix(arg, "{"); ok && strings.Contains(rest, "=") {
			items = strings.Split(rest, "\x1f")
		}
		for _, item := range items {
			if key, value, ok := strings.Cut(item, "="); ok && (key == "method" || key == "type" || key == "verb") {
				item = value
			}
			if slices.Contains(services.Methods, item) {
				return item
			}
		}
	}
	return "*"
}

// pathLike reports whether a text that a call passes holds a part of a path: not
// an id, and not a base alone.
func pathLike(text string) bool {
	if _, behind, ok := strings.Cut(text, "://"); ok {
		return strings.Contains(strings.TrimRight(behind, "/"), "/")
	}
	if strings.HasPrefix(text, "{") {
		_, behind, _ := strings.Cut(text, "}")
		return literals(segments(behind)) > 0
	}
	return strings.Contains(text, "/") && literals(segments(text)) > 0
}

// argument returns the text that a call passes for a parameter, "1" or "0.url";
// a hole with the parameter's name where it passes none.
func argument(args []string, parameters []code.Parameter, number, name string) string {
	hole := "{" + name + "}"
	n, member, isMember := strings.Cut(number, ".")
	at := digits(n)
	if at < 0 {
		return hole
	}
	text := ""
	if at < len(args) && !isNamed(args[at]) {
		text = args[at]
	}
	for _, a := range args { // f(url=x)
		if key, value, ok := strings.Cut(a, "="); ok && isNamed(a) &&
			slices.ContainsFunc(parameters, func(p code.Parameter) bool { return p.Name == key }) &&
			strings.HasSuffix(strings.SplitN(name, ".", 2)[0], key) {
			text = value
		}
	}
	if isMember {
		rest, ok := strings.CutPrefix(text, "{")
		text = ""
		for _, item := range strings.Split(rest, "\x1f") {
			if key, value, found := strings.Cut(item, "="); ok && found && key == member {
				text = value
			}
		}
	} else if strings.HasPrefix(text, "{") && !strings.HasSuffix(text, "}") && strings.Contains(text, "=") &&
		!strings.Contains(text, "}") {
		text = "" // an object in the place of a text
	}
	if text == "" {
		return hole
	}
	return text
}

// isNamed reports whether an argument is given by name: "url=/x".
func isNamed(arg string) bool {
	key, _, ok := strings.Cut(arg, "=")
	return ok && key != "" && !strings.ContainsFunc(key, func(r rune) bool { return !letter(byte(min(r, 0x80))) })
}
