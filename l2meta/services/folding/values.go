package folding

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
)

// The parts of a URL are often in other files than the request: constants, settings objects, functions that compose
// URLs, and helpers that are called with a path. The functions here record the texts of a file's names and of the
// arguments of its calls; l2meta/endpoint combines them.

// maxTexts is the largest number of facts of one file about the values of names, ORDERS =
// "/orders".
const maxTexts = 300

// Texts returns a fact for each name of the file whose value may be part of an address or a topic: ORDERS =
// "/orders".
func (d *Folder) Texts() (out []code.Fact) {
	file := fileOfTopics(d.f.Path)
	keep := func(owner, at, end int, name, value string) {
		if len(out) < maxTexts && name != "" &&
			(tells(name, value) || Topical.MatchString(value) && (file || amongTopics(d.f, owner))) {
			out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: owner, Name: l2meta.RoleText,
				Type: name + "\t" + value, Span: d.Span(at, end)})
		}
	}
	if d.defs == nil {
		d.read()
	}
	// in a type or an object of topics, each text counts: Topics = { Paid: "paid" }
	topics := file || slices.ContainsFunc(d.f.Symbols, namesTopics)
	member := func(value int) bool {
		return topics && value < len(d.Text) && strings.IndexByte("\"'", d.Text[value]) >= 0
	}
	// sorted, so that the same names are recorded each time if there are too many
	for _, name := range slices.Sorted(maps.Keys(d.defs)) {
		for _, def := range d.defs[name] {
			if def.key != "" {
				continue
			}
			field := def.at > 0 && strings.IndexByte(".@>", d.Text[def.at-1]) >= 0 || d.setsField(name, def.at)
			if (member(def.Value) || d.begins(def.Value, name)) && (field || d.Function(def.at) < 0 ||
				d.setsGlobal(name, def.at)) {
				keep(d.symbol(def.at), def.at, def.at+len(name), name, d.Fold(d.Expression(def.Value), def.Value))
			}
		}
	}
	d.pairs(func(at, value int, name string) {
		owner := d.symbol(at)
		ofObject := owner >= 0 && slices.Contains(objectKinds, d.f.Symbols[owner].Kind)
		if value = body(d.Text, value); ofObject && member(value) || d.begins(value, name) {
			keep(owner, at, at+len(name), name, d.Fold(d.Expression(value), value))
		}
	})
	for i := range d.f.Symbols {
		s := &d.f.Symbols[i]
		for _, at := range d.answersOf(s) {
			if !d.mayAnswer(at, s.Name) {
				continue
			}
			if value := d.Fold(d.Expression(at), at); len(out) < maxTexts && tellsResult(s.Name, value) {
				out = append(out, code.Fact{Kind: code.FactEndpoint, Owner: i, Name: l2meta.RoleText,
					Type: s.Name + "\t" + value, Span: d.Span(s.NameSpan.StartByte, s.NameSpan.EndByte)})
			}
		}
	}
	slices.SortFunc(out, func(a, b code.Fact) int {
		return cmp.Or(a.Span.StartByte-b.Span.StartByte, strings.Compare(a.Type, b.Type))
	})
	out = slices.CompactFunc(out,
		func(a, b code.Fact) bool { return a.Span.StartByte == b.Span.StartByte && a.Type == b.Type })
	d.tellApart(out)
	return out
}

// objectKinds lists the kinds of symbols that may hold an object of topics.
var objectKinds = []code.Kind{code.KindVariable, code.KindConstant}

// setsField reports whether an assignment to a name sets a field without naming its object: CartURL =
// configuration["CartURL"] in C#. It has to be a statement of its own.
func (d *Definitions) setsField(name string, at int) bool {
	return !namesObject[d.f.Language] && d.isField(name) && at > 0 &&
		strings.IndexByte("\n;{}", lastBeforeSpaces(d.Text[:at])) >= 0
}

