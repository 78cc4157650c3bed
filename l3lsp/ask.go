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

// Question is the kind of query about a site. A site is a name at some position in a file.
type Question int

const (
	Definitions     Question = iota // declarations of the symbol named at the site
	References                      // uses of the symbol declared at the site, without the declaration
	Implementations                 // implementations of the symbol that is named or declared at the site
)

// Batch is a set of sites of one language below one folder, queried together.
type Batch struct {
	Question Question
	Folder   string // absolute: the root of the service or module that the files belong to
	Language string // name of internal/lang
	Files    []Source
	// Canary is a call whose target, in the same file, is certain. A server that resolves it
	// incorrectly is not ready. Without a canary, no server becomes ready.
	Canary *Canary
	// Text returns the bytes of a file, given by its absolute path, as the caller
	// sees them. It returns false for a file outside the workspace. If Text is
	// nil, the files below Folder are read from disk.
	Text func(path string) ([]byte, bool)
}

// Source is a file with the sites in it.
type Source struct {
	Path    string // absolute
	Text    []byte // the bytes that the offsets refer to
	Offsets []int  // offset of the first byte of each name
}

// Canary is a site with a known target.
type Canary struct {
	Path         string // file of the call and of its target, absolute
	Text         []byte
	Offset       int // offset of the callee's name in the call
	TargetOffset int // offset of the name in its declaration
}

// Location is a location in a server's answer.
type Location struct {
	Path   string // absolute
	Line   int    // 1-based line of the name
	Offset int    // offset of the name, in bytes; -1 in a file outside the workspace
}

// Answer is a server's answer for one site. If there are no locations, the targets are unknown: a
// server that correctly found none looks the same as one that missed some.
type Answer struct {
	// Locations are sorted by path and position. If a definition is only a declaration (in a
	// header, a .d.ts, an import), the server was queried once more about that declaration.
	// Locations then include the declaration and the definitions found for it.
	Locations []Location
	Asked     bool // whether the server answered, possibly with no location
}

// Report is the result of a batch.
type Report struct {
	Answers [][]Answer // for each file of the batch, the answers for its sites
	Server  string     // name and version
	// State is Ready if the server has read its folders and resolved the canary, a call with a
	// known target. Its answers may then refute a candidate target of a call. State is Indexing
	// if answers may confirm a candidate, but not refute it. State is Crashed if the server
	// ended; the answers until then are valid.
	State  State
	Detail string // why the server is not ready, as a text for users
}

const (
	// inFlight is the number of concurrent requests of a batch: enough to keep a
	// server busy, few enough to cancel in time.
	inFlight = 16
	// openFiles is the number of files of a batch that are queried at once.
	openFiles = 4
)

// Ask queries the server of the batch's language. If ctx ends early, the remaining sites stay
// unanswered, without an error. An error is an *Error, and means that nothing was queried.
func (p *Pool) Ask(ctx context.Context, batch Batch) (Report, error) {
	found := p.Find(batch.Language, batch.Folder)
	spec := found.Spec
	if spec == nil {
		return Report{}, &Error{State: Missing, Server: batch.Language,
			Detail: "no language server is known for this language"}
	}
	batch.Folder = found.Folder
	member, run, err := p.acquire(ctx, spec, batch.Folder)
	if err != nil {
		return Report{}, err
	}
	s := run.session
	rep := Report{Answers: make([][]Answer, len(batch.Files))}
	for i := range batch.Files {
		rep.Answers[i] = make([]Answer, len(batch.Files[i].Offsets))
	}
	began := time.Now()
	err = p.put(ctx, s, &batch, &rep)
	rep.Server = s.name()
	switch {
	case errors.Is(err, errGone):
		err = s.explain(errGone)
		rep.State, rep.Detail = Crashed, err.Error()
		p.leave(member, run, err)
	case err != nil && s.hung(began, err):
		rep.State, rep.Detail = Crashed, "it does not answer"
		p.leave(member, run, fmt.Errorf("it did not answer: %w", err))
	case err != nil:
		if rep.State != Ready {
			rep.State, rep.Detail = Indexing, "the deadline passed before it was ready"
		}
		if ctx.Err() == nil { // a local failure, such as a file that cannot be written
			rep.State, rep.Detail = Indexing, err.Error()
		}
		p.leave(member, run, nil)
	default:
		s.answered()
		p.leave(member, run, nil)
	}
	return rep, nil
}

