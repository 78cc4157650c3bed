package endpoint

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
	"sextant/l2meta/services"
)

// reading is one way to read a folded text: what its holes come to elsewhere in
// the workspace, and the files that say so.
type reading struct {
	text  string
	how   []string // one line for each hole that was filled
	keys  []string // the settings among them
	rests []string
}

const (
	maxReadings = 6 // of one text
	maxDepth    = 5 // of texts that stand in texts
)

// readings returns the ways to read a text of a file, where symbol owner uses it:
// one at least, the text itself where nothing is known of its holes.
func (j *Joiner) readings(f *resolve.File, owner int, text string) []reading {
	return j.expand(f, owner, text, 0)
}

func (j *Joiner) expand(f *resolve.File, owner int, text string, depth int) []reading {
	start := strings.IndexByte(text, '{')
	if start < 0 || depth > maxDepth {
		return []reading{{text: text}}
	}
	end := start + strings.IndexByte(text[start:], '}')
	if end < start {
		return []reading{{text: text}}
	}
	heads := j.fill(f, owner, text[start+1:end], depth)
	if len(heads) == 0 {
		heads = []reading{{text: text[start : end+1]}}
	}
	var out []reading
	for _, tail := range j.expand(f, owner, text[end+1:], depth) {
		for _, h := range heads {
			if len(out) == maxReadings {
				return out
			}
			if strings.HasSuffix(text[:start], "://") { // the text has the scheme, and so may the value
				if _, behind, ok := strings.Cut(h.text, "://"); ok {
					h.text = behind
				}
			}
			out = append(out, reading{
				text:  join(schemed(text[:start], h.text), tail.text),
				how:   append(slices.Clip(h.how), tail.how...),
				keys:  append(slices.Clip(h.keys), tail.keys...),
				rests: append(slices.Clip(h.rests), tail.rests...),
			})
		}
	}
	return out
}

// schemed puts what a hole came to behind what stands before it, with one scheme:
// http://{HOST}, where HOST is http://cart.
func schemed(before, text string) string {
	if _, host, ok := strings.Cut(text, "://"); ok && strings.HasSuffix(before, "://") {
		return before + host
	}
	return before + text
}

// join puts the rest of a URL behind what a hole came to, with one slash between
// them where both have one.
func join(a, b string) string {
	if strings.HasSuffix(a, "/") && strings.HasPrefix(b, "/") {
		return a + b[1:]
	}
	return a + b
}

// fill returns what a hole comes to, nil where nothing is known.
func (j *Joiner) fill(f *resolve.File, owner int, hole string, depth int) []reading {
	if key, otherwise, ok := services.Setting(hole); ok {
		return j.setting(f, key, otherwise, depth)
	}
	if maker, number, name, ok := services.Made(hole); ok {
		return j.madeWith(f, maker, number, name, depth)
	}
	if number, member, ok := strings.Cut(strings.TrimPrefix(hole, "#"), ":"); ok && strings.Contains(number, ".") &&
		strings.HasPrefix(hole, "#") {
		hole = member // state.settings.stockUrl: its type may say
	} else if strings.HasPrefix(hole, "#") || hole == "" {
		return nil // a parameter: callers say
	}
	if name, ok := strings.CutPrefix(hole, "client:"); ok {
		return j.below(f, `"`+name+`"`, "")
	}
	if name, given, ok := services.Called(hole); ok {
		return j.called(f, owner, name, given, depth)
	}
	hole, _, _ = strings.Cut(hole, " ")
	name, args := hole, []string(nil)
	if open := strings.IndexByte(hole, '('); open > 0 {
		name, args = hole[:open], services.ListItems(hole[open+1:])
	}
	steps := strings.FieldsFunc(strings.TrimPrefix(name, "await "),
		func(r rune) bool { return !letter(byte(min(r, 0x80))) })
	if len(steps) == 0 {
		return nil
	}
	if len(args) == 0 && strings.HasSuffix(hole, "()") && len(steps) > 1 {
		if out := j.called(f, owner, strings.Join(steps, "."), nil, depth); !isUnknownCall(out[0].text) {
			return out
		}
	}
	var out []reading
	if bound := j.ofSection(f, steps, depth); len(bound) > 0 {
		return bound
	}
	for _, t := range j.textsOf(f, owner, steps) {
		if t.file == f && t.fact.Owner == owner && owner >= 0 {
			continue // a function is not told by itself
		}
		value := passed(t.value, args)
		for _, r := range j.expand(t.file, t.fact.Owner, value, depth+1) {
			if t.file != f {
				r.rests = append([]string{t.file.Path}, r.rests...)
			}
			r.how = append([]string{fmt.Sprintf("%s is %s at %s:%d", strings.Join(steps, "."), shown(t.value),
				t.file.Path, t.fact.Span.StartLine)}, r.how...)
			if out = append(out, r); len(out) == maxReadings {
				return out
			}
		}
	}
	return out
}