// setsGlobal reports whether an assignment in a function sets a variable that the file declares outside of functions:
// userURL = os.Getenv("USER_URL") after var userURL string.
func (d *Definitions) setsGlobal(name string, at int) bool {
	if at > 0 && strings.IndexByte("\n;{}", lastBeforeSpaces(d.Text[:at])) < 0 ||
		strings.HasPrefix(strings.TrimLeft(d.Text[at+len(name):], " \t"), ":") {
		return false // the statement declares a local variable: let name = …, name := …
	}
	return slices.ContainsFunc(d.f.Symbols, func(s code.Symbol) bool {
		return s.Name == name && s.Parent < 0 && !s.Kind.Callable() && s.NameSpan.StartByte != at
	})
}

// lastBeforeSpaces returns the last byte of a text before the spaces at its end, a line break if there is none.
func lastBeforeSpaces(text string) byte {
	if text = strings.TrimRight(text, " \t"); text != "" {
		return text[len(text)-1]
	}
	return '\n'
}

// tellApart adds the keys of the enclosing objects to facts about the same name: PUBLISH and
// SUBSCRIBE to those about PAID in TOPICS.PUBLISH.PAID and TOPICS.SUBSCRIBE.PAID.
func (d *Definitions) tellApart(list []code.Fact) {
	times := map[string]int{}
	for i := range list {
		name, _, _ := strings.Cut(list[i].Type, "\t")
		times[name]++
	}
	for i := range list {
		name, _, _ := strings.Cut(list[i].Type, "\t")
		if times[name] < 2 {
			continue
		}
		if keys := d.keysAround(list[i].Span.StartByte); keys != "" {
			list[i].Type += "\t" + keys
		}
	}
}

// keysAround returns the keys of the object literals around a byte offset, the outermost first: "PUBLISH.CLINICS".
func (d *Definitions) keysAround(at int) (keys string) {
	depth := 0
	for i := at - 1; i >= max(0, at-MaxEndpointText); i-- {
		switch d.Text[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth >= 0 {
				continue
			}
			depth = 0
			before, isKey := strings.CutSuffix(TrimBlank(d.Text[:i]), ":")
			if !isKey {
				return keys
			}
			_, name := lastName(strings.TrimRight(TrimBlank(before), "\"'"))
			keys = strings.Trim(name+"."+keys, ".")
		}
	}
	return keys
}

// Span returns the span of a byte range that is on one line.
func (d *Definitions) Span(at, end int) code.Span {
	if d.lines == nil {
		d.lines = code.NewLineIndex(d.f.Text)
	}
	return d.lines.Span(at, end)
}

// pairs calls found with every entry of an object, dictionary or struct literal: NAME: value.
func (d *Definitions) pairs(found func(at, value int, name string)) {
	for i := 0; i < len(d.Text); i++ {
		next := strings.IndexByte(d.Text[i:], ':')
		if next < 0 {
			return
		}
		i += next
		value := i + 1
		for value < len(d.Text) && (d.Text[value] == ' ' || d.Text[value] == '\t' || d.Text[value] == '\n') {
			value++
		}
		if value >= len(d.Text) || value == i+1 && d.Text[value] == '/' || d.Text[value] == '=' ||
			d.Text[value] == ':' {
			continue
		}
		at, name := lastName(strings.TrimRight(strings.TrimRight(d.Text[max(0, i-80):i], " "), "\"'"))
		if at += max(0, i-80); name != "" && (name[0] < '0' || name[0] > '9') && !blockWords[name] &&
			(at == 0 || d.Text[at-1] != '-' && d.Text[at-1] != '.') {
			found(at, value, name)
		}
	}
}

// blockWords lists the words before a colon that begins a block.
var blockWords = map[string]bool{"try": true, "else": true, "finally": true, "except": true,
	"default": true, "do": true}

// MaxLook is the largest number of bytes that are read to decide whether a value is worth
// folding.
const MaxLook = 160

