package callgraph

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// ask asks language servers about the edges of part and stores their answers. It stops at the time until.
// It returns the number of batches sent and the number of questions that were answered.
func (g *graphing) ask(ctx context.Context, part *graphPart, tried attempts,
	until time.Time) (asked, settled int, err error) {
	list, later, err := g.inquiries(ctx, part, tried)
	g.later = g.later || later
	if err != nil || len(list) == 0 {
		return 0, 0, err
	}
	g.tell(list, part)
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	settled, err = g.service.proofs.AskAll(limited, g.place.Root, list)
	if settled == 0 && g.req.Verify == contract.VerifyWait {
		awaitRecovery(limited, list)
	}
	for _, x := range list {
		g.heard(x)
		tried.note(x)
	}
	return len(list), settled, cmp.Or(ctx.Err(), err)
}

// attempts counts how often a request has sent each question.
type attempts map[proof.Spot]int

// maxAttempts is the largest number of times that a question is sent to a server that is not
// ready. Each attempt waits for half of the time that is left.
const maxAttempts = 3

// note counts the questions of x as sent. It sets their number to maxAttempts if no repetition
// can help: if the server was ready or is not installed, or if there is no canary (a call with a
// certain target that tests the server), without which it never counts as ready.
func (a attempts) note(x *proof.Inquiry) {
	for i := range x.Questions {
		at := x.Questions[i].Spot()
		if a[at]++; x.State.State == contract.ServerReady ||
			x.State.State == contract.ServerMissing || x.Canary == nil {
			a[at] = maxAttempts
		}
	}
}

// awaitRecovery sleeps until the first failed server may be started again, if that leaves at least
// half of the time for its answers.
func awaitRecovery(ctx context.Context, list []*proof.Inquiry) {
	var after time.Duration
	for _, x := range list {
		if x.Recovers > 0 && (after == 0 || x.Recovers < after) {
			after = x.Recovers
		}
	}
	if until, ok := ctx.Deadline(); after == 0 || !ok || after > time.Until(until)/2 {
		return
	}
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// inquiries returns the batches of questions to send to language servers now, without the
// questions that were sent maxAttempts times. later is true if batches were omitted because their
// servers are not ready.
func (g *graphing) inquiries(ctx context.Context, part *graphPart,
	tried attempts) (list []*proof.Inquiry, later bool, err error) {
	var questions []proof.Question
	for _, q := range part.questions() {
		if tried[q.Spot()] < maxAttempts {
			questions = append(questions, q)
		}
	}
	if len(questions) == 0 {
		return nil, false, nil
	}
	err = g.place.Root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		list, err = g.service.proofs.Inquire(ctx, g.linker(ctx, v, generation), g.place.Root, questions)
		return err
	})
	if g.req.Verify == contract.VerifyWait {
		return list, false, err
	}
	now := list[:0]
	for _, x := range list {
		if x.State.State == contract.ServerReady {
			now = append(now, x)
		} else {
			later = true
		}
	}
	return now, later, err
}

// tell reports the progress of the request to its caller: which questions are being sent.
func (g *graphing) tell(list []*proof.Inquiry, part *graphPart) {
	if g.req.Progress == nil {
		return
	}
	n := 0
	for _, x := range list {
		n += len(x.Questions)
	}
	done := part.to - part.from
	g.req.Progress(contract.Progress{Done: float64(done), Total: float64(done + n),
		Message: fmt.Sprintf("asking %s about %s", list[0].Server.Name, contract.Plural(n, "place"))})
}

// heard records in which state a server answered, for the list of servers in the answer.
func (g *graphing) heard(x *proof.Inquiry) {
	if g.servers == nil {
		g.servers = map[proof.BaseKey]contract.ServerState{}
	}
	g.servers[x.BaseKey] = x.State
}
