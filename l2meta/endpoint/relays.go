package endpoint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/endpoint/values"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services/folding"
)

// Programs have functions of their own that publish, consume or bind queues: publish(topic, payload), consume({queue,
// exchange, keys}, handler). Their topic is a parameter, or a member of one. So each call that passes a topic counts
// as publishing, consuming or binding itself.

// relays holds the messages that are published, consumed or bound by calls of the program's own
// functions, such as publish("paid", order).
type relays struct {
	by      map[int64][]*message // id of the file of the call → messages
	helpers map[resolve.Ref]bool // the functions to which some call passes the topic
}

// relay is a message of a function to which callers pass the topic, such as publish(topic, payload).
type relay struct {
	text    string // the Type of the fact about the message
	how     []string
	rest    []string
	through []resolve.Ref // helpers between the caller and the broker's library, the innermost first
	answer  resolve.Ref   // the handler, if the innermost helper contains it
}

type relaysKey struct{ role string }

// relayed returns the messages of a role, such as l2meta.RolePublish, of calls that pass the
// topic to functions of the program.
func (mj *messageJoiner) relayed(role string) relays {
	return resolve.Derive(mj.World, relaysKey{role}, func() relays {
		out := relays{map[int64][]*message{}, map[resolve.Ref]bool{}}
		next := map[resolve.Ref][]relay{}
		for _, f := range mj.Files(role) {
			for _, fact := range lookup.Endpoints(f, role) {
				if ref := f.Ref(f.Callable(fact.Owner)); ref.Index >= 0 && passesOn(role, fact.Type) {
					m := relay{text: fact.Type, answer: mj.ownAnswer(role, f, fact)}
					if role == l2meta.RoleConsume && !m.answer.Valid() {
						m.text = handledBy(ref, fact.Type)
					}
					next[ref] = append(next[ref], m)
				}
			}
		}
		for step := 0; step < maxWrapping && len(next) > 0; step++ {
			next = mj.relay(role, next, out)
		}
		return out
	})
}

// ownAnswer returns the handler of the messages of a consuming function to which callers pass the topic, if the
// handler is the function itself or a function of its file. It returns the zero Ref if the callers handle the
// messages: by a function that they pass, or through the result of the consuming function, or of another method that
// reads what the consuming one has subscribed to.
func (mj *messageJoiner) ownAnswer(role string, f *resolve.File, fact *code.Fact) resolve.Ref {
	helper := f.Ref(f.Callable(fact.Owner))
	if role != l2meta.RoleConsume || isMaker(mj.Workspace, helper) && readingMethod(mj.Workspace, helper).Valid() {
		return resolve.Ref{}
	}
	if slices.ContainsFunc(helper.Symbol().Parameters, func(p code.Parameter) bool {
		return aFunction.MatchString(p.Name) || aFunction.MatchString(p.Type)
	}) || returnsValue(helper) {
		return resolve.Ref{}
	}
	if reads := readingMethod(mj.Workspace, helper); reads.Valid() && returnsValue(reads) {
		return resolve.Ref{}
	}
	answer, _ := mj.served.handler(&route{file: f, owner: fact.Owner, at: fact.Span, handler: endsOf(fact.Type)[4]})
	return answer
}

// returnsValue reports whether a function returns something besides an error.
func returnsValue(of resolve.Ref) bool {
	return slices.ContainsFunc(of.File.FactsOf(of.Index), func(o *code.Fact) bool {
		return (o.Kind == code.FactResult || o.Kind == code.FactReturn) && !withoutValue.MatchString(o.Type)
	})
}

