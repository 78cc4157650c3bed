package endpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// A writer or a reader of a broker may be constructed with its topic in one function, passed to
// constructors, and used in a method:
//
//	func NewProducer(topic string) *Producer { return &Producer{w: &kafka.Writer{Topic: topic}} }
//	func (p *Producer) Publish(m kafka.Message) error { return p.w.WriteMessages(ctx, m) }
//	paid := NewProducer("paid")
//	paid.Publish(m)
//
// A method uses the topics with which values of its type are constructed. If there are several, the
// variable on which the method is called determines the topic. Each call of a publishing method
// counts as a publication; a consuming method counts as one consumer.

// user is a function that publishes or consumes through a writer or reader which was constructed
// with its topic elsewhere.
type user struct {
	resolve.Ref
	broker, role string
}

type carriedKey struct{ role string }

// carried returns the messages of writers or readers that are constructed with their topic in one
// function and used in another. role is l2meta.RolePublish or l2meta.RoleConsume.
func (mj *messageJoiner) carried(role string) relays {
	return resolve.Derive(mj.World, carriedKey{role}, func() relays {
		out := relays{map[int64][]*message{}, map[resolve.Ref]bool{}}
		for _, f := range mj.Files(role) {
			if f.Class == code.ClassTest || f.Class == code.ClassGenerated {
				continue
			}
			for _, fact := range lookup.Endpoints(f, role) {
				part := endsOf(fact.Type)
				u := user{f.Ref(f.Callable(fact.Owner)), part[0], role}
				switch {
				case u.Index < 0:
				case part[1] == services.Carried:
					mj.carry(u, fact, mj.carriersOf(u), out)
				case role == l2meta.RolePublish && ofMaker(part[1]) && mj.usedOutside(u.Ref):
					mj.carry(u, fact, mj.madeEnds(f, fact), out)
				case role == l2meta.RolePublish:
					mj.carry(u, fact, mj.heirsEnds(u, fact), out)
				}
			}
		}
		for _, list := range out.by {
			slices.SortStableFunc(list, func(a, b *message) int {
				return cmp.Or(a.at.StartByte-b.at.StartByte, strings.Compare(a.key, b.key))
			})
		}
		return out
	})
}

// ofMaker reports whether a topic is a field that a constructor or a factory function sets to a parameter:
// {@NewProducer#1:topic}.
func ofMaker(key string) bool {
	return strings.HasPrefix(key, "{@") && strings.Count(key, "{") == 1 && key[len(key)-1] == '}'
}

// madeEnds returns the messages of a fact whose topic is an argument of a constructor, one for
// each call of the constructor and each topic, at the position of that call.
func (mj *messageJoiner) madeEnds(f *resolve.File, fact *code.Fact) (out []*message) {
	part := endsOf(fact.Type)
	maker, number, name, _ := folding.Made(strings.Trim(part[1], "{}"))
	name, _ = folding.Otherwise(name)
	for _, g := range mj.Given(f, maker, number, name) {
		text := strings.Join([]string{part[0], folding.CleanURL(g.Text), part[2], part[3], part[4]}, "\t")
		for _, m := range spoken(mj.Reader, g.File, g.Fact.Owner, g.Fact.Span, text) {
			m.how = append([]string{fmt.Sprintf("%s is given %s", maker, values.Shown(g.Text))}, m.how...)
			out = append(out, m)
		}
	}
	return out
}

// carry adds to out the messages that the function u publishes or consumes, for each topic with
// which its writer or reader may have been constructed. all holds these writers or readers.
func (mj *messageJoiner) carry(u user, fact *code.Fact, all []*message, out relays) {
	if len(all) == 0 {
		return
	}
	add := func(f *resolve.File, owner int, at code.Span, given []*message, among bool) {
		for _, m := range given {
			x := *m
			x.file, x.owner, x.at, x.through = f, owner, at, nil
			x.among, x.helper = among && !oneTopic(given), u.File
			x.how = append(slices.Clip(m.how), fmt.Sprintf("%s %s the topic at %s:%d", u.Symbol().QualifiedName,
				m.gives(), m.file.Path, m.at.StartLine))
			x.rests = append(slices.Clip(m.rests), m.file.Path, u.File.Path)
			if !slices.ContainsFunc(out.by[f.ID], x.same) {
				out.by[f.ID] = append(out.by[f.ID], &x)
			}
		}
	}
	calls := callsOf(mj.Workspace, u.Ref)
	var meant []*message // writers or readers that some call of u uses
	among := false
	for _, c := range calls {
		given, known := mj.carriersAt(c, all)
		among = among || !known && len(calls) > 1
		meant = append(meant, given...)
		if u.role == l2meta.RolePublish {
			add(c.file, c.call.Caller, c.call.NameSpan, given, !known && len(calls) > 1)
		}
	}
	out.helpers[u.Ref] = true
	if u.role == l2meta.RoleConsume || len(calls) == 0 {
		if len(calls) == 0 {
			meant = all
		}
		add(u.File, fact.Owner, fact.Span, meant, among)
	}
}

func oneTopic(list []*message) bool {
	return !slices.ContainsFunc(list, func(m *message) bool { return m.key != list[0].key })
}

// carriersOf returns the writers or readers that the function u may use: those constructed for
// its type. If there are none, it returns those of its service, if all of them have one topic.
func (mj *messageJoiner) carriersOf(u user) (out []*message) {
	made := map[string]string{l2meta.RolePublish: l2meta.RoleWriter, l2meta.RoleConsume: l2meta.RoleReader}[u.role]
	root := mj.Services().Root(u.File.Path)
	var beside []*message
	names := mj.holding(u.Ref)
	for _, m := range mj.messages(made) {
		switch {
		case m.broker != u.broker || m.key == "" || mj.Services().Root(m.file.Path) != root:
		case m.caller() == u.Ref || m.makes(names):
			out = append(out, m)
		default:
			beside = append(beside, m)
		}
	}
	if len(out) == 0 && len(beside) > 0 && oneTopic(beside) {
		return beside
	}
	return out
}

