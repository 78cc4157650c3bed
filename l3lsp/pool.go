package l3lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// State is what is known of a server, in the words of the call_graph contract.
type State string

// The states of a server.
const (
	Starting State = "starting"
	Indexing State = "indexing" // it runs, and has not proven that it is ready
	Ready    State = "ready"
	Crashed  State = "crashed" // it ended, hung, took too much memory or could not start; it is tried again after its backoff
	Missing  State = "missing" // it is not installed
	Capped   State = "capped"  // as many servers as may run are busy
)

// Error says in which state a question found its server. Nothing was asked.
type Error struct {
	State  State
	Server string
	Detail string
	After  time.Duration // it is tried again then; 0 when that is not known
}

func (e *Error) Error() string { return fmt.Sprintf("%s is %s: %s", e.Server, e.State, e.Detail) }

// Options of NewPool. Zero values are the defaults that are named.
type Options struct {
	Home    string                       // a folder of ours: the places that all processes of a user share, and what servers keep; "": this process counts alone, and servers keep nothing
	Max     int                          // servers at once; 3
	Idle    time.Duration                // after which a server is stopped; 5 minutes
	MaxRSS  int64                        // bytes that a server may hold with all it started; 4 GiB
	Folders int                          // folders of one server at once; 64
	Start   time.Duration                // within which a server has to be initialized; 30 seconds
	Trusted func(folder string) bool     // whether a server may run code of a folder; never
	Command func(server string) []string // the command of a server, nil for its own
	Off     []string                     // servers that are not run, by name
	Dirs    []string                     // folders that hold servers, looked in before PATH; Home/bin is, too
	Shut    func(folder string) []string // the folders whose programs are not run for one that is not trusted, beside itself; none

	launch func(command, env []string, dir string) (peer, error) // tests: start
}

// Pool starts servers when they are asked for, shares them, and stops them. It
// is safe for concurrent use.
type Pool struct {
	opt    Options
	home   string // Options.Home, or a folder that Close removes
	slots  *slots // nil when no other process counts
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // of what starts and ends servers, and of tend

	mu      sync.Mutex
	members map[memberKey]*member // guarded by mu
	finds   map[findKey]find      // guarded by mu
	changed chan struct{}         // closed and replaced whenever a member's phase or use changes; guarded by mu
	waiting int                   // questions without a server; guarded by mu
	wish    *wish                 // for a place of another process, while questions wait; guarded by mu
}

// memberKey is what may share a server.
type memberKey struct {
	server  string
	trusted bool
}

// phase is the place of a member in its life: down → starting → running →
// ending → down, and from starting back to down when the start fails.
type phase int

const (
	down phase = iota
	starting
	running
	ending
)

// member is one server of the pool, running or not. Guarded by Pool.mu.
type member struct {
	key      memberKey
	spec     *Spec
	phase    phase
	run      *run      // when running
	slot     *slot     // when not down
	waiting  int       // questions that wait for it: it must not go before they came
	failures int       // in a row
	retry    time.Time // not to be started before
	fault    string    // why it ended last, until a question went well again
	missing  bool
}

// run is one run of a member's server. Guarded by Pool.mu.
type run struct {
	session *session
	users   int       // questions in flight
	used    time.Time // when the last one ended
	offered bool      // its slot says that it is idle
	rss     int64     // bytes, when it was measured last
	doomed  error     // why it is to end as soon as nobody uses it; nil when it is not
}

