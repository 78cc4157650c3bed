package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// No list of messaging libraries is complete. But the name of a topic or the type of a payload
// that occurs in two services is evidence by itself: a call with an argument that is the topic
// which another service consumes is probably a publication, whatever library it calls. Such a
// call is a twin. If a known rule describes an end of a message in a service, no other call of
// that service is a twin of that message.

// StrategyMessageTwin is the strategy of an edge of which one end, or both, counts as an end of a message only because
// another service names the same topic or type.
const StrategyMessageTwin = "message_twin"

// These constants are the confidences of edges to twins: confidenceTwin if a rule for the library
// (an idiom) describes the other end, confidenceTwins if both ends are twins.
const (
	confidenceTwin  = 0.7
	confidenceTwins = 0.6
)

// twins holds the possible ends of messages in the workspace that no idiom, a rule for a library,
// describes.
type twins struct {
	published []*message
	consumed  map[string][]*message // key → consumers with it
	handlers  map[resolve.Ref]bool  // handlers of the messages in consumed
}

type messageTwinsKey struct{}

// handledKey is a topic together with a function that handles its messages.
type handledKey struct {
	handler resolve.Ref
	topic   string
}

// maxGuessFiles bounds the files with possible ends of messages, and those with entries. A question that needs them
// reads them all, after each edit again. In a workspace with more, such ends and entries are not looked for.
const maxGuessFiles = 1500

// twins returns the twins of the workspace. They are computed when a question first needs them. There are none if the
// workspace has fewer than two services, or more than maxGuessFiles files with possible ends.
func (mj *messageJoiner) twins() *twins {
	out := resolve.Derive(mj.World, messageTwinsKey{}, func() *twins {
		out := &twins{consumed: map[string][]*message{}, handlers: map[resolve.Ref]bool{}}
		files := len(mj.World.Reaching(l2meta.RoleMayPublish)) + len(mj.World.Reaching(l2meta.RoleMayConsume))
		if files == 0 || files > maxGuessFiles || len(mj.Services().All) < 2 {
			return out
		}
		own, handled := map[string]bool{}, map[handledKey]bool{}
		for _, c := range mj.messages(l2meta.RoleConsume) {
			for _, t := range c.types {
				own[mj.within(c, typeKey+t)] = true
			}
			handled[handledKey{mj.handlerOf(c), c.key}] = true
		}
		for _, c := range mj.twinsOf(l2meta.RoleConsume) {
			for _, k := range c.keys() {
				out.consumed[k] = append(out.consumed[k], c)
				own[mj.within(c, k)] = true
			}
			out.handlers[mj.handlerOf(c)] = true
		}
		// Two kinds of publications are no twins. A message that its own service handles may never leave the
		// program. And a handler that names its own topic in a call reports a failure:
		// sendToDlq("order.paid", raw, err).
		out.published = slices.DeleteFunc(mj.twinsOf(l2meta.RolePublish), func(p *message) bool {
			return p.key != "" && handled[handledKey{p.caller(), p.key}] ||
				slices.ContainsFunc(p.keys(), func(k string) bool { return own[mj.within(p, k)] })
		})
		return out
	})
	if out == nil { // out is nil if the context has ended
		return &twins{}
	}
	return out
}

// keys returns the names by which twins of a message are found: its topic, or else its types, each after a colon.
func (m *message) keys() (out []string) {
	if m.key != "" {
		return []string{m.key}
	}
	for _, t := range m.types {
		out = append(out, typeKey+t)
	}
	return out
}

// typeKey is the beginning of a key that is the type of a payload.
const typeKey = ":"

// within returns a key together with the service of m.
func (mj *messageJoiner) within(m *message, key string) string { return mj.root(m) + "\t" + key }

// root returns the root of the service of m.
func (mj *messageJoiner) root(m *message) string { return mj.Services().Root(m.file.Path) }

// handlerOf returns the declaration that handles a consumed message.
func (mj *messageJoiner) handlerOf(c *message) resolve.Ref {
	h, _ := mj.served.handler(&route{file: c.file, owner: c.owner, at: c.at, handler: c.handler, answer: c.answer})
	return h
}

// twinsPublished returns the crossings of the twins that ref publishes.
func (mj *messageJoiner) twinsPublished(ref resolve.Ref) (out []Crossing) {
	if !lookup.HasEnd(ref, l2meta.RoleMayPublish) {
		return nil
	}
	for _, p := range mj.twins().published {
		if p.file == ref.File && p.caller() == ref {
			out = append(out, mj.publication(p)...)
		}
	}
	return out
}

