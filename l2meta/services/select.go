package services

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/syntax"
)

// A selector says where a part of a call stands, in steps parted by "/". The first
// starts at the call:
//
//	2        the third argument that is not named
//	key=     the argument of that name: key=x, key: x
//	*        any argument
//	^        what the receiver was made by: producer = kafka.producer({…})
//	<>       the type argument: publish<OrderPaid>(…)
//	.queue   the argument of another call of the chain: x.queue("a").send(b)
//
// and the next ones at the expression that was found, or at what the variable that
// it is was given:
//
//	0        an argument of the call that it is
//	topic    the value of a field: {topic: x}, T{Topic: x}, T(topic=x), ['topic' => x]
//	.queue   the argument of a call of its chain: builder().queue(x).build()
//	Record(  the same expression, if it calls what is named so: new Record<>(x, y)

// selection finds parts of one call or annotation.
type selection struct {
	r          *Reader
	c          *code.Call // nil for an annotation
	args       []string
	at         int // of an annotation
	annotation bool
}

var namedArgument = regexp.MustCompile(`^['"]?:?([A-Za-z_]\w*)['"]?\s*(?:=>|=|:)\s*([^=>:\s][\s\S]*)$`)

func (s *selection) place() int {
	if s.c == nil {
		return s.at
	}
	return s.c.NameSpan.StartByte
}

// find returns the expression that a selector leads to, and where it stands; ""
// where there is none.
func (s *selection) find(selector string) (expr string, at int) {
	steps := strings.Split(selector, "/")
	if steps[0] == "*" {
		for _, a := range s.args {
			if expr, at := s.follow(a, s.place(), steps[1:]); expr != "" {
				return expr, at
			}
		}
		return "", 0
	}
	expr, at = s.first(steps[0])
	if expr == "" {
		return "", 0
	}
	return s.follow(expr, at, steps[1:])
}

func (s *selection) first(step string) (expr string, at int) {
	if n, err := strconv.Atoi(step); err == nil {
		for _, a := range s.args {
			if namedArgument.MatchString(a) {
				continue
			}
			if n--; n < 0 {
				return a, s.place()
			}
		}
		return "", 0
	}
	if name, ok := strings.CutSuffix(step, "="); ok {
		for _, a := range s.args {
			if m := namedArgument.FindStringSubmatch(a); m != nil && m[1] == name {
				return m[2], s.place()
			}
		}
		return "", 0
	}
	if s.c == nil {
		return "", 0
	}
	switch {
	case step == "^":
		if LastWord(s.c.Receiver) == "" {
			return s.c.Receiver, s.place()
		}
		return s.r.given(LastWord(s.c.Receiver), s.place())
	case step == "<>":
		if after := s.r.After(s.c); strings.HasPrefix(after, "<") {
			generic, _, _ := strings.Cut(after[1:], ">")
			return strings.TrimSpace(generic), s.place()
		}
	case strings.HasPrefix(step, "."):
		return Chained(s.c.Receiver+s.r.chain(s.c), step), s.place()
	}
	return "", 0
}

// chain returns what is called on the result of a call.
func (r *Reader) chain(c *code.Call) string {
	end := min(len(r.Text), c.Span.EndByte)
	return r.Text[end:min(len(r.Text), end+maxChain)]
}

// maxChain bounds, in bytes, how far behind a call its chain is read.
const maxChain = 300

// follow goes on from an expression.
func (s *selection) follow(expr string, at int, steps []string) (string, int) {
	for _, step := range steps {
		next := s.inside(expr, step)
		if next == "" && isPlain(expr) {
			if expr, at = s.r.given(LastWord(expr), at); expr != "" {
				next = s.inside(expr, step)
			}
		}
		if next == "" {
			return "", 0
		}
		expr = next
	}
	return expr, at
}

// given returns what a variable or field is given, nearest to a byte.
func (r *Reader) given(name string, at int) (string, int) {
	if value, where := r.Lookup(name, at); value != "" {
		return value, where
	}
	if m := r.besides(name); m != nil {
		return r.fold.expression(m[1]), m[0]
	}
	return "", 0
}

