package callgraph

import (
	"context"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// inquiry holds the questions to one language server about one folder.
type inquiry struct {
	*basis
	service   *asking
	root      *jit.Root
	texts     *texts
	questions []question
	canary    *ProofCanary

	state    contract.ServerState // of the server when it answered
	recovers time.Duration        // time until a failed server may be started again; 0 if it did not fail
	// said maps the paths of files to the verdicts to store: what the server's answers say about
	// the calls and symbols in them. settled counts the questions that need not be asked again.
	said    map[string]l2meta.Verdicts
	settled int
}

// inquire groups questions by language server and folder. For each group it searches for a canary, a call
// with a certain target that tests the server, in the files of the questions and those beside them.
func (s *asking) inquire(ctx context.Context, l *linker, root *jit.Root,
	questions []question) (out []*inquiry, err error) {
	t := &texts{ctx: ctx, root: root, files: map[string]*indexedText{}}
	byBasis := map[*basis]*inquiry{}
	for _, q := range questions {
		b := l.p.basis(q.language, q.path)
		if !b.known {
			continue
		}
		x := byBasis[b]
		if x == nil {
			x = &inquiry{basis: b, service: s, root: root, texts: t, said: map[string]l2meta.Verdicts{}}
			x.state = contract.ServerState{Language: b.language, Root: b.asked, Server: b.server.Name,
				State: b.server.State, Detail: b.server.Detail}
			byBasis[b] = x
			out = append(out, x)
		}
		x.questions = append(x.questions, q)
	}
	for _, x := range out {
		if x.canary, err = x.findCanary(l); err != nil {
			return nil, err
		}
	}
	return out, l.failed(nil)
}

// canaryFiles is the largest number of files that are searched for a canary. A canary is a call
// with a known target, which a server must resolve before its other answers may refute an edge.
const canaryFiles = 30

// findCanary returns a call of a name that is declared once, in the same file, so that its target
// is certain. It returns nil if there is none.
func (x *inquiry) findCanary(l *linker) (*ProofCanary, error) {
	var files []string
	for i := range x.questions {
		files = append(files, x.questions[i].path)
		if e := x.questions[i].expect; e.File != nil && e.File.Language == x.language {
			files = append(files, e.File.Path)
		}
	}
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	if len(files) > 0 {
		beside, err := l.r.Beside(files[0])
		if err != nil {
			return nil, err
		}
		files = append(files, beside...)
	}
	for _, file := range files[:min(len(files), canaryFiles)] {
		f, err := l.r.File(file)
		if err != nil {
			return nil, err
		}
		if f == nil || f.Language != x.language {
			continue
		}
		c, err := x.canaryIn(l, f)
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// canaryIn returns a canary in the file f, or nil if there is none.
func (x *inquiry) canaryIn(l *linker, f *resolve.File) (*ProofCanary, error) {
	for i := range f.Calls() {
		c := &f.Calls()[i]
		if c.Kind != code.CallPlain || c.Receiver != "" || len(f.Named(c.Callee)) != 1 {
			continue
		}
		s, ok, err := l.siteAt(f.Path, c.NameSpan.StartByte)
		if err != nil {
			return nil, err
		}
		if !ok || s.Outcome != resolve.Settled || s.Target.File != f || s.Target.Index < 0 ||
			s.Strategy != resolve.SameFile && s.Strategy != resolve.SamePackage && s.Strategy != resolve.SameScope {
			continue
		}
		if t := x.texts.of(f.Path); t != nil && t.hash == f.Hash {
			return &ProofCanary{Path: absolute(x.root.Path(), f.Path), Text: t.bytes, Offset: c.NameSpan.StartByte,
				TargetOffset: s.Target.Symbol().NameSpan.StartByte}, nil
		}
	}
	return nil, nil
}

// ask sends the questions to the server and converts its answers to verdicts, the form in which the index
// stores them. It asks for definitions first and for references last, as a symbol may have many of these.
func (x *inquiry) ask(ctx context.Context) error {
	for _, about := range []Question{AskDefinition, AskImplementations, AskReferences} {
		b, asked := x.batch(about)
		if len(b.Files) == 0 {
			continue
		}
		report, err := x.service.prover.Ask(ctx, b)
		var down *ServerError
		if errors.As(err, &down) {
			x.state.State, x.state.Detail, x.recovers = down.State, down.Detail, down.After
			return nil
		}
		if err != nil {
			return err
		}
		x.state.State, x.state.Detail = report.State, report.Detail
		if report.Server != "" {
			x.state.Server = report.Server
		}
		if err := x.judge(context.WithoutCancel(ctx), ctx.Err() == nil, about, asked, &report); err != nil {
			return err
		}
	}
	return nil
}

// batch returns the questions of one kind in the form that Prover takes, and for each file and
// offset of that batch its question. Questions on a file that has changed since are left out.
func (x *inquiry) batch(about Question) (*ProofBatch, [][]*question) {
	b := &ProofBatch{Question: about, Folder: x.asked, Language: x.language, Canary: x.canary, Text: x.texts.at}
	var asked [][]*question
	at := map[string]int{}
	for i := range x.questions {
		q := &x.questions[i]
		if q.about != about {
			continue
		}
		t := x.texts.of(q.path)
		if t == nil || t.hash != q.hash {
			continue
		}
		n, ok := at[q.path]
		if !ok {
			n = len(b.Files)
			at[q.path] = n
			b.Files = append(b.Files, ProofSource{Path: absolute(x.root.Path(), q.path), Text: t.bytes})
			asked = append(asked, nil)
		}
		b.Files[n].Offsets = append(b.Files[n].Offsets, q.offset)
		asked[n] = append(asked[n], q)
	}
	return b, asked
}

// judge converts the answers of a server to verdicts, the form in which the index stores them. It looks
// up declarations in the index as it is now. whole is true if there was time for all answers.
func (x *inquiry) judge(ctx context.Context, whole bool, about Question, asked [][]*question,
	report *ProofReport) error {
	return x.root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		j := &judging{inquiry: x, ready: report.State == contract.ServerReady, now: x.service.Clock().UnixMicro(),
			generation: generation, whole: whole, links: newLinker(ctx, v, x.service.Derived(x.root), generation)}
		for i, list := range asked {
			for k, q := range list {
				if i >= len(report.Answers) || k >= len(report.Answers[i]) {
					continue
				}
				answer := &report.Answers[i][k]
				switch about {
				case AskReferences:
					err = j.naming(q, answer)
				case AskImplementations:
					err = j.implementing(q, answer)
				default:
					err = j.call(q, answer)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// askAll sends all batches of questions concurrently and stores the answers. It returns the number of
// questions that were answered.
func (s *asking) askAll(ctx context.Context, root *jit.Root, list []*inquiry) (settled int, err error) {
	b := s.book(root)
	group, ctx := errgroup.WithContext(ctx)
	for _, x := range list {
		group.Go(func() error { return x.ask(ctx) })
	}
	err = group.Wait()
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // the answers that came in time are kept
	}
	// The answers are stored although the time may be over: otherwise the next request would ask again.
	keep := context.WithoutCancel(ctx)
	for _, x := range list {
		settled += x.settled
		if kept := b.learn(keep, root, x.said, s.Clock().UnixMicro()); err == nil {
			err = kept
		}
	}
	return settled, err
}
