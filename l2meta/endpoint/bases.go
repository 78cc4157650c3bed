package endpoint

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Programs register the address of an HTTP client at startup and use the client in a class:
// services.AddHttpClient<Stock>(c => c.BaseAddress = …), AddHttpClient("stock", …). Requests of the
// class Stock are relative to that address. Requests of "{client:stock}/x" are relative to the
// address of the client registered by that name.

// below returns the URLs (readings) of a relative text below each address that is registered for a class or client
// called name. If the service of f registers the name itself, other services' registrations do not count.
func (rd *reader) below(f *resolve.File, name, text string) (out []reading) {
	given := rd.bases(name)
	own := func(b base) bool { return rd.Services().Root(b.file.Path) == rd.Services().Root(f.Path) }
	registered := slices.ContainsFunc(given, own)
	for _, b := range given {
		if registered && !own(b) || !registered && (rd.Declares(b.file, name) || strings.HasPrefix(name, `"`)) {
			continue // it registers another class of that name
		}
		for _, r := range rd.readings(b.file, b.fact.Owner, b.text) {
			if len(out) == maxReadings {
				return out
			}
			r.text = services.JoinURL(r.text, text)
			r.how = append([]string{fmt.Sprintf("%s is given its address at %s:%d", name, b.file.Path,
				b.fact.Span.StartLine)}, r.how...)
			r.rests = append(slices.Clip(r.rests), b.file.Path)
			out = append(out, r)
		}
	}
	return out
}

// base is a registration of a base address for a class of clients: fact, in file, with the folded
// address in text.
type base struct {
	file *resolve.File
	fact *code.Fact
	text string
}

func (rd *reader) bases(class string) (out []base) {
	for _, f := range rd.Files(l2meta.RoleBase) {
		for _, fact := range lookup.Endpoints(f, l2meta.RoleBase) {
			if part := append(strings.Split(fact.Type, "\t"), "", ""); part[2] == class {
				out = append(out, base{f, fact, part[1]})
			}
		}
	}
	return out
}
