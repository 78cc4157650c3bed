package l3lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"golang.org/x/sync/errgroup"
)

// Question is what is asked about a site.
type Question int

const (
	Definitions     Question = iota // where is what is named here declared
	References                      // where is what is declared here named; the declaration itself is left out
	Implementations                 // what implements what is named or declared here
)

// Batch is sites of one language below one folder, to be asked about in one go.
type Batch struct {
	Question Question
	Folder   string // absolute: the root of the service or module that the files belong to
	Language string // of internal/lang
	Files    []Source
	// Canary is a call whose target in the same file is beyond doubt; a server
	// that gets it wrong is not ready. Without one, a server never is.
	Canary *Canary
	// Text gives the bytes of a file, absolute, as the asker sees them, false
	// for one that is not of the workspace. nil: the files below Folder, as on disk.
	Text func(path string) ([]byte, bool)
}

// Source is a file with the sites in it.
type Source struct {
	Path    string // absolute
	Text    []byte // the bytes that the offsets refer to
	Offsets []int  // of the first byte of each name
}

// Canary is a site with its known target.
type Canary struct {
	Path         string // of both ends, absolute
	Text         []byte
	Offset       int // of the callee's name
	TargetOffset int // of the declared name
}

// Location is where a server says that something is.
type Location struct {
	Path   string // absolute
	Line   int    // 1-based, of the name
	Offset int    // of the name, in bytes; -1 in a file that is not of the workspace
}

// Answer is what a server says of one site. Without a location nothing is
// known: a server that finds nothing can not be told from one that is wrong.
type Answer struct {
	// Locations are sorted by path and place. A definition that is a mere
	// declaration (in a header, a .d.ts, an import) was followed once, and what
	// it led to is among them.
	Locations []Location
	Asked     bool // the server answered, were it with nothing
}

// Report is what a server says of a batch.
type Report struct {
	Answers [][]Answer // by file, by site
	Server  string     // with its version
	// State is Ready when difference means something: the server has read its
	// folders, and the canary came back right. Indexing: what it says may
	// confirm, and never refute. Crashed: it ended, and what it said before stands.
	State  State
	Detail string // why it is not ready, for people
}

const (
	// inFlight is how many requests of a batch wait at a server at once: enough
	// to keep it busy, few enough to be cancelled in time.
	inFlight = 16
	// openFiles is how many files of a batch are asked about at once.
	openFiles = 4
)

// Ask asks the server of the batch's language. What was not answered when ctx
// ended stays unanswered, and is no error; an error is an *Error, and says that
// nothing was asked.
func (p *Pool) Ask(ctx context.Context, b Batch) (Report, error) {
	found := p.Find(b.Language, b.Folder)
	spec := found.Spec
	if spec == nil {
		return Report{}, &Error{State: Missing, Server: b.Language, Detail: "no language server is known for this language"}
	}
	b.Folder = found.Folder
	m, r, err := p.acquire(ctx, spec, b.Folder)
	if err != nil {
		return Report{}, err
	}
	s := r.session
	rep := Report{Answers: make([][]Answer, len(b.Files))}
	for i := range b.Files {
		rep.Answers[i] = make([]Answer, len(b.Files[i].Offsets))
	}
	began := time.Now()
	err = p.put(ctx, s, &b, &rep)
	rep.Server = s.name()
	switch {
	case errors.Is(err, errGone):
		err = s.explain(errGone)
		rep.State, rep.Detail = Crashed, err.Error()
		p.leave(m, r, err)
	case err != nil && s.hung(began, err):
		rep.State, rep.Detail = Crashed, "it does not answer"
		p.leave(m, r, fmt.Errorf("it did not answer: %w", err))
	case err != nil:
		if rep.State != Ready {
			rep.State, rep.Detail = Indexing, "the time was over before it was ready"
		}
		if ctx.Err() == nil { // what it needs could not be made
			rep.State, rep.Detail = Indexing, err.Error()
		}
		p.leave(m, r, nil)
	default:
		s.answered()
		p.leave(m, r, nil)
	}
	return rep, nil
}

// put puts the questions of a batch to a server.
func (p *Pool) put(ctx context.Context, s *session, b *Batch, rep *Report) error {
	leave, err := s.join(b.Folder, p.opt.Folders)
	defer leave()
	if err != nil {
		return err
	}
	if err := s.tell(ctx); err != nil {
		return err
	}
	a := &asking{session: s, batch: b, texts: texts{given: b.Text, folder: b.Folder}, permits: make(chan struct{}, inFlight), followed: map[Location][]Location{}}
	if rep.State, rep.Detail, err = a.awaitReady(ctx); err != nil {
		return err
	}
	// By directory: what a server has worked out for one file of a package
	// serves the others while one of them is open.
	order := make([]int, len(b.Files))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return strings.Compare(filepath.Dir(b.Files[i].Path), filepath.Dir(b.Files[j].Path))
	})
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(openFiles)
	for _, i := range order {
		group.Go(func() error { return a.file(ctx, &b.Files[i], rep.Answers[i]) })
	}
	return group.Wait()
}

