package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/internal/declared"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A workspace may declare clients and message buses of its own in sextant.toml. The calls of
// declared functions are read from the text of the files that call functions of these names when a
// question needs them. So a new declaration needs no new index.

// StrategyDeclared marks an edge from a call that the workspace declares in sextant.toml.
const StrategyDeclared = "declared"

// confidenceDeclared is the highest confidence of edges from declared calls, because nothing
// checks a declaration.
const confidenceDeclared = 0.8

// declaredBroker is the broker of declared messages whose declaration names none.
const declaredBroker = "declared"

// Declarations holds the declared calls of a workspace. Text returns the text of a file with the
// given hash, nil if it has changed or cannot be read.
type Declarations struct {
	Calls []declared.Call
	Text  func(path string, hash code.Hash) []byte
}

// declaredEnds holds the requests and messages of the calls that sextant.toml declares, by the id of the file.
type declaredEnds struct {
	fetches  map[int64][]fetch
	messages map[string]map[int64][]*message // role → id of the file → messages
}

// declarer reads calls of declared functions as requests, publications or consumers.
type declarer struct {
	*values.Reader
	declarations func() Declarations // nil if the workspace declares no calls
}

type declaredKey struct{}

// declaredEnds returns the requests and messages of all declared calls; none once the context has ended.
func (dc *declarer) declaredEnds() *declaredEnds {
	ends := resolve.Derive(dc.World, declaredKey{}, func() *declaredEnds {
		out := &declaredEnds{map[int64][]fetch{},
			map[string]map[int64][]*message{l2meta.RolePublish: {}, l2meta.RoleConsume: {}}}
		if dc.declarations == nil {
			return out
		}
		given := dc.declarations()
		for i := range given.Calls {
			d := &given.Calls[i]
			for _, id := range dc.World.Calling(d.Name()) {
				if f := dc.World.ByID(id); f != nil && f.Class != code.ClassTest && f.Class != code.ClassVendor {
					dc.declare(out, f, d)
				}
			}
		}
		return out
	})
	if ends == nil {
		return &declaredEnds{}
	}
	return ends
}

// declare adds to out the requests or messages of the calls of a declared function in f.
func (dc *declarer) declare(out *declaredEnds, f *resolve.File, d *declared.Call) {
	var r *services.Reader
	for _, i := range f.CallsOf(d.Name()) {
		c := &f.Calls()[i]
		if c.Kind != code.CallPlain && c.Kind != code.CallNew || !dc.isDeclared(f, i, d) {
			continue
		}
		if r == nil {
			if r = dc.TextReader(f); r == nil {
				return
			}
		}
		part := func(role declared.Role) string { return declaredText(r, c, role) }
		if d.Transport == declared.HTTP {
			url := part(d.Path)
			if service := part(d.Service); service != "" && !strings.Contains(url, "://") {
				url = folding.JoinURL("http://"+service, url)
			}
			url = folding.CleanURL(url)
			x := fetch{file: f, owner: c.Caller, at: c.NameSpan, text: url, url: hosts.TargetOf(values.Unnumbered(url)),
				declared: true, method: "*"}
			if m := folding.MethodOf(part(d.Method)); m != "" {
				x.method = m
			}
			out.fetches[f.ID] = append(out.fetches[f.ID], x)
			continue
		}
		role, broker := l2meta.RolePublish, declaredBroker
		if d.Transport == declared.Consume {
			role = l2meta.RoleConsume
		}
		if d.Broker != "" {
			broker = d.Broker
		}
		end := strings.Join([]string{broker, part(d.Topic), "", "", handlerText(r, c, d.Handler)}, "\t")
		for _, m := range spoken(dc.Reader, f, c.Caller, c.NameSpan, end) {
			m.declared = true
			out.messages[role][f.ID] = append(out.messages[role][f.ID], m)
		}
	}
}

// isDeclared reports whether a call runs the declared function d. If d has a qualifier, either the call's receiver or
// the type of the function that the call resolves to must have that name.
func (dc *declarer) isDeclared(f *resolve.File, call int, d *declared.Call) bool {
	qualifier := d.Qualifier()
	c := &f.Calls()[call]
	if qualifier == "" ||
		lookup.Folded(folding.LastWord(strings.TrimSuffix(c.Receiver, "()"))) == lookup.Folded(qualifier) {
		return true
	}
	fact := code.Fact{Span: c.NameSpan}
	target := dc.Target(f, &fact, d.Name())
	if !target.Valid() || target.Index < 0 {
		return false
	}
	before, _, _ := strings.Cut(target.Symbol().QualifiedName, "."+d.Name())
	return before[strings.LastIndexAny(before, ".:\\")+1:] == qualifier
}

// declaredText returns the folded text of the part of a call that role selects: an argument, or
// the fixed text of the role. It returns "" if the call has no such argument.
func declaredText(r *services.Reader, c *code.Call, role declared.Role) string {
	if role.At < 0 {
		return role.Text
	}
	args := r.Arguments(c)
	if role.At >= len(args) {
		return ""
	}
	return r.Fold(args[role.At], c.NameSpan.StartByte)
}

// handlerText returns the expression of a declared consumer's handler, "=>" for a function literal.
func handlerText(r *services.Reader, c *code.Call, role declared.Role) string {
	args := r.Arguments(c)
	if role.At < 0 || role.At >= len(args) {
		return role.Text
	}
	if handler := args[role.At]; !folding.IsFunction(handler) {
		return handler
	}
	return "=>"
}

// asDeclared limits the confidence of the edges of a declared call to confidenceDeclared, and
// marks them as declared.
func asDeclared(list []Crossing) []Crossing {
	for i := range list {
		list[i].Confidence = min(list[i].Confidence, confidenceDeclared)
		list[i].Strategy = StrategyDeclared
		if list[i].Provenance != "" {
			list[i].Provenance = "declared in sextant.toml; " + list[i].Provenance
		}
	}
	return list
}

// withDeclared adds the declared requests of f to list. They replace other requests at the same call.
func (dc *declarer) withDeclared(f *resolve.File, list []fetch) []fetch {
	own := dc.declaredEnds().fetches[f.ID]
	if len(own) == 0 {
		return list
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(x fetch) bool {
		return slices.ContainsFunc(own, func(o fetch) bool { return o.at.StartByte == x.at.StartByte })
	})
	return append(kept, own...)
}
