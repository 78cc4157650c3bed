package endpoint

import (
	"slices"
	"strings"

	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/services"
)

// runs reports whether a worker runs a job: its service has a class with the name of the job. The
// name of the queue tells which service's worker reads it. Without a queue, that is the service
// itself, unless its own class does nothing.
func (mj *messageJoiner) runs(p, c *message) (d delivery, ok bool) {
	named := func(m *message) bool {
		return slices.ContainsFunc(m.types, func(t string) bool { return slices.Contains(p.types, t) })
	}
	if !named(c) || mj.root(c) == mj.root(p) {
		return d, false
	}
	others, own := map[string]bool{}, false
	for _, o := range mj.messages(l2meta.RoleConsume) {
		if o.broker == services.Jobs && named(o) && o.scope != services.Idle {
			own = own || mj.root(o) == mj.root(p)
			if mj.root(o) != mj.root(p) {
				others[mj.root(o)] = true
			}
		}
	}
	d = delivery{message: c, strategy: StrategyType, confidence: confidenceAlike,
		how: "the class of the job does nothing in the service that dispatches it"}
	if p.scope != "" && !hole(p.scope) {
		d.how, d.confidence = "the queue "+p.scope+" has the name of the service", confidenceType
		return d, mentionsService(p.scope, mj.root(c))
	}
	if len(others) > 1 {
		d.confidence = confidenceSeveral
	}
	return d, !own && c.scope != services.Idle
}

// mentionsService reports whether a word of the name of a queue is the name of a service's folder: checkout_queue.
func mentionsService(queue, root string) bool {
	base := func(s string) string { return strings.TrimSuffix(strings.TrimSuffix(lookup.Folded(s), "service"), "s") }
	name := base(root[strings.LastIndexByte(root, '/')+1:])
	return len(name) > 2 && slices.ContainsFunc(strings.FieldsFunc(queue, func(r rune) bool {
		return strings.ContainsRune("_-.:/", r)
	}), func(word string) bool { return base(word) == name })
}
