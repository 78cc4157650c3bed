package values

import (
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

type sectionsKey struct{ root string }

// ofSection returns the values (readings) of a member of an options object that is bound to a
// section of settings: _options.Topic if Kafka:Topic is set, topics.getPaid().getName() if
// kafka.topics.paid.name is set. It returns nil if no setting is found.
func (rd *Reader) ofSection(f *resolve.File, steps []string, depth int) (out []Reading) {
	if len(steps) < 2 || len(rd.World.Telling(l2meta.RoleText, services.Section)) == 0 {
		return nil
	}
	root := rd.Services().Root(f.Path)
	sections := resolve.Derive(rd.World, sectionsKey{root}, func() (all []string) {
		for _, id := range rd.World.Telling(l2meta.RoleText, services.Section) {
			if from := rd.World.ByID(id); from != nil && from.Class != code.ClassTest &&
				rd.Services().Root(from.Path) == root {
				for _, t := range Texts(from)[services.Section] {
					if !slices.Contains(all, t.Value) {
						all = append(all, t.Value)
					}
				}
			}
		}
		return all
	})
	for _, section := range sections {
		section = strings.ReplaceAll(section, ":", ".")
		for _, key := range []string{memberPath(steps[1:]), steps[len(steps)-1]} {
			key = section + "." + key
			if own, shared := rd.Settings().Of(key, root); len(own)+len(shared) == 0 {
				continue
			}
			found := rd.setting(f, key, "", depth)
			if out != nil && !slices.EqualFunc(out, found, func(a, b Reading) bool { return a.Text == b.Text }) {
				return nil // several sections have it
			}
			out = found
			break
		}
	}
	return out
}

// memberPath returns the settings key for a chain of getters: paid.name for getPaid and getName.
func memberPath(steps []string) string {
	var path []string
	for _, s := range steps {
		if rest, ok := strings.CutPrefix(s, "get"); ok && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z' {
			s = code.Decapitalized(rest)
		}
		path = append(path, s)
	}
	return strings.Join(path, ".")
}
