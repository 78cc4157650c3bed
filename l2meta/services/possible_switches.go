package services

import (
	"regexp"
	"slices"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
)

// A consumer of all messages may be given the name of each, and choose by it what to do:
//
//	Task HandleMessageAsync(string messageType, string message) {
//	    switch (messageType) { case "OrderPaid": …; case "OrderSent": …; }
//	}
//
// Each name is then a topic that the function may consume.

// BySwitch is PossibleEnd.Name of a function that chooses by the name of a message.
const BySwitch = ":switch"

var (
	// switchHead matches the head of a statement or an expression that chooses by a value, in all languages that have
	// one: switch (type), switch type {, when (type), match type:, case type, type switch {.
	switchHead = regexp.MustCompile(`\b(?:switch|when|match|case)\b\s*\(?\s*\$?(\w+(?:(?:\.|->)\w+)?)\s*\)?\s*[{:\n]|` +
		`\b(\w+(?:\.\w+)?)\s+(?:switch|match)\s*\{`)
	// switchLabels matches the texts before one of the branches: case "OrderPaid", "OrderSent":, when 'paid', and
	// "OrderPaid" -> at the start of a line.
	switchLabels = regexp.MustCompile(`\b(?:case|when)\s+(` + someTexts + `)|[\n{]\s*(` + someTexts + `)(?:=>|->)`)
	switchLabel  = regexp.MustCompile("[\"'`]([\\w.:/-]+)[\"'`]")
	// nameOfMessage matches the names of parameters and members that hold the name of a message.
	nameOfMessage = regexp.MustCompile(
		`^(?i)(?:(?:message|msg|event|evt)_?(?:type|name|kind)|type|type_?name|topic|routing_?key|subject)$`)
)

// someTexts matches one text or several, with commas or bars between them.
const someTexts = "(?:[\"'`][\\w.:/-]+[\"'`]\\s*[,|]?\\s*)+"

const (
	leastChoices = 2  // least number of texts among which a consumer chooses
	maxChoices   = 40 // largest number of texts that are recorded
)

// possibleSwitches records the functions that choose by the name of a message what to do with it.
func (pr *possibleReader) possibleSwitches() {
	if !pr.Mentions("switch") && !pr.Mentions("match") && !pr.Mentions("when") {
		return
	}
	for i := range pr.File.Symbols {
		s := &pr.File.Symbols[i]
		if !s.Kind.Callable() || len(s.Parameters) == 0 || DirectionOf(s.Name) != In {
			continue
		}
		body := pr.Text[s.Span.StartByte:s.Span.EndByte]
		for _, head := range switchHead.FindAllStringSubmatchIndex(body, -1) {
			subject := body[max(head[2], head[4]):max(head[3], head[5])]
			if !pr.namesMessage(s, subject) {
				continue
			}
			if topics := choices(body[head[0]:]); len(topics) >= leastChoices {
				pr.keepPossible(In, i, s.NameSpan, PossibleEnd{Name: BySwitch, Topics: topics})
			}
			break
		}
	}
}

// namesMessage reports whether the subject of a switch is a parameter of a function, or a member of one, that holds
// the name of a message.
func (pr *possibleReader) namesMessage(s *code.Symbol, subject string) bool {
	first, _, member := strings.Cut(strings.ReplaceAll(subject, "->", "."), ".")
	if !nameOfMessage.MatchString(folding.LastWord(subject)) {
		return false
	}
	return slices.ContainsFunc(s.Parameters, func(p code.Parameter) bool {
		return folding.BareName(p) == first && (!member || DirectionOf(p.Name) == About)
	})
}

// choices returns the texts that may name messages among those from which a switch at the start of a text chooses.
func choices(text string) (topics []string) {
	for _, m := range switchLabel.FindAllStringSubmatch(strings.Join(switchLabels.FindAllString(text, -1), "\n"), -1) {
		if severalWords.MatchString(m[1]) && !slices.Contains(topics, m[1]) && len(topics) < maxChoices {
			topics = append(topics, m[1])
		}
	}
	return topics
}
