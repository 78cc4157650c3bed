package source

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// A selector describes the place of a part of a call, in steps separated by "/". The first step
// starts at the call:
//
//	2        the third positional argument
//	2..      the same and the texts behind it, each a text of its own: subscribe(ctx, "orders", "payments")
//	key=     the argument of that name: key=x, key: x
//	*        any argument
//	^        the expression that created the receiver: producer = kafka.producer({…})
//	<>       the type argument: publish<OrderPaid>(…)
//	.queue   the argument of another call of the chain: x.queue("a").send(b)
//	+=       the method that is added to an event of the value that the call returns or gets as an argument:
//	         p = client.CreateProcessor(q); p.ProcessMessageAsync += OnMessage
//
// The next steps start at the expression found, or if that is a variable, at its value:
//
//	0        an argument of the call found
//	topic    the value of a field: {topic: x}, T{Topic: x}, T(topic=x), ['topic' => x]
//	.queue   the argument of a call of its chain: builder().queue(x).build()
//	Record(  the same expression, if it calls this name: new Record<>(x, y)
//	[]       each item of a list; only for texts

// Selection finds parts of one call or annotation by their selectors.
type Selection struct {
	Call *code.Call // nil for an annotation
	Args []string   // the arguments, as written

	src *Source
	at  int // byte offset of an annotation
}

// Select returns the selection of a call.
func (src *Source) Select(c *code.Call) *Selection {
	return &Selection{src: src, Call: c, Args: src.Arguments(c)}
}

// SelectAt returns the selection of an annotation, or of a construction, with arguments at a byte offset.
func (src *Source) SelectAt(args []string, at int) *Selection {
	return &Selection{src: src, Args: args, at: at}
}

// Named splits an argument or entry that is given by name, key=x, key: x or 'key' => x. ok is false for any other, such
// as the text 'orders:late'.
func Named(arg string) (name, value string, ok bool) {
	m := folding.NamedArgument.FindStringSubmatch(arg)
	if m == nil {
		return "", "", false
	}
	return m[1] + m[2] + m[3], m[4], true
}

func (s *Selection) Place() int {
	if s.Call == nil {
		return s.at
	}
	return s.Call.NameSpan.StartByte
}

