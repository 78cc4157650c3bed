package folding

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestNamesAsPatterns compares AsksFor, speaks and OfTopic with regular expressions of the same
// meaning.
func TestNamesAsPatterns(t *testing.T) {
	asks := regexp.MustCompile(`(?i)(?:service|client|api|http|gateway|requests?)$`)
	speak := regexp.MustCompile(
		`^_*(?i:publish|emit|produce|dispatch|enqueue|broadcast|send|subscribe|consume|listen)|^Push` +
			`|(?i:consumer|subscriber|subscription|listener|publisher|producer|queue|topics?|event|message)$`)
	topic := regexp.MustCompile(
		`(?i:(?:topic|queue|exchange|subject|channel|(?:routing|message|event)_?key|event)(?:_?name)?$|^key$)`)
	parts := []string{"", "a", "get", "Send", "SEND", "resend", "emit", "Push", "push", "client", "Client", "CLIENT", "api",
		"request", "Requests", "s", "_", "name", "Name", "NAME", "key", "Key", "routing", "Event", "message", "topic",
		"Topics", "Queue", "consumer", "Exchange", "é"}
	random := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		name := ""
		for range 1 + random.IntN(4) {
			name += parts[random.IntN(len(parts))]
		}
		for _, c := range []struct {
			what string
			got  bool
			as   *regexp.Regexp
		}{{"asksFor", AsksFor(name), asks}, {"speaks", Speaks(name), speak}, {"ofTopic", OfTopic(name), topic}} {
			if want := c.as.MatchString(name); c.got != want {
				t.Errorf("%s(%q) = %t, want %t", c.what, name, c.got, want)
			}
		}
	}
}
