package tokens

import "iter"

// Limit is the number of tokens that the calls for a task may cost in total; a task that costs more
// has failed.
const Limit = 25_000

// Request is one call that an agent wants to send. Play sets Answer before the agent continues.
type Request struct {
	Tool   string
	Args   map[string]any
	Answer string
}

// Agent answers a task by calls: each call that it yields is made, and its Answer is set, before
// the agent continues. It stops when it has no further call to try.
type Agent func(t *Task) iter.Seq[*Request]

// Tools sends calls for agents.
type Tools interface {
	// Merge returns calls that make all requests. A tool may answer several requests in one call. A
	// single request is not changed.
	Merge(requests []*Request) []Call
}

// Call is one call for one or more requests.
type Call struct {
	Tool     string
	Args     map[string]any
	Requests []*Request
	// Run makes the call, sets the answers of Requests, records the lines that the answer shows in
	// v, and returns the text that the model reads.
	Run func(v *View) (string, error)
}

// Outcome is the result of a task with its costs.
type Outcome struct {
	Task    *Task
	Success bool
	Tokens  float64 // a call for several tasks counts in equal shares for each
	Calls   float64
	Missing []Target // targets that no answer showed
}

// Played is the record of one conversation, in which an agent answered several tasks.
type Played struct {
	Outcomes []Outcome
	Answers  map[string][]int // tokens of each answer, by tool
}

// Play lets an agent answer tasks on one repository in one conversation. In each round it sends
// the next calls of all unfinished tasks together. A line that any of the calls showed counts for
// every task.
func Play(count Counter, tools Tools, agent Agent, tasks []*Task) (Played, error) {
	out := Played{Answers: map[string][]int{}}
	var view View
	running := make([]*player, len(tasks))
	for i, t := range tasks {
		p := &player{outcome: Outcome{Task: t}}
		p.next, p.stop = iter.Pull(agent(t))
		defer p.stop()
		running[i] = p
	}
	players := running
	for {
		var requests []*Request
		of := map[*Request]*player{}
		for _, p := range running {
			if r, ok := p.wants(); ok {
				requests, of[r] = append(requests, r), p
			}
		}
		if len(requests) == 0 {
			break
		}
		for _, call := range tools.Merge(requests) {
			if err := out.run(count, call, &view, of); err != nil {
				return out, err
			}
		}
		for _, p := range players {
			p.outcome.Success = p.outcome.Success || view.Answers(p.outcome.Task.Targets)
		}
	}
	for _, p := range players {
		p.outcome.Success = p.outcome.Success && p.outcome.Tokens <= Limit
		p.outcome.Missing = view.Missing(p.outcome.Task.Targets)
		out.Outcomes = append(out.Outcomes, p.outcome)
	}
	return out, nil
}

// player is the state of one task during Play.
type player struct {
	outcome Outcome
	next    func() (*Request, bool)
	stop    func()
	done    bool
}

// wants returns the next request of the agent. It reports false if the agent has none, or the task
// has succeeded or cost too much.
func (p *player) wants() (*Request, bool) {
	if p.done || p.outcome.Success || p.outcome.Tokens > Limit {
		return nil, false
	}
	r, ok := p.next()
	p.done = !ok
	return r, ok
}

// run makes a call and divides its costs among the tasks that it is for.
func (p *Played) run(count Counter, call Call, view *View, of map[*Request]*player) error {
	text, err := call.Run(view)
	if err != nil {
		return err
	}
	written, err := count.Call(call.Tool, call.Args)
	if err != nil {
		return err
	}
	read, err := count.Text(text)
	if err != nil {
		return err
	}
	p.Answers[call.Tool] = append(p.Answers[call.Tool], read)
	share := 1 / float64(len(call.Requests))
	for _, r := range call.Requests {
		o := &of[r].outcome
		o.Tokens += share * float64(written+read)
		o.Calls += share
	}
	return nil
}
