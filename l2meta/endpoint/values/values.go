// Package values fills the holes of folded texts: {env:CART_ADDR}/items becomes http://cart:80/items.
//
// A hole is filled by facts of other files: the value of a setting in a manifest, a constant or field, the result of a
// function, an injected section of settings, or the argument that calls pass. One text may have several values
// (readings), each with its evidence and the files that it depends on. Their number and the depth of the search are
// bounded. A hole without a known value stays in the text.
package values

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Reading is one value that a text such as "{ORDERS_URL}/items" may have. Its holes, the unknown
// parts in braces, are filled by facts of other files, whose paths are in Rests.
type Reading struct {
	Text  string
	How   []string // one line for each hole that was filled
	Keys  []string // the settings among these holes
	Rests []string

	Chosen bool // whether it is one of several results of a function, each of which may occur
	// whether it is a setting to which a scheme was added, so that it can be read as an address:
	// http://api/v1 for api/v1
	bare bool
}

// Reader fills the holes of texts, the parts in braces that their file does not define, by facts of other files:
// constants, settings, functions that compose addresses, and arguments of constructors.
type Reader struct {
	*hosts.Network

	// Source returns the text of a file with the given hash, nil if it has changed or cannot be read. It may be nil.
	Source func(path string, hash code.Hash) []byte
}

const (
	MaxReadings = 6 // largest number of readings of one text
	maxDepth    = 5 // largest depth of texts within texts
)

// Readings returns the values that a text such as "{ORDERS_URL}/items" may have in the symbol owner of f. It returns
// at least one: the text itself if no hole can be filled.
func (rd *Reader) Readings(f *resolve.File, owner int, text string) []Reading {
	return rd.expand(f, owner, text, 0)
}

func (rd *Reader) expand(f *resolve.File, owner int, text string, depth int) []Reading {
	start := strings.IndexByte(text, '{')
	if start < 0 || depth > maxDepth {
		return []Reading{{Text: text}}
	}
	end := start + strings.IndexByte(text[start:], '}')
	if end < start {
		return []Reading{{Text: text}}
	}
	heads := rd.fill(f, owner, text[start+1:end], depth)
	if len(heads) == 0 {
		heads = []Reading{{Text: text[start : end+1]}}
	}
	var out []Reading
	for _, tail := range rd.expand(f, owner, text[end+1:], depth) {
		for _, h := range heads {
			if len(out) == MaxReadings {
				return out
			}
			if strings.HasSuffix(text[:start], "://") { // the text has the scheme, and the value may repeat it
				if _, behind, ok := strings.Cut(h.Text, "://"); ok {
					h.Text = behind
				}
			}
			if h.bare && strings.HasSuffix(text[:start], "/") { // the setting is part of a path: http://orders/{PATH}
				h.Text = strings.TrimPrefix(h.Text, "http://")
			}
			out = append(out, Reading{
				bare:  h.bare && start == 0,
				Text:  join(schemed(text[:start], h.Text), tail.Text),
				How:   append(slices.Clip(h.How), tail.How...),
				Keys:  append(slices.Clip(h.Keys), tail.Keys...),
				Rests: append(slices.Clip(h.Rests), tail.Rests...), Chosen: h.Chosen || tail.Chosen,
			})
		}
	}
	return out
}

// schemed joins the value of a hole to the text before it, with a single scheme: for http://{HOST},
// where HOST is http://cart.
func schemed(before, text string) string {
	if _, host, ok := strings.Cut(text, "://"); ok && strings.HasSuffix(before, "://") {
		return before + host
	}
	return before + text
}

// join joins the value of a hole and the rest of the URL, with a single slash between them.
func join(a, b string) string {
	if strings.HasSuffix(a, "/") && strings.HasPrefix(b, "/") {
		return a + b[1:]
	}
	return a + b
}

