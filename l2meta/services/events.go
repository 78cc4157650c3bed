package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services/folding"
	"sextant/l2meta/services/source"
)

// EventBridge delivers an event by its source and its type to the targets of the rules that match both. The type is
// the topic, the source its scope:
//
//	new PutEventsCommand({Entries: [{Source: "orders", DetailType: "OrderPlaced", Detail: …}]})

// EventBridge is the broker of these events.
const EventBridge = "eventbridge"

// AnyEvent is the topic or the scope of a rule that does not restrict it; at the end of one, it matches any rest.
const AnyEvent = "*"

var (
	// detailType matches the name of an entry's type and the sign before its value, in any of the languages.
	detailType = regexp.MustCompile(`\b[dD]etail_?[tT]ype["']?\]?\s*(?:[:=(]\s*)`)
	// detailSource matches the same for the source.
	detailSource = regexp.MustCompile(`\b[sS]ource["']?\]?\s*(?:[:=(]\s*)`)
	// putting matches the calls that put events on a bus.
	putting = regexp.MustCompile(`\b(?:put_events|putEvents|PutEvents\w*|PutEventsAsync)\s*\(`)
)

// maxEvents bounds the entries that are read for one call.
const maxEvents = 20

// PutsEvents records the entries of a call that puts events on a bus: those among its arguments, else the one that
// its function makes last before it, else those that other functions of the file make, if no other call puts events.
func PutsEvents(r *Reader, c *code.Call) (ok bool) {
	from, to := c.NameSpan.EndByte, min(c.Span.EndByte, len(r.Text))
	found := r.Matches(detailType, from, to)
	if len(found) == 0 {
		from, to = 0, c.NameSpan.StartByte
		if own := r.Around(to); own >= 0 {
			from = r.File.Symbols[own].Span.StartByte
		}
		if found = r.Matches(detailType, from, to); len(found) > 1 {
			found = found[len(found)-1:]
		}
	}
	if len(found) == 0 && len(r.Matches(putting, 0, len(r.Text))) == 1 {
		return r.putsMadeEvents(c)
	}
	for _, m := range found[:min(len(found), maxEvents)] {
		key := r.eventText(m[1])
		if key == "" {
			continue
		}
		r.KeepMessage(Publishes, c.Caller, c.NameSpan,
			End{Broker: EventBridge, Key: key, Scope: r.sourceBeside(m[0], from, to)})
		ok = true
	}
	return ok
}

// putsMadeEvents records the entries with a literal type that functions of the file make for a call which gets them.
// The source of an entry is the one that the function names nearest to the type.
func (r *Reader) putsMadeEvents(c *code.Call) (ok bool) {
	seen := map[End]bool{}
	for _, m := range r.Matches(detailType, 0, len(r.Text)) {
		key, literal := folding.Quoted(r.Expression(m[1]))
		own := r.Around(m[0])
		if !literal || own < 0 || key == "" || strings.ContainsAny(key, "\t\n{}") || len(seen) == maxEvents {
			continue
		}
		of := &r.File.Symbols[own].Span
		e := End{Broker: EventBridge, Key: key, Scope: r.sourceWithin(m[0], of.StartByte, of.EndByte, of.EndByte)}
		if !seen[e] && e.Scope != "" {
			seen[e], ok = true, true
			r.KeepMessage(Publishes, c.Caller, c.NameSpan, e)
		}
	}
	return ok
}

// maxEntry bounds the distance between the parts of one entry, in bytes.
const maxEntry = 600

// sourceBeside returns the source of the entry whose type is at a byte offset, "" if it has none: the one nearest to
// the type between two offsets.
func (r *Reader) sourceBeside(at, from, to int) string { return r.sourceWithin(at, from, to, maxEntry) }

// sourceWithin is like sourceBeside, with another bound of the distance.
func (r *Reader) sourceWithin(at, from, to, most int) string {
	best, value := most, -1
	for _, m := range r.Matches(detailSource, max(from, at-most), min(to, at+most)) {
		distance := at - m[0]
		if distance < 0 {
			distance = -distance
		}
		if distance < best {
			best, value = distance, m[1]
		}
	}
	if value < 0 {
		return ""
	}
	return r.eventText(value)
}

// eventText returns the text of the expression at a byte offset, which may contain blanks: 'New Order'.
func (r *Reader) eventText(at int) string {
	expr := r.Expression(at)
	if topic := r.Topic(expr, at); topic != "" {
		return topic
	}
	if text := r.Fold(expr, at); len(text) <= source.MaxTopic && !strings.ContainsAny(text, "\t\n\r{}\"'`") {
		return text
	}
	return ""
}

// Deployed begins End.Handler if a manifest names the handler: "deployed:src/mail|app.handler" is the function handler
// in app below the folder src/mail, seen from the manifest.
const Deployed = "deployed:"

// pattern holds the sources and types of the events that a rule accepts.
type pattern struct{ sources, types []string }

// ends returns an end for each combination of source and type, without handler. A rule that requires neither has none.
func (p pattern) ends() (out []End) {
	if len(p.sources) == 0 && len(p.types) == 0 {
		return nil
	}
	any := func(list []string) []string {
		if len(list) == 0 {
			return []string{AnyEvent}
		}
		return list
	}
	for _, source := range any(p.sources) {
		for _, kind := range any(p.types) {
			if len(out) < maxEvents && !strings.ContainsAny(source+kind, "\t\n${}") {
				out = append(out, End{Broker: EventBridge, Key: kind, Scope: source})
			}
		}
	}
	return out
}