// handledBy returns fact, the text for a function that consumes messages, with the function's
// handler parameter as the handler, if it has one: func (k *Client) loop(reader *kafka.Reader,
// topic string, handler Handler).
func handledBy(helper resolve.Ref, fact string) string {
	n := 0
	for i, p := range helper.Symbol().Parameters {
		if i == 0 && folding.IsSelf(p) {
			continue
		}
		if aFunction.MatchString(p.Name) {
			part := endsOf(fact)
			part[4] = fmt.Sprintf("{#%d:%s}", n, p.Name)
			return strings.Join(part, "\t")
		}
		n++
	}
	return fact
}

var (
	// aFunction matches the names and types of parameters that take a message handler.
	aFunction = regexp.MustCompile(`(?i)handle|callback|listener|func|fn$|^cb$|=>|consumer\b|process|action|lambda|^on[A-Z_]`)
	// withoutValue matches the results of functions that return nothing but an error.
	withoutValue = regexp.MustCompile(`^\(?(?:error|err|nil|void|Unit|None|Promise<void>)?\)?$`)
)

// passesOn reports whether a parameter of the enclosing function decides the topic or the exchange of a message, or
// the queue of a binding.
func passesOn(role, fact string) bool {
	part := endsOf(fact)
	return isParameter(part[1]) || isParameter(part[3]) || role == l2meta.RoleBind && isParameter(part[4])
}

// endsOf returns the five parts of the fact of a message: broker, topic, payload types, exchange and handler.
func endsOf(fact string) []string { return append(strings.Split(fact, "\t"), "", "", "", "")[:5] }

func isParameter(text string) bool {
	return strings.HasPrefix(text, "{#") && strings.HasSuffix(text, "}")
}

// relay adds to out the messages that calls of helpers publish, consume or bind. It returns the functions around such
// calls that pass on a parameter of their own as the topic.
func (mj *messageJoiner) relay(role string, helpers map[resolve.Ref][]relay, out relays) map[resolve.Ref][]relay {
	next := map[resolve.Ref][]relay{}
	names := callNames{}
	for ref := range helpers {
		for _, name := range mj.CallNames(ref) {
			names.add(name, ref.File.Language)
		}
	}
	passingCalls(mj.Workspace, names, func(f *resolve.File, fact *code.Fact, target resolve.Ref) {
		for _, ref := range meant(mj.Workspace, helpers, constructorIn(helpers, target)) {
			for _, m := range helpers[ref] {
				mj.relayAt(role, values.Call{File: f, Fact: fact}, ref, m, out, next)
			}
		}
	})
	for _, list := range out.by { // sorted below, because the order of a map is random
		slices.SortStableFunc(list, func(a, b *message) int {
			return cmp.Or(a.at.StartByte-b.at.StartByte, strings.Compare(a.key, b.key),
				strings.Compare(a.scope+a.handler, b.scope+b.handler))
		})
	}
	return next
}

// constructorIn returns the constructor of a type among helpers, and any other target unchanged.
func constructorIn(helpers map[resolve.Ref][]relay, target resolve.Ref) resolve.Ref {
	if !target.Valid() || target.Index < 0 || !resolve.IsType(target.Symbol().Kind) {
		return target
	}
	for i := range target.File.Symbols { // if there are several, the first in the file is used
		if target.File.Symbols[i].Parent != target.Index {
			continue
		}
		ref := target.File.Ref(i)
		if _, ok := helpers[ref]; ok && lookup.CalledAs(ref) == target.Symbol().Name {
			return ref
		}
	}
	return target
}

