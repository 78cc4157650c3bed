package services

import (
	"regexp"
	"slices"
	"strings"

	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

var (
	// topicMember matches the members of an object, and the names of arguments, that may hold a topic.
	topicMember = regexp.MustCompile(`(?i)^(?:topics?|topic_?(?:arn|names?)|queues?|queue_?(?:names?|url)|subjects?|` +
		`channels?|events?|event_?(?:name|type)|exchange|exchange_?name|(?:routing|binding)_?keys?|destination|` +
		`streams?|stream_?(?:name|key)|pattern|value|name|type|detail_?type|keys?|address)$`)
	// possibleTopic matches the literal texts that may be the topic of a message.
	possibleTopic = regexp.MustCompile(`^[A-Za-z][\w.:/*#>-]{2,80}$`)
	// topicSetting matches the holes of settings that are named after topics: {env:ORDERS_TOPIC}.
	topicSetting = regexp.MustCompile(`(?i)topic|queue|exchange|channel|subject|event|stream|routing`)
	// namesHandler matches the expressions of functions that handle messages: handleOrder, this.onPaid.
	namesHandler = regexp.MustCompile(`^&?(?:[\w$]+(?:\.|->))*(?:(?i:on|handle|process|consume|receive|listen|` +
		`callback)\w*|\w+(?i:handler|callback|listener|consumer))(?:\.bind\(\w+\))?$`)
	// requiresHandler matches an import of a handler from a module of the program:
	// require('./handlers/paid').
	requiresHandler = regexp.MustCompile(`^require\(["'` + "`" + `]\.[^"'` + "`" + `]+["'` + "`" + `]\)(?:\.[a-z]\w*)?$`)
)

// possibleArgument adds to end the texts in an argument that may be topics, or the function that
// handles the message. depth is the number of objects around the argument.
func (pr *possibleReader) possibleArgument(end *PossibleEnd, arg string, at, depth int) {
	arg = strings.TrimSpace(arg)
	switch {
	case arg == "" || len(arg) > folding.MaxEndpointText || depth > maxInObject:
		return
	case folding.IsFunction(arg):
		end.Handler = "=>"
		return
	case namesHandler.MatchString(arg), depth == 0 && requiresHandler.MatchString(arg):
		if end.Handler == "" {
			arg, _, _ = strings.Cut(arg, ".bind(")
			end.Handler = strings.TrimPrefix(arg, "&")
		}
		return
	}
	if name, value, ok := source.Named(arg); ok && strings.IndexByte("\"'`{[", arg[0]) < 0 {
		if topicMember.MatchString(name) ||
			depth == 0 && (namesHandler.MatchString(value) || folding.IsFunction(value)) {
			pr.possibleArgument(end, value, at, depth+1)
		}
		return
	}
	open := strings.IndexAny(arg, "{([")
	if text := pr.possibleText(arg, at); text != "" {
		if !slices.Contains(end.Topics, text) && len(end.Topics) < maxPossibleArgs {
			end.Topics = append(end.Topics, text)
		}
	} else if open >= 0 && !strings.ContainsAny(arg[:open], "\"'`") {
		pr.possibleMembers(end, arg, open, at, depth)
	}
}

// possibleText evaluates an argument that may be a topic to a text, as Topic does. It returns "" for any other.
func (pr *possibleReader) possibleText(arg string, at int) string {
	if c := arg[0]; len(arg) > source.MaxTopic || !folding.IsLetter(c) && strings.IndexByte("\"'`_$@:", c) < 0 {
		return ""
	}
	text := inFact.Replace(pr.Topic(arg, at))
	if possibleTopic.MatchString(text) || mayHoldTopic(arg, text) {
		return text
	}
	return ""
}

// mayHoldTopic reports whether arg may be a topic, although folded, its text, has holes for the
// names that the file does not define. It may be one if it is a constant, {Topics.PAID}; a
// setting or a variable that is named after a topic, {env:ORDERS_TOPIC}; or a text that begins
// with enough known characters, orders.{region}.
func mayHoldTopic(arg, folded string) bool {
	hole := strings.IndexByte(folded, '{')
	switch {
	case hole > 0:
		return hole >= leastPrefix && possibleTopic.MatchString(folded[:hole])
	case strings.HasPrefix(folded, "{env:"):
		return topicSetting.MatchString(folded)
	}
	return constantHole.MatchString(folded) || source.WholeHole.MatchString(folded) && !strings.HasPrefix(folded, "{@") &&
		folding.OfTopic(folding.LastWord(arg))
}

// possibleMembers reads the members of an object, the items of a list or the arguments of a call that constructs one.
// open is the index of the bracket before them.
func (pr *possibleReader) possibleMembers(end *PossibleEnd, arg string, open, at, depth int) {
	items := folding.Listed(arg)
	if len(items) == 1 && items[0] == arg {
		items = folding.ListItems(arg[open+1:])
	}
	for _, item := range items[:min(len(items), maxPossibleArgs)] {
		if arg[open] != '{' {
			pr.possibleArgument(end, item, at, depth+1)
			continue
		}
		sign := strings.IndexAny(item, ":=")
		if sign < 0 {
			if topicMember.MatchString(item) {
				pr.possibleArgument(end, item, at, depth+1)
			}
			continue
		}
		key := strings.Trim(strings.TrimSpace(item[:sign]), "\"'`")
		value := strings.TrimSpace(strings.TrimLeft(item[sign:], ":=>"))
		switch {
		case !folding.Identifier.MatchString(key):
		case folding.IsFunction(value):
			end.Handler = "=>"
		case topicMember.MatchString(key) || strings.ContainsAny(value, "{["):
			pr.possibleArgument(end, value, at, depth+1)
		}
	}
}
