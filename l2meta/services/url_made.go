package services

import (
	"strconv"
	"strings"

	"sextant/internal/code"
)

// A field holds what the constructor of its class was given: this.base of
// new OrderClient("http://orders"). Its hole names the constructor and the parameter,
// {@OrderClient#0:this.base}; l2meta/endpoint looks for what the calls pass.

// Made parts the text of a hole, "@OrderClient#0:this.base", into the function that gives
// the name its value, the number of the parameter that it is, and the name. It reports
// whether it is one.
func Made(hole string) (maker, number, name string, ok bool) {
	rest, ok := strings.CutPrefix(hole, "@")
	maker, rest, found := strings.Cut(rest, "#")
	number, name, named := strings.Cut(rest, ":")
	return maker, number, name, ok && found && named
}

// ofMaker returns what a value comes to that is given in one function and used in
// another: its parameters are those of the function that gives it.
func (d *folder) ofMaker(text string, given, used int) string {
	if !strings.Contains(text, "{#") {
		return text
	}
	own := d.function(given)
	if own < 0 || own == d.function(used) || d.f.Symbols[own].Span.Contains(code.Span{StartByte: used, EndByte: used}) {
		return text
	}
	return strings.ReplaceAll(text, "{#", "{@"+d.maker(own)+"#")
}

// constructors are what languages call a constructor that does not have its class's name.
var constructors = map[string]bool{"constructor": true, "__init__": true, "__construct": true, "initialize": true,
	"init": true, ".ctor": true}

// maker returns the name by which a function is called: the class's for a constructor.
func (d *folder) maker(function int) string {
	s := &d.f.Symbols[function]
	if s.Parent >= 0 && constructors[s.Name] {
		return d.f.Symbols[s.Parent].Name
	}
	return s.Name
}

// madeWith returns the hole of a name that a parameter of the constructor declares, of the
// class around a place: class Client(private val base: String), constructor(private base: string).
func (d *folder) madeWith(name, expr string, at, depth int) string {
	if dot := strings.LastIndexByte(expr, '.'); dot > 0 && (d.f.Language == "go" || d.f.Language == "rust") {
		return d.literally(name, at, depth)
	}
	if expr != name && expr != "this."+name && expr != "self."+name && expr != "$this->"+name {
		return ""
	}
	class := d.function(at)
	for class >= 0 && d.f.Symbols[class].Kind.Callable() {
		class = d.f.Symbols[class].Parent
	}
	if class < 0 {
		return ""
	}
	if p := numbered(d.f.Symbols[class].Parameters, name); p != "" {
		return "{@" + d.f.Symbols[class].Name + "#" + p + ":" + expr + "}"
	}
	if expr == name {
		return ""
	}
	for i := class + 1; i < len(d.f.Symbols) && d.f.Symbols[i].Span.StartByte < d.f.Symbols[class].Span.EndByte; i++ {
		s := &d.f.Symbols[i]
		if p := numbered(s.Parameters, name); s.Parent == class && constructors[s.Name] && p != "" {
			return "{@" + d.f.Symbols[class].Name + "#" + p + ":" + expr + "}"
		}
	}
	return ""
}

// literally returns what a literal gives to a field that is used at a place:
// &Client{base: base} of a function NewClient(base string). It is "" where that is no
// parameter of the function, and no text.
func (d *folder) literally(name string, at, depth int) string {
	if d.entries == nil {
		d.entries = map[string][]definition{}
		d.pairs(func(at, value int, name string) {
			if mentionsAddress(name) {
				d.entries[name] = append(d.entries[name], definition{at: at, value: value})
			}
		})
	}
	for _, def := range d.entries[name][:min(len(d.entries[name]), maxDefinitions)] {
		value := d.expression(def.value)
		own := d.function(def.at)
		if own < 0 || own == d.function(at) || !isPlain(value) {
			continue
		}
		if s := d.ofMaker(d.step(value, def.at, depth+1), def.at, at); strings.HasPrefix(s, "{@") ||
			strings.HasPrefix(s, "{env:") || strings.Contains(s, "://") {
			return s
		}
	}
	return ""
}

// numbered returns the number of the parameter of a name, "" for none.
func numbered(parameters []code.Parameter, name string) string {
	for i, p := range parameters {
		if strings.TrimLeft(p.Name, "$&*.") == name {
			return strconv.Itoa(i)
		}
	}
	return ""
}
