package source

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

var WholeHole = regexp.MustCompile(`^\{[^{}]*\}$`)

// MaxTopic is the largest length of a topic in bytes.
const MaxTopic = 200

// Topic folds an expression to the name of a topic. Names that the file does not define become
// holes, {Topics.PAID}, which other files may define. Topic returns "" if the expression is no
// topic.
func (src *Source) Topic(expr string, at int) string { return src.topic(expr, at, 0) }

func (src *Source) topic(expr string, at, depth int) string {
	expr = strings.TrimSpace(expr)
	if m := spelled.FindStringSubmatch(expr); m != nil { // an expression of Spring
		if expr = `"` + m[1] + `"`; m[1] == "" {
			expr = m[2]
		}
	}
	pattern := expr
	if folding.IsPlain(expr) && !strings.ContainsAny(expr, "\"'`") {
		pattern, _ = src.Lookup(folding.LastWord(expr), at)
	}
	// in NestJS, the topic may be an object: {cmd: 'sum'}
	if strings.HasPrefix(pattern, "{") && src.File.Language != "python" {
		return strings.Trim(strings.Map(dropBlanks, pattern), "{}")
	}
	if strings.EqualFold(expr, "string.Empty") {
		return ""
	}
	if queue := src.declaredQueue(expr, at); queue != "" {
		return queue
	}
	src.Folder.Topical = true
	text := src.Fold(unwrap.ReplaceAllString(expr, "$1"), at)
	src.Folder.Topical = false
	if WholeHole.MatchString(text) && folding.IsPlain(expr) && !folding.TypeMember.MatchString(text) &&
		!strings.HasPrefix(text, "{env:") && !strings.HasPrefix(text, "{#") && !strings.HasPrefix(text, "{@") &&
		!strings.HasPrefix(text, "{"+folding.CallMark) {
		text = "{" + expr + "}"
	}
	if depth < folding.MaxFolds {
		text = parameterHole.ReplaceAllStringFunc(text, func(hole string) string {
			return cmp.Or(src.handed(parameterHole.FindStringSubmatch(hole)[1], at, depth), hole)
		})
	}
	if text == "{}" || len(text) > MaxTopic ||
		strings.ContainsAny(strings.Map(folding.DropHoles(), text), " \n\t\"'`<|\\^(){}") {
		return ""
	}
	return text
}

// spelled matches the SpEL expressions that read a topic or a list of topics:
// "#{'${a.topics}'.split(',')}", "#{@settings.topic}".
var spelled = regexp.MustCompile(
	`^"#\{\s*(?:'([^']+)'(?:\.split\('[^']*'\))?|@?([A-Za-z]\w*(?:\.[A-Za-z]\w*)+)(?:\(\))?)\s*\}"$`)

// handed returns the topic that callers pass for a parameter of the function around a byte
// offset, if all calls in the file pass the same topic: "orders" from consume("orders") in main,
// for consume(queueName).
func (src *Source) handed(parameter string, at, depth int) (topic string) {
	own := src.Around(at)
	n, err := strconv.Atoi(parameter)
	if own < 0 || err != nil {
		return ""
	}
	s := &src.File.Symbols[own]
	src.Folder.Fuel -= len(src.File.Calls)
	for i := range src.File.Calls {
		c := &src.File.Calls[i]
		if c.Callee != s.Name || c.Kind != code.CallPlain || c.Caller == own || !src.ownCall(c) {
			continue
		}
		args := src.Arguments(c)
		if n >= len(args) {
			return ""
		}
		text := src.topic(args[n], c.NameSpan.StartByte, depth+1)
		if text == "" || topic != "" && text != topic || strings.Contains(text, "{#") ||
			strings.Contains(text, "{"+folding.CallMark) {
			return "" // the topic is a parameter of a caller, which other files may call
		}
		topic = text
	}
	return topic
}

// ownCall reports whether a call may call a function of its own file or type.
func (src *Source) ownCall(c *code.Call) bool {
	return c.Receiver == "" || src.File.Language == "go" ||
		slices.Contains([]string{"this", "self", "$this", "cls", "static"}, c.Receiver)
}

// parameterHole matches a parameter of the enclosing function in a folded text: {#0:queue}.
var parameterHole = regexp.MustCompile(`\{#(\d+):[^{}]*\}`)

var (
	// declaredBy matches calls that declare a queue whose name the program then reads: q, err :=
	// ch.QueueDeclare("orders"), q.Name.
	declaredBy = regexp.MustCompile(
		`(?:QueueDeclare(?:Async)?|queueDeclare|queue_declare|assertQueue|channel\.queue)\(`)
	// unwrap matches conversions of a text to another type: aws.String(x), new ChannelTopic(x).
	unwrap = regexp.MustCompile(
		`^(?:goka\.Stream|aws\.String|aws\.ToString|new (?:Channel|Pattern)Topic|(?:new )?RedisChannel(?:\.Literal|\.Pattern)?|Stream(?:Offset)?\.(?:key|create))\((.*)\)$`)
)

// declaredQueue returns the name of the queue whose declaration a variable holds: orders for q in q, err :=
// ch.QueueDeclare("orders"). It returns the variable in braces, {q}, if the server generates the name, and "" if the
// variable holds no queue.
func (src *Source) declaredQueue(expr string, at int) string {
	root, _, member := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(expr, "await "), "$"), ".")
	if root == "" || !folding.IsPlain(expr) || strings.ContainsAny(root, "\"'`") {
		return ""
	}
	value, where := src.Given(root, at)
	m := declaredBy.FindStringIndex(value)
	if m == nil || !member && !strings.Contains(value[m[1]:], ".QueueName") &&
		!strings.Contains(value[m[1]:], ".getQueue") && !strings.Contains(value[m[1]:], ".method.queue") &&
		src.File.Language != "php" {
		return ""
	}
	queue := src.SelectAt(folding.ListItems(value[m[1]:]), where)
	for _, sel := range []string{"queue=", "0"} {
		if name, _ := queue.Find(sel); name != "" {
			if text := src.Fold(name, where); text != "" && text != "{}" {
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

// spreadList matches a list whose items are arguments: *TOPICS of Python and Ruby, ...TOPICS of JavaScript and PHP.
var spreadList = regexp.MustCompile(`^(\*|\.\.\.)(\$?[A-Za-z_][\w.]*)$`)

// spread returns the list whose items an argument passes, or the argument unchanged.
func (s *Selection) spread(arg string) string {
	m := spreadList.FindStringSubmatch(arg)
	// the asterisk dereferences a pointer
	if m == nil || m[1] == "*" && s.src.File.Language != "python" && s.src.File.Language != "ruby" {
		return arg
	}
	return m[2]
}

// isKnownList reports whether a name holds a list literal, or is a parameter, for which callers
// may pass a list.
func (s *Selection) isKnownList(name string, at int) bool {
	value, _ := s.src.Given(folding.LastWord(name), at)
	return folding.ListStart.MatchString(s.src.AsList(value)) || strings.HasPrefix(s.src.Topic(name, at), "{#")
}