// besides returns the first place, from the name to the value, at which a name is given
// a value in the literal of an object, T{writer: kafka.NewWriter(…)}, or is the first
// of several results, q, err := declare(…); nil for none.
func (r *Reader) besides(name string) []int {
	found, known := r.givens[name]
	if known || name == "" {
		return found
	}
	r.fold.fuel -= len(r.Text) / 16 // the search goes over many bytes at once
	for at := 0; r.fold.fuel > 0; {
		next := strings.Index(r.Text[at:], name)
		if next < 0 {
			break
		}
		start := at + next
		at = start + len(name)
		if within := start > 0 && isWord(r.Text[start-1]); within == isWord(name[0]) {
			continue
		}
		if sign := besideName.FindString(r.Text[at:min(len(r.Text), at+maxLook)]); sign != "" {
			found = []int{start, at + len(sign)}
			break
		}
	}
	if r.givens == nil {
		r.givens = map[string][]int{}
	}
	r.givens[name] = found
	return found
}

// isWord reports whether a byte is one of \w.
func isWord(c byte) bool { return c == '_' || isLetter(c) }

// besideName matches what stands between such a name and its value.
var besideName = regexp.MustCompile(`^\s*(?:,\s*\w+\s*:?=|:)\s*`)

// inside returns the part of an expression that a step leads to, "" for none.
func (s *selection) inside(expr, step string) string {
	expr = strings.TrimPrefix(strings.TrimSpace(expr), "await ")
	if strings.HasPrefix(step, ".") {
		return Chained(expr, step)
	}
	open := strings.IndexAny(expr, "({[")
	if callee, ok := strings.CutSuffix(step, "("); ok {
		if open >= 0 && expr[open] == '(' && strings.Contains(expr[:open], callee) {
			return expr
		}
		return ""
	}
	if open < 0 || strings.ContainsAny(expr[:open], "\"'`") {
		return ""
	}
	n, err := strconv.Atoi(step)
	items := ListItems(expr[open+1:])
	if err == nil {
		if expr[open] != '(' || n >= len(items) {
			return ""
		}
		return items[n]
	}
	for _, level := range []string{expr[open+1:], behindParen(expr, open)} { // new T(…) {Topic = x}
		for _, item := range ListItems(level) {
			if item == step {
				return step // {topic}
			}
			if m := namedArgument.FindStringSubmatch(item); m != nil && m[1] == step {
				return m[2]
			}
		}
	}
	return ""
}

func behindParen(expr string, open int) string {
	if expr[open] != '(' {
		return ""
	}
	if i := strings.IndexByte(expr[open:], ')'); i >= 0 {
		if rest := strings.TrimSpace(expr[open+i+1:]); strings.HasPrefix(rest, "{") {
			return rest[1:]
		}
	}
	return ""
}

// Chained returns the first argument of a call in a chain, ".to" of ".to(x).with(y)";
// "" without one.
func Chained(chain, step string) string {
	_, rest, ok := strings.Cut(chain, step+"(")
	if !ok {
		return ""
	}
	if items := ListItems(rest); len(items) > 0 {
		return items[0]
	}
	return ""
}

