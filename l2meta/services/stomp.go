package services

import (
	"regexp"
	"strings"

	"sextant/internal/code"
)

// Stomp is the broker of the messages that STOMP carries over a WebSocket between a server and its pages.
const Stomp = "stomp"

// KeepStomp records a message at a destination of STOMP. A page names the queues of its user below /user, and what the
// program itself takes below /app, unlike the server: /user/queue/orders is /queue/orders there. A variable step of a
// destination is :any.
func (r *Reader) KeepStomp(role string, owner int, at code.Span, destination, handler string) bool {
	for _, prefix := range []string{"/user/", "/app/"} {
		if below, ok := strings.CutPrefix(destination, prefix); ok {
			destination = "/" + below
		}
	}
	if strings.HasPrefix(destination, "/") {
		destination = variableStep.ReplaceAllString(destination, "/:any")
	}
	if destination == "" || strings.ContainsAny(destination, " ") {
		return false
	}
	r.KeepMessage(role, owner, at, End{Broker: Stomp, Key: destination, Handler: handler})
	return true
}

// variableStep matches a step of a destination that is a variable: {room}.
var variableStep = regexp.MustCompile(`/\{[^{}/]*\}`)
