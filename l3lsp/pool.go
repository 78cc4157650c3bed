package l3lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// State is what is known of a server, in the words of the call_graph contract.
type State string

const (
	Starting State = "starting"
	Indexing State = "indexing" // it runs, and has not proven that it is ready
	Ready    State = "ready"
	Crashed  State = "crashed" // it ended, hung or could not start; it is tried again after its backoff
	Missing  State = "missing" // it is not installed
	Capped   State = "capped"  // as many servers as may run are busy
)

// Error says in which state a question found its server.
type Error struct {
	State  State
	Server string
	Detail string
}

func (e *Error) Error() string { return fmt.Sprintf("%s is %s: %s", e.Server, e.State, e.Detail) }

// Slots limits the servers of all processes of a user. Take gives one with the
// function that gives it back, false when all are taken.
type Slots interface {
	Take() (release func(), ok bool, err error)
}

// Options of NewPool. Max, Idle and MaxRSS have defaults.
type Options struct {
	Max     int           // servers at once; 3
	Idle    time.Duration // after which a server is stopped; 5 minutes
	MaxRSS  int64         // bytes of a server's process group, beyond which it is recycled when idle; 4 GiB
	Folders int           // folders of one server; 64
	Start   time.Duration // within which a server has to be initialized; 30 seconds
	Cache   string        // a folder of ours for what servers keep
	Slots   Slots         // nil when no other process counts
	Trusted func(folder string) bool
	Command func(server string) []string // overrides of the configuration, nil for the default
	Now     func() time.Time             // for tests
}

// Pool starts servers when they are asked for, shares them, and stops them. It
// is safe for concurrent use.
type Pool struct {
	opt Options

	mu      sync.Mutex
	members map[memberKey]*member
	freed   chan struct{} // closed and replaced whenever a server becomes idle or ends
	closed  bool
	wg      sync.WaitGroup
}

// memberKey is what may share a server.
type memberKey struct {
	server  string
	trusted bool
}

// member is one server of the pool, running or not. Guarded by Pool.mu.
type member struct {
	key      memberKey
	spec     *Spec
	session  *session      // nil while it starts, and when it does not run
	started  chan struct{} // closed when a start has ended; nil when none goes on
	ending   bool          // started is the end of a server, not its start
	release  func()        // gives the slot back
	users    int
	used     time.Time // when the last user left
	failures int
	retry    time.Time // not to be started before
	fault    string    // why it ended last
	missing  bool
}

// NewPool makes a pool that runs nothing yet. Close ends it.
func NewPool(opt Options) *Pool {
	opt.Max = cmp.Or(opt.Max, 3)
	opt.Idle = cmp.Or(opt.Idle, 5*time.Minute)
	opt.MaxRSS = cmp.Or(opt.MaxRSS, 4<<30)
	opt.Folders = cmp.Or(opt.Folders, 64)
	opt.Start = cmp.Or(opt.Start, 30*time.Second)
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Trusted == nil {
		opt.Trusted = func(string) bool { return false }
	}
	return &Pool{opt: opt, members: map[memberKey]*member{}, freed: make(chan struct{})}
}

// Serves names the server of a language; false when none is known.
func Serves(language string) (*Spec, bool) {
	for i := range specs {
		if slices.Contains(specs[i].Languages, language) {
			return &specs[i], true
		}
	}
	return nil, false
}

// The waits before a server is started again: after its first, second, … failure.
var (
	backoff        = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, 60 * time.Second}
	missingBackoff = []time.Duration{180 * time.Second, 600 * time.Second, 1800 * time.Second}
)

