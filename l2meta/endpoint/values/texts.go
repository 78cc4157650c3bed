package values

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/endpoint/lookup"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// NamedText is a text and the name in a file that is bound to it: ORDERS = "/orders".
type NamedText struct {
	file  *resolve.File
	Fact  *code.Fact
	Value string
}

type textsKey struct{}

// Texts returns a map from the names of a file to the texts that they are bound to: ORDERS to
// /orders for ORDERS = "/orders".
func Texts(f *resolve.File) map[string][]NamedText {
	return resolve.Memo(f, textsKey{}, func() map[string][]NamedText {
		all := map[string][]NamedText{}
		for _, fact := range lookup.Endpoints(f, l2meta.RoleText) {
			name, value, _ := strings.Cut(fact.Type, "\t")
			value, _, _ = strings.Cut(value, "\t") // the rest holds the keys around the name; see withKeys
			all[name] = append(all[name], NamedText{f, fact, value})
		}
		return all
	})
}

// textsOf returns the texts of a qualified name, "config.urls.ORDERS", that f uses: from the file
// itself; if there are none, from declarations in its service, or from the only declaration in
// the workspace.
func (rd *Reader) textsOf(f *resolve.File, owner int, steps []string) []NamedText {
	name := steps[len(steps)-1]
	if name == services.InstanceBase {
		return rd.instances(f, steps[0])
	}
	if name == "value" && len(steps) > 2 { // Paths.API.value of an enumeration
		if list := rd.textsOf(f, owner, steps[:len(steps)-1]); len(list) > 0 {
			return list
		}
	}
	if list := rd.ofConstant(f, owner, steps); len(list) > 0 {
		return list
	}
	if len(steps) > 1 {
		if members := rd.memberTexts(f, steps[len(steps)-2]+"."+name); len(members) > 0 {
			return members
		}
	}
	if own, _ := qualified(Texts(f)[name], steps, f.Type(owner)); len(own) > 0 {
		return own
	}
	alone := len(steps) == 1 || len(steps) == 2 && (steps[0] == "this" || steps[0] == "self")
	if alone && !Brings(f, name) && !rd.World.Language(f.Language).Unimported {
		return nil // a name declared in the file cannot refer to another file
	}
	var beside, near, far []NamedText
	holders := rd.holders(f, name)
	sure := isQualifier(f, steps, holders)
	if from := broughtFrom(f, name); len(steps) == 1 && isTypeOf(from, name, holders) {
		steps, sure = []string{from, name}, true // import static shop.Paths.ITEMS
	}
	for _, holder := range holders {
		found, told := qualified(Texts(holder)[name], steps, -1)
		switch {
		case !told && Common[strings.ToLower(name)] && !slices.Contains(steps[:len(steps)-1], lookup.StemOf(holder.Path)):
		case sure && !told:
		case alone && holder.Dir == f.Dir:
			beside = append(beside, found...)
		case rd.Services().Root(holder.Path) == rd.Services().Root(f.Path):
			near = append(near, found...)
		default:
			far = append(far, found...)
		}
	}
	if len(beside) > 0 {
		return unique(beside)
	}
	if len(near) > 0 {
		return unique(near)
	}
	if far = unique(far); len(far) == 1 {
		return far
	}
	return nil
}

// ofConstant returns the texts of a member of an enumeration's constant: audit for Topic.AUDIT.getValue(), where the
// constant is AUDIT("audit"). It returns nil for any other name, and for the members that all enumerations have.
func (rd *Reader) ofConstant(f *resolve.File, owner int, steps []string) []NamedText {
	if len(steps) < 3 || enumMembers[steps[len(steps)-1]] {
		return nil
	}
	return slices.DeleteFunc(rd.textsOf(f, owner, steps[:len(steps)-1]), func(t NamedText) bool {
		at := t.Fact.Owner
		return at < 0 || t.file.Symbols[at].Kind != code.KindConstant || t.file.Symbols[at].Parent < 0 ||
			t.file.Symbols[t.file.Symbols[at].Parent].Kind != code.KindEnum
	})
}

// enumMembers lists the members of an enumeration's constant that tell its own name or number.
var enumMembers = map[string]bool{"name": true, "toString": true, "ordinal": true, "declaringClass": true}

// isQualifier reports whether the qualifier in steps is a type that f imports and that holds the name as its own in
// one of holders: Topics of Topics.PAID. Then PAID of another type, such as Env.PAID, is another name.
func isQualifier(f *resolve.File, steps []string, holders []*resolve.File) bool {
	if len(steps) < 2 || !Brings(f, steps[len(steps)-2]) {
		return false
	}
	return isTypeOf(steps[len(steps)-2], steps[len(steps)-1], holders)
}

// isTypeOf reports whether a type called qualifier holds the name as its own in one of holders.
func isTypeOf(qualifier, name string, holders []*resolve.File) bool {
	return slices.ContainsFunc(holders, func(holder *resolve.File) bool {
		return slices.ContainsFunc(Texts(holder)[name], func(t NamedText) bool {
			at := holder.Type(t.Fact.Owner)
			return at >= 0 && holder.Symbols[at].Name == qualifier
		})
	})
}

