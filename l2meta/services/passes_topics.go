package services

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// passesTopic reports whether argument number i of a call may be a topic; passed is its folded
// text. A named argument may be at any position if it has the name of a topic: publish(order,
// routing_key="paid").
func (pr *passReader) passesTopic(i int, arg, passed string) bool {
	if name, value, named := folding.ByName(arg); named {
		text, _ := strings.CutPrefix(passed, name+"=")
		return folding.OfTopic(name) && (mayBeTopic(value, text) || namesTopic(value, text))
	}
	return i < 2 && mayBeTopic(arg, passed) || i == 0 && isTask(arg) ||
		i < maxTopicAt && (namesTopic(arg, passed) || isFurtherTopic(arg, passed))
}

// isFurtherTopic reports whether an argument behind the first two is a topic by its form: "orders.paid", or
// cfg.Kafka.Topic in RunConsumer(ctx, brokers, cfg.Kafka.Topic).
func isFurtherTopic(arg, passed string) bool {
	return arg != "" && strings.IndexByte("\"'`", arg[0]) >= 0 && severalParts.MatchString(passed) ||
		folding.OfTopic(folding.LastWord(arg)) && folding.IsPlain(arg) && mayBeTopic(arg, passed)
}

// passesTopics reports whether the name of a call is typical of a function that publishes or
// consumes, or of the constructor of an object that does: publish("paid", m), new
// OrderPublisher("paid"). If such a function is part of the program, it may have the topic as a
// parameter.
func passesTopics(c *code.Call) bool {
	if c.Kind == code.CallNew {
		return speaker.MatchString(c.Callee)
	}
	return c.Kind == code.CallPlain && folding.Speaks(c.Callee) &&
		!answersWith.MatchString(folding.LastWord(c.Receiver))
}

// maxTaskAt is the number of bytes of a call's arguments in which passesTask looks for the name of a task.
const maxTaskAt = 80

// passesTask reports whether the first argument of a call is a variable that holds the name of a task, whatever the
// called function is named: sign(names.upload_task_name, args). arguments is their text, from the parenthesis on.
func passesTask(arguments string) bool {
	if !strings.Contains(arguments, "ask") { // this test is cheap and excludes most calls
		return false
	}
	return isTask(folding.FirstItem(arguments[1:]))
}

// isTask reports whether an argument is a variable that holds the name of a task: names.upload_task_name.
func isTask(arg string) bool { return folding.IsPlain(arg) && folding.NamesTask(folding.LastWord(arg)) }

// handsTopicOn reports whether an argument of a call is a parameter of the enclosing function
// that is named after a topic: k.loop(reader, topic, handler).
func (pr *passReader) handsTopicOn(c *code.Call) bool {
	if c.Caller < 0 || c.Kind != code.CallPlain {
		return false
	}
	for _, p := range pr.File.Symbols[c.Caller].Parameters {
		if folding.EndsIn(folding.WithoutName(p.Name), handedOn) &&
			slices.Contains(pr.Arguments(c), folding.BareName(p)) {
			return true
		}
	}
	return false
}

// passesNamedTopic reports whether an argument of a call is named after a topic: new Log(redis, logChannel), new Log({
// redis, channel: "log" }), Log(topic="log"), start(auditTopic). The constructed object, or the called function of the
// program, may send to the topic, whatever its name is. arguments is their text, from the parenthesis on.
func passesNamedTopic(c *code.Call, arguments string) bool {
	if c.Kind != code.CallNew && (c.Kind != code.CallPlain || c.Receiver != "") ||
		!folding.Mentions(arguments[:min(len(arguments), maxNamedAt)], passedNames) {
		return false
	}
	return slices.ContainsFunc(folding.ListItems(arguments[1:]), func(arg string) bool {
		if strings.HasPrefix(arg, "{") {
			return slices.ContainsFunc(folding.ListItems(arg[1:]), isNamedTopic)
		}
		return isNamedTopic(arg)
	})
}

// maxNamedAt is the number of bytes of a call's arguments in which passesNamedTopic looks for names of topics.
const maxNamedAt = 400

// passedNames lists the last words in names of arguments that hold a topic.
var passedNames = []string{"topic", "queue", "subject", "channel", "exchange"}

// isNamedTopic reports whether an argument, or an item of an object, is named after a topic: logChannel, cfg.topicName,
// channel: "log".
func isNamedTopic(arg string) bool {
	if name, _, named := folding.ByName(arg); named {
		arg = name
	} else if key, _, item := strings.Cut(arg, ":"); item {
		arg = strings.Trim(strings.TrimSpace(key), "\"'")
	}
	return folding.IsPlain(arg) && folding.EndsIn(folding.WithoutName(folding.LastWord(arg)), passedNames)
}

// handedOn lists the last words in names of parameters that hold a topic and are passed on.
var handedOn = []string{"topic", "queue", "subject"}

// maxTopicAt is the number of leading arguments of a call that may be a topic.
const maxTopicAt = 4

// namesTopic reports whether an argument is a constant that is named after a topic: queueName, with the value "mail".
func namesTopic(arg, folded string) bool {
	if m := element.FindStringSubmatch(arg); m != nil && folding.IsPlain(arg) {
		return folding.OfTopic(strings.TrimSuffix(m[1], "s")) // for example, config.Topics["paid"]
	}
	return folding.Topical.MatchString(folded) && folding.IsPlain(arg) && arg != folded && folding.OfTopic(arg)
}

// element matches an element of a map by a constant key.
var element = regexp.MustCompile(`^([\w.$]+)\[["'][\w.-]+["']\]$`)