// acquire gives the running server of a language with the folder joined, and
// what ends its use. It waits for a start and for a free place as long as ctx
// lasts; its error is an *Error.
func (p *Pool) acquire(ctx context.Context, spec *Spec, folder string) (*session, func(failed error), error) {
	key := memberKey{spec.Name, p.opt.Trusted(folder)}
	for {
		p.mu.Lock()
		m, wait, err := p.claim(key, spec, folder)
		p.mu.Unlock()
		if err != nil {
			return nil, nil, err
		}
		if wait == nil {
			if err := m.session.join(ctx, folder); err != nil {
				p.leave(m, err)
				return nil, nil, &Error{Crashed, spec.Name, err.Error()}
			}
			return m.session, func(failed error) { p.leave(m, failed) }, nil
		}
		select {
		case <-wait:
		case <-time.After(slotPoll): // another process may have freed a slot
		case <-ctx.Done():
			return nil, nil, p.waiting(key, spec)
		}
	}
}

// slotPoll is how often a place that another process may free is looked for.
const slotPoll = 250 * time.Millisecond

// claim counts a user on the member when it runs; else it sees to its start,
// or to a place for it, and gives what to wait for.
func (p *Pool) claim(key memberKey, spec *Spec, folder string) (*member, <-chan struct{}, error) {
	if p.closed {
		return nil, nil, &Error{Crashed, spec.Name, "the pool is closed"}
	}
	m := p.members[key]
	if m == nil {
		m = &member{key: key, spec: spec}
		p.members[key] = m
	}
	switch {
	case m.session != nil && !m.session.conn.gone():
		m.users++
		return m, nil, nil
	case m.started != nil:
		return nil, m.started, nil
	case m.session != nil:
		p.failed(m, ErrServerGone)
		fallthrough
	default:
		if left := m.retry.Sub(p.opt.Now()); left > 0 {
			state := Crashed
			if m.missing {
				state = Missing
			}
			return nil, nil, &Error{state, spec.Name, fmt.Sprintf("%s; it is tried again in %s", m.fault, left.Round(time.Second))}
		}
		return p.place(m, folder)
	}
}

// place starts m when a place is free, or frees one.
func (p *Pool) place(m *member, folder string) (*member, <-chan struct{}, error) {
	running, ending, idle := 0, false, (*member)(nil)
	for _, o := range p.members {
		if o.session == nil && o.started == nil {
			continue
		}
		running++
		ending = ending || o.ending
		if o.started == nil && o.users == 0 && (idle == nil || o.used.Before(idle.used)) {
			idle = o
		}
	}
	if ending {
		idle = nil // one place is being made already
	}
	if running >= p.opt.Max {
		if idle != nil {
			p.end(idle, false)
		}
		return nil, p.freed, nil
	}
	release := func() {}
	if p.opt.Slots != nil {
		r, ok, err := p.opt.Slots.Take()
		if err != nil {
			return nil, nil, &Error{Crashed, m.spec.Name, err.Error()}
		}
		if !ok {
			if idle != nil { // one of ours gives its slot up
				p.end(idle, false)
			}
			return nil, p.freed, nil
		}
		release = r
	}
	m.started, m.release = make(chan struct{}), release
	p.wg.Add(1)
	go p.start(m, folder)
	return nil, m.started, nil
}

// start runs once for all who wait; the deadline of none of them ends it.
func (p *Pool) start(m *member, folder string) {
	defer p.wg.Done()
	command := m.spec.Command
	if p.opt.Command != nil {
		if c := p.opt.Command(m.spec.Name); len(c) > 0 {
			command = c
		}
	}
	spec := *m.spec
	spec.Command = command
	bin, err := exec.LookPath(command[0])
	var s *session
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), p.opt.Start)
		defer cancel()
		s, err = newSession(ctx, &spec, setup{trusted: m.key.trusted, cache: p.opt.Cache, bin: bin}, folder)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	close(m.started)
	m.started = nil
	m.missing = errors.Is(err, exec.ErrNotFound)
	switch {
	case err != nil && m.missing:
		p.failed(m, fmt.Errorf("%s is not installed; install it with: %s", m.spec.Name, m.spec.Install))
	case err != nil:
		p.failed(m, err)
	case p.closed:
		m.session = s
		p.end(m, true)
	default:
		m.session, m.used = s, p.opt.Now()
	}
}

