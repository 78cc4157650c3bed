package services

import (
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
			slices.Contains(pr.Arguments(c), strings.TrimLeft(p.Name, "&*.")) {
			return true
		}
	}
	return false
}

// handedOn lists the last words in names of parameters that hold a topic and are passed on.
var handedOn = []string{"topic", "queue", "subject"}
