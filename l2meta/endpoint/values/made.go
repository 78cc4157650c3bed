package values

import (
	"fmt"
	"regexp"
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
// there are none, the default; otherwise, those of a member by its name, or the name in braces.
func (rd *Reader) madeWith(f *resolve.File, maker, number, name string, depth int) (out []Reading) {
	name, otherwise := folding.Otherwise(name)
	for _, g := range rd.Given(f, maker, number, name) {
		out = rd.withArgument(out, g.Call, name, g.Text, depth)
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
	case strings.Contains(number, "."): // the type of the holder may determine the value of properties.baseUrl
		return rd.expand(f, -1, "{"+name+"}", depth+1)
	}
	return []Reading{{Text: "{" + name + "}"}}
}

// Given is the text that a call passes for a parameter of the function that it runs.
type Given struct {
	Call
	Text string
}

// Given returns the texts that calls pass for a parameter of maker, a constructor or factory function in f. number is
// the position of the parameter, name its name, perhaps with the object that holds it. If a call passes a parameter of
// the function around it, as in new Audit(topic) in start(topic), the calls of that function count in its place.
func (rd *Reader) Given(f *resolve.File, maker, number, name string) []Given {
	return rd.given(f, maker, number, strings.TrimLeft(lookup.LastName(name), "$"), maxGiven)
}

// maxGiven is the largest number of functions that pass a parameter on to a constructor.
const maxGiven = 3

func (rd *Reader) given(f *resolve.File, maker, number, parameter string, steps int) (out []Given) {
	calls := rd.Makings(f, maker)
	if len(calls) == 0 {
		calls = rd.written(f, maker)
	}
	for _, c := range calls {
		args := strings.Split(c.Fact.Type, "\t")[1:]
		for _, text := range ArgumentTexts(args, []code.Parameter{{Name: parameter}}, number, parameter) {
			around := c.File.Ref(c.File.Callable(c.Fact.Owner))
			handed := handedOn.FindStringSubmatch(text)
			switch {
			case text == "" || text == "{"+parameter+"}":
			case handed != nil && steps > 0 && around.Index >= 0:
				for _, name := range rd.CallNames(around) {
					out = append(out, rd.given(c.File, name, handed[1], handed[2], steps-1)...)
				}
			case !strings.HasPrefix(text, "{#"):
				out = append(out, Given{c, text})
			}
		}
	}
	return out
}

// handedOn matches an argument that is a parameter of the function around the call, or a member of one.
var handedOn = regexp.MustCompile(`^\{#([\d.\w]+):(?:[^{}]*\.)?([^{}.]+)\}$`)

// Makings returns the calls outside of tests that run maker, a constructor or factory function in f.
func (rd *Reader) Makings(f *resolve.File, maker string) (out []Call) {
	for _, id := range rd.World.Telling(l2meta.RolePass, maker) {
		from := rd.World.Peer(id, f.Language)
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
