package values

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Programs register the address of an HTTP client at startup and use the client in a class:
// services.AddHttpClient<Stock>(c => c.BaseAddress = …), AddHttpClient("stock", …). Requests of the
// class Stock are relative to that address. Requests of "{client:stock}/x" are relative to the
// address of the client registered by that name.

// Below returns the URLs (readings) of a relative text below each address that is registered for
// a class or client called name. If the service of f registers the name itself, other services'
// registrations do not count.
func (rd *Reader) Below(f *resolve.File, name, text string) (out []Reading) {
	given := rd.Bases(name)
	own := func(b Base) bool { return rd.Services().Root(b.File.Path) == rd.Services().Root(f.Path) }
	registered := slices.ContainsFunc(given, own)
	for _, b := range given {
		if registered && !own(b) || !registered && (rd.Declares(b.File, name) || strings.HasPrefix(name, `"`)) {
			continue // the service registers another class of that name
		}
		for _, r := range rd.Readings(b.File, b.Fact.Owner, b.Text) {
			if len(out) == MaxReadings {
				return out
			}
			r.Text = folding.JoinURL(r.Text, text)
			r.How = append([]string{fmt.Sprintf("%s is given its address at %s:%d", name, b.File.Path,
				b.Fact.Span.StartLine)}, r.How...)
			r.Rests = append(slices.Clip(r.Rests), b.File.Path)
			out = append(out, r)
		}
	}
	return out
}

// Base is a registration of a base address for a class of clients: Fact, in File, with the folded
// address in Text.
type Base struct {
	File *resolve.File
	Fact *code.Fact
	Text string
}

// Bases returns the base addresses that are registered for a class or client called class.
func (rd *Reader) Bases(class string) (out []Base) {
	for _, f := range rd.Files(l2meta.RoleBase) {
		for _, fact := range lookup.Endpoints(f, l2meta.RoleBase) {
			if part := append(strings.Split(fact.Type, "\t"), "", ""); part[2] == class {
				out = append(out, Base{f, fact, part[1]})
			}
		}
	}
	return out
}