// passed puts arguments in place of the parameters of a text: "{#0:base}/x". What
// a caller leaves open stays a hole without a number, which no other caller fills.
func passed(text string, args []string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "{#")
		if i < 0 {
			return b.String() + text
		}
		end := i + strings.IndexByte(text[i:], '}')
		if end < i {
			return b.String() + text
		}
		number, name, _ := strings.Cut(text[i+2:end], ":")
		b.WriteString(text[:i])
		if n := digits(number); n >= 0 && n < len(args) && number != "" {
			b.WriteString(argumentText(args[n]))
		} else {
			b.WriteString("{" + name + "}")
		}
		text = text[end+1:]
	}
}

// argumentText returns an argument as it stands in a hole, as a text with holes.
func argumentText(arg string) string {
	if n := len(arg); n > 1 && (arg[0] == '"' || arg[0] == '\'') && arg[n-1] == arg[0] {
		return arg[1 : n-1]
	}
	if key, otherwise := services.SettingOf(arg); key != "" {
		return services.SettingHole(key, otherwise)
	}
	return "{" + arg + "}"
}

// digits reads a number, -1 for none.
func digits(s string) (n int) {
	if s == "" {
		return -1
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// shown returns a text as a person reads it: settings without what they are otherwise.
func shown(text string) string {
	return holes(unnumbered(text), func(hole string) string {
		if key, _, ok := services.Setting(hole); ok {
			return key
		}
		return calledShown(hole)
	})
}

// unnumbered returns a text whose holes do not say which parameters they are.
func unnumbered(text string) string {
	return holes(text, func(hole string) string {
		if strings.HasPrefix(hole, "#") || strings.HasPrefix(hole, "@") {
			_, hole, _ = strings.Cut(hole, ":")
		}
		return hole
	})
}

// holes puts others in place of the holes of a text.
func holes(text string, other func(string) string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '{')
		end := i + strings.IndexByte(text[max(i, 0):], '}')
		if i < 0 || end < i {
			return b.String() + text
		}
		b.WriteString(text[:i] + "{" + other(text[i+1:end]) + "}")
		text = text[end+1:]
	}
}

// namedText is what a name of a file stands for.
type namedText struct {
	file  *resolve.File
	fact  *code.Fact
	value string
}

type textsKey struct{}

// texts returns what the names of a file stand for.
func texts(f *resolve.File) map[string][]namedText {
	return resolve.Memo(f, textsKey{}, func() map[string][]namedText {
		all := map[string][]namedText{}
		for _, fact := range endpoints(f, l2meta.RoleText) {
			name, value, _ := strings.Cut(fact.Type, "\t")
			all[name] = append(all[name], namedText{f, fact, value})
		}
		return all
	})
}

// textsOf returns what a name with its qualifiers, "config.urls.ORDERS", stands
// for where a file uses it: by the file itself, else by the declarations of its
// service, else by the only one of the workspace.
func (j *Joiner) textsOf(f *resolve.File, owner int, steps []string) []namedText {
	name := steps[len(steps)-1]
	if name == services.InstanceBase {
		return j.instances(f, steps[0])
	}
	if own, _ := qualified(texts(f)[name], steps, f.Type(owner)); len(own) > 0 {
		return own
	}
	alone := len(steps) == 1 || len(steps) == 2 && (steps[0] == "this" || steps[0] == "self")
	if alone && !brings(f, name) && !j.w.Language(f.Language).Unimported {
		return nil // a name of the file: no other says
	}
	var near, far []namedText
	for _, holder := range j.holders(f, name) {
		found, told := qualified(texts(holder)[name], steps, -1)
		switch {
		case !told && common[strings.ToLower(name)] && !slices.Contains(steps[:len(steps)-1], stemOf(holder.Path)):
		case j.services().root(holder.Path) == j.services().root(f.Path):
			near = append(near, found...)
		default:
			far = append(far, found...)
		}
	}
	if len(near) > 0 {
		return unique(near)
	}
	if far = unique(far); len(far) == 1 {
		return far
	}
	return nil
}

// common are names that say too little without what they belong to.
var common = map[string]bool{"url": true, "uri": true, "path": true, "host": true, "base": true, "endpoint": true,
	"route": true, "name": true, "address": true, "addr": true, "prefix": true, "api": true, "topic": true,
	"queue": true, "channel": true, "service": true, "event": true, "subject": true}

