package folding

import (
	"regexp"
	"slices"
	"strings"
)

// A loop over the addresses of several services sends a request to each of them:
//
//	for name, url in SERVICES.items():
//	    client.get(f"{url}/health")
//
// If the list or the dictionary is a literal in the file, the request is recorded once for each
// of its values.

// item is a value that a loop variable takes, as written, and its byte offset.
type item struct {
	text string
	at   int
}

// maxLooped is the largest number of values of one loop.
const maxLooped = 20

// looping lists patterns for the heads of loops over values. The groups of each pattern are the
// key, the variable and the list. Every match of a pattern contains its word, which is searched
// first because that is faster.
var looping = []struct {
	word    string
	pattern *regexp.Regexp
}{
	{"for", regexp.MustCompile(`\bfor\s*\(?\s*(?:(?:const|let|var)\s+)?[\[(]?\s*(?:(\w+)\s*,\s*)?(\w+)\s*[\])]?\s*` +
		`(?:\bof|\bin|:=\s*range)\s+([\w.]+(?:\(\))?(?:\([\w.]+\))?)`)},
	{"=>", regexp.MustCompile(`([\w.]+(?:\([\w.]+\))?)\.(?:map|forEach|flatMap)\(\s*(?:async\s*)?[(\[]{0,2}` +
		`\s*(?:(\w+)\s*,\s*)?(\w+)\s*[\])]{0,2}\s*=>`)},
	{"foreach", regexp.MustCompile(`\bforeach\s*\(\s*\$?([\w>-]+)\s+as\s+(?:\$(\w+)\s*=>\s*)?\$(\w+)`)},
	{".each", regexp.MustCompile(
		`([\w.@]+)\.each(?:_value|_pair)?\s*(?:do|\{)\s*\|\s*(?:(\w+)\s*,\s*)?(\w+)\s*\|`)},
}

// looped returns the values that a variable takes in the loop around a byte offset, if they are literals in the file.
func (d *Definitions) looped(name string, at int) []item {
	from := 0
	if own := d.Function(at); own >= 0 {
		from = d.f.Symbols[own].Span.StartByte
	}
	from = max(from, at-maxLoop)
	if d.Fuel -= at - from; d.Fuel < 0 {
		return nil
	}
	head := d.Text[from:at]
	if !strings.Contains(head, name) {
		return nil
	}
	for i, form := range looping {
		if !strings.Contains(head, form.word) {
			continue
		}
		all := form.pattern.FindAllStringSubmatchIndex(head, -1)
		for n := len(all) - 1; n >= 0; n-- {
			part := func(i int) string { return head[max(all[n][2*i], 0):max(all[n][2*i+1], 0)] }
			key, variable, list := part(1), part(2), part(3)
			if i > 0 {
				list, key, variable = part(1), part(2), part(3)
			}
			if variable == name && !d.assigned(name, from+all[n][1], at) {
				return d.values(list, key != "" || i == 2, at, 0)
			}
		}
	}
	return nil
}

// assigned reports whether a name is assigned between two byte offsets.
func (d *Definitions) assigned(name string, from, to int) bool {
	return slices.ContainsFunc(d.defs[name], func(def Definition) bool { return def.at > from && def.at < to })
}

// maxLoop is the largest number of bytes between the head of a loop and a request in it.
const maxLoop = 1500

var (
	eachValue = regexp.MustCompile(`^(?:Object\.(?:values|entries)\(([\w.]+)\)|([\w.]+)\.(?:items|values)\(\))$`)
	// renewed matches a dictionary or list that is built from another one: {k: v for k, v in D.items()}.
	renewed = regexp.MustCompile(`^[{\[(].*\bfor\s+.*\bin\s+([\w.]+(?:\(\))?)\s*[}\])]$`)
)

// values returns the values of a list or dictionary that a loop iterates over, nil if it is no
// literal of the file. pairs means that the loop has a variable for the keys. A loop without one
// over a dictionary yields only the keys, so the result is nil.
func (d *Definitions) values(list string, pairs bool, at, depth int) (out []item) {
	m := eachValue.FindStringSubmatch(list)
	if m != nil {
		list, pairs = m[1]+m[2], true
	}
	text, where := d.Lookup(LastWord(list), at)
	if m := renewed.FindStringSubmatch(text); m != nil && depth < 2 {
		return d.values(m[1], pairs, where, depth+1)
	}
	open := strings.IndexAny(text, "{[(")
	if strings.HasPrefix(text, "map[") || strings.HasPrefix(text, "[]") {
		open, pairs = strings.IndexByte(text, '{'), true
	}
	if open < 0 || strings.ContainsAny(text[:open], "\"'`") || len(text) > open+1 && callLike.MatchString(text[:open]) {
		return nil
	}
	for _, part := range ListItems(text[open+1:]) {
		value := part
		if _, behind, ok := cutPair(part); ok && !strings.HasPrefix(part, "{") {
			if !pairs {
				return nil // the loop yields the keys of a dictionary
			}
			value = behind
		}
		if out = append(out, item{value, where}); len(out) > maxLooped {
			return nil
		}
	}
	return out
}

// callLike matches the text before the bracket of a call, rather than of a literal.
var callLike = regexp.MustCompile(`^[a-z]\w*(?:\.\w+)*$`)

// cutPair splits an entry of a dictionary: "key": value, key => value.
func cutPair(entry string) (key, value string, ok bool) {
	i := strings.IndexAny(entry, "\"'`")
	if i == 0 {
		i = SkipString(entry, 0) + 1
	} else {
		i = 0
	}
	for _, sign := range []string{"=>", ":"} {
		if key, value, ok = strings.Cut(entry[min(i, len(entry)):], sign); ok && identifierOrNothing(key) {
			return strings.TrimSpace(entry[:i] + key), strings.TrimSpace(value), true
		}
	}
	return "", "", false
}

func identifierOrNothing(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || Identifier.MatchString(s)
}

var aWord = regexp.MustCompile(`[A-Za-z_]\w*`)

// EachItem calls visit for each value of the loop whose variable occurs in an expression, with the variable bound to
// that value. If there is no such loop, it calls visit once.
func (d *Folder) EachItem(expr string, at int, visit func()) {
	for _, word := range aWord.FindAllString(expr, 12) {
		items := d.looped(word, at)
		if len(items) == 0 {
			continue
		}
		for _, it := range items {
			d.loop = map[string]item{word: it}
			visit()
		}
		d.loop = nil
		return
	}
	visit()
}