// begins reports whether a value is worth folding: it contains a setting, or a text with a slash,
// or words between dots or colons that a capitalised name holds, or the name suggests an address
// and the value is any text or name. It looks at the first line only, and returns false for most
// values.
func (d *Definitions) begins(at int, name string) bool {
	line := d.Text[at:min(len(d.Text), at+MaxLook)]
	if i := strings.IndexByte(line, '\n'); i > 40 || i > 0 && strings.IndexByte(",;{}", line[i-1]) >= 0 {
		line = line[:i]
	}
	if line == "" {
		return false
	}
	if mentionsSetting(line) {
		return true
	}
	quote := strings.IndexAny(line, "\"'`")
	if quote < 0 {
		return (IsLetter(line[0]) || line[0] == '$' || line[0] == '@' || line[0] == '_') && MentionsAddress(name)
	}
	if strings.IndexByte(line[quote:], '/') > 0 {
		return true
	}
	if name == strings.ToUpper(name) && extendsConstant(line[:quote]) {
		return true
	}
	if quote == 0 && isCapital(name) {
		if text, _, closed := strings.Cut(line[1:], line[:1]); closed && severalLowerWords(text) {
			return true
		}
	}
	return quote < 12 && (MentionsAddress(name) || name == strings.ToUpper(name))
}

// extendsConstant reports whether the text before a quote adds to a constant: API_PREFIX + in API_PREFIX + "orders".
func extendsConstant(text string) bool {
	name, isSum := strings.CutSuffix(strings.TrimRight(text, " "), "+")
	name = strings.TrimRight(name, " ")
	return isSum && name != "" && name == strings.ToUpper(name) &&
		strings.IndexFunc(name, func(c rune) bool { return !IsLetter(byte(min(c, 0x80))) && c != '_' && c != '.' }) < 0
}

// mentionsSetting reports whether a text may read a setting.
func mentionsSetting(text string) bool {
	return MentionsEnvironment(text) || strings.ContainsAny(text, "\"'") &&
		(strings.Contains(text, "onfig") || strings.Contains(text, "ettings"))
}

// MentionsEnvironment reports whether a text may read an environment variable: by a name in quotes, as a member, or
// by calling a function such as getenv. A variable called env alone does not count.
func MentionsEnvironment(text string) bool {
	if strings.Contains(text, "env") || strings.Contains(text, "Env") || strings.Contains(text, "ENV") {
		return strings.ContainsAny(text, "\"'`") || ContainsAny(text, readingEnv)
	}
	return false
}

// readingEnv lists parts of expressions that read environment variables without quotation marks:
// import.meta.env.URL, os.Getenv(key).
var readingEnv = []string{".env.", "__ENV.", "etenv(", "etEnv(", "et_env(", "LookupEnv(", "EnvironmentVariable("}

