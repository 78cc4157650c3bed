package callgraph

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"path/filepath"
	"time"

	"sextant/internal/code"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
	"sextant/l2meta/resolve"
)

// proofs is what language servers said, as far as it holds on one snapshot. It
// lies over what syntax says of call sites: a verdict replaces it, where the
// bytes of both ends, the server, the manifests and what syntax says of the
// site are those that it was given on.
type proofs struct {
	ctx    context.Context
	view   *jit.View
	r      *resolve.Resolver
	prover Prover
	book   *book
	root   string // absolute
	// services tell the folder that a server is asked about a file in.
	services *jit.Services
	// frozen is the time in µs up to which verdicts decide which edges there
	// are, 0 for all of them. Behind a cursor they are those of the first page:
	// others would shift the edges that it counts.
	frozen     int64
	now        int64 // in µs
	generation int64

	heard map[string]bool // the paths of the files that servers said anything of
	bases map[baseKey]*basis
	files map[string]*l2meta.Verdicts
	err   error
}

// baseKey is a language in the folder of a service: the manifests are those
// above its files.
type baseKey struct{ language, folder string } // relative to the root

// basis is what verdicts on the files of a folder rest on. known is false
// where no server could give any.
type basis struct {
	baseKey
	asked  string // the folder that the server is asked in, absolute
	server ServerInfo
	text   string
	known  bool
}

// provenConfidence is of what a server that is ready settled: where servers
// and compilers were compared, they agreed on 99.9 % of sites, and a verdict
// may rest on a file between the two ends that it is not kept with.
const provenConfidence = 0.99

// unknownFor is how long a server that could not tell is not asked again. What
// it lacks, a download perhaps, may come without a change of any file here.
const unknownFor = 10 * time.Minute

// strategyServer is the strategy of an edge that syntax did not find.
const strategyServer = "lsp"

// basis returns that of a file of a language.
func (p *proofs) basis(language, file string) *basis {
	key := baseKey{language, p.services.Of(file).Root}
	if b, ok := p.bases[key]; ok {
		return b
	}
	asked := filepath.Join(p.root, filepath.FromSlash(key.folder))
	b := &basis{baseKey: key, asked: asked, server: p.prover.Server(language, asked)}
	if b.server.Whole && b.asked != p.root {
		b.asked, b.server = p.root, p.prover.Server(language, p.root)
	}
	p.bases[key] = b
	if b.server.Identity == "" {
		return b
	}
	b.known = true
	h := sha256.New()
	for dir := key.folder; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		for _, name := range b.server.Manifests {
			f, found, err := p.view.File(p.ctx, path.Join(dir, name))
			p.note(err)
			if found {
				io.WriteString(h, f.Path)
				h.Write(f.Hash[:])
			}
		}
		if dir == "" {
			break
		}
	}
	b.text = b.server.Identity + " " + judgingRules + " " + hex.EncodeToString(h.Sum(nil)[:8])
	return b
}

func (p *proofs) note(err error) {
	if p.err == nil {
		p.err = err
	}
}

// verdicts returns what holds of a file, nil for nothing.
func (p *proofs) verdicts(f *resolve.File) *l2meta.Verdicts {
	v, ok := p.files[f.Path]
	if !ok && p.heard[f.Path] {
		var err error
		v, err = p.book.of(p.ctx, p.view, f.Path)
		p.note(err)
		p.files[f.Path] = v
	}
	if v == nil || v.File != f.Hash || v.Basis != p.basis(f.Language, f.Path).text {
		return nil
	}
	return v
}

// heardOf reports whether servers said anything of a file.
func (p *proofs) heardOf(path string) bool {
	return p != nil && p.heard[path]
}

// target returns the declaration that a verdict names; false when it is not there
// any more as it was.
func (p *proofs) target(v *l2meta.Verdict) (resolve.Ref, bool) {
	f, err := p.r.File(v.Target)
	p.note(err)
	if f == nil || f.Hash != v.Hash {
		return resolve.Ref{}, false
	}
	i := f.Declared(v.Offset, 0)
	return resolve.Ref{File: f, Index: i}, i >= 0
}

