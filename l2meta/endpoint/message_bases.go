package endpoint

import (
	"slices"

	"sextant/internal/code"
	"sextant/l2meta/resolve"
)

// polymorphic lists the buses that also deliver a message to the handlers of its base types: an
// OrderPaid to those of IOrderEvent.
var polymorphic = map[string]bool{"masstransit": true, "nservicebus": true, "rebus": true}

// derives reports whether the consumer c handles a base of the type of the payload of p.
func (mj *messageJoiner) derives(p, c *message) bool {
	return polymorphic[c.broker] && !p.unsaid() && slices.ContainsFunc(p.types, func(t string) bool {
		return slices.ContainsFunc(mj.basesNamed(t), func(base string) bool { return slices.Contains(c.types, base) })
	})
}

type basesNamedKey struct{ name string }

// basesNamed returns the names of all bases of the types called name.
func (mj *messageJoiner) basesNamed(name string) []string {
	return resolve.Derive(mj.World, basesNamedKey{name}, func() (out []string) {
		rows, _ := mj.World.Named(name)
		for _, row := range rows {
			if !resolve.IsType(row.Kind) || row.Class == code.ClassTest {
				continue
			}
			if t := mj.World.Ref(row); t.Valid() {
				for _, base := range resolve.Descendants(t, mj.BasesOf) {
					out = append(out, base.Symbol().Name)
				}
			}
		}
		return out
	})
}