// relayAt adds the messages of one call of a helper, one for each topic if the call passes a list. If the call passes
// on a parameter of the enclosing function, it adds that function to next.
func (mj *messageJoiner) relayAt(role string, c values.Call, helper resolve.Ref, m relay, out relays,
	next map[resolve.Ref][]relay) {
	part := endsOf(m.text)
	keys, known := givenFor(c, part[1], helper)
	scopes, named := givenFor(c, part[3], helper)
	queues := []string{""} // the expression of a handler has no meaning outside of the helper
	if role == l2meta.RoleBind || role == l2meta.RoleConsume && isParameter(part[4]) {
		queues, _ = givenFor(c, part[4], helper)
	}
	if queue := ownQueue(part[1], helper); role == l2meta.RoleConsume && !known && queue != "" {
		keys, known = []string{queue}, true
	}
	if queue := ownQueue(part[4], helper); role == l2meta.RoleBind && queues[0] == "" && queue != "" {
		queues[0] = queue
	}
	if role == l2meta.RoleConsume && !isParameter(queues[0]) {
		queues[0] = strings.Trim(queues[0], "{}") // for example, {s.handle}
	}
	if !known || !named {
		return
	}
	rest, around := append(slices.Clip(m.rest), helper.File.Path), c.File.Ref(c.File.Callable(c.Fact.Owner))
	through := append(slices.Clip(m.through), helper)
	for _, key := range keys {
		text := strings.Join([]string{part[0], key, part[2], scopes[0], queues[0]}, "\t")
		if passesOn(role, text) && around.Index >= 0 && !mj.isSet(c, key) {
			next[around] = append(next[around], relay{text, m.how, rest, through, m.answer})
			out.helpers[helper] = true
			continue
		}
		for _, x := range spoken(mj.Reader, c.File, c.Fact.Owner, c.Fact.Span, text) {
			x.how, x.rests = append(x.how, helper.Symbol().QualifiedName+" is given the topic"),
				append(x.rests, rest...)
			x.helper, x.through = helper.File, through
			if role == l2meta.RoleConsume && m.answer.Valid() {
				x.answer = m.answer
			}
			if !slices.ContainsFunc(out.by[c.File.ID], x.same) {
				out.by[c.File.ID] = append(out.by[c.File.ID], x)
			}
		}
		out.helpers[helper] = true
	}
}

// isSet reports whether the topic that a call passes is a member of a parameter which holds settings, so that it is
// the same for all callers: cfg.Topic in Run(cfg *Config), where a tag of Config names the setting.
func (mj *messageJoiner) isSet(c values.Call, key string) bool {
	number, _, _ := strings.Cut(key, ":")
	if !isParameter(key) || !strings.Contains(number, ".") {
		return false
	}
	found := mj.Readings(c.File, c.Fact.Owner, key)
	return !slices.ContainsFunc(found, func(r values.Reading) bool { return len(r.Keys) == 0 || hole(r.Text) })
}

// ownQueue returns the name in braces of a queue that a helper declares for each call which passes none, since the
// parameter's default is no text: queue=None. The server names such a queue. ownQueue returns "" for any other part of
// a helper's message.
func ownQueue(part string, helper resolve.Ref) string {
	if !isParameter(part) {
		return ""
	}
	_, name, _ := strings.Cut(strings.Trim(part, "{#}"), ":")
	if slices.ContainsFunc(helper.Symbol().Parameters, func(p code.Parameter) bool {
		return p.Name == name && p.Default != "" // a text would be a part of the name
	}) {
		return "{" + name + "}"
	}
	return ""
}

// givenFor returns the texts that a call passes for a parameter of its helper, several for a
// list. part is a part of the helper's message, such as the topic; if it is no parameter,
// givenFor returns it unchanged. known is false if the argument is missing or unknown.
func givenFor(c values.Call, part string, helper resolve.Ref) (texts []string, known bool) {
	if !isParameter(part) {
		return []string{part}, true
	}
	number, name, _ := strings.Cut(strings.Trim(part, "{#}"), ":")
	for _, text := range values.ArgumentTexts(strings.Split(c.Fact.Type, "\t")[1:], helper.Symbol().Parameters, number,
		name) {
		if text != "{"+name+"}" && text != "" && text != "{}" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return []string{""}, false
	}
	return texts, true
}

// same reports whether m and o are the same message, at the same call.
func (m *message) same(o *message) bool {
	return o.at == m.at && o.key == m.key && o.scope == m.scope && o.handler == m.handler
}