// ContainsAny reports whether a text contains one of some parts.
func ContainsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// MentionsAddress reports whether a name suggests a part of an address, a topic or a queue, such as the key
// shop.orders-topic-name.
func MentionsAddress(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), "s")
	if of, named := strings.CutSuffix(name, "name"); named {
		if of = strings.TrimRight(of, "-_."); endsInTopic(of) {
			return true
		}
	}
	for _, word := range addressWords {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

// addressWords lists the last words in names for parts of addresses, for topics and for queues.
var addressWords = strings.Fields(
	`url uri path host hostname addr addres endpoint base prefix route api topic queue exchange subject channel
	stream destination routingkey routing_key routing-key event service`)

var returns = regexp.MustCompile(`\breturn\s+|=>\s*|\)[ \t]*(?::[ \t]*[\w<>?.]+[ \t]*)?=\s*`)

// symbol returns the innermost symbol around a byte offset, or -1.
func (d *Definitions) symbol(at int) int {
	i := sort.Search(len(d.f.Symbols), func(i int) bool { return d.f.Symbols[i].Span.StartByte > at }) - 1
	for i >= 0 && at >= d.f.Symbols[i].Span.EndByte {
		i = d.f.Symbols[i].Parent
	}
	return i
}

// tells reports whether a text is worth recording as the value of a name: a URL, a path or a setting, or, if the name
// suggests it, a topic or a host.
func tells(name, value string) bool {
	if len(value) < 2 || len(value) > 300 || strings.ContainsAny(strings.Map(DropHoles(), value), " \n\t\"'`<>|\\^") ||
		IsSecret(name, value) {
		return false
	}
	if strings.HasPrefix(value, "{") && !strings.HasPrefix(value, "{env:") && !strings.Contains(value, "}/") {
		return false
	}
	switch {
	case strings.Contains(value, "://"), strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//"),
		strings.HasPrefix(value, "./") && strings.Contains(value[len("./"):], "/"),
		strings.HasPrefix(value, "{env:"), strings.Contains(value, "}/"):
		return true
	case strings.ContainsAny(value, "{}()") || mediaType(value):
		return false
	}
	return MentionsAddress(name) || name == strings.ToUpper(name) && len(name) > 2 ||
		strings.Contains(value, "/") && !strings.Contains(value, " ") ||
		isCapital(name) && severalLowerWords(value)
}

// isCapital reports whether a name begins with a capital letter, as constants do in Go and C#.
func isCapital(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// severalLowerWords reports whether a text consists of words in small letters between dots or
// colons, as many topics do: order.created, mail:send_welcome.
func severalLowerWords(text string) bool {
	start, words := true, 1 // whether a word has to start here, and the number of words
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z':
			start = false
		case start:
			return false
		case c == '.' || c == ':':
			start = true
			words++
		case (c < '0' || c > '9') && c != '_' && c != '-':
			return false
		}
	}
	return !start && words > 1
}

var arrow = regexp.MustCompile(`^(?:async\s*)?(?:\([^()]{0,80}\)|\w+)\s*=>\s*`)

// body returns the offset of the value that starts at a byte offset. For an arrow function without a block, () =>
// "/x", that is the offset of its result.
func body(text string, at int) int {
	if c := text[at]; c != '(' && !IsLetter(c) {
		return at
	}
	line := text[at:min(len(text), at+MaxLook)]
	if !strings.Contains(line, "=>") {
		return at
	}
	if m := arrow.FindStringIndex(line); m != nil && m[1] < len(line) && line[m[1]] != '{' {
		return at + m[1]
	}
	return at
}

// mediaType reports whether a text is a media type: "application/json".
func mediaType(text string) bool {
	kind, _, ok := strings.Cut(text, "/")
	return ok && (kind == "application" || kind == "text" || kind == "image" || kind == "multipart")
}

// Topical matches a text that may be the name of a topic: order.created, jobs/paid.
var Topical = regexp.MustCompile(`^[\w.:/-]{2,100}$`)

// TopicWords lists the last words in names of types that hold topics.
var TopicWords = []string{"topic", "queue", "subject", "channel", "exchange", "routingkey", "pattern", "event",
	"topicname", "queuename"}

// namesTopics reports whether a symbol may be a type that holds topics: enum Subjects.
func namesTopics(s code.Symbol) bool {
	if s.Kind.Callable() {
		return false
	}
	return endsInTopic(strings.TrimSuffix(strings.ToLower(s.Name), "s"))
}

// endsInTopic reports whether a name in lower case ends in a word for topics.
func endsInTopic(name string) bool {
	return slices.ContainsFunc(TopicWords, func(word string) bool { return strings.HasSuffix(name, word) })
}

// fileOfTopics reports whether a file is named after topics, as is topics.go with const Audit = "audit".
func fileOfTopics(file string) bool {
	stem, _, _ := strings.Cut(file[strings.LastIndexByte(file, '/')+1:], ".")
	names, several := strings.CutSuffix(strings.ToLower(stem), "s")
	return several && endsInTopic(names) && !strings.HasSuffix(names, "pattern") // patterns.go holds expressions
}

// amongTopics reports whether a symbol belongs to a type that holds topics.
func amongTopics(f *code.File, owner int) bool {
	for ; owner >= 0; owner = f.Symbols[owner].Parent {
		if namesTopics(f.Symbols[owner]) {
			return true
		}
	}
	return false
}
