package contract

import "time"

// AnswerLimit bounds the time of a call without its own deadline. Agents give up after a minute or
// two and then learn nothing.
const AnswerLimit = 30 * time.Second

// Within returns the time limit for answering a request.
func Within(req Request) time.Duration {
	switch r := req.(type) {
	case *GraphRequest:
		return time.Duration(r.DeadlineMs) * time.Millisecond
	case *ManageRequest:
		if r.Wait {
			return AnswerLimit + time.Duration(r.DeadlineMs)*time.Millisecond
		}
	}
	return AnswerLimit
}

// lastFactor and lastExtra set the last moment of an answer, a little after its deadline. At the
// deadline the search stops, but its results must still be verified and encoded.
const (
	lastFactor = 1.1
	lastExtra  = 50 * time.Millisecond
)

// LastMoment returns the time at which an answer is abandoned, given its start and its limit.
func LastMoment(began time.Time, limit time.Duration) time.Time {
	return began.Add(time.Duration(float64(limit)*lastFactor) + lastExtra)
}

// LongerDeadline returns the deadline to suggest, in milliseconds, after a deadline of ms was too short. It
// is so much longer that one repetition should suffice even on a busy machine. A fast answer loses nothing by
// it, as an answer is sent when it is ready.
func LongerDeadline(ms int) int {
	return min(max(10*ms, int(AnswerLimit/time.Millisecond)), MaxDeadline)
}

// TooLate returns the outcome of a call that was not answered within limit.
func TooLate(tool string, limit time.Duration) Outcome {
	return CondDeadline.Outcome("%s was not ready within %v. Repeat the call: what was indexed and read meanwhile "+
		"need not be done again.", tool, limit)
}

// TooLate returns the answer to a call_graph request that was not answered in time. It suggests a
// longer deadline.
func (r *GraphRequest) TooLate() *GraphAnswer {
	a := r.Answer()
	a.Outcome = TooLate(ToolGraph, Within(r))
	longer := r.Next(func(next *GraphRequest) { next.DeadlineMs = LongerDeadline(r.DeadlineMs) })
	a.Hints = &Hints{NextSteps: []Action{*Suggest(longer)}}
	return a
}