// failed notes that m ended by itself, or is to be ended by force.
func (p *Pool) failed(m *member, why error) {
	if m.session != nil {
		p.end(m, true)
	} else if m.release != nil {
		m.release()
		m.release = nil
	}
	waits := backoff
	if m.missing {
		waits = missingBackoff
	}
	m.retry = p.opt.Now().Add(waits[min(m.failures, len(waits)-1)])
	m.failures++
	m.fault, _, _ = strings.Cut(why.Error(), "\n")
	p.announce()
}

// end stops the running server of m, in the background; its place is free once
// the process is gone.
func (p *Pool) end(m *member, force bool) {
	s, release := m.session, m.release
	done := make(chan struct{})
	m.session, m.release, m.started, m.ending = nil, nil, done, true
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		if force {
			s.kill()
		} else {
			s.stop()
		}
		if release != nil {
			release()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		close(done)
		m.started, m.ending = nil, false
		p.announce()
	}()
}

// announce wakes everyone who waits for a place.
func (p *Pool) announce() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// leave ends one use of m. A server that failed it is recycled.
func (p *Pool) leave(m *member, failed error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m.users--
	m.used = p.opt.Now()
	switch {
	case m.session == nil:
	case failed != nil:
		p.failed(m, failed)
	default:
		m.failures = 0
		if m.users == 0 && m.session.proc.rss() > p.opt.MaxRSS {
			m.fault = "recycled: its memory was beyond the cap"
			p.end(m, false)
		}
	}
	p.announce()
}

// waiting is the error of who waited in vain.
func (p *Pool) waiting(key memberKey, spec *Spec) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.members[key]; m != nil && m.started != nil {
		return &Error{Starting, spec.Name, "it is still starting"}
	}
	return &Error{Capped, spec.Name, fmt.Sprintf("%d servers are busy, which is as many as may run", p.opt.Max)}
}

// Reap stops the servers that have been idle for long enough, and gives when
// the next one will have been; zero when none runs.
func (p *Pool) Reap() (next time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.opt.Now()
	for _, m := range p.members {
		if m.session == nil || m.users > 0 {
			continue
		}
		due := m.used.Add(p.opt.Idle)
		if !due.After(now) {
			p.end(m, false)
		} else if next.IsZero() || due.Before(next) {
			next = due
		}
	}
	return next
}

// Run reaps until ctx ends.
func (p *Pool) Run(ctx context.Context) {
	tick := time.NewTicker(max(p.opt.Idle/20, 100*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.Reap()
		case <-ctx.Done():
			return
		}
	}
}

// Close stops every server and waits for their ends.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	for _, m := range p.members {
		if m.session != nil {
			p.end(m, false)
		}
	}
	p.mu.Unlock()
	p.wg.Wait()
}

// Status is one server of the pool, for people.
type Status struct {
	Server    string
	Version   string
	Languages []string
	State     State
	Trusted   bool
	PID       int
	RSS       int64 // bytes, of its process group
	Folders   []string
	Users     int
	IdleUntil time.Time // when it will be stopped; zero while it is used
	Fault     string    // why it ended last
}

// Status lists the servers that were asked for, by name.
func (p *Pool) Status() (out []Status) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.members {
		s := Status{Server: m.spec.Name, Languages: m.spec.Languages, Trusted: m.key.trusted, Users: m.users, Fault: m.fault, State: Crashed}
		switch {
		case m.session != nil:
			s.State, s.Version, s.PID, s.RSS = Indexing, m.session.version, m.session.proc.pid(), m.session.proc.rss()
			if m.session.ready() {
				s.State = Ready
			}
			s.Folders = m.session.joined()
			if m.users == 0 {
				s.IdleUntil = m.used.Add(p.opt.Idle)
			}
		case m.started != nil:
			s.State = Starting
		case m.missing:
			s.State = Missing
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Status) int { return cmp.Compare(a.Server, b.Server) })
	return out
}