// isTwin reports whether a call publishes a twin that reaches a consumer.
func (mj *messageJoiner) isTwin(f *resolve.File, c *code.Call) bool {
	return len(lookup.Endpoints(f, l2meta.RoleMayPublish)) > 0 &&
		slices.ContainsFunc(mj.twins().published, func(p *message) bool {
			return p.file == f && p.at.StartByte == c.NameSpan.StartByte && len(mj.deliveries(p)) > 0
		})
}

// twinDeliveries returns the deliveries of p to twins, except in the services of the consumers in
// list. If p is a twin itself, it also returns the deliveries to consumers that idioms describe.
func (mj *messageJoiner) twinDeliveries(p *message, list []delivery) (out []delivery) {
	sent := callAt(fetch{file: p.file, owner: p.owner, at: p.at})
	if len(p.types) > 0 && insideBus.MatchString(lookup.LastName(strings.TrimSuffix(sent.Receiver, "()"))) {
		return nil
	}
	reached := map[string]bool{mj.root(p): true}
	for _, d := range list {
		reached[mj.root(d.message)] = true
	}
	confidence := confidenceTwin
	if p.twin != nil {
		for _, c := range mj.messages(l2meta.RoleConsume) {
			if mj.root(c) != mj.root(p) && mj.takes(c, p) {
				reached[mj.root(c)] = true
				out = append(out, twinDelivery(c, confidence, cmpVia(p, c)))
			}
		}
		confidence = confidenceTwins
	}
	for _, k := range p.twinKeys() {
		if p.broker == byShape && slices.ContainsFunc(mj.twins().consumed[k],
			func(c *message) bool { return mj.root(c) == mj.root(p) }) { // the message is an event within the program
			continue
		}
		for _, c := range mj.twins().consumed[k] {
			if !reached[mj.root(c)] && c.twin.rank > rankObject && agree(p, c) &&
				(p.twin == nil || !strings.HasPrefix(c.twin.name, services.ByName)) {
				out = append(out, twinDelivery(c, confidence, strings.TrimPrefix(k, typeKey)))
			}
		}
	}
	return out
}

// insideBus matches the names of buses that hand commands and queries to handlers of their own program, unless a rule
// for their library says more.
var insideBus = regexp.MustCompile(`(?i)(?:command|query)_?bus$|^(?:mediator|mediatr)$`)

// cmpVia returns the name that p and its consumer c share.
func cmpVia(p, c *message) string {
	if p.key == "" && c.key != "" {
		return c.key
	}
	return p.via()
}

func twinDelivery(c *message, confidence float64, name string) delivery {
	return delivery{message: c, strategy: StrategyMessageTwin, confidence: confidence,
		how: "only the name shows a message; both ends name " + name}
}

// twinKeys returns the keys of the twins that consume p: its own, its exchange if it has no topic, and the names of its
// types as topics.
func (m *message) twinKeys() []string {
	keys := m.keys()
	if m.key == "" {
		keys = append(keys, m.types...)
		if m.scope != "" {
			keys = append(keys, m.scope)
		}
	}
	return keys
}

// exchangeAndQueue is the number of topics that a consumer of a whole exchange names.
const exchangeAndQueue = 2

// agree reports whether the other topics of the twins p and c are compatible, besides the one
// that both have. A publication to an exchange reaches a consumer of that exchange only if their
// routing keys are the same.
func agree(p, c *message) bool {
	if p.twin == nil || len(p.twin.given) < 2 || len(c.twin.given) <= exchangeAndQueue {
		return true
	}
	return !slices.ContainsFunc(p.twin.given, func(k string) bool {
		return severalWords.MatchString(k) && !slices.ContainsFunc(c.twin.given, func(o string) bool {
			return o == k || covers("rabbitmq", o, k)
		})
	})
}

// takes reports whether a consumer that an idiom describes receives a message of the twin p.
func (mj *messageJoiner) takes(c, p *message) bool {
	if p.key == "" {
		if c.key != "" {
			return slices.Contains(p.types, c.key)
		}
		return slices.ContainsFunc(p.types, func(t string) bool { return slices.Contains(c.types, t) })
	}
	among := func(text string) bool { return slices.Contains(p.twin.given, text) }
	switch {
	case hole(c.key):
		return false
	case c.key == p.key:
		return true
	case c.broker != "rabbitmq":
		return covers(c.broker, c.key, p.key)
	case c.scope != "":
		return among(c.scope) && covers(c.broker, c.key, p.key)
	}
	return slices.ContainsFunc(mj.bindings(c), func(b *message) bool {
		if kind := mj.exchangeKind(b); b.scope != p.key {
			return among(b.scope) && b.carries(p.key, kind)
		} else {
			return len(p.twin.given) < 2 || b.carries("", kind)
		}
	})
}

// mayRoles maps the role of a message to the role of the facts from which its twins are read.
var mayRoles = map[string]string{l2meta.RolePublish: l2meta.RoleMayPublish, l2meta.RoleConsume: l2meta.RoleMayConsume}

