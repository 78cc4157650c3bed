package l3lsp

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

const (
	// tendEvery is the interval at which the servers are checked.
	tendEvery = time.Second
	// measureEvery is the interval at which the servers' memory is measured. That requires reading
	// an entry of /proc for every process of the machine.
	measureEvery = 5 * time.Second
	// wayOver is the factor by which a server may exceed its memory limit before
	// it is killed even while in use.
	wayOver = 2
)

// tend checks the servers periodically until the pool is closed: it stops idle ones, and ends those
// that use too much memory.
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

// reap stops servers that have been idle for Options.Idle, whose slot another process wants, or
// that may run code of a folder that is no longer trusted. It also records a failure of each server
// that ended by itself.
func (p *Pool) reap(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.members {
		if !m.idle() { // the end of a server in use is noticed by acquire and leave
			continue
		}
		if m.run.session.conn.gone() {
			p.fail(m, m.run.session.explain(errGone))
			continue
		}
		m.offer(now)
		if now.Sub(m.run.used) >= p.opt.Idle || m.spare(now) && p.slots.wanted(m.slot) || m.key.trusted &&
			!p.trusts(m.run.session) {
			p.end(m, nil)
		}
	}
}

// trusts reports whether all folders of s are still trusted.
func (p *Pool) trusts(s *session) bool {
	return !slices.ContainsFunc(s.joined(), func(f string) bool { return !p.opt.Trusted(f) })
}

// measure ends servers above their memory limit. A server in use goes on until its batches are
// done, unless it exceeds the limit by the factor wayOver.
func (p *Pool) measure() {
	for m, r := range p.runs() {
		rss := r.session.peer.use().rss
		why := fmt.Errorf("it took %d MB of memory, more than the %d MB allowed", rss>>20, p.opt.MaxRSS>>20)
		p.mu.Lock()
		r.rss = rss
		switch {
		case m.run != r || rss <= p.opt.MaxRSS: // the run ended meanwhile, or is within the limit
		case r.users == 0 || rss > wayOver*p.opt.MaxRSS:
			p.fail(m, why)
		default:
			r.doomed = why // new batches wait until the server is down, and get an error
		}
		p.mu.Unlock()
	}
}

// runs returns the running servers.
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

// Moved records files that changed on disk, as absolute paths. Each server is
// notified before its next batch.
func (p *Pool) Moved(created, changed, removed []string) {
	for _, r := range p.runs() {
		r.session.moved(created, changed, removed)
	}
}

// Status describes one server of the pool, for users.
type Status struct {
	Server    string // its name in specs
	Version   string // its name and reported version; "" if it does not run
	Languages []string
	State     State
	Trusted   bool
	PID       int       // 0 if it does not run
	RSS       int64     // bytes, with its children, some seconds ago; 0 if unknown
	Folders   []string  // absolute, the most recently used last
	Users     int       // number of batches that use the server
	IdleSince time.Time // zero while it is used or does not run
	ReapAt    time.Time // when it will be stopped; zero like IdleSince
	Retry     time.Time // earliest time for the next start; zero if it runs
	Fault     string    // reason of its last failure, "" if there was none or it has succeeded since
}

// Status lists the servers that were used so far, by name, except those that were stopped without a
// failure.
func (p *Pool) Status() (out []Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, member := range p.members {
		status := Status{Server: member.spec.Name, Languages: member.spec.Languages, Trusted: member.key.trusted,
			Fault: member.fault,
			Retry: member.retry, State: Starting}
		switch {
		case member.phase == running:
			r, session := member.run, member.run.session
			status.State, status.Version, status.PID, status.RSS, status.Folders, status.Users = Indexing,
				session.name(), session.peer.pid(),
				r.rss, session.joined(), r.users
			if session.ready() {
				status.State = Ready
			}
			status.Retry = time.Time{}
			if r.users == 0 {
				status.IdleSince, status.ReapAt = r.used, r.used.Add(p.opt.Idle)
			}
		case member.phase == starting:
		case member.missing:
			status.State = Missing
		case member.fault != "":
			status.State = Crashed
		default:
			continue
		}
		out = append(out, status)
	}
	slices.SortFunc(out, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Version, b.Version), cmp.Compare(a.PID, b.PID))
	})
	return out
}

// StateOf returns the state of the server in found, a result of Find, and the reason why it does
// not answer. It returns the zero State if the server does not run, and Ready only if the server
// works in the folder found.Folder.
func (p *Pool) StateOf(found Found) (state State, why string) {
	if found.Err != nil {
		return Missing, found.Err.Error()
	}
	trusted := p.opt.Trusted(found.Folder)
	for _, s := range p.Status() {
		if s.Server != found.Spec.Name || s.Trusted != trusted {
			continue
		}
		if s.State == Ready && !slices.Contains(s.Folders, found.Folder) {
			return Indexing, "this folder has not joined it yet"
		}
		return s.State, s.Fault
	}
	return "", ""
}
