package endpoint

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// If the topic of a publication cannot be read, no message is recorded: for publisher.publish(m) of
// an unknown library, or for bus.Publish(m) of the workspace's own bus, whose constructor got the
// topic. Such calls are reported as notes, edges without a handler, so that they do not vanish.

// sending matches the names of calls that publish.
var sending = regexp.MustCompile(
	`^(?:[Pp]ublish|[Pp]roduce|[Ee]mit|[Ss]end|[Ee]nqueue|[Dd]ispatch|[Bb]roadcast)(?:$|[A-Z_])`)

// unplaced returns a note, an edge without a handler, for each call in ref that publishes to a topic that is not
// known.
func (mj *messageJoiner) unplaced(ref resolve.Ref) (out []Crossing) {
	f := ref.File
	if f.Class != code.ClassSource || len(sendingCalls(f)[ref.Index]) == 0 || mj.isHelper(ref) {
		return nil
	}
	for _, i := range sendingCalls(f)[ref.Index] {
		c := &f.Calls()[i]
		if mj.isPlaced(f, c) || mj.handed(f, c, map[resolve.Ref]bool{}) != handsOn {
			continue
		}
		name := strings.TrimLeft(c.Receiver+"."+c.Callee, ".")
		out = append(out, Crossing{Kind: code.EdgeMessage, File: f, Call: *c, Caller: ref, Via: name,
			Strategy: StrategyTopic, Why: name + " publishes, to a topic that is not known"})
	}
	return out
}

type sendingKey struct{}

// sendingCalls returns a map from callable to the indexes of the calls in it whose names are
// typical of calls that publish.
func sendingCalls(f *resolve.File) map[int][]int {
	return resolve.Memo(f, sendingKey{}, func() map[int][]int {
		by := map[int][]int{}
		for i := range f.Calls() {
			if c := &f.Calls()[i]; c.Kind == code.CallPlain && sending.MatchString(c.Callee) {
				around := f.Callable(f.Maker(c.Caller, c.NameSpan.StartByte))
				by[around] = append(by[around], i)
			}
		}
		return by
	})
}

// isHelper reports whether ref publishes the arguments of its callers, so that their calls count
// instead.
func (mj *messageJoiner) isHelper(ref resolve.Ref) bool {
	if e := keptEnds(mj.Workspace); e != nil {
		return e.Helpers[declarationOf(ref)]
	}
	return mj.relayed(l2meta.RolePublish).helpers[ref] || mj.carried(l2meta.RolePublish).helpers[ref]
}

// isPlaced reports whether a message, a request or another endpoint is already recorded for a call.
func (mj *messageJoiner) isPlaced(f *resolve.File, c *code.Call) bool {
	at := func(at code.Span) bool { return at.StartByte == c.NameSpan.StartByte }
	if e := keptEnds(mj.Workspace); e != nil {
		if e.Placed[callAtByte{f.ID, c.NameSpan.StartByte}] {
			return true
		}
	} else if slices.ContainsFunc(mj.messagesOf(f, l2meta.RolePublish), func(m *message) bool {
		return at(m.at) && mj.isPublication(m)
	}) || mj.isTwin(f, c) {
		return true
	}
	silent := []string{l2meta.RolePass, l2meta.RoleText, l2meta.RolePublish,
		l2meta.RoleMayPublish, l2meta.RoleMayConsume}
	return slices.ContainsFunc(f.AllFacts(), func(o code.Fact) bool {
		return o.Kind == code.FactEndpoint && !slices.Contains(silent, o.Name) && at(o.Span)
	})
}

// isPublication reports whether m is known to be a message.
func (mj *messageJoiner) isPublication(m *message) bool {
	return !m.quiet() || len(mj.deliveries(m)) > 0
}

// handed returns how a call treats the message among its arguments: whether it publishes the
// message, and whether the consumers are known. It follows functions of the workspace, and judges
// a library by the names in the call.
func (mj *messageJoiner) handed(f *resolve.File, c *code.Call, seen map[resolve.Ref]bool) handing {
	target := mj.Target(f, &code.Fact{Span: c.NameSpan}, c.Callee)
	if target.Valid() && target.Index >= 0 && target.File.Class != code.ClassVendor {
		return mj.publishes(target, seen)
	}
	receiver := folding.LastWord(strings.TrimSuffix(c.Receiver, "()"))
	if slices.ContainsFunc(f.Imports, func(i code.Import) bool { return ownBuses[i.Module] }) {
		return keeps
	}
	if !noCarrier.MatchString(receiver) && !inProcess[c.Callee] && !within.MatchString(c.Receiver) &&
		(speaker.MatchString(receiver) || forBroker.MatchString(c.Callee) && importsCarrier(f, c)) {
		return handsOn
	}
	return keeps
}

