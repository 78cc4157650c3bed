package l3lsp

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

const (
	// tendEvery is how often servers are looked after.
	tendEvery = time.Second
	// measureEvery is how often their memory is read: it takes a look at every
	// process of the machine.
	measureEvery = 5 * time.Second
	// wayOver is how many times the memory that it may hold ends a server
	// even while it is asked.
	wayOver = 2
)

// tend looks after the servers until the pool is closed.
func (p *Pool) tend() {
	tick := time.NewTicker(tendEvery)
	defer tick.Stop()
	var measured time.Time
	for {
		select {
		case <-p.ctx.Done():
			return
		case now := <-tick.C:
			p.reap(now)
			if now.Sub(measured) >= measureEvery {
				p.measure()
				measured = now
			}
		}
	}
}

// reap stops the servers that were idle for long, that run code of a folder
// that is trusted no more, or whose place another process waits for; and it
// takes note of those that ended by themselves.
func (p *Pool) reap(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.members {
		if !m.idle() { // who asks one that ended is told
			continue
		}
		if m.run.session.conn.gone() {
			p.fail(m, m.run.session.explain(errGone))
			continue
		}
		m.offer(now)
		if now.Sub(m.run.used) >= p.opt.Idle || m.spare(now) && p.slots.wanted(m.slot) || m.key.trusted && !p.trusts(m.run.session) {
			p.end(m, nil)
		}
	}
}

func (p *Pool) trusts(s *session) bool {
	return !slices.ContainsFunc(s.joined(), func(f string) bool { return !p.opt.Trusted(f) })
}

// measure ends servers that hold too much memory: as soon as nobody asks them
// anything, or at once when they hold far too much.
func (p *Pool) measure() {
	for m, r := range p.runs() {
		rss := r.session.peer.use().rss
		why := fmt.Errorf("it took %d MB of memory, more than the %d MB allowed", rss>>20, p.opt.MaxRSS>>20)
		p.mu.Lock()
		r.rss = rss
		switch {
		case m.run != r || rss <= p.opt.MaxRSS: // it ended meanwhile, or all is well
		case r.users == 0 || rss > wayOver*p.opt.MaxRSS:
			p.fail(m, why)
		default:
			r.doomed = why // claims wait until it is down, and are told
		}
		p.mu.Unlock()
	}
}

// runs is the servers that run now.
func (p *Pool) runs() map[*member]*run {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[*member]*run{}
	for _, m := range p.members {
		if m.phase == running {
			out[m] = m.run
		}
	}
	return out
}

// Moved notes files that moved on disk, absolute. Each server hears of them
// before its next question.
func (p *Pool) Moved(created, changed, removed []string) {
	for _, r := range p.runs() {
		r.session.moved(created, changed, removed)
	}
}

// Status is one server of the pool, for people.
type Status struct {
	Server    string // its name in the table
	Version   string // its name and version as it says them; "" when it does not run
	Languages []string
	State     State
	Trusted   bool
	PID       int       // 0 when it does not run
	RSS       int64     // bytes, with all that it started, some seconds ago; 0 where it is not known
	Folders   []string  // absolute, the one asked about last at the end
	Users     int       // questions in flight
	IdleSince time.Time // zero while it is used, or does not run
	ReapAt    time.Time // when it will be stopped; zero likewise
	Retry     time.Time // not started again before; zero when it runs
	Fault     string    // why it ended last, "" when it did not by its own fault, or did well since
}

// Status lists the servers that were asked for, by name. One that ended for
// being idle is not listed.
func (p *Pool) Status() (out []Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.members {
		s := Status{Server: m.spec.Name, Languages: m.spec.Languages, Trusted: m.key.trusted, Fault: m.fault, Retry: m.retry, State: Starting}
		switch {
		case m.phase == running:
			r, session := m.run, m.run.session
			s.State, s.Version, s.PID, s.RSS, s.Folders, s.Users = Indexing, session.name(), session.peer.pid(), r.rss, session.joined(), r.users
			if session.ready() {
				s.State = Ready
			}
			s.Retry = time.Time{}
			if r.users == 0 {
				s.IdleSince, s.ReapAt = r.used, r.used.Add(p.opt.Idle)
			}
		case m.phase == starting:
		case m.missing:
			s.State = Missing
		case m.fault != "":
			s.State = Crashed
		default:
			continue
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Version, b.Version))
	})
	return out
}
