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

// Some clients are classes of the program and receive their address when constructed: new
// OrderClient(config.ordersUrl). A field of the client then holds an argument of that call.

// madeWith returns the values (readings) of a field that holds a parameter of maker, a
// constructor or factory function in f. number is the position of the parameter, name its name,
// perhaps with a default. The values are the arguments of the calls that resolve to maker; if
// there are none, the default; otherwise, the name in braces.
func (rd *Reader) madeWith(f *resolve.File, maker, number, name string, depth int) (out []Reading) {
	name, otherwise := folding.Otherwise(name)
	parameter := strings.TrimLeft(lookup.LastName(name), "$")
	for _, c := range rd.Makings(f, maker) {
		args := strings.Split(c.Fact.Type, "\t")[1:]
		for _, value := range ArgumentTexts(args, []code.Parameter{{Name: parameter}}, number, parameter) {
			if value == "{"+parameter+"}" || value == "" || strings.HasPrefix(value, "{#") {
				continue
			}
			out = rd.withArgument(out, c, name, value, depth)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case otherwise != "":
		for _, r := range rd.expand(f, -1, otherwise, depth+1) {
			r.How = append([]string{fmt.Sprintf("%s is %s where nothing gives it", name, Shown(otherwise))}, r.How...)
			out = append(out, r)
		}
		return out
	}
	return []Reading{{Text: "{" + name + "}"}}
}

// Makings returns the calls outside of tests that run maker, a constructor or factory function in f.
func (rd *Reader) Makings(f *resolve.File, maker string) (out []Call) {
	for _, id := range rd.World.Telling(l2meta.RolePass, maker) {
		from := rd.World.ByID(id)
		if from == nil || from.Class == code.ClassTest || from.Class == code.ClassGenerated {
			continue
		}
		for _, fact := range lookup.Endpoints(from, l2meta.RolePass) {
			if strings.HasPrefix(fact.Type, maker+"\t") && rd.makes(from, fact, maker, f) {
				out = append(out, Call{from, fact})
			}
		}
	}
	return out
}

// withArgument appends to out the values (readings) of the argument that a call passes to a
// constructor or factory function for the parameter called name, except those that out has.
func (rd *Reader) withArgument(out []Reading, by Call, name, value string, depth int) []Reading {
	for _, r := range rd.expand(by.File, by.Fact.Owner, folding.CleanURL(value), depth+1) {
		if len(out) == MaxReadings || slices.ContainsFunc(out, func(o Reading) bool { return o.Text == r.Text }) {
			continue
		}
		r.How = append([]string{fmt.Sprintf("%s is %s at %s:%d", name, Shown(value), by.File.Path,
			by.Fact.Span.StartLine)}, r.How...)
		r.Rests = append([]string{by.File.Path}, r.Rests...)
		out = append(out, r)
	}
	return out
}

// makes reports whether the call at a fact runs the constructor or factory function maker that f declares.
func (rd *Reader) makes(from *resolve.File, fact *code.Fact, maker string, f *resolve.File) bool {
	if target := rd.Target(from, fact, maker); target.Valid() {
		return target.File == f
	}
	if from == f {
		return true
	}
	rows, _ := rd.World.Named(maker)
	n, here := 0, false
	for _, row := range rows {
		if row.Class == code.ClassTest || !resolve.IsType(row.Kind) && !row.Kind.Callable() ||
			row.Kind == code.KindConstructor {
			continue
		}
		n++
		here = here || row.Path == f.Path
	}
	return n == 1 && here && rd.Services().Root(from.Path) == rd.Services().Root(f.Path)
}

// Call is a call and the fact that records its arguments.
type Call struct {
	File *resolve.File
	Fact *code.Fact
}
