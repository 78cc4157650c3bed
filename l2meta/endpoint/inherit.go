package endpoint

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Controllers serve routes that their base types declare, below a path of their own, and clients request such routes:
// class OrderController implements OrderApi, interface OrderClient extends OrderApi. A type without a path takes the
// path of its nearest base.

// heritage finds the routes and requests that types inherit from their bases.
type heritage struct{ *values.Reader }

// surface tells whether a type serves or requests the routes of its bases, and below which paths.
type surface struct {
	does     string   // services.Serves, Asks or Declares; "" if the file does not tell
	address  string   // base address of a client
	prefixes []string // prefixes of its routes as written, empty if it has none
}

// surface returns whether a type serves or requests the routes of its bases, and below which paths, by the facts of
// its file.
func (hr *heritage) surface(t resolve.Ref) (s surface) {
	for _, fact := range lookup.Endpoints(t.File, l2meta.RoleInherit) {
		if fact.Owner != t.Index {
			continue
		}
		part := append(strings.Split(fact.Type, "\t"), "", "")
		if s.does = part[0]; s.does == services.Asks {
			s.address, part[1] = part[1], part[2]
		}
		if _, prefix, _ := hr.stated(t.File, part[1]); prefix != "" {
			s.prefixes = append(s.prefixes, prefix)
		}
	}
	return s
}

type prefixesKey struct{ of resolve.Ref }

// prefixesOf returns the path prefixes of a type's routes: its own or, if it has none, those of
// its nearest base that has any. Prefixes may contain placeholders such as [controller].
func (hr *heritage) prefixesOf(t resolve.Ref) []string {
	return resolve.Derive(hr.World, prefixesKey{t}, func() []string {
		for _, at := range append([]resolve.Ref{t}, resolve.Descendants(t, hr.BasesOf)...) {
			if own := hr.surface(at).prefixes; len(own) > 0 {
				return own
			}
		}
		return nil
	})
}

// heir is a type that serves or requests routes that one of its bases declares.
type heir struct {
	ref     resolve.Ref
	address string // base address of a client, as written in the type from
	from    resolve.Ref
}

type heirs struct{ servers, clients []heir }

type heirsKey struct{ of resolve.Ref }

// heirsOf returns the subtypes of t that serve its routes, and those that request them. If any subtype is marked as
// serving, as by @RestController, only marked ones serve. A type derived from a client is a test double, and serves
// nothing.
func (hr *heritage) heirsOf(t resolve.Ref) heirs {
	return resolve.Derive(hr.World, heirsKey{t}, func() (out heirs) {
		var silent []heir
		below := func(at resolve.Ref) []resolve.Ref {
			if at != t && hr.surface(at).does == services.Asks {
				return nil
			}
			return hr.SubtypesOf(at)
		}
		for _, sub := range resolve.Descendants(t, below) {
			s := hr.surface(sub)
			h := heir{sub, s.address, sub}
			switch {
			case s.does == services.Asks:
				out.clients = append(out.clients, h)
			case !lookup.IsConcrete(sub):
			case s.does == services.Serves:
				out.servers = append(out.servers, h)
			default:
				silent = append(silent, h)
			}
		}
		if len(out.servers) == 0 && len(out.clients) == 0 && !lookup.IsConcrete(t) && hr.surface(t).does != services.Asks {
			out.servers = silent
		}
		for _, b := range hr.Bases(t.Symbol().Name) { // the type itself may be registered as a client
			out.clients = append(out.clients, heir{t, b.Text, b.File.Ref(b.Fact.Owner)})
		}
		return out
	})
}

// annotated matches the place of the route for which an annotation stands; see services.ByAnnotation.
var annotated = regexp.MustCompile(`/?\[@(\w+)(?:\(([^()\]]*)\))?\]`)

// maxAnnotations is the largest number of annotations that extend each other.
const maxAnnotations = 4

// stated returns a path with the routes for which annotations stand in their places, and the method of HTTP that one
// states, "" if none does. ok is false if one of them is not known; its place is then removed.
func (hr *heritage) stated(f *resolve.File, path string) (method, text string, ok bool) {
	if !strings.Contains(path, "[@") {
		return "", path, true
	}
	ok = true
	text = annotated.ReplaceAllStringFunc(path, func(place string) string {
		m := annotated.FindStringSubmatch(place)
		args := strings.Split(strings.ReplaceAll(m[2], "%2F", "/"), ",")
		verb, below, known := hr.ofAnnotation(f, m[1], args, 0)
		if method == "" {
			method = verb
		}
		if ok = ok && known; below == "" {
			return ""
		}
		return "/" + strings.Trim(below, "/")
	})
	return method, text, ok
}

// ofAnnotation returns the method of HTTP, "" for any, and the path of the route for which an annotation with these
// arguments stands; ok is false if no file of the workspace declares the annotation, or if files declare several.
func (hr *heritage) ofAnnotation(f *resolve.File, name string, args []string, depth int) (
	method, path string, ok bool) {
	var found []values.NamedText
	for _, id := range hr.World.Telling(l2meta.RoleText, name+services.AnnotatedRoute) {
		if from := hr.World.Peer(id, f.Language); from != nil && from.Class != code.ClassTest {
			found = append(found, values.Texts(from)[name+services.AnnotatedRoute]...)
		}
	}
	if len(found) != 1 || depth == maxAnnotations {
		return "", "", false
	}
	a := services.ParseAnnotation(found[0].Value)
	path = a.With(a.Template, args)
	var given []string
	for _, g := range a.Given {
		given = append(given, a.With(g, args))
	}
	if a.Known {
		if path == "" && len(given) > 0 {
			path = given[0]
		}
		return a.Method, path, true
	}
	method, below, ok := hr.ofAnnotation(f, a.Base, given, depth+1)
	if path == "" {
		path = below
	}
	return method, path, ok
}
