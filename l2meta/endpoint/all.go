package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/resolve"
)

// Answer is a route that a service serves.
type Answer struct {
	Via  string // "GET /items/{}"
	File *resolve.File
	At   code.Span
}

// Answers returns the routes of the workspace outside of tests and vendored code: first those that source declares,
// sorted by path and position, then those of generated interfaces.
func (j *Joiner) Answers() (out []Answer, err error) {
	for _, r := range j.http.routes() {
		if r.file.Class != code.ClassTest && r.file.Class != code.ClassVendor {
			out = append(out, Answer{r.via(), r.file, r.at})
		}
	}
	return out, j.World.Err()
}

// Handlers returns the callables that handle a route, in the order of Answers. name is a route as
// Answer.Via spells it, "GET /items/{}", or a request, "GET /items/5". If several routes match,
// it returns only the handlers of those that match most segments literally.
func (j *Joiner) Handlers(name string) (out []resolve.Ref, err error) {
	method, path, _ := strings.Cut(name, " ")
	asked, most := hosts.Segments(path), 0
	literal := slices.ContainsFunc(asked, func(segment string) bool { return !strings.HasPrefix(segment, "{") })
	for _, r := range j.http.routed().near(asked, false) {
		if method != "ANY" && r.method != "*" && r.method != method {
			continue
		}
		same, ok := j.http.meets(r, asked, 0)
		if !ok || same < most || same == 0 && literal && ofParameter(r) {
			continue
		}
		ref, _ := j.http.handler(r)
		if !ref.Valid() || ref.Index < 0 || slices.Contains(out, ref) {
			continue
		}
		if same > most {
			out, most = nil, same
		}
		out = append(out, ref)
	}
	return out, j.World.Err()
}

// ofParameter reports whether a parameter of the function that adds a route holds a part of its path, as in
// func add(path string, h Handler) { mux.Handle("/"+path, h) }. Only callers know which requests such a route answers.
func ofParameter(r *route) bool {
	return slices.ContainsFunc(r.path, func(segment string) bool { return strings.HasPrefix(segment, "{#") })
}

// Crossings returns the calls of a file into other services, ordered by the position of the
// calling symbols in the file.
func (j *Joiner) Crossings(f *resolve.File) (out []Crossing, err error) {
	for i := -1; i < len(f.Symbols); i++ {
		if i >= 0 && !f.Symbols[i].Kind.Callable() {
			continue
		}
		found, err := j.Outgoing(f.Ref(i))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}