// memberTexts returns the texts that literals in the service of f give to a member of a member, PaymentQueue.Name for
// Config{PaymentQueue: Queue{Name: "payments"}}. If there are none, it returns the only text that literals in packages
// of no service give to it.
func (rd *Reader) memberTexts(f *resolve.File, name string) []NamedText {
	var own, shared []NamedText
	root := rd.Services().Root(f.Path)
	for _, holder := range append(rd.holders(f, name), f) {
		switch rd.Services().Root(holder.Path) {
		case root:
			own = append(own, Texts(holder)[name]...)
		case "":
			shared = append(shared, Texts(holder)[name]...)
		}
	}
	if own = unique(own); len(own) > 0 {
		return own
	}
	if shared = unique(shared); len(shared) == 1 {
		return shared
	}
	return nil
}

// Common lists names that are too general to be looked up in other files without a qualifier.
var Common = map[string]bool{"url": true, "uri": true, "path": true, "host": true, "base": true, "endpoint": true,
	"route": true, "name": true, "address": true, "addr": true, "prefix": true, "api": true, "topic": true,
	"queue": true, "channel": true, "service": true, "event": true, "subject": true}

// Brings reports whether an import of a file binds a name.
func Brings(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(m code.Import) bool { return m.Name == name || m.Alias == name })
}

// broughtFrom returns the last name of the module or type from which an import of f brings a name: Paths of import static
// shop.Paths.ITEMS. It returns "" if none does.
func broughtFrom(f *resolve.File, name string) string {
	for i := range f.Imports {
		if m := &f.Imports[i]; m.Name == name && m.Alias == "" {
			return m.Module[strings.LastIndexAny(m.Module, "./:\\")+1:]
		}
	}
	return ""
}

// unique removes duplicate values. It returns nil if more than three remain.
func unique(list []NamedText) (out []NamedText) {
	for _, t := range list {
		if !slices.ContainsFunc(out, func(o NamedText) bool { return o.Value == t.Value }) {
			out = append(out, t)
		}
	}
	if len(out) > 3 {
		return nil
	}
	return out
}

// maxHolders is the largest number of files that bind a text to a name at which the name is
// looked up.
const maxHolders = 400

// holders returns the files other than f that bind a text to a name.
func (rd *Reader) holders(f *resolve.File, name string) (out []*resolve.File) {
	ids := rd.World.Telling(l2meta.RoleText, name)
	if len(ids) > maxHolders {
		return nil
	}
	for _, id := range ids {
		if file := rd.World.Peer(id, f.Language); file != nil && file != f && file.Class != code.ClassTest {
			out = append(out, file)
		}
	}
	return out
}

// qualified returns the texts in list that belong to a declaration which the qualifiers in steps
// name, or to the given class; told is then true. If there are none, it returns all texts, and
// told is false.
func qualified(list []NamedText, steps []string, class int) (some []NamedText, told bool) {
	for _, t := range list {
		for at := t.Fact.Owner; at >= 0; at = t.file.Symbols[at].Parent {
			if at == class && class >= 0 || slices.Contains(steps[:len(steps)-1], t.file.Symbols[at].Name) {
				some = append(some, t)
				break
			}
		}
	}
	if len(some) > 0 {
		return unique(withKeys(some, steps)), true
	}
	return unique(withKeys(list, steps)), false
}

// withKeys returns, of texts with the same name in an object, those under the keys that the qualifiers in steps name:
// for TOPICS.PUBLISH.PAID that of PUBLISH.PAID, and not that of SUBSCRIBE.PAID. It returns all if there are none.
func withKeys(list []NamedText, steps []string) []NamedText {
	before := strings.Join(steps[:len(steps)-1], ".")
	var some []NamedText
	for _, t := range list {
		part := strings.Split(t.Fact.Type, "\t")
		if len(part) == 3 && (before == part[2] || strings.HasSuffix(before, "."+part[2])) {
			some = append(some, t)
		}
	}
	if len(some) > 0 {
		return some
	}
	return withoutOthers(list, steps)
}

// leastQualified is the least number of names in a qualified name that spells the key before its last name.
const leastQualified = 3

// withoutOthers returns list without the texts that are under another key than the one before the last name in steps:
// for settings.history.port not the port of {redis: {port: 6379}}.
func withoutOthers(list []NamedText, steps []string) []NamedText {
	if len(steps) < leastQualified {
		return list
	}
	before := lookup.Folded(strings.TrimPrefix(steps[len(steps)-2], "get"))
	return slices.DeleteFunc(slices.Clone(list), func(t NamedText) bool {
		part := strings.Split(t.Fact.Type, "\t")
		return len(part) == 3 && lookup.Folded(part[2][strings.LastIndexByte(part[2], '.')+1:]) != before
	})
}