// texts returns what the first selector that is there comes to: several texts for a
// list.
func (s *selection) texts(selectors []string) (out []string) {
	for _, sel := range selectors {
		expr, at := s.find(sel)
		if expr == "" {
			continue
		}
		if isPlain(expr) {
			if list, where := s.r.given(LastWord(expr), at); listStart.MatchString(list) &&
				!strings.HasPrefix(list, "{") {
				expr, at = list, where
			}
		}
		for _, item := range Listed(expr) {
			if text := s.r.Topic(item, at); text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		return out
	}
	return nil
}

var listStart = regexp.MustCompile(`^(?:new\s*(?:\w*\s*)?\[\s*\]\s*\{|\[\]string\{|&(?:vec!)?\[|vec!\[|(?:Arrays\.asList|List\.of|Set\.of|Collections\.singleton(?:List)?|listOf|setOf|arrayOf|array|Pattern\.compile)\(|\[|\{)`)

// Listed returns the items of a list, or the expression.
func Listed(expr string) []string {
	if start := listStart.FindString(expr); start != "" &&
		!(start == "{" && namedArgument.MatchString(firstItem(expr[1:]))) {
		return ListItems(expr[len(start):])
	}
	return []string{expr}
}

func firstItem(list string) string {
	if items := ListItems(list); len(items) > 0 {
		return items[0]
	}
	return ""
}

var wholeHole = regexp.MustCompile(`^\{[^{}]*\}$`)

// maxTopic bounds the length of a topic.
const maxTopic = 200

// Topic folds an expression to the name of a topic: a hole holds a name as
// written, so that it can be resolved elsewhere. "" where it is none.
func (r *Reader) Topic(expr string, at int) string { return r.topic(expr, at, 0) }

func (r *Reader) topic(expr string, at, depth int) string {
	expr = strings.TrimSpace(expr)
	if m := spelled.FindStringSubmatch(expr); m != nil { // of Spring
		if expr = `"` + m[1] + `"`; m[1] == "" {
			expr = m[2]
		}
	}
	pattern := expr
	if isPlain(expr) && !strings.ContainsAny(expr, "\"'`") {
		pattern, _ = r.Lookup(LastWord(expr), at)
	}
	if strings.HasPrefix(pattern, "{") { // {cmd: 'sum'} of NestJS
		return strings.Trim(strings.Map(dropBlanks, pattern), "{}")
	}
	if strings.EqualFold(expr, "string.Empty") {
		return ""
	}
	if queue := r.declaredQueue(expr, at); queue != "" {
		return queue
	}
	text := r.Fold(unwrap.ReplaceAllString(expr, "$1"), at)
	if wholeHole.MatchString(text) && isPlain(expr) && !strings.HasPrefix(text, "{env:") &&
		!strings.HasPrefix(text, "{#") {
		text = "{" + expr + "}"
	}
	if depth < MaxFolds {
		text = parameterHole.ReplaceAllStringFunc(text, func(hole string) string {
			return cmp.Or(r.handed(parameterHole.FindStringSubmatch(hole)[1], at, depth), hole)
		})
	}
	if text == "{}" || len(text) > maxTopic ||
		strings.ContainsAny(strings.Map(dropHoles(), text), " \n\t\"'`<|\\^(){}") {
		return ""
	}
	return text
}

// spelled matches what SpEL reads a topic or a list of them from: "#{'${a.topics}'.split(',')}",
// "#{@settings.topic}".
var spelled = regexp.MustCompile(
	`^"#\{\s*(?:'([^']+)'(?:\.split\('[^']*'\))?|@?([A-Za-z]\w*(?:\.[A-Za-z]\w*)+)(?:\(\))?)\s*\}"$`)

// handed returns what the calls of the function around a byte pass for a parameter, if
// all of the file pass the same: consume(queueName), where main calls it.
func (r *Reader) handed(parameter string, at, depth int) (topic string) {
	own := r.Around(at)
	n, err := strconv.Atoi(parameter)
	if own < 0 || err != nil {
		return ""
	}
	s := &r.File.Symbols[own]
	r.fold.fuel -= len(r.File.Calls)
	for i := range r.File.Calls {
		c := &r.File.Calls[i]
		if c.Callee != s.Name || c.Kind != code.CallPlain || c.Caller == own || !r.ownCall(c) {
			continue
		}
		args := r.Arguments(c)
		if n >= len(args) {
			return ""
		}
		text := r.topic(args[n], c.NameSpan.StartByte, depth+1)
		if text == "" || topic != "" && text != topic {
			return ""
		}
		topic = text
	}
	return topic
}

// ownCall reports whether a call may be one of a function of the file or of the
// type around it.
func (r *Reader) ownCall(c *code.Call) bool {
	return c.Receiver == "" || r.File.Language == "go" ||
		slices.Contains([]string{"this", "self", "$this", "cls", "static"}, c.Receiver)
}

// parameterHole matches a parameter in a text: {#0:queue}.
var parameterHole = regexp.MustCompile(`\{#(\d+):[^{}]*\}`)

var (
	// declaredBy is what declares a queue, of which the program goes on to use the
	// name: q, err := ch.QueueDeclare("orders"), q.Name.
	declaredBy = regexp.MustCompile(
		`(?:QueueDeclare(?:Async)?|queueDeclare|queue_declare|assertQueue|channel\.queue)\(`)
	// unwrap is what makes another type of a text: aws.String(x), new ChannelTopic(x).
	unwrap = regexp.MustCompile(`^(?:aws\.String|aws\.ToString|new (?:Channel|Pattern)Topic|(?:new )?RedisChannel(?:\.Literal|\.Pattern)?|Stream(?:Offset)?\.(?:key|create))\((.*)\)$`)
)

// declaredQueue returns the name of a queue that was declared under a variable; one that
// the server names is a hole.
func (r *Reader) declaredQueue(expr string, at int) string {
	root, _, member := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(expr, "await "), "$"), ".")
	if root == "" || !isPlain(expr) || strings.ContainsAny(root, "\"'`") {
		return ""
	}
	value, where := r.given(root, at)
	m := declaredBy.FindStringIndex(value)
	if m == nil || !member && !strings.Contains(value[m[1]:], ".QueueName") &&
		!strings.Contains(value[m[1]:], ".getQueue") && !strings.Contains(value[m[1]:], ".method.queue") &&
		r.File.Language != "php" {
		return ""
	}
	queue := &selection{r: r, args: ListItems(value[m[1]:]), at: where}
	for _, sel := range []string{"queue=", "0"} {
		if name, _ := queue.find(sel); name != "" {
			if text := r.Fold(name, where); text != "" && text != "{}" {
				return text
			}
		}
	}
	return "{" + root + "}"
}

