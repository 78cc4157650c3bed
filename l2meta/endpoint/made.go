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

// Some clients are classes of the program and receive their address when constructed: new
// OrderClient(config.ordersUrl). A field of the client then holds an argument of that call.

// madeWith returns the values (readings) that a field may have which holds a parameter of maker, a
// constructor or factory function in f. number is the position of the parameter, name its name,
// perhaps with a default. The values are the arguments of the calls that resolve to maker, or else
// the default. If there is none, madeWith returns the name in braces.
func (rd *reader) madeWith(f *resolve.File, maker, number, name string, depth int) (out []reading) {
	name, otherwise := services.Otherwise(name)
	parameter := strings.TrimLeft(lookup.LastName(name), "$")
	for _, c := range rd.makings(f, maker) {
		args := strings.Split(c.fact.Type, "\t")[1:]
		for _, value := range argumentTexts(args, []code.Parameter{{Name: parameter}}, number, parameter) {
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
			r.how = append([]string{fmt.Sprintf("%s is %s where nothing gives it", name, shown(otherwise))}, r.how...)
			out = append(out, r)
		}
		return out
	}
	return []reading{{text: "{" + name + "}"}}
}

// makings returns the calls outside of tests that run maker, a constructor or factory function in f.
func (rd *reader) makings(f *resolve.File, maker string) (out []call) {
	for _, id := range rd.World.Telling(l2meta.RolePass, maker) {
		from := rd.World.ByID(id)
		if from == nil || from.Class == code.ClassTest || from.Class == code.ClassGenerated {
			continue
		}
		for _, fact := range lookup.Endpoints(from, l2meta.RolePass) {
			if strings.HasPrefix(fact.Type, maker+"\t") && rd.makes(from, fact, maker, f) {
				out = append(out, call{from, fact})
			}
		}
	}
	return out
}

// withArgument appends to out the values (readings) of an argument that a constructor or factory function is given for
// the parameter called name, except those that out has.
func (rd *reader) withArgument(out []reading, by call, name, value string, depth int) []reading {
	for _, r := range rd.expand(by.file, by.fact.Owner, services.CleanURL(value), depth+1) {
		if len(out) == maxReadings || slices.ContainsFunc(out, func(o reading) bool { return o.text == r.text }) {
			continue
		}
		r.how = append([]string{fmt.Sprintf("%s is %s at %s:%d", name, shown(value), by.file.Path,
			by.fact.Span.StartLine)}, r.how...)
		r.rests = append([]string{by.file.Path}, r.rests...)
		out = append(out, r)
	}
	return out
}

// makes reports whether the call at a fact runs the constructor or factory function maker that f declares.
func (rd *reader) makes(from *resolve.File, fact *code.Fact, maker string, f *resolve.File) bool {
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

// call is a call with the fact that records the arguments that it passes.
type call struct {
	file *resolve.File
	fact *code.Fact
}
