package values

import (
	"fmt"
	"slices"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// Frameworks with dependency injection pass an object to each parameter or field that has the object's name or type:
// a NewTopic called ordersTopic. The topic of a message is then recorded as {ordersTopic} or {ordersTopic.name()}.

// namesItself lists the members that return the name of a topic or queue.
var namesItself = []string{"name", "getName", "getTopic", "getTopicName", "getQueueName", "topic"}

// injected returns the possible names (readings) of a topic or queue that is injected into f:
// that of the object with the name of the variable or, if there is none, that of the only one of
// its type.
func (rd *Reader) injected(f *resolve.File, owner int, steps []string, depth int) (out []Reading) {
	if len(steps) > 1 && (steps[0] == "this" || steps[0] == "self") {
		steps = steps[1:]
	}
	if len(steps) == 2 && slices.Contains(namesItself, steps[1]) {
		steps = steps[:1]
	}
	if len(steps) != 1 {
		return nil
	}
	name := steps[0]
	found := rd.beans(f, name)
	for _, fact := range lookup.Values(f, owner, name) {
		if len(found) == 0 && (fact.Kind == code.FactField || fact.Kind == code.FactParam) {
			found = rd.beans(f, l2meta.TypeName(fact.Type))
		}
	}
	if len(found) != 1 {
		return nil
	}
	t := found[0]
	for _, r := range rd.expand(t.file, t.Fact.Owner, t.Value, depth+1) {
		r.Rests = append([]string{t.file.Path}, r.Rests...)
		r.How = append([]string{fmt.Sprintf("%s is given %s of %s:%d", name, Shown(t.Value), t.file.Path,
			t.Fact.Span.StartLine)}, r.How...)
		out = append(out, r)
	}
	return out
}

// beans returns the topics and queues that the service of f provides for injection under a name or type, each once.
func (rd *Reader) beans(f *resolve.File, name string) (out []NamedText) {
	key := services.Bean(name)
	for _, id := range rd.World.Telling(l2meta.RoleText, key) {
		holder := rd.World.ByID(id)
		if holder != nil && holder.Class != code.ClassTest &&
			rd.Services().Root(holder.Path) == rd.Services().Root(f.Path) {
			out = append(out, Texts(holder)[key]...)
		}
	}
	return unique(out)
}