func dropBlanks(c rune) rune {
	if strings.ContainsRune(" \t\r\n\"'`", c) {
		return -1
	}
	return c
}

var constructed = regexp.MustCompile(`(?:\bnew\s+|&)([A-Za-z_][\w.\\]*)|(?:^|[?:]\s*)([A-Z]\w*)\s*[({]`)

var (
	// classOf matches a class as a value: OrderPaid.class, OrderPaid::class.java.
	classOf = regexp.MustCompile(`^([A-Z][\w.]*?)(?:\.class|::class(?:\.java)?)$`)
	// adapted matches what a mapper makes of a value: dto.Adapt<OrderPaid>().
	adapted = regexp.MustCompile(`\.(?:Adapt|Map|MapTo|To)<([A-Z][\w.]*)>\s*\(`)
)

// types returns the names of the types that a payload may have.
func (s *selection) types(selectors []string) (out []string) {
	add := func(name string) {
		if name = typeWord(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, sel := range selectors {
		expr, _ := s.find(sel)
		if expr == "" {
			continue
		}
		if sel == "<>" {
			add(expr)
			return out
		}
		made := func(text string) (found bool) {
			for _, m := range constructed.FindAllStringSubmatch(text, maxTypes) {
				add(m[1] + m[2])
				found = true
			}
			return found
		}
		if class := classOf.FindStringSubmatch(expr); class != nil {
			add(class[1])
			return out
		}
		if !isPlain(expr) {
			made(strings.TrimPrefix(expr, "await "))
			return out
		}
		name := LastWord(expr)
		if root, _, member := strings.Cut(strings.ReplaceAll(expr, "->", "."), "."); member && root != "this" &&
			root != "self" && root != "$this" {
			return out // a member of another value
		}
		for _, def := range s.r.fold.defined(name, s.place()) {
			value := s.r.fold.expression(def.value)
			if m := adapted.FindStringSubmatch(value); m != nil {
				add(m[1])
				continue
			}
			made(value)
		}
		if len(out) == 0 {
			for i := range s.r.File.Facts {
				if f := &s.r.File.Facts[i]; f.Name == name &&
					(f.Kind == code.FactParam || f.Kind == code.FactVar || f.Kind == code.FactField) &&
					(f.Owner < 0 || s.r.File.Symbols[f.Owner].Span.StartByte <= s.place() &&
						s.place() < s.r.File.Symbols[f.Owner].Span.EndByte) {
					add(f.Type)
				}
			}
		}
		return out
	}
	return nil
}

// maxTypes bounds how many types one payload may have.
const maxTypes = 8

var anyType = []string{"object", "Object", "string", "String", "any", "Any", "unknown", "dynamic", "var", "int",
	"byte", "bool", "T", "TEvent", "TMessage", "Message", "Event", "IntegrationEvent", "DomainEvent", "List", "Map",
	"Dictionary", "Task"}

// typeWord returns the last name of a type that tells a payload from others, "" for
// one that does not.
func typeWord(written string) string {
	name := l2meta.TypeName(syntax.OneLine([]byte(written)))
	if len(name) < 3 || slices.Contains(anyType, name) || !(name[0] >= 'A' && name[0] <= 'Z') {
		return ""
	}
	return name
}

// unknownPayload returns a payload of which the type is not known, as a hole.
func (s *selection) unknownPayload(selectors []string) []string {
	for _, sel := range selectors {
		if expr, _ := s.find(sel); expr != "" && len(expr) < maxTopic && !strings.ContainsAny(expr, "\"'`{},\t\n") {
			return []string{"{" + expr + "}"}
		}
	}
	return nil
}