// twinsOf returns the twins of a role, without those whose key an idiom describes in the same service. Of the twins of
// one service with one key, it returns those of the highest rank.
func (mj *messageJoiner) twinsOf(role string) (out []*message) {
	known := mj.knownEnds(role)
	best := map[string]int{}
	for _, f := range mj.Files(mayRoles[role]) {
		if f.Class != code.ClassSource {
			continue
		}
		for _, fact := range lookup.Endpoints(f, mayRoles[role]) {
			if known.calls[callAtByte{f.ID, fact.Span.StartByte}] {
				continue
			}
			for _, m := range mj.possible(f, fact) {
				if m.twin.name == services.BySwitch && known.code[m.caller()] {
					continue // it chooses among the messages of a topic that is known
				}
				open := slices.DeleteFunc(m.keys(), func(k string) bool {
					return known.keys[mj.within(m, k)] || !m.tells(k) || m.key == "" && mj.isKnown(m, fact, known)
				})
				for _, k := range open {
					best[mj.within(m, k)] = max(best[mj.within(m, k)], m.twin.rank)
				}
				if len(open) > 0 {
					out = append(out, m)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(m *message) bool {
		return role == l2meta.RolePublish && m.twin.rank == rankObject ||
			!slices.ContainsFunc(m.keys(), func(k string) bool { return best[mj.within(m, k)] == m.twin.rank })
	})
}

// knownEnds holds the ends of messages that idioms describe.
type knownEnds struct {
	calls map[callAtByte]bool
	keys  map[string]bool      // keys and exchanges of the messages, each with its service
	code  map[resolve.Ref]bool // the functions that publish or handle these messages, or pass their topic on
}

// callAtByte is the byte offset of a call in a file.
type callAtByte struct {
	File int64
	At   int
}

// knownEnds returns the ends of messages that idioms describe: calls of any role, and keys and
// code of one role.
func (mj *messageJoiner) knownEnds(role string) knownEnds {
	known := knownEnds{map[callAtByte]bool{}, map[string]bool{}, map[resolve.Ref]bool{}}
	for _, r := range []string{l2meta.RolePublish, l2meta.RoleConsume, l2meta.RoleBind} {
		for _, m := range mj.messages(r) {
			known.calls[callAtByte{m.file.ID, m.at.StartByte}] = true
			if r == role || r == l2meta.RoleBind && role == l2meta.RoleConsume {
				for _, k := range append(m.keys(), m.scope) {
					known.keys[mj.within(m, k)] = true
				}
			}
			if r == role {
				known.code[m.caller()], known.code[mj.handlerOf(m)] = true, true
				for _, helper := range m.through {
					known.code[helper] = true
				}
			}
		}
	}
	return known
}

// isKnown reports whether a rule already describes the message m at another call: in the same
// function, or in the function of the workspace that m's call runs.
func (mj *messageJoiner) isKnown(m *message, fact *code.Fact, known knownEnds) bool {
	if known.code[m.caller()] {
		return true
	}
	if fact.Name != l2meta.RoleMayPublish {
		return false
	}
	to := ownTarget(mj.Workspace, m.file, fact.Span, services.ParsePossible(fact.Type).Callee())
	return to.Valid() && (known.code[to] || mj.namesTopic(to) || m.key == "" && onlyKeeps(to))
}

// onlyKeeps reports whether a function only adds an event to a list of its object, as an aggregate does with the
// events that its program publishes later: void Raise(Event e) { _events.Add(e); }.
func onlyKeeps(ref resolve.Ref) (keeps bool) {
	within := ref.Symbol().Span
	for _, c := range ref.File.Calls() {
		if c.Span.StartByte < within.StartByte || c.Span.EndByte > within.EndByte || c.Kind != code.CallPlain {
			continue
		}
		if services.DirectionOf(c.Callee) == services.Out {
			return false
		}
		keeps = keeps || addsToList.MatchString(c.Callee) && c.Receiver != ""
	}
	return keeps
}

// addsToList matches the names of methods that add an item to a list.
var addsToList = regexp.MustCompile(`^(?i:add|append|push|push_?back|add_?last|put)$`)

// namesTopic reports whether a function passes a known topic to a call that may publish.
func (mj *messageJoiner) namesTopic(ref resolve.Ref) bool {
	return slices.ContainsFunc(lookup.Endpoints(ref.File, l2meta.RoleMayPublish), func(fact *code.Fact) bool {
		return ref.File.Callable(fact.Owner) == ref.Index && slices.ContainsFunc(mj.possible(ref.File, fact),
			func(m *message) bool { return m.key != "" && m.tells(m.key) })
	})
}
