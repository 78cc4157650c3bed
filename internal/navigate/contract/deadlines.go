package contract

import "time"

// AnswerLimit is within what a call without a deadline of its own is answered: an
// agent gives up after a minute or two, and learns nothing then.
const AnswerLimit = 30 * time.Second

// Within returns the time in which a request is to be answered.
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

// The last moment of an answer is a little after its deadline, at which it has
// stopped looking: what it found has still to be verified and written.
const (
	lastFactor = 1.1
	lastExtra  = 75 * time.Millisecond
)

// LastMoment returns when an answer that began at a time and is due within a limit is
// given up.
func LastMoment(began time.Time, limit time.Duration) time.Time {
	return began.Add(time.Duration(float64(limit)*lastFactor) + lastExtra)
}

// TooLate opens an answer that was not ready in its time.
func TooLate(tool string, limit time.Duration) Outcome {
	return CondDeadline.Outcome("%s was not ready within %v. Repeat the call: what was indexed and read meanwhile need not be done again.", tool, limit)
}