// speaker matches the names of objects that send messages to brokers rather than within a program. forBroker matches
// the names of calls that do so in a file that imports the library of a broker.
var (
	speaker = regexp.MustCompile(`(?i)publisher|producer|message_?queue|messaging_?client|kafka|rabbit|amqp|nats|` +
		`jetstream|pubsub|mqtt`)
	forBroker = regexp.MustCompile(`^(?i:publish|produce)`)
	inProcess = map[string]bool{"publishEvent": true} // Spring's own events stay within the program
	// ownBuses lists the libraries of buses within a program. That of GraphQL's subscriptions
	// leads to web pages.
	ownBuses = map[string]bool{"graphql-subscriptions": true}
	// within matches the receivers of calls that configure a bus, or send within the program.
	within = regexp.MustCompile(`^(?:cfg|configurator|configuration)$|^Phoenix\.PubSub$`)
)

// handing is the way in which a function treats a message.
type handing int

const (
	keeps   handing = iota // the function publishes nothing
	handsOn                // the function publishes to an unknown topic
	reaches                // the function publishes to known consumers
)

// inProgram reports whether a fact of a publication names no broker. Its call may then be unrelated
// to messages, such as SendAsync of an HTTP client.
func inProgram(published *code.Fact) bool { return strings.HasPrefix(published.Type, "\t") }

// publishes returns how the function ref, or a member that implements it, treats a message: whether it publishes one,
// and whether the consumers are known. seen holds the functions that have been examined.
func (mj *messageJoiner) publishes(ref resolve.Ref, seen map[resolve.Ref]bool) (does handing) {
	if seen[ref] || len(seen) > maxMakers {
		return keeps
	}
	seen[ref] = true
	if does = mj.treats(ref); does == reaches {
		return reaches
	}
	for _, m := range mj.Implementing(ref) {
		does = max(does, mj.publishes(m, seen))
	}
	f := ref.File
	for i := range f.Calls() {
		c := &f.Calls()[i]
		if c.Kind != code.CallPlain || f.Callable(c.Caller) != ref.Index || !sending.MatchString(c.Callee) {
			continue
		}
		does = max(does, mj.handed(f, c, seen))
	}
	return does
}

// treats returns how the function ref treats a message by its own calls of a broker's library.
func (mj *messageJoiner) treats(ref resolve.Ref) (does handing) {
	if e := keptEnds(mj.Workspace); e != nil {
		return e.Handing[declarationOf(ref)]
	}
	f := ref.File
	placed := map[int]bool{}
	for _, m := range mj.messagesOf(f, l2meta.RolePublish) {
		if m.caller() != ref {
			continue
		}
		placed[m.at.StartByte] = true
		unknown := hole(m.key) || m.key == "" || m.quiet() // a known topic without consumers is reported elsewhere
		if unknown && m.broker != "" {
			does = max(does, handsOn)
		}
		if slices.ContainsFunc(mj.deliveries(m), func(d delivery) bool { return mj.isEvident(m, &d) }) {
			return reaches
		}
	}
	for _, fact := range lookup.Endpoints(f, l2meta.RolePublish) {
		if f.Callable(fact.Owner) == ref.Index && !placed[fact.Span.StartByte] && !inProgram(fact) {
			does = max(does, handsOn)
		}
	}
	return does
}

// isEvident reports whether a delivery shows where a message goes: to another service, or within its own service by a
// broker's topic. A delivery by type within the service may belong to a mediator.
func (mj *messageJoiner) isEvident(m *message, d *delivery) bool {
	elsewhere := mj.Services().Root(d.file.Path) != mj.Services().Root(m.file.Path)
	byTopic := d.strategy == StrategyTopic && m.broker != "" && m.broker != byShape
	return d.confidence > confidenceSeveral && (elsewhere || byTopic)
}
