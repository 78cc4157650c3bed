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

// State is the state of a server, as the results of the tool call_graph name
// it.
type State string

// These constants are the states of a server.
const (
	Starting State = "starting"
	Indexing State = "indexing" // the server runs, but is not known to be ready
	Ready    State = "ready"
	// Crashed means that the server ended, hung, used too much memory or could not start. It is
	// restarted after a wait that grows with each failure.
	Crashed State = "crashed"
	Missing State = "missing" // the server is not installed
	// the server does not run, because the limit of running servers is reached and all are busy
	Capped State = "capped"
)

// Error reports that a server was not available, so that nothing was queried.
type Error struct {
	State  State
	Server string
	Detail string
	After  time.Duration // the server is started again after this time; 0 if unknown
}

func (e *Error) Error() string { return fmt.Sprintf("%s is %s: %s", e.Server, e.State, e.Detail) }

// Options configures NewPool. The default for a zero value is at the end of each field's comment.
type Options struct {
	// Home is a folder for the slots (the locks that count the servers of all
	// processes of a user) and for the servers' caches. If it is "", NewPool makes
	// a temporary folder: other processes are then not counted, and caches do not
	// persist.
	Home    string
	Max     int                          // number of servers that run at once; 3
	Idle    time.Duration                // idle time after which a server is stopped; 5 minutes
	MaxRSS  int64                        // bytes of memory that a server and its children may use; 4 GiB
	Folders int                          // number of folders that one server has at once; 64
	Start   time.Duration                // time limit for initializing a server; 30 seconds
	Trusted func(folder string) bool     // whether a server may run code of a folder; never
	Command func(server string) []string // overrides the command of a server; nil keeps it
	Off     []string                     // servers that are not run, by name
	Dirs    []string                     // folders of server programs, searched after Home/bin and before PATH; none
	// Shut returns the folders whose programs are not run for an untrusted folder, in addition to
	// that folder itself; the default is none.
	Shut func(folder string) []string

	launch func(command, env []string, dir string) (peer, error) // replaces start in tests
}

// Pool starts servers on demand, shares them, and stops them. It is safe for
// concurrent use.
type Pool struct {
	opt    Options
	home   string // Options.Home, or a temporary folder that Close removes
	slots  *slots // nil if other processes are not counted
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup // counts goroutines that start and stop servers, and tend

	mu      sync.Mutex
	members map[memberKey]*member // guarded by mu
	finds   map[findKey]find      // cached results of Find; guarded by mu
	changed chan struct{}         // closed and replaced whenever a member's phase or use changes; guarded by mu
	waiting int                   // number of batches that wait for a server; guarded by mu
	wish    *wish                 // request for a slot of another process, while batches wait; guarded by mu
}

// memberKey identifies a server of the pool. All trusted folders share one process of a language
// server, and all untrusted folders another.
type memberKey struct {
	server  string
	trusted bool
}

// phase is a stage in the life of a member. The stages follow each other: down, starting,
// running, ending, and down again. If the start fails, the member returns from starting to down.
type phase int

const (
	down phase = iota
	starting
	running
	ending
)

// member is one server of the pool, running or not. Pool.mu guards it.
type member struct {
	key      memberKey
	spec     *Spec
	phase    phase
	run      *run      // nil unless the phase is running
	slot     *slot     // nil if the phase is down
	waiting  int       // number of batches that wait for the server, which is not stopped before they are served
	failures int       // consecutive failures
	retry    time.Time // earliest time for the next start
	fault    string    // reason of its last failure, cleared by the next success
	// whether the last start was refused, because the server is not installed, turned off or not
	// trusted
	missing bool
}

// run is one run of a member's server. Pool.mu guards it.
type run struct {
	session *session
	users   int       // number of batches that use it
	used    time.Time // when the last batch ended
	offered bool      // whether its slot is marked as idle, so that other processes may request it
	rss     int64     // memory of the server at the last measurement, in bytes
	doomed  error     // reason to end the run as soon as no batch uses it; nil if there is none
}

// NewPool returns a pool without running servers. The caller must Close it.
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
	pool := &Pool{opt: opt, home: opt.Home, members: map[memberKey]*member{}, finds: map[findKey]find{},
		changed: make(chan struct{})}
	var err error
	if opt.Home == "" {
		if pool.home, err = os.MkdirTemp("", "sextant-servers-"); err != nil {
			return nil, err
		}
	} else {
		if pool.slots, err = openSlots(filepath.Join(opt.Home, "slots"), opt.Max); err != nil {
			return nil, err
		}
	}
	pool.ctx, pool.cancel = context.WithCancel(context.Background())
	pool.wg.Go(pool.tend)
	return pool, nil
}