// fill returns the values of a hole, the text within braces such as env:ORDERS_URL, or nil if its
// value is unknown.
func (rd *Reader) fill(f *resolve.File, owner int, hole string, depth int) []Reading {
	if key, otherwise, ok := folding.Setting(hole); ok {
		return rd.setting(f, key, otherwise, depth)
	}
	if maker, number, name, ok := folding.Made(hole); ok {
		return rd.madeWith(f, maker, number, name, depth)
	}
	if number, member, ok := strings.Cut(strings.TrimPrefix(hole, "#"), ":"); ok && strings.Contains(number, ".") &&
		strings.HasPrefix(hole, "#") {
		// the type of the holder may determine the value of state.settings.stockUrl
		hole, _ = folding.Otherwise(member)
	} else if strings.HasPrefix(hole, "#") || hole == "" {
		return nil // callers determine the value of a parameter
	}
	if name, ok := strings.CutPrefix(hole, "client:"); ok {
		return rd.Below(f, `"`+name+`"`, "")
	}
	if name, given, ok := folding.Called(hole); ok {
		return rd.called(f, owner, name, given, depth)
	}
	// for example, settings.getTopics().getPaid()
	if own := strings.TrimPrefix(hole, "this."); accessors.MatchString(own) {
		if bound := rd.ofSection(f, strings.Split(strings.ReplaceAll(own, "()", ""), "."), depth); len(bound) > 0 {
			return bound
		}
	}
	hole, _, _ = strings.Cut(hole, " ")
	name, args := hole, []string(nil)
	if open := strings.IndexByte(hole, '('); open > 0 {
		name, args = hole[:open], folding.ListItems(hole[open+1:])
	}
	steps := strings.FieldsFunc(strings.TrimPrefix(name, "await "),
		func(r rune) bool { return !lookup.Letter(byte(min(r, 0x80))) })
	if len(steps) == 0 {
		return nil
	}
	if len(args) == 0 && strings.HasSuffix(hole, "()") && len(steps) > 1 && len(rd.ofConstant(f, owner, steps)) == 0 {
		if out := rd.called(f, owner, strings.Join(steps, "."), nil, depth); !IsUnknownCall(out[0].Text) {
			return out
		}
	}
	var out []Reading
	if bound := rd.ofSection(f, steps, depth); len(bound) > 0 {
		return bound
	}
	for _, t := range rd.textsOf(f, owner, steps) {
		if t.file == f && t.Fact.Owner == owner && owner >= 0 {
			continue // the function calls itself
		}
		value := passed(t.Value, args)
		for _, r := range rd.expand(t.file, t.Fact.Owner, value, depth+1) {
			if t.file != f {
				r.Rests = append([]string{t.file.Path}, r.Rests...)
			}
			r.How = append([]string{fmt.Sprintf("%s is %s at %s:%d", strings.Join(steps, "."), Shown(t.Value),
				t.file.Path, t.Fact.Span.StartLine)}, r.How...)
			if out = append(out, r); len(out) == MaxReadings {
				return out
			}
		}
	}
	if len(out) == 0 {
		return rd.injected(f, owner, steps, depth)
	}
	return out
}

// accessors matches a chain of calls that read members of members: settings.getTopics().getPaid().
var accessors = regexp.MustCompile(`^\w+(?:\.\w+\(\)){2,}$`)

// passed replaces the parameters in a text, "{#0:base}/x", by arguments. A parameter whose argument is unknown
// becomes its default, or else its name, "{base}", without a number, so that no other caller fills it.
func passed(text string, args []string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "{#")
		if i < 0 {
			return b.String() + text
		}
		end := i + strings.IndexByte(text[i:], '}')
		if end < i {
			return b.String() + text
		}
		number, name, _ := strings.Cut(text[i+2:end], ":")
		b.WriteString(text[:i])
		if n := lookup.Digits(number); n >= 0 && n < len(args) && number != "" {
			b.WriteString(argumentText(args[n]))
		} else {
			b.WriteString(notGiven(name))
		}
		text = text[end+1:]
	}
}