// put queries the server s about the sites of a batch and stores the answers in rep.
func (p *Pool) put(ctx context.Context, s *session, b *Batch, rep *Report) error {
	leave, err := s.join(b.Folder, p.opt.Folders)
	defer leave()
	if err != nil {
		return err
	}
	if err := s.tell(ctx); err != nil {
		return err
	}
	a := &asking{session: s, batch: b, texts: texts{given: b.Text, folder: b.Folder},
		permits: make(chan struct{}, inFlight), followed: map[Location][]Location{}}
	if rep.State, rep.Detail, err = a.awaitReady(ctx); err != nil {
		return err
	}
	// Sort by directory: while one file of a package is open, the server reuses
	// its work on that package for the others.
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
	// A server that resolved a canary before, a call with a known target, counts as hung if
	// maxMissed consecutive batches reached their deadlines without a message from it and it has
	// been silent for at least hungAfter.
	maxMissed = 2
	hungAfter = 5 * time.Second
	// hungWorking is the limit of silence for a server that has not resolved a canary yet, or that
	// uses CPU: to read a large workspace, or a large file on a busy machine, may take long.
	hungWorking = 2 * time.Minute
	// workedEnough is the CPU time that a silent server must have used, since it became silent, to
	// count as working.
	workedEnough = 50 * time.Millisecond
)

// hung reports whether the server has been silent for so long that it must be restarted. The caller
// has just run a batch, from the time began on, which failed with err.
func (s *session) hung(began time.Time, err error) bool {
	if errors.Is(err, errNotReading) {
		return true
	}
	// the caller cancelled the batch, which does not show that the server hangs
	if !errors.Is(err, context.DeadlineExceeded) {
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

// answered records that a batch succeeded, so the server is not hung.
func (s *session) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = 0
}

// asking is the state of one batch while a server is queried.
type asking struct {
	session *session
	batch   *Batch
	texts   texts
	permits chan struct{} // holds a token per request in flight

	mu       sync.Mutex
	followed map[Location][]Location // declaration → definitions that the method follow found; guarded by mu
}

// file queries the sites of a file, but for those behind a line break that only some servers count. If
// another batch sends the server a different text of the file meanwhile, the answers are dropped.
func (a *asking) file(ctx context.Context, source *Source, answers []Answer) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	view, err := a.session.docs.show(a.batch.Language, source.Path, source.Text)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, view.close()) }()
	text := newLines(source.Text)
	group, ctx := errgroup.WithContext(ctx)
	for i, offset := range source.Offsets {
		at := text.position(offset)
		if !text.agreed(at) {
			continue
		}
		if err := a.permit(ctx); err != nil {
			return errors.Join(err, group.Wait())
		}
		group.Go(func() error {
			defer func() { <-a.permits }()
			answer, err := a.site(ctx, source.Path, at)
			if err == nil && view.current() {
				answers[i] = answer
			}
			return err
		})
	}
	return group.Wait()
}

// permit waits until one more request may be sent. It returns the error of ctx if ctx ends
// before. The caller must receive from a.permits when the request has ended.
func (a *asking) permit(ctx context.Context) error {
	select {
	case a.permits <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// site queries one position. For each definition in the answer that is a mere declaration, it then
// queries the definition of the declaration.
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

// request sends one query. If the server answers with an error, or with a place that may be another one
// (see locate), request returns an Answer with Asked = false and no error.
func (a *asking) request(ctx context.Context, q Question, path string, at protocol.Position) (Answer, error) {
	document := protocol.TextDocumentIdentifier{URI: uri.File(path)}
	position := protocol.TextDocumentPositionParams{TextDocument: document, Position: at}
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
	found, ok := a.locate(places(raw))
	return Answer{Locations: sorted(found), Asked: ok}, nil
}

// retryAfter is the pause before a request is sent again that the server abandoned because of an
// edit.
const retryAfter = 20 * time.Millisecond

// moot reports whether err means that the server abandoned a request because a file changed
// meanwhile (ContentModified, ServerCancelled). The request must be sent again.
func moot(err error) bool {
	var e *jsonrpc2.Error
	return errors.As(err, &e) && (e.Code == -32801 || e.Code == -32802)
}

// pause waits for d, or until ctx ends, and then returns the error of ctx.
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

// follow queries the definition of the name at location if the text there is a mere declaration, as
// in a header or an import, and returns the definitions. Otherwise it returns nil.
func (a *asking) follow(ctx context.Context, location Location) (more []Location, err error) {
	if location.Offset < 0 {
		return nil, nil
	}
	text := a.texts.of(location.Path)
	if !declares(location, text) {
		return nil, nil
	}
	a.mu.Lock()
	more, known := a.followed[location]
	a.mu.Unlock()
	if known {
		return more, nil
	}
	v, err := a.session.docs.show(a.batch.Language, location.Path, text.text)
	if err != nil {
		return nil, err
	}
	answer, err := a.request(ctx, Definitions, location.Path, text.position(location.Offset))
	if err = errors.Join(err, v.close()); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.followed[location] = answer.Locations
	return answer.Locations, nil
}