// stemOf returns the name of a file without folders and ending.
func stemOf(file string) string {
	stem, _, _ := strings.Cut(code.Base(file), ".")
	return stem
}

// brings reports whether an import of a file brings a name.
func brings(f *resolve.File, name string) bool {
	return slices.ContainsFunc(f.Imports, func(m code.Import) bool { return m.Name == name || m.Alias == name })
}

// unique keeps one of each value, and none of more than a few.
func unique(list []namedText) (out []namedText) {
	for _, t := range list {
		if !slices.ContainsFunc(out, func(o namedText) bool { return o.value == t.value }) {
			out = append(out, t)
		}
	}
	if len(out) > 3 {
		return nil
	}
	return out
}

// maxHolders bounds the files that a name is looked for in.
const maxHolders = 40

// holders returns the files beside f that say what a name stands for.
func (j *Joiner) holders(f *resolve.File, name string) (out []*resolve.File) {
	ids := j.w.Telling(l2meta.RoleText, name)
	if len(ids) > 10*maxHolders {
		return nil
	}
	for _, id := range ids {
		if file := j.w.ByID(id); file != nil && file != f && file.Class != code.ClassTest &&
			j.w.Together(file.Language, f.Language) {
			out = append(out, file)
		}
	}
	return out
}

// qualified keeps, of the texts of one name, those whose declarations the
// qualifiers name, or that stand in a class; then told is true. Where none does it
// returns all.
func qualified(list []namedText, steps []string, class int) (some []namedText, told bool) {
	for _, t := range list {
		for at := t.fact.Owner; at >= 0; at = t.file.Symbols[at].Parent {
			if at == class && class >= 0 || slices.Contains(steps[:len(steps)-1], t.file.Symbols[at].Name) {
				some = append(some, t)
				break
			}
		}
	}
	if len(some) > 0 {
		return unique(some), true
	}
	return unique(list), false
}

// setting returns what a setting comes to for a file's service: by its own
// configuration or deployment, else by what all share, else by what the reader
// gives it otherwise. The values of other services say nothing.
func (j *Joiner) setting(f *resolve.File, key, otherwise string, depth int) (out []reading) {
	own, shared := j.hosts().settingsOf(key, j.services().root(f.Path))
	list := own
	if len(list) == 0 {
		list = shared
	}
	for _, v := range list {
		for _, r := range j.expandSetting(f, address(v.value), depth) {
			r.how = append([]string{fmt.Sprintf("%s is %s in %s:%d", key, shown(v.value), v.file, v.line)}, r.how...)
			r.rests, r.keys = append([]string{v.file}, r.rests...), append(slices.Clip(r.keys), key)
			if !slices.ContainsFunc(out, func(o reading) bool { return o.text == r.text }) {
				out = append(out, r)
			}
		}
	}
	if len(out) == 0 && otherwise != "" {
		for _, r := range j.expandSetting(f, services.Placeholders(otherwise), depth) {
			r.how = append([]string{fmt.Sprintf("%s is %s where nothing sets it", key, otherwise)}, r.how...)
			r.keys = append(slices.Clip(r.keys), key)
			out = append(out, r)
		}
	}
	return out[:min(len(out), maxReadings)]
}

type sectionsKey struct{ root string }

// ofSection returns what a member of an object comes to that a section of settings is bound
// to, if one of the sections that its service binds has such a key: _options.Topic, where
// Kafka:Topic is set.
func (j *Joiner) ofSection(f *resolve.File, steps []string, depth int) (out []reading) {
	if len(steps) < 2 || len(j.w.Telling(l2meta.RoleText, services.Section)) == 0 {
		return nil
	}
	root := j.services().root(f.Path)
	sections := resolve.Derive(j.w, sectionsKey{root}, func() (all []string) {
		for _, id := range j.w.Telling(l2meta.RoleText, services.Section) {
			if from := j.w.ByID(id); from != nil && from.Class != code.ClassTest &&
				j.services().root(from.Path) == root {
				for _, t := range texts(from)[services.Section] {
					all = append(all, t.value)
				}
			}
		}
		return all
	})
	for _, section := range sections {
		key := strings.ReplaceAll(section, ":", ".") + "." + steps[len(steps)-1]
		own, shared := j.hosts().settingsOf(key, root)
		if len(own)+len(shared) > 0 {
			if out != nil {
				return nil // several sections have it
			}
			out = j.setting(f, key, "", depth)
		}
	}
	return out
}

// expandSetting fills the settings that the value of another names.
func (j *Joiner) expandSetting(f *resolve.File, value string, depth int) []reading {
	if depth >= maxDepth {
		return nil
	}
	return j.expand(f, -1, value, depth+1)
}
