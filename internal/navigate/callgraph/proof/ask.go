package proof

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

// Inquiry holds the questions to one language server about one folder.
type Inquiry struct {
	*Basis
	Questions []Question
	Canary    *Canary // nil if there is none; then the server never counts as ready
	service   *Service
	root      *jit.Root
	texts     *texts

	State    contract.ServerState // of the server when it answered
	Recovers time.Duration        // time until a failed server may be started again; 0 if it did not fail
	// said maps the paths of files to the verdicts to store, which the server's answers give
	// about the calls and symbols in them. settled counts the questions that need not be asked
	// again.
	said    map[string]l2meta.Verdicts
	settled int
}

// Inquire groups questions by language server and folder. For each group it searches for a canary, a call
// with a certain target that tests the server, in the files of the questions and those beside them. l comes
// from Service.Linker.
func (s *Service) Inquire(ctx context.Context, l *Linker, root *jit.Root,
	questions []Question) (out []*Inquiry, err error) {
	t := &texts{ctx: ctx, root: root, files: map[string]*indexedText{}}
	byBasis := map[*Basis]*Inquiry{}
	for _, q := range questions {
		b := l.Proofs.Basis(q.Language, q.Path)
		if !b.Known {
			continue
		}
		x := byBasis[b]
		if x == nil {
			x = &Inquiry{Basis: b, service: s, root: root, texts: t, said: map[string]l2meta.Verdicts{}}
			x.State = contract.ServerState{Language: b.Language, Root: b.Asked, Server: b.Server.Name,
				State: b.Server.State, Detail: b.Server.Detail}
			byBasis[b] = x
			out = append(out, x)
		}
		x.Questions = append(x.Questions, q)
	}
	for _, x := range out {
		if x.Canary, err = x.findCanary(l); err != nil {
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
func (x *Inquiry) findCanary(l *Linker) (*Canary, error) {
	var files []string
	for i := range x.Questions {
		files = append(files, x.Questions[i].Path)
		if e := x.Questions[i].expect; e.File != nil && e.File.Language == x.Language {
			files = append(files, e.File.Path)
		}
	}
	files = slices.Compact(slices.Sorted(slices.Values(files)))
	if len(files) > 0 {
		beside, err := l.Resolver.Beside(files[0])
		if err != nil {
			return nil, err
		}
		files = append(files, beside...)
	}
	for _, file := range files[:min(len(files), canaryFiles)] {
		f, err := l.Resolver.File(file)
		if err != nil {
			return nil, err
		}
		if f == nil || f.Language != x.Language {
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
func (x *Inquiry) canaryIn(l *Linker, f *resolve.File) (*Canary, error) {
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
			return &Canary{Path: absolute(x.root.Path(), f.Path), Text: t.bytes, Offset: c.NameSpan.StartByte,
				TargetOffset: s.Target.Symbol().NameSpan.StartByte}, nil
		}
	}
	return nil, nil
}

// ask sends the questions to the server and converts its answers to verdicts, the form in which
// the index stores them. It asks for definitions first and for references last, because a symbol
// may have many references.
func (x *Inquiry) ask(ctx context.Context) error {
	for _, about := range []Ask{AskDefinition, AskImplementations, AskReferences} {
		b, asked := x.batch(about)
		if len(b.Files) == 0 {
			continue
		}
		report, err := x.service.prover.Ask(ctx, b)
		var down *ServerError
		if errors.As(err, &down) {
			x.State.State, x.State.Detail, x.Recovers = down.State, down.Detail, down.After
			return nil
		}
		if err != nil {
			return err
		}
		x.State.State, x.State.Detail = report.State, report.Detail
		if report.Server != "" {
			x.State.Server = report.Server
		}
		if err := x.judge(context.WithoutCancel(ctx), ctx.Err() == nil, about, asked, &report); err != nil {
			return err
		}
	}
	return nil
}

// batch returns the questions of one kind in the form that Prover expects, and for each file and
// offset of that batch its question. It skips questions on a file that has changed since.
func (x *Inquiry) batch(about Ask) (*Batch, [][]*Question) {
	b := &Batch{Ask: about, Folder: x.Asked, Language: x.Language, Canary: x.Canary, Text: x.texts.at}
	var asked [][]*Question
	at := map[string]int{}
	for i := range x.Questions {
		q := &x.Questions[i]
		if q.about != about {
			continue
		}
		t := x.texts.of(q.Path)
		if t == nil || t.hash != q.hash {
			continue
		}
		n, ok := at[q.Path]
		if !ok {
			n = len(b.Files)
			at[q.Path] = n
			b.Files = append(b.Files, Source{Path: absolute(x.root.Path(), q.Path), Text: t.bytes})
			asked = append(asked, nil)
		}
		b.Files[n].Offsets = append(b.Files[n].Offsets, q.offset)
		asked[n] = append(asked[n], q)
	}
	return b, asked
}

// judge converts the answers of a server to verdicts, the form in which the index stores them. It looks
// up declarations in the index as it is now. whole is true if there was time for all answers.
func (x *Inquiry) judge(ctx context.Context, whole bool, about Ask, asked [][]*Question,
	report *Report) error {
	return x.root.View(ctx, func(v *jit.View) error {
		generation, err := jit.Generation(ctx, v)
		if err != nil {
			return err
		}
		j := &judging{Inquiry: x, ready: report.State == contract.ServerReady, now: x.service.Clock().UnixMicro(),
			generation: generation, whole: whole, links: NewLinker(ctx, v, x.service.Derived(x.root), generation)}
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

// AskAll sends all batches of questions concurrently and stores the answers. It returns the number of
// questions that were answered.
func (s *Service) AskAll(ctx context.Context, root *jit.Root, list []*Inquiry) (settled int, err error) {
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
