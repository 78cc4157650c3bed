package endpoint

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/endpoint/hosts"
	"sextant/l2meta/resolve"
)

// maxMakers is the largest number of functions that one search for the payload of a message
// examines.
const maxMakers = 20

type madeKey struct {
	file  int64
	owner int
}

// made returns the types constructed by the functions that the publisher of a message calls. For
// events = order.accept(); publish(events) it finds new OrderAccepted() in accept, if accept is of
// the same service.
func (mj *messageJoiner) made(p *message) []string {
	return resolve.Derive(mj.World, madeKey{int64(p.file.ID), p.owner}, func() (types []string) {
		looked := 0
		calls := p.file.Calls()
		for i := range calls {
			c := &calls[i]
			if p.owner < 0 || c.Caller != p.owner || c.Kind != code.CallPlain {
				continue
			}
			rows, _ := mj.World.Named(c.Callee)
			for _, row := range rows {
				if !row.Kind.Callable() || row.Class == code.ClassTest || row.FileID == p.file.ID ||
					mj.Services().Root(row.Path) != mj.Services().Root(p.file.Path) {
					continue
				}
				if looked++; looked > maxMakers {
					return types
				}
				types = append(types, constructs(mj.World.Ref(row))...)
			}
		}
		return types
	})
}

// constructs returns the types of which a function constructs values: A for new A().
func constructs(ref resolve.Ref) (types []string) {
	if !ref.Valid() {
		return nil
	}
	calls := ref.File.Calls()
	for i := range calls {
		if c := &calls[i]; c.Caller == ref.Index && c.Kind == code.CallNew && !slices.Contains(types, c.Callee) {
			types = append(types, c.Callee)
		}
	}
	return types
}

// unsaid reports whether the type of a payload is unknown at the place that publishes it.
func (p *message) unsaid() bool { return len(p.types) == 1 && strings.HasPrefix(p.types[0], "{") }

// shareType reports whether two lists of types have an item in common.
func shareType(a, b []string) bool {
	return slices.ContainsFunc(a, func(t string) bool { return slices.Contains(b, t) })
}

// typedTopic reports whether one end of a message routes by the type of the payload, and the topic of the other end
// has the name of that type: a bus of the program publishes OrderPaid to the topic "OrderPaid".
func typedTopic(p, c *message) (d delivery, ok bool) {
	byType := func(typed, topical *message) bool {
		return typed.broker == "" && typed.key == "" && typed.scope == "" && topical.broker != "" &&
			slices.Contains(typed.types, topical.key)
	}
	if !byType(p, c) && !byType(c, p) {
		return d, false
	}
	return delivery{message: c, how: "the topic has the name of the type of the payload", strategy: StrategyTopic,
		confidence: hosts.ConfidenceLikely}, true
}