// holding returns the names of the type that declares a function and of the types of its fields, nil if no type
// declares it.
func (mj *messageJoiner) holding(ref resolve.Ref) []string {
	name := ref.Symbol().QualifiedName
	dot := strings.LastIndexAny(name, ".:")
	if dot < 0 {
		return nil
	}
	names := []string{lookup.LastName(name[:dot])}
	for _, t := range mj.TypesNamed(names[0], ref.File.Language) {
		if mj.Services().Root(t.File.Path) != mj.Services().Root(ref.File.Path) {
			continue
		}
		for _, fact := range t.File.FactsOf(t.Index) {
			if fact.Kind == code.FactField {
				names = append(names, l2meta.TypeName(strings.TrimLeft(fact.Type, "*&")))
			}
		}
	}
	return names
}

// makes reports whether m is a writer or reader of one of the named types: the function that
// constructs m, or a function that passes its topic on, is a member of such a type or returns one.
func (m *message) makes(names []string) bool {
	return slices.ContainsFunc(append(slices.Clip(m.through), m.caller()), func(maker resolve.Ref) bool {
		if maker.Index < 0 {
			return false
		}
		if t := maker.File.Type(maker.Index); t >= 0 && slices.Contains(names, maker.File.Symbols[t].Name) {
			return true
		}
		return slices.ContainsFunc(maker.File.FactsOf(maker.Index), func(fact *code.Fact) bool {
			return fact.Kind == code.FactResult &&
				slices.ContainsFunc(lookup.ResultTypes(fact.Type), func(t string) bool { return slices.Contains(names, t) })
		})
	})
}

// callSite is a call in a file.
type callSite struct {
	file *resolve.File
	call *code.Call
}

// callsOf returns the calls of a function outside of tests, including calls through an interface.
func callsOf(ws *lookup.Workspace, ref resolve.Ref) (out []callSite) {
	for _, id := range ws.World.Calling(ref.Symbol().Name) {
		at, ok := ws.World.Place(id)
		if !ok || at.Class == code.ClassTest || len(out) > lookup.MaxFiles ||
			!ws.World.Together(ref.File.Language, at.Language) {
			continue
		}
		f := ws.World.ByID(id)
		if f == nil {
			continue
		}
		for _, i := range f.CallsOf(ref.Symbol().Name) {
			c := &f.Calls()[i]
			target := ws.Target(f, &code.Fact{Span: c.NameSpan}, c.Callee)
			if target == ref || target.Valid() && target.Index >= 0 && slices.Contains(ws.Implementing(target), ref) {
				out = append(out, callSite{f, c})
			}
		}
	}
	return out
}

// usedOutside reports whether a function is called outside of the type that declares it. If only the
// type's own methods call it, the function itself publishes: log in this.log(m) of create(m).
func (mj *messageJoiner) usedOutside(ref resolve.Ref) bool {
	own := ref.File.Type(ref.Index)
	return slices.ContainsFunc(callsOf(mj.Workspace, ref), func(c callSite) bool {
		return own < 0 || c.file != ref.File || c.call.Caller < 0 || c.file.Type(c.call.Caller) != own
	})
}

// carriersAt returns those of all, the writers or readers of a type, that the receiver of a call
// may hold. It prefers those of the call's own service. It returns all of these if they have one
// topic, otherwise those that are assigned to a variable with the receiver's name. If there are
// none of these, it returns all, and known is false.
func (mj *messageJoiner) carriersAt(c callSite, all []*message) (out []*message, known bool) {
	root := mj.Services().Root(c.file.Path)
	if own := slices.DeleteFunc(slices.Clone(all), func(m *message) bool { return mj.root(m) != root }); len(own) > 0 {
		all = own
	}
	if oneTopic(all) {
		return all, true
	}
	if some := mj.ofHeir(c, all); len(some) > 0 {
		return some, true
	}
	name := folding.LastWord(strings.TrimSuffix(c.call.Receiver, "()"))
	var here *message
	for _, m := range all {
		switch held := m.holder(); {
		case held == "":
		case held == name && m.file == c.file && m.owner == c.call.Caller:
			if m.at.StartByte < c.call.NameSpan.StartByte && (here == nil || here.at.StartByte < m.at.StartByte) {
				here = m
			}
		case lookup.Folded(held) == lookup.Folded(name):
			out = append(out, m)
		}
	}
	switch {
	case here != nil:
		return []*message{here}, true
	case len(out) > 0:
		return out, true
	}
	return all, false
}

// holder returns the name of the variable to which the writer or reader m is assigned, or "".
func (m *message) holder() (name string) {
	if m.owner >= 0 && (m.file.Symbols[m.owner].Kind == code.KindVariable ||
		m.file.Symbols[m.owner].Kind == code.KindConstant) {
		return m.file.Symbols[m.owner].Name
	}
	maker, nearest := "", -1
	if n := len(m.through); n > 0 {
		maker = lookup.CalledAs(m.through[n-1]) + "("
	}
	for i := range m.file.AllFacts() {
		fact := &m.file.AllFacts()[i]
		if fact.Kind == code.FactAssign && fact.Owner == m.owner && fact.Span.StartByte < m.at.StartByte &&
			fact.Span.StartByte > nearest && !strings.HasSuffix(fact.Type, "#1") && strings.Contains(fact.Type, maker) {
			name, nearest = fact.Name, fact.Span.StartByte
		}
	}
	return name
}