// NewPool makes a pool that runs nothing yet. Close ends it.
func NewPool(opt Options) (*Pool, error) {
	opt.Max = cmp.Or(opt.Max, 3)
	opt.Idle = cmp.Or(opt.Idle, 5*time.Minute)
	opt.MaxRSS = cmp.Or(opt.MaxRSS, 4<<30)
	opt.Folders = cmp.Or(opt.Folders, 64)
	opt.Start = cmp.Or(opt.Start, 30*time.Second)
	if opt.Trusted == nil {
		opt.Trusted = func(string) bool { return false }
	}
	if opt.Shut == nil {
		opt.Shut = func(string) []string { return nil }
	}
	p := &Pool{opt: opt, home: opt.Home, members: map[memberKey]*member{}, finds: map[findKey]find{}, changed: make(chan struct{})}
	var err error
	if opt.Home == "" {
		if p.home, err = os.MkdirTemp("", "sextant-servers-"); err != nil {
			return nil, err
		}
	} else {
		if p.slots, err = openSlots(filepath.Join(opt.Home, "slots"), opt.Max); err != nil {
			return nil, err
		}
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.wg.Go(p.tend)
	return p, nil
}

// Serves names the first server of a language; false when none is known.
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

// soundAfter is how long a server has to run before its failures are forgotten:
// one that dies of the same question again and again is not tried every 5 seconds.
const soundAfter = time.Minute

// slotPoll is how often a place that another process may free is looked for.
const slotPoll = 250 * time.Millisecond

// acquire gives the running server of a language, counting a user on it until
// leave. It waits for a start and for a free place as long as ctx lasts; its
// error is an *Error.
func (p *Pool) acquire(ctx context.Context, spec *Spec, folder string) (*member, *run, error) {
	key := memberKey{spec.Name, p.opt.Trusted(folder)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting++
	defer p.waited()
	m := p.member(key, spec)
	m.waiting++
	defer func() { m.waiting-- }()
	for {
		if err := p.claim(m, folder); err != nil {
			return nil, nil, err
		}
		if m.phase == running && m.run.doomed == nil {
			m.run.users++
			m.run.offered = false
			m.slot.note(time.Time{})
			return m, m.run, nil
		}
		changed := p.changed
		p.mu.Unlock()
		poll := time.NewTimer(slotPoll)
		select {
		case <-changed:
		case <-poll.C:
		case <-ctx.Done():
		}
		poll.Stop()
		p.mu.Lock()
		if ctx.Err() != nil {
			return nil, nil, p.refusal(m)
		}
	}
}

// waited ends the wait of a question; the last takes the wish back.
func (p *Pool) waited() {
	if p.waiting--; p.waiting == 0 && p.wish != nil {
		p.wish.end()
		p.wish = nil
	}
}

// refusal is what a question is told whose deadline came before its server.
func (p *Pool) refusal(m *member) *Error {
	if m.phase == starting {
		return &Error{State: Starting, Server: m.spec.Name, Detail: "it is being started"}
	}
	detail := fmt.Sprintf("the %d language servers that may run at once are busy", p.opt.Max)
	if p.slots != nil {
		if others := p.slots.others(); others != "" {
			detail += "; among them " + others
		}
	}
	return &Error{State: Capped, Server: m.spec.Name, Detail: detail}
}

func (p *Pool) member(key memberKey, spec *Spec) *member {
	m := p.members[key]
	if m == nil {
		m = &member{key: key, spec: spec}
		p.members[key] = m
	}
	return m
}

// claim starts a member that is down, if it may be started, and there is a
// place. Without an error it is up, or worth waiting for.
func (p *Pool) claim(m *member, folder string) error {
	if p.ctx.Err() != nil {
		return &Error{State: Crashed, Server: m.spec.Name, Detail: "the pool is closed"}
	}
	if m.phase == running && m.run.session.conn.gone() {
		p.fail(m, m.run.session.explain(errGone))
	}
	if left := time.Until(m.retry); left > 0 && m.phase != running {
		state := Crashed
		if m.missing {
			state = Missing
		}
		return &Error{State: state, Server: m.spec.Name, After: left, Detail: fmt.Sprintf("%s; it is tried again in %s", m.fault, left.Round(time.Second))}
	}
	if m.phase != down {
		return nil
	}
	return p.place(m, folder)
}

// idle reports whether m runs, and nobody asks it, or is about to.
func (m *member) idle() bool { return m.phase == running && m.run.users == 0 && m.waiting == 0 }

// loadingHold is how long a server that still reads its folders is not stopped
// for another one: who comes next would only have to begin anew.
const loadingHold = 2 * time.Minute

// spare reports whether m may be stopped for another server.
func (m *member) spare(now time.Time) bool {
	return m.idle() && (now.Sub(m.run.used) >= loadingHold || !m.run.session.loading())
}

// offer lets the other processes know that m may be stopped, once it may.
func (m *member) offer(now time.Time) {
	if r := m.run; !r.offered && m.spare(now) {
		m.slot.note(r.used)
		r.offered = true
	}
}

// place starts m where there is room. Where there is none it makes some, for
// the next try: it stops the server that has been idle for longest, were it one
// of another process.
func (p *Pool) place(m *member, folder string) error {
	up, leaving, idle, now := 0, false, (*member)(nil), time.Now()
	for _, o := range p.members {
		if o.phase != down {
			up++
		}
		leaving = leaving || o.phase == ending
		if o.spare(now) && (idle == nil || o.run.used.Before(idle.run.used)) {
			idle = o
		}
	}
	if up < p.opt.Max {
		slot, err := p.slots.take(m.spec.Name)
		if err != nil {
			return &Error{State: Crashed, Server: m.spec.Name, Detail: err.Error()}
		}
		if slot != nil {
			m.phase, m.slot = starting, slot
			p.wg.Go(func() { p.start(m, folder) })
			return nil
		}
	}
	if leaving { // a place is being made already
		return nil
	}
	if p.slots == nil || up >= p.opt.Max {
		if idle != nil {
			p.end(idle, nil)
		}
		return nil
	}
	index, since := p.slots.idlest()
	switch {
	case idle != nil && (index == anySlot || index == idle.slot.index || idle.run.used.Before(since)):
		p.end(idle, nil)
	case p.wish != nil:
		p.wish.change(index)
	default:
		p.wish = p.slots.want(index)
	}
	return nil
}

// start starts the server of m, once for all who wait; the deadline of none of
// them ends it.
func (p *Pool) start(m *member, folder string) {
	s, err := p.launch(m, folder)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		m.missing = errors.Is(err, errMissing) || errors.Is(err, errUntrusted) || errors.Is(err, errOff)
		m.slot.release()
		m.phase, m.slot = down, nil
		p.failed(m, err)
		return
	}
	m.phase, m.missing, m.run = running, false, &run{session: s, used: time.Now()}
	if p.ctx.Err() != nil { // closed meanwhile
		p.end(m, nil)
		return
	}
	m.offer(m.run.used)
	p.announce()
}

func (p *Pool) launch(m *member, folder string) (*session, error) {
	spec := p.configured(m.spec)
	run, err := p.setup(&spec, folder, m.key.trusted)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(run.cache, 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(p.ctx, p.opt.Start)
	defer cancel()
	if p.opt.launch != nil {
		return newSession(ctx, &spec, run, p.opt.launch)
	}
	return newSession(ctx, &spec, run, start)
}

// failed notes that m ended by its own fault.
func (p *Pool) failed(m *member, why error) {
	waits := backoff
	if m.missing {
		waits = missingBackoff
	}
	m.retry = time.Now().Add(waits[min(m.failures, len(waits)-1)])
	m.failures++
	m.fault = why.Error()
	p.announce()
}

// fail ends the server of m by force, for a fault of its own.
func (p *Pool) fail(m *member, why error) {
	if time.Since(m.run.session.born) >= soundAfter {
		m.failures = 0
	}
	p.end(m, why)
	p.failed(m, why)
}

// end stops the server of m in the background, at once when it failed; its
// place is free when it is gone.
func (p *Pool) end(m *member, failed error) {
	s := m.run.session
	m.phase, m.run = ending, nil
	p.wg.Go(func() {
		if failed != nil {
			s.kill()
		} else {
			s.stop()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		m.slot.release()
		m.phase, m.slot = down, nil
		p.announce()
	})
}

// announce wakes everyone who waits.
func (p *Pool) announce() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// leave ends one use of a run. One that failed its user is recycled.
func (p *Pool) leave(m *member, r *run, failed error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.users--; m.run != r {
		return // it ended meanwhile
	}
	r.used = time.Now()
	switch {
	case failed != nil:
		p.fail(m, failed)
	case r.users > 0:
	case r.doomed != nil:
		p.fail(m, r.doomed)
	default:
		m.fault = ""
		m.offer(r.used)
		p.announce()
		if m.spare(r.used) && p.slots.wanted(m.slot) {
			p.end(m, nil)
		}
	}
}

// Close stops every server, waits for their ends, and refuses all questions.
func (p *Pool) Close() {
	p.cancel()
	p.mu.Lock()
	for _, m := range p.members {
		if m.phase == running {
			p.end(m, nil)
		}
	}
	p.announce()
	p.mu.Unlock()
	p.wg.Wait()
	if p.opt.Home == "" {
		_ = os.RemoveAll(p.home) // what is left is in the folder for what is temporary
	}
}
