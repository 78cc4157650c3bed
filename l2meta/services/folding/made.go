package folding

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
)

// A field can hold an argument of its class's constructor: this.base after new
// OrderClient("http://orders"). The hole of such a field names the constructor and the parameter,
// {@OrderClient#0:this.base}. l2meta/endpoint looks up the arguments of the calls.

// Made parses the text of a hole, "@OrderClient#0:this.base", into the function that sets the
// value, the number of its parameter, and the name; ok is false for other holes.
func Made(hole string) (maker, number, name string, ok bool) {
	rest, ok := strings.CutPrefix(hole, "@")
	maker, rest, found := strings.Cut(rest, "#")
	number, name, named := strings.Cut(rest, ":")
	return maker, number, name, ok && found && named
}

// OfMaker adapts a text that was folded in one function, at the offset given, to a use at the
// offset used. If the use is in another function, the hole of a parameter, {#0:base}, gets the
// name of the function with the parameter: {@NewClient#0:base}.
func (d *Folder) OfMaker(text string, given, used int) string {
	if !strings.Contains(text, "{#") {
		return text
	}
	own := d.Function(given)
	if own < 0 || own == d.Function(used) || d.f.Symbols[own].Span.Contains(code.Span{StartByte: used, EndByte: used}) {
		return text
	}
	return strings.ReplaceAll(text, "{#", "{@"+maker(d.f, own)+"#")
}

// constructors lists the names of constructors in languages that do not name them after the
// class.
var constructors = map[string]bool{"constructor": true, "__init__": true, "__construct": true, "initialize": true,
	"init": true, ".ctor": true}

// IsConstructor reports whether a function has the name of a constructor.
func IsConstructor(name string) bool { return constructors[name] }

// maker returns the name by which calls refer to a function: for a constructor, the name of its
// class.
func maker(f *code.File, function int) string {
	s := &f.Symbols[function]
	if s.Parent >= 0 && constructors[s.Name] {
		return f.Symbols[s.Parent].Name
	}
	return s.Name
}

// madeWith returns the hole {@Client#0:base} for a field that a parameter of the constructor declares, in the class
// around a byte offset: class Client(private val base: String), constructor(private base: string). In Go and Rust, it
// reads the struct literal that sets the field. It returns "" for any other expression.
func (d *Folder) madeWith(name, expr string, at, depth int) string {
	if dot := strings.LastIndexByte(expr, '.'); dot > 0 && (d.f.Language == "go" || d.f.Language == "rust") {
		return d.literally(name, at, depth)
	}
	if expr != name && expr != "this."+name && expr != "self."+name && expr != "$this->"+name {
		return ""
	}
	class := d.Function(at)
	for class >= 0 && d.f.Symbols[class].Kind.Callable() {
		class = d.f.Symbols[class].Parent
	}
	if class < 0 {
		return ""
	}
	if hole := d.declared(class, d.f.Symbols[class].Parameters, name, expr); hole != "" {
		return hole
	}
	if expr == name {
		return ""
	}
	for i := class + 1; i < len(d.f.Symbols) && d.f.Symbols[i].Span.StartByte < d.f.Symbols[class].Span.EndByte; i++ {
		s := &d.f.Symbols[i]
		if s.Parent != class || !constructors[s.Name] {
			continue
		}
		if hole := d.declared(class, s.Parameters, name, expr); hole != "" {
			return hole
		}
	}
	return ""
}

// declared returns the hole {@Client#0:expr} of the parameter called name of a class's constructor, with the
// parameter's default if that may be a part of an address or a topic. It returns "" if there is no such parameter.
func (d *Folder) declared(class int, parameters []code.Parameter, name, expr string) string {
	at, p := numbered(parameters, name)
	if at == "" {
		return ""
	}
	hole := "{@" + d.f.Symbols[class].Name + "#" + at + ":" + expr + "}"
	if value := d.literalDefault(p); value != "" {
		hole, _ = withOtherwise(hole, value)
	}
	return hole
}

// literally returns the value of a field in a struct literal: &Client{base: base} in a function
// NewClient(base string). It returns "" if the value is neither a parameter of that function nor
// an address.
func (d *Folder) literally(name string, at, depth int) string {
	entries := d.addressEntries(name)
	for _, def := range entries[:min(len(entries), MaxDefinitions)] {
		value := d.Expression(def.Value)
		own := d.Function(def.at)
		if m := convertedField.FindStringSubmatch(value); m != nil { // base: base.into() of Rust
			value = m[1]
		}
		if own < 0 || own == d.Function(at) || !IsPlain(value) {
			continue
		}
		if s := d.OfMaker(d.Step(value, def.at, depth+1), def.at, at); strings.HasPrefix(s, "{@") ||
			strings.HasPrefix(s, "{env:") || strings.Contains(s, "://") {
			return s
		}
	}
	return d.shorthand(name, at)
}

// addressEntries returns the entries of object literals whose key is a name, if it is named after an address.
func (d *Definitions) addressEntries(name string) []Definition {
	if d.entries == nil {
		d.entries = map[string][]Definition{}
		d.pairs(func(at, value int, name string) {
			if MentionsAddress(name) {
				d.entries[name] = append(d.entries[name], Definition{at: at, Value: value})
			}
		})
	}
	return d.entries[name]
}

// convertedField matches a parameter that a struct literal of Rust converts.
var convertedField = regexp.MustCompile(
	`^([a-z_]\w*)(?:\.(?:into|to_string|to_owned|clone|as_str|as_ref|trim|trim_end_matches)\([^()]*\))+$`)

// shorthand returns the hole of the parameter that a struct literal of Rust gives a field of its name: Self { base,
// http } in a function new(base: String). It returns "" unless only one function does.
func (d *Definitions) shorthand(name string, at int) (hole string) {
	if d.f.Language != "rust" || !MentionsAddress(name) {
		return ""
	}
	for i := range d.f.Symbols {
		s := &d.f.Symbols[i]
		p := ""
		if s.Kind.Callable() && i != d.Function(at) {
			p, _ = numbered(s.Parameters, name)
		}
		if p == "" {
			continue
		}
		body := d.Text[s.NameSpan.EndByte:s.Span.EndByte]
		for _, m := range structLiteral.FindAllStringIndex(body, MaxDefinitions) {
			if slices.Contains(ListItems(body[m[1]:]), name) {
				if hole != "" {
					return ""
				}
				hole = "{@" + maker(d.f, i) + "#" + p + ":" + name + "}"
				break
			}
		}
	}
	return hole
}

// structLiteral matches the head of a struct literal of Rust: Self {, Client {.
var structLiteral = regexp.MustCompile(`\b(?:Self|[A-Z]\w*)\s*\{`)

// numbered returns the parameter called name and its index as a decimal number, "" if there is none.
func numbered(parameters []code.Parameter, name string) (at string, p code.Parameter) {
	if len(parameters) > 0 && IsSelf(parameters[0]) {
		parameters = parameters[1:]
	}
	for i, p := range parameters {
		if BareName(p) == name {
			return strconv.Itoa(i), p
		}
	}
	return "", code.Parameter{}
}
