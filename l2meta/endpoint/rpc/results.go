package rpc

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
)

// source returns the expression whose value, or one of whose elements, a text represents: clients for clients#each,
// which is client in "for (const client of clients)", and pool.get(id) for the parameter of the function in
// pool.get(id).then((client) => …). It returns any other text as it is.
func (rj *Joiner) source(f *resolve.File, text string) string {
	text = strings.TrimSuffix(text, "#"+string(code.MarkEach))
	if !strings.HasPrefix(text, string(code.FormParameter)+"(") {
		return text
	}
	outer := lookup.Arguments(text)
	if len(outer) != 2 || outer[1] != "0" || !strings.HasPrefix(outer[0], string(code.FormArgument)+"(") {
		return text
	}
	inner := lookup.Arguments(outer[0])
	if len(inner) < 2 || inner[1] != "0" {
		return text
	}
	dot := strings.LastIndexByte(inner[0], '.')
	if dot < 0 || !slices.Contains(rj.World.Language(f.Language).Stubs.Passing, strings.TrimSpace(inner[0][dot+1:])) {
		return text
	}
	return strings.TrimSpace(inner[0][:dot])
}

// returned returns the types and values of the results of the function called name near f, as facts of the file that
// declares it, and that file. If none is near, it is the function of another file to which the calls of that name
// within the symbol from resolve: get for pool.get(id) with the pool of a shared package. It returns no facts for a
// function of f itself.
func (rj *Joiner) returned(f *resolve.File, from int, name string) (*resolve.File, []*code.Fact) {
	ref := rj.Named(f, name)
	if !ref.Valid() {
		ref = rj.called(f, from, name)
	}
	if !ref.Valid() || ref.File == f {
		return f, nil
	}
	var out []*code.Fact
	for _, fact := range ref.File.FactsOf(ref.Index) {
		if fact.Kind == code.FactResult || fact.Kind == code.FactReturn {
			out = append(out, fact)
		}
	}
	return ref.File, out
}

// called returns the function to which all calls of that name within a symbol of f resolve, as far as they do. It
// returns the zero Ref if none does, or if they lead to several.
func (rj *Joiner) called(f *resolve.File, from int, name string) (out resolve.Ref) {
	for _, i := range f.CallsOf(name) {
		if c := f.Site(i); f.Callable(c.Caller) != f.Callable(from) {
			continue
		}
		s, ok, err := rj.Resolver.At(f.Reference(i))
		switch {
		case err != nil || !ok || s.Outcome != resolve.Settled: // World.Err returns the error later
		case out.Valid() && out != s.Target:
			return resolve.Ref{}
		default:
			out = s.Target
		}
	}
	return out
}