// syntax returns what a site looks like to syntax, as verdicts are kept with.
func syntax(s *resolve.Site) string {
	switch s.Outcome {
	case resolve.Settled:
		return string(symbols.RowID(symbols.RowOf(s.Target)))
	case resolve.External:
		return "external " + s.Module
	case resolve.FuncValue:
		return "value"
	}
	return ""
}

// settle returns the link of a site, with what servers said of it.
func (p *proofs) settle(s *resolve.Site) link {
	k := linkOf(s)
	if p == nil || k.outcome == linkBuiltin {
		return k
	}
	k.syntax, k.hash = syntax(s), s.File.Hash
	if known := p.verdicts(s.File); known != nil {
		v, ok := known.Sites[k.call.NameSpan.StartByte]
		switch {
		case !ok || v.Syntax != k.syntax:
		case v.Unknown:
			k.answered = p.now-v.At < unknownFor.Microseconds()
		default:
			k.answered = p.apply(&k, &v, known.Server)
		}
		if k.answered {
			return k
		}
	}
	// What is proven to leave the workspace, and what a value holds, is no edge
	// to be proven.
	k.provable = (k.outcome == linkSettled || k.outcome == linkOpen || s.Undeclared) && p.basis(k.language, k.file).known
	return k
}

// apply puts a verdict in place of what syntax says. It reports false when the
// verdict does not hold.
func (p *proofs) apply(k *link, v *l2meta.Verdict, server string) bool {
	if v.Target == "" {
		if k.outcome == linkExternal {
			k.module, k.by = cmp.Or(k.module, v.Module), server
			return true
		}
		if !p.mayChange(k, v) {
			return true
		}
		k.refuse(server)
		k.outcome, k.module, k.by = linkExternal, v.Module, server
		return true
	}
	to, ok := p.target(v)
	if !ok {
		return false
	}
	if k.outcome == linkSettled && same(k.target, to) {
		k.by, k.confidence = server, max(k.confidence, provenConfidence)
		return true
	}
	if !p.mayChange(k, v) {
		return true
	}
	k.refuse(server)
	k.by = server
	if kind := to.Symbol().Kind; !kind.Callable() && !symbols.IsType(kind) {
		k.outcome, k.reason = linkValue, server+": calls what "+to.Symbol().QualifiedName+" holds"
		return true
	}
	k.outcome, k.target, k.strategy, k.confidence = linkSettled, to, strategyServer, provenConfidence
	k.direct, k.receiver = k.call.Kind == code.CallSuper || k.call.Kind == code.CallNew, resolve.Ref{}
	k.provenance = "resolved by " + server
	return true
}

// mayChange reports whether a verdict may change which edges there are. Where
// it may not, an edge that it is against is marked.
func (p *proofs) mayChange(k *link, v *l2meta.Verdict) bool {
	k.late = p.frozen > 0 && v.At > p.frozen
	return !k.late
}

// refuse keeps what syntax said of a site that a server says otherwise of.
func (k *link) refuse(server string) {
	if k.outcome == linkSettled {
		k.refuted, k.refutedBy = k.target, server
	}
}

// same reports whether a declaration that a server names is the one that
// syntax does: the same, the constructor of a type for the type, or, where a
// name is declared several times and means one thing, another of them.
func same(a, b resolve.Ref) bool {
	if a == b || a.File == b.File && a.Index == b.Index {
		return true
	}
	if a.Index < 0 || b.Index < 0 || a.File != b.File {
		return false
	}
	x, y := a.Symbol(), b.Symbol()
	constructs := func(c, t *code.Symbol, parent int) bool {
		return symbols.IsType(t.Kind) && c.Kind == code.KindConstructor && c.Parent == parent
	}
	if constructs(x, y, b.Index) || constructs(y, x, a.Index) {
		return true
	}
	return x.QualifiedName == y.QualifiedName && x.Kind == y.Kind && languages.All[a.File.Language].Redeclares
}

// named returns the call sites at which servers saw a symbol named, and whether
// those are all.
func (p *proofs) named(ref resolve.Ref) (sites []l2meta.NamedAt, all bool) {
	if ref.Index < 0 {
		return nil, true
	}
	v := p.verdicts(ref.File)
	if v == nil {
		return nil, false
	}
	n, ok := v.Named[ref.Symbol().NameSpan.StartByte]
	if !ok || p.frozen > 0 && n.At > p.frozen {
		return nil, false
	}
	return n.Sites, n.Generation == p.generation
}