// Serves returns the preferred server of a language, the first in specs. It returns false if no
// server is known for the language.
func Serves(language string) (*Spec, bool) {
	for i := range specs {
		if slices.Contains(specs[i].Languages, language) {
			return &specs[i], true
		}
	}
	return nil, false
}

// These are the waits before a server is started again, after its first, second, … failure.
var (
	backoff        = []time.Duration{5 * time.Second, 15 * time.Second, 30 * time.Second, 60 * time.Second}
	missingBackoff = []time.Duration{180 * time.Second, 600 * time.Second, 1800 * time.Second}
)

// soundAfter is the running time after which a server's earlier failures are forgotten. If a server
// crashes sooner, such as on the same batch again and again, the waits before it is started again
// grow.
const soundAfter = time.Minute

// slotPoll is the interval at which a waiting batch checks whether another
// process has freed a slot.
const slotPoll = 250 * time.Millisecond

// acquire returns the running server of a language and counts one more user of it. The caller must
// call Pool.leave. acquire waits until the server has started, which may require that a slot
// becomes free, or until ctx ends. Its error is an *Error.
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

// waited ends the wait of one batch. If no other batch waits, no slot of another process is needed,
// and waited withdraws the request for one.
func (p *Pool) waited() {
	if p.waiting--; p.waiting == 0 && p.wish != nil {
		p.wish.end()
		p.wish = nil
	}
}

// refusal returns the error for a batch whose deadline passed before m was
// available.
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

// member returns the member for a key, which it creates if needed. The caller holds p.mu.
func (p *Pool) member(key memberKey, spec *Spec) *member {
	m := p.members[key]
	if m == nil {
		m = &member{key: key, spec: spec}
		p.members[key] = m
	}
	return m
}

// claim starts m if m is down, may be started, and a slot is free. If it returns no error, the
// caller can use m or wait for it.
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
		return &Error{State: state, Server: m.spec.Name, After: left,
			Detail: fmt.Sprintf("%s; it is tried again in %s", m.fault, left.Round(time.Second))}
	}
	if m.phase != down {
		return nil
	}
	return p.place(m, folder)
}

// idle reports whether m runs, and no batch uses it or waits for it.
func (m *member) idle() bool { return m.phase == running && m.run.users == 0 && m.waiting == 0 }

// loadingHold is the time for which a server that is still reading its folders
// is not stopped to make room for another one, because that would waste its
// work.
const loadingHold = 2 * time.Minute

// spare reports whether m may be stopped to make room for another server.
func (m *member) spare(now time.Time) bool {
	return m.idle() && (now.Sub(m.run.used) >= loadingHold || !m.run.session.loading())
}

// offer marks the slot of m as one with an idle server, if m may be stopped. Other processes may
// then request the slot.
func (m *member) offer(now time.Time) {
	if r := m.run; !r.offered && m.spare(now) {
		m.slot.note(r.used)
		r.offered = true
	}
}

// place starts m if a slot is free. Otherwise it makes room, so that a later call finds a slot: it
// stops the server that has been idle longest. If that is a server of another process, it asks the
// process to stop it.
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
	if leaving { // a slot is about to become free
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

// start starts the server of m for all batches that wait for it. So the time limit is
// Options.Start, not the deadline of one of these batches.
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
	if p.ctx.Err() != nil { // the pool was closed meanwhile
		p.end(m, nil)
		return
	}
	m.offer(m.run.used)
	p.announce()
}

// launch starts and initializes the server of m, within Options.Start.
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

// failed records that m failed and computes when it may be started again.
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

// fail kills the server of m and records the failure.
func (p *Pool) fail(m *member, why error) {
	if time.Since(m.run.session.born) >= soundAfter {
		m.failures = 0
	}
	p.end(m, why)
	p.failed(m, why)
}

// end stops the server of m in the background. If failed is not nil, it kills
// the server. The slot is released once the process is gone.
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

// announce wakes all waiting batches.
func (p *Pool) announce() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// leave ends one use of a run, as acquire began it. If failed is not nil, it kills the server,
// which may be started again after a wait.
func (p *Pool) leave(m *member, r *run, failed error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.users--; m.run != r {
		return // the run ended meanwhile
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

// Close stops every server and waits until all are gone. Later batches are
// refused.
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
		_ = os.RemoveAll(p.home) // any remains are in the system's temporary folder
	}
}