const (
	// maxMissed is how many deadlines in a row may pass without a word from a
	// server that answered before, and hungAfter how long it is silent then at least.
	maxMissed = 2
	hungAfter = 5 * time.Second
	// hungWorking is how long a server may be silent that has not answered yet, or
	// takes processor time: one that reads a large workspace, or works on a large
	// file of a busy machine, may say nothing for long.
	hungWorking = 2 * time.Minute
	// workedEnough is the processor time above which a silent server works.
	workedEnough = 50 * time.Millisecond
)

// hung reports, after a question that was begun then and ended with err,
// whether the server has to be recycled for its silence.
func (s *session) hung(began time.Time, err error) bool {
	if errors.Is(err, errNotReading) {
		return true
	}
	if !errors.Is(err, context.DeadlineExceeded) { // who asked went away
		return false
	}
	cpu := s.peer.use().cpu
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn.stream.lastHeard().After(began) {
		s.missed = 0
		return false
	}
	if s.missed++; s.missed == 1 {
		s.silent, s.worked = began, cpu
	}
	silence, idle := time.Since(s.silent), cpu-s.worked < workedEnough
	return s.missed >= maxMissed && silence >= hungAfter && (s.proven && idle || silence >= hungWorking)
}

// answered notes a question that went well.
func (s *session) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = 0
}

// asking is one batch at one server.
type asking struct {
	session *session
	batch   *Batch
	texts   texts
	permits chan struct{} // one for each request in flight

	mu       sync.Mutex
	followed map[Location][]Location // guarded by mu
}

// file asks about the sites of a file. Answers to a text that another question
// replaced meanwhile are left out.
func (a *asking) file(ctx context.Context, f *Source, answers []Answer) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	v, err := a.session.docs.show(a.batch.Language, f.Path, f.Text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	text := newLines(f.Text)
	group, ctx := errgroup.WithContext(ctx)
	for i, offset := range f.Offsets {
		if err := a.permit(ctx); err != nil {
			return errors.Join(err, group.Wait())
		}
		group.Go(func() error {
			defer func() { <-a.permits }()
			answer, err := a.site(ctx, f.Path, text.position(offset))
			if err == nil && v.current() {
				answers[i] = answer
			}
			return err
		})
	}
	return group.Wait()
}

func (a *asking) permit(ctx context.Context) error {
	select {
	case a.permits <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// site asks about one position, and follows definitions that are declarations.
func (a *asking) site(ctx context.Context, path string, at protocol.Position) (Answer, error) {
	answer, err := a.request(ctx, a.batch.Question, path, at)
	if err != nil || a.batch.Question != Definitions {
		return answer, err
	}
	for _, l := range slices.Clone(answer.Locations) {
		more, err := a.follow(ctx, l)
		if err != nil {
			return Answer{}, err
		}
		answer.Locations = append(answer.Locations, more...)
	}
	answer.Locations = sorted(answer.Locations)
	return answer, nil
}

// request puts one question. A server that answers with an error knows nothing
// of it.
func (a *asking) request(ctx context.Context, q Question, path string, at protocol.Position) (Answer, error) {
	position := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(path)}, Position: at}
	method, params := "textDocument/definition", any(position)
	switch q {
	case References:
		method, params = "textDocument/references", protocol.ReferenceParams{TextDocumentPositionParams: position}
	case Implementations:
		method = "textDocument/implementation"
	}
	var raw json.RawMessage
	err := a.session.conn.call(ctx, method, params, &raw)
	for moot(err) {
		if err = pause(ctx, retryAfter); err == nil {
			err = a.session.conn.call(ctx, method, params, &raw)
		}
	}
	if errors.Is(err, errGone) || errors.Is(err, errNotReading) || ctx.Err() != nil {
		return Answer{}, err
	}
	if err != nil {
		return Answer{}, nil
	}
	return Answer{Locations: sorted(a.locate(places(raw))), Asked: true}, nil
}

// retryAfter is when a server is asked again that gave up for an edit.
const retryAfter = 20 * time.Millisecond

// moot reports whether a server gave up a request for what moved meanwhile
// (ContentModified, ServerCancelled): it has to be asked again.
func moot(err error) bool {
	var e *jsonrpc2.Error
	return errors.As(err, &e) && (e.Code == -32801 || e.Code == -32802)
}

// pause waits, as long as ctx lasts.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// follow asks once more where a location leads that only declares.
func (a *asking) follow(ctx context.Context, l Location) (more []Location, err error) {
	if l.Offset < 0 {
		return nil, nil
	}
	text := a.texts.of(l.Path)
	if !declares(l, text) {
		return nil, nil
	}
	a.mu.Lock()
	more, known := a.followed[l]
	a.mu.Unlock()
	if known {
		return more, nil
	}
	v, err := a.session.docs.show(a.batch.Language, l.Path, text.text)
	if err != nil {
		return nil, err
	}
	answer, err := a.request(ctx, Definitions, l.Path, text.position(l.Offset))
	if err = errors.Join(err, v.close()); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.followed[l] = answer.Locations
	return answer.Locations, nil
}
