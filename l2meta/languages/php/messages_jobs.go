package php

import (
	"regexp"
	"strings"

	"sextant/internal/code"
	"sextant/l2meta/services"
	"sextant/l2meta/services/folding"
)

// Laravel serializes a job with the name of its class. A worker of another service that reads the same queue runs its
// own class of that name:
//
//	ProductCreated::dispatch($product)->onQueue('checkout_queue');
//	class ProductCreated implements ShouldQueue { public function handle() { … } }

// onQueue matches the calls that follow a dispatch and name its queue:
// ->onQueue('checkout_queue').
var onQueue = regexp.MustCompile(
	`^(?:\s*->\w+\((?:[^()]|\([^()]*\))*\))*?\s*->(?:onQueue|allOnQueue)\(\s*['"]([^'"]+)['"]`)

// dispatched records a job that a call hands to a queue: ProductCreated::dispatch($product), dispatch(new
// ProductCreated($product)), with the name of the queue as the scope.
func dispatched(r *services.Reader, c *code.Call) bool {
	job := ""
	args := r.Arguments(c)
	switch {
	case strings.HasSuffix(c.Callee, "Sync") || strings.HasSuffix(c.Callee, "Now"):
		return false
	case len(args) > 0 && strings.HasPrefix(args[0], "new "):
		name, _, _ := strings.Cut(strings.TrimPrefix(args[0], "new "), "(")
		job = folding.TypeWord(name)
	case c.Receiver != "" && c.Receiver[0] >= 'A' && c.Receiver[0] <= 'Z' || strings.HasPrefix(c.Receiver, `\`):
		job = folding.TypeWord(c.Receiver)
	}
	if job == "" || facades[job] {
		return false
	}
	queue := ""
	if m := onQueue.FindStringSubmatch(r.Text[min(len(r.Text), closedAt(r, c)):]); m != nil {
		queue = m[1]
	}
	r.KeepMessage(services.Publishes, c.Caller, c.NameSpan,
		services.End{Broker: services.Jobs, Payload: job, Scope: queue})
	return true
}

// facades lists the classes of Laravel whose static method dispatch takes the job as an argument.
var facades = map[string]bool{"Bus": true, "Queue": true, "Event": true}

// closedAt returns the offset after the closing bracket of a call.
func closedAt(r *services.Reader, c *code.Call) int {
	depth := 0
	for i := c.NameSpan.EndByte; i < len(r.Text); i++ {
		switch r.Text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case ';':
			if depth == 0 {
				return i
			}
		}
	}
	return len(r.Text)
}

// readJobs records the classes of jobs, which implement ShouldQueue and have a method handle. A
// class with an empty handle is no consumer: a service that only dispatches the job declares such
// a class.
func readJobs(r *services.Reader) {
	for i := range r.File.Facts {
		f := &r.File.Facts[i]
		if f.Kind != code.FactImpl && f.Kind != code.FactBase || f.Owner < 0 || !strings.HasSuffix(f.Type, "ShouldQueue") {
			continue
		}
		for j := range r.File.Symbols {
			m := &r.File.Symbols[j]
			if m.Parent != f.Owner || m.Name != "handle" || !m.Kind.Callable() || m.Body[1] <= m.Body[0] {
				continue
			}
			body := strings.Trim(lineComment.ReplaceAllString(r.Text[m.Body[0]:m.Body[1]], ""), "{} \t\r\n")
			end := services.End{Broker: services.Jobs, Payload: r.File.Symbols[f.Owner].Name}
			if body == "" {
				end.Scope = services.Idle
			}
			r.KeepMessage(services.Consumes, j, m.NameSpan, end)
		}
	}
}

var lineComment = regexp.MustCompile(`(?m)(?://|#)[^\n]*$|(?s)/\*.*?\*/`)
