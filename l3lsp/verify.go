package l3lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"golang.org/x/sync/errgroup"
)

// Batch is call sites of one language below one folder, to be asked about in
// one go.
type Batch struct {
	Folder   string // absolute: the root of the service or module that the files belong to
	Language string // of internal/lang
	Files    []Source
	// Canary is a call whose target in the same file is beyond doubt; a server
	// that gets it wrong is not ready. Without one nothing is refuted.
	Canary *Canary
	// Changed and Gone are files below Folder that moved on disk since the
	// batch before, absolute.
	Changed, Gone []string
}

// Source is a file with the sites in it.
type Source struct {
	Path    string // absolute
	Text    []byte // the bytes that the offsets refer to, as on disk
	Offsets []int  // of the first byte of each callee's last name
}

// Canary is a site with its known target.
type Canary struct {
	Path         string // of both ends, absolute
	Text         []byte
	Offset       int // of the callee's name
	TargetOffset int // of the declared name
}

// Location is where a server says that something is declared.
type Location struct {
	Path string // absolute
	Line int    // 1-based, of the name
}

// Answer is what a server says of one site. It is asked when there is a
// location; without one nothing is known.
type Answer struct {
	Locations []Location
	Asked     bool // the server answered, were it with nothing
}

// Report is what a server says of a batch.
type Report struct {
	Answers [][]Answer // by file, by site
	Server  string     // with its version
	// Ready says that absence and difference mean something: the server has
	// read its folders, and the canary came back right.
	Ready bool
}

const (
	// inFlight is how many requests of a batch wait at a server at once: enough
	// to keep it busy, few enough to be cancelled in time.
	inFlight = 16
	// readyPoll is how often a server that loads is looked at again.
	readyPoll = 100 * time.Millisecond
)

// Ask asks the server of the batch's language. What was not answered when ctx
// ended stays unanswered, and is no error; an error is an *Error, and says that
// nothing was asked.
func (p *Pool) Ask(ctx context.Context, b Batch) (Report, error) {
	spec, ok := Serves(b.Language)
	if !ok {
		return Report{}, &Error{Missing, b.Language, "no language server is known for this language"}
	}
	s, leave, err := p.acquire(ctx, spec, b.Folder)
	if err != nil {
		return Report{}, err
	}
	rep := Report{Server: s.version, Answers: make([][]Answer, len(b.Files))}
	err = s.askAll(ctx, &b, &rep)
	leave(s.verdict(err))
	if err != nil && errors.Is(err, ErrServerGone) {
		return rep, &Error{Crashed, spec.Name, err.Error() + said(s.proc.stderr)}
	}
	return rep, nil
}

// maxMissed is how many deadlines in a row a server that is ready may miss
// before it counts as hung.
const maxMissed = 2

// verdict is why the server has to be recycled after a batch that ended with
// err; nil when it may stay.
func (s *session) verdict(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.missed = 0
	case errors.Is(err, ErrServerGone):
		return err
	case s.proven || errors.Is(err, errNotReading):
		if s.missed++; s.missed >= maxMissed {
			return fmt.Errorf("it answered nothing within two deadlines: %w", err)
		}
	}
	return nil
}

func (s *session) askAll(ctx context.Context, b *Batch, rep *Report) error {
	if len(b.Changed)+len(b.Gone) > 0 {
		if err := s.moved(ctx, b.Changed, b.Gone); err != nil {
			return err
		}
	}
	ready, err := s.awaitReady(ctx, b)
	if err != nil {
		return err
	}
	rep.Ready = ready
	for i := range b.Files {
		f := &b.Files[i]
		rep.Answers[i] = make([]Answer, len(f.Offsets))
		if err := s.askFile(ctx, b.Language, f, rep.Answers[i]); err != nil {
			return err
		}
	}
	return nil
}

// awaitReady waits until the server has read its folders and gets the canary
// right, or for ctx to be half spent: what it says before may still confirm.
func (s *session) awaitReady(ctx context.Context, b *Batch) (bool, error) {
	if s.ready() {
		return true, nil
	}
	half := time.Now().Add(time.Minute)
	if deadline, ok := ctx.Deadline(); ok {
		half = time.Now().Add(time.Until(deadline) / 2)
	}
	c := b.Canary
	if c == nil {
		return false, nil
	}
	source := Source{Path: c.Path, Text: c.Text, Offsets: []int{c.Offset}}
	want := Location{c.Path, int(newLines(c.Text).position(c.TargetOffset).Line) + 1}
	for {
		answer := make([]Answer, 1)
		if err := s.askFile(ctx, b.Language, &source, answer); err != nil {
			return false, err
		}
		right := slices.Contains(answer[0].Locations, want)
		if right && s.settled() {
			s.mu.Lock()
			s.canary, s.proven = true, true
			s.mu.Unlock()
			return true, nil
		}
		if time.Now().After(half) {
			return false, nil
		}
		select {
		case <-time.After(readyPoll):
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// askFile shows a file, asks about its sites, and closes it.
func (s *session) askFile(ctx context.Context, language string, f *Source, answers []Answer) error {
	if err := s.show(ctx, document{f.Path, language, f.Text}); err != nil {
		return err
	}
	text := newLines(f.Text)
	group, ctx2 := errgroup.WithContext(ctx)
	group.SetLimit(inFlight)
	for i, offset := range f.Offsets {
		group.Go(func() (err error) {
			answers[i], err = s.definition(ctx2, f.Path, text.position(offset))
			return err
		})
	}
	err := group.Wait()
	return errors.Join(err, s.hide(ctx, f.Path))
}

// definition asks where the name at a position is declared. A server that
// answers with an error knows nothing of it.
func (s *session) definition(ctx context.Context, path string, at protocol.Position) (Answer, error) {
	var raw json.RawMessage
	params := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.File(path)}, Position: at}
	err := s.conn.call(ctx, "textDocument/definition", params, &raw)
	if errors.Is(err, ErrServerGone) || ctx.Err() != nil {
		return Answer{}, err
	}
	if err != nil {
		return Answer{}, nil
	}
	return Answer{Locations: locations(raw), Asked: true}, nil
}

// locations reads what definition, references and implementation answer: null,
// a Location, or a list of Locations or LocationLinks.
func locations(raw json.RawMessage) (out []Location) {
	type item struct {
		URI                  string
		Range                *protocol.Range
		TargetURI            string
		TargetSelectionRange *protocol.Range
	}
	var list []item
	if json.Unmarshal(raw, &list) != nil {
		var one item
		if json.Unmarshal(raw, &one) != nil {
			return nil
		}
		list = []item{one}
	}
	for _, l := range list {
		target, at := l.URI, l.Range
		if l.TargetURI != "" {
			target, at = l.TargetURI, l.TargetSelectionRange
		}
		if at == nil || !strings.HasPrefix(target, "file://") {
			continue
		}
		u, err := uri.Parse(target)
		if err != nil {
			continue
		}
		out = append(out, Location{u.Filename(), int(at.Start.Line) + 1})
	}
	return out
}