// notGiven returns the text of a parameter for which a call passes no known argument: its
// default; if it has none, its name in braces.
func notGiven(name string) string {
	name, otherwise := folding.Otherwise(name)
	return cmp.Or(otherwise, "{"+name+"}")
}

// ByDefault returns a text with each parameter that has a default replaced by it: http://orders for
// {#0:base|http%3A%2F%2Forders}.
func ByDefault(text string) string {
	return parameterHole.ReplaceAllStringFunc(text, func(hole string) string {
		if _, otherwise := folding.Otherwise(strings.Trim(hole, "{}")); otherwise != "" {
			return otherwise
		}
		return hole
	})
}

// parameterHole matches a parameter in a text: {#0:base}.
var parameterHole = regexp.MustCompile(`\{#[^{}]*\}`)

// argumentText converts an argument as written into a text: orders for "orders", {env:app.url} for
// config.get("app.url"), and {id} for any other expression.
func argumentText(arg string) string {
	if n := len(arg); n > 1 && (arg[0] == '"' || arg[0] == '\'') && arg[n-1] == arg[0] {
		return arg[1 : n-1]
	}
	if key, otherwise := folding.SettingOf(arg); key != "" {
		return folding.SettingHole(key, otherwise)
	}
	return "{" + arg + "}"
}

// Shown formats a text for display: settings are reduced to their keys, and calls are written as in code.
func Shown(text string) string {
	return holes(Unnumbered(text), func(hole string) string {
		if key, _, ok := folding.Setting(hole); ok {
			return key
		}
		return calledShown(hole)
	})
}

// Unnumbered returns a text without the parameter numbers in its holes: {base}/x for {#0:base}/x.
func Unnumbered(text string) string {
	return holes(text, func(hole string) string {
		if strings.HasPrefix(hole, "#") || strings.HasPrefix(hole, "@") {
			_, hole, _ = strings.Cut(hole, ":")
			hole, _ = folding.Otherwise(hole)
		}
		return hole
	})
}

// holes replaces the text between each pair of braces by the result of other for that text.
func holes(text string, other func(string) string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '{')
		end := i + strings.IndexByte(text[max(i, 0):], '}')
		if i < 0 || end < i {
			return b.String() + text
		}
		b.WriteString(text[:i] + "{" + other(text[i+1:end]) + "}")
		text = text[end+1:]
	}
}

// setting returns the values (readings) of a setting in a file's service: from the service's configuration or
// deployment, else from settings shared by all services, else from the default in the code. Values of other services
// do not count.
func (rd *Reader) setting(f *resolve.File, key, otherwise string, depth int) (out []Reading) {
	own, shared := rd.Settings().Of(key, rd.Services().Root(f.Path))
	list := own
	if len(list) == 0 {
		list = shared
	}
	for _, v := range list {
		if v.Text == "" { // each installation sets its own value
			continue
		}
		for _, r := range rd.expandSetting(f, hosts.Address(v.Text), depth) {
			r.How = append([]string{fmt.Sprintf("%s is %s in %s:%d", key, Shown(v.Text), v.File, v.Line)}, r.How...)
			r.Rests, r.Keys = append([]string{v.File}, r.Rests...), append(slices.Clip(r.Keys), key)
			r.bare = hosts.Address(v.Text) != v.Text
			if !slices.ContainsFunc(out, func(o Reading) bool { return o.Text == r.Text }) {
				out = append(out, r)
			}
		}
	}
	if len(out) == 0 && otherwise != "" {
		for _, r := range rd.expandSetting(f, folding.Placeholders(otherwise), depth) {
			r.How = append([]string{fmt.Sprintf("%s is %s where nothing sets it", key, otherwise)}, r.How...)
			r.Keys = append(slices.Clip(r.Keys), key)
			out = append(out, r)
		}
	}
	return out[:min(len(out), MaxReadings)]
}

// expandSetting expands the references to other settings in a setting's value.
func (rd *Reader) expandSetting(f *resolve.File, value string, depth int) []Reading {
	if depth >= maxDepth {
		return nil
	}
	return rd.expand(f, -1, value, depth+1)
}