// Find returns the expression that a selector leads to, and its offset; "" if there is none.
func (s *Selection) Find(selector string) (expr string, at int) {
	steps := strings.Split(selector, "/")
	if steps[0] == "*" {
		for _, a := range s.Args {
			if expr, at := s.follow(a, s.Place(), steps[1:]); expr != "" {
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

// positional returns the argument at position n, "" if there is none. A named argument before an
// argument without a name counts as a position, as in C#: BasicPublish(exchange: orders, "paid",
// body: b).
func (s *Selection) positional(n int) string {
	last := -1
	for i, a := range s.Args {
		if _, _, ok := Named(a); !ok {
			last = i
		}
	}
	if n < 0 || n > last {
		return ""
	}
	if _, _, ok := Named(s.Args[n]); ok {
		return ""
	}
	return s.Args[n]
}

// first returns the expression that the first step of a selector leads to, and its offset; "" if there is none.
func (s *Selection) first(step string) (expr string, at int) {
	if n, err := strconv.Atoi(step); err == nil {
		return s.positional(n), s.Place()
	}
	if name, ok := strings.CutSuffix(step, "="); ok && name != "+" {
		for _, a := range s.Args {
			if own, value, ok := Named(a); ok && own == name {
				return value, s.Place()
			}
		}
		return "", 0
	}
	if s.Call == nil {
		return "", 0
	}
	switch {
	case step == "^":
		if folding.LastWord(s.Call.Receiver) == "" {
			return s.Call.Receiver, s.Place()
		}
		return s.src.Given(folding.LastWord(s.Call.Receiver), s.Place())
	case step == "<>":
		if after := s.src.After(s.Call); strings.HasPrefix(after, "<") {
			generic, _, _ := strings.Cut(after[1:], ">")
			return strings.TrimSpace(generic), s.Place()
		}
	case step == "+=":
		return s.added(), s.Place()
	case strings.HasPrefix(step, "."):
		return folding.Chained(s.Call.Receiver+s.src.chain(s.Call), step), s.Place()
	}
	return "", 0
}

var (
	assignedTo = regexp.MustCompile(`(\w+)\s*=\s*(?:await\s+)?[\w.?!]*$`)
	addsTo     = regexp.MustCompile(
		`\b(\w+)[?!]?\.(\w+)\s*\+=\s*(?:new\s+\w+(?:<[^>\n]*>)?\()?(?:this\.)?([A-Za-z_]\w*)\s*[;)]`)
)

// added returns the method that a statement in the file adds to an event of the value that the call returns or is
// passed: OnMessage for p.ProcessMessageAsync += OnMessage. It returns "" if there is none, or for an anonymous
// function. Events for errors do not count.
func (s *Selection) added() string {
	if !s.src.Mentions("+=") {
		return ""
	}
	var names []string
	line := s.src.Text[max(0, s.Call.NameSpan.StartByte-MaxChain):s.Call.NameSpan.StartByte]
	if m := assignedTo.FindStringSubmatch(line); m != nil {
		names = append(names, m[1])
	}
	for _, a := range s.Args {
		if _, value, ok := Named(a); ok {
			a = value
		}
		names = append(names, a)
	}
	for _, m := range s.src.Matches(addsTo, 0, len(s.src.Text)) {
		event := strings.ToLower(s.src.Text[m[4]:m[5]])
		if slices.Contains(names, s.src.Text[m[2]:m[3]]) && !strings.Contains(event, "error") &&
			!strings.Contains(event, "shutdown") && !strings.Contains(event, "cancel") {
			return s.src.Text[m[6]:m[7]]
		}
	}
	return ""
}

// MaxChain is the largest number of bytes of a chain that are read after a call.
const MaxChain = 300

// maxGivens is the largest number of variables and methods through which follow traces a value.
const maxGivens = 3

// follow applies the steps of a selector to an expression. It returns "" if a step finds nothing.
func (s *Selection) follow(expr string, at int, steps []string) (string, int) {
	for _, step := range steps {
		next := s.inside(expr, step)
		expr = strings.TrimPrefix(expr, "&")
		for tries := 0; next == "" && folding.IsPlain(expr) && tries < maxGivens; tries++ {
			if expr, at = s.src.Given(folding.LastWord(expr), at); expr != "" {
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

// inside returns the part of an expression to which one step of a selector leads: x in {topic: x} for the step topic.
// It returns "" if there is none.
func (s *Selection) inside(expr, step string) string {
	expr = strings.TrimPrefix(strings.TrimSpace(expr), "await ")
	if strings.HasPrefix(step, ".") {
		return folding.Chained(expr, step)
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
	items := folding.ListItems(expr[open+1:])
	if err == nil {
		if expr[open] != '(' || n >= len(items) {
			return ""
		}
		return items[n]
	}
	// the field may be in braces behind the parentheses: new T(…) {Topic = x}
	for _, level := range []string{expr[open+1:], behindParen(expr, open)} {
		for _, item := range folding.ListItems(level) {
			if item == step {
				return step // the short form {topic} of {topic: topic}
			}
			if name, value, ok := Named(item); ok && name == step {
				return value
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

// Texts returns the folded texts of the expression that the first successful selector finds:
// several texts if the expression is a list. It returns nil if no selector finds an expression.
func (s *Selection) Texts(selectors []string) (out []string) {
	for _, sel := range selectors {
		if list, steps, ok := strings.Cut(sel, "/[]/"); ok {
			if out = s.textsOfEach(list, strings.Split(steps, "/")); len(out) > 0 {
				return out
			}
			continue
		}
		sel, several := strings.CutSuffix(sel, "..")
		expr, at := s.Find(sel)
		if expr == "" {
			continue
		}
		expr = s.src.AsList(s.spread(expr))
		if list := s.loopedOver(expr, at); list != "" && s.isKnownList(list, at) {
			expr = list
		}
		expr, at = s.valuesOf(expr, at)
		if folding.IsPlain(expr) {
			list, where := s.src.Given(folding.LastWord(expr), at)
			if list = s.src.AsList(list); folding.ListStart.MatchString(list) && !strings.HasPrefix(list, "{") {
				expr, at = list, where
			}
		}
		for _, item := range folding.Listed(expr) {
			text := s.src.Folder.OfMaker(s.src.Topic(item, at), at, s.Place())
			if text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		if n, err := strconv.Atoi(sel); several && err == nil {
			out = s.textsBehind(n, out)
		}
		return out
	}
	return nil
}

// textsBehind appends to out the positional arguments behind the one at n that are texts, or constants of the file
// that hold one. Others are handlers or options.
func (s *Selection) textsBehind(n int, out []string) []string {
	for _, a := range s.Args[min(n+1, len(s.Args)):] {
		if _, quoted := folding.Quoted(a); !quoted && !folding.IsPlain(a) {
			continue
		}
		text := s.src.Topic(a, s.Place())
		if text != "" && !strings.Contains(text, "{") && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// loops matches the head of a loop over a list. The variable precedes the list, except in PHP,
// where the list precedes the variable.
var loops = regexp.MustCompile(`\bfor(?:each)?\b\s*(?:await\s*)?\(?\s*(?:(?:const|let|var|final|auto|[Ss]tring)\s+)*` +
	`(?:_\s*,\s*)?(\w+)\s*(?:\bof\b|\bin\b|:=\s*range\b|:)\s*([\w.]+)|\bforeach\s*\(\s*([$\w>.-]+)\s+as\s+\$(\w+)`)

// loopedOver returns the list over which a loop with the variable called name iterates, if the loop is in the
// function around a byte offset: topics for t in "for _, t := range topics" and "topics.forEach(t => …)". It returns
// "" if there is no such loop.
func (s *Selection) loopedOver(name string, at int) (list string) {
	own := s.src.Around(at)
	if name = strings.TrimPrefix(name, "$"); own < 0 || !folding.Identifier.MatchString(name) {
		return ""
	}
	for _, m := range s.src.Matches(loops, s.src.File.Symbols[own].Span.StartByte, at) {
		switch {
		case m[2] >= 0 && s.src.Text[m[2]:m[3]] == name:
			list = s.src.Text[m[4]:m[5]]
		case m[8] >= 0 && s.src.Text[m[8]:m[9]] == name:
			list = s.src.Text[m[6]:m[7]]
		}
	}
	for _, m := range s.src.Matches(visited, s.src.File.Symbols[own].Span.StartByte, at) {
		if s.src.Text[m[4]:m[5]] == name {
			list = s.src.Text[m[2]:m[3]]
		}
	}
	return list
}

// visited matches a function to which a list passes each of its items: topics.forEach((topic) => …), topics.each do
// |topic|.
var visited = regexp.MustCompile(`([\w.]+)\.(?:map|forEach|each|flatMap)` +
	`(?:\(\s*(?:async\s*)?\(?\s*|\s*(?:do|\{)\s*\|)(\w+)\b(?:\s*:\s*\w+)?\s*(?:\)?\s*=>|\|)`)

var (
	madeList = regexp.MustCompile(`^(?:list|tuple|set|sorted)\(([\w.]+)\)$`)
	tuple    = regexp.MustCompile(`^\(([^()]*,[^()]*)\)$`)
)

// AsList simplifies Python expressions for lists: list(topics) becomes topics, and the tuple (a, b) becomes [a, b].
func (src *Source) AsList(expr string) string {
	if src.File.Language != "python" {
		return expr
	}
	if m := madeList.FindStringSubmatch(expr); m != nil {
		return m[1]
	}
	return tuple.ReplaceAllString(expr, "[$1]")
}

// allValues matches an expression for all values of an object or a dictionary: Object.values(TOPICS).
var allValues = regexp.MustCompile(
	`^(?:Object\.values\((\w[\w.]*)\)|list\((\w[\w.]*)\.values\(\)\)|(\w[\w.]*)\.values(?:\(\))?)$`)

// valuesOf replaces an expression for all values of an object literal, Object.values(TOPICS), by a list of these
// values, and returns its offset. It returns any other expression unchanged.
func (s *Selection) valuesOf(expr string, at int) (string, int) {
	m := allValues.FindStringSubmatch(expr)
	if m == nil {
		return expr, at
	}
	object, where := s.src.Given(folding.LastWord(m[1]+m[2]+m[3]), at)
	if !strings.HasPrefix(object, "{") {
		return expr, at
	}
	var values []string
	for _, item := range folding.ListItems(object[1:]) {
		if _, value, ok := strings.Cut(item, ":"); ok {
			values = append(values, strings.TrimSpace(value))
		}
	}
	return "[" + strings.Join(values, ", ") + "]", where
}

// textsOfEach finds a list by the selector list, follows steps in each of its items, and returns the folded texts
// found.
func (s *Selection) textsOfEach(list string, steps []string) (out []string) {
	expr, at := s.Find(list)
	if folding.IsPlain(expr) {
		expr, at = s.src.Given(folding.LastWord(expr), at)
	}
	if !folding.ListStart.MatchString(expr) {
		return nil
	}
	for _, item := range folding.Listed(expr) {
		if part, where := s.follow(item, at, steps); part != "" {
			if text := s.src.Topic(part, where); text != "" && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}
