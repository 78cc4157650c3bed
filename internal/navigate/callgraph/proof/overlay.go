package proof

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

// Proofs holds the verdicts, answers of language servers, that are valid on one snapshot.
// A verdict replaces what was resolved from syntax if everything that it depends on is
// unchanged: the bytes of the calling and the called file, the server, the manifests, and
// the resolution from syntax.
type Proofs struct {
	ctx    context.Context
	view   *jit.View
	r      *resolve.Resolver
	prover Prover
	book   *book
	root   string // absolute
	// services maps a file to the folder of its service, in which a server runs.
	services *jit.Services
	// frozen is the time in µs of the latest answer of a language server that may change the list of
	// edges, 0 for no limit. Pages behind a cursor use the limit of the first page: later answers would
	// shift the edges that the cursor counts.
	frozen     int64
	Now        int64 // the time at which the snapshot was opened, in µs
	generation int64

	heard map[string]bool    // paths of the files on which verdicts are stored
	Bases map[BaseKey]*Basis // bases that callers have requested so far; callers only read it
	files map[string]*l2meta.Verdicts
	err   error
}

// BaseKey identifies the files of one language in the folder of a service. The manifests
// in that folder and above it apply to these files.
type BaseKey struct{ Language, folder string } // folder is relative to the root

// Basis describes on what the answers of a language server about a folder depend, apart from the files
// themselves: the server and the manifests. text encodes that. Known is false if no server can answer for
// these files.
type Basis struct {
	BaseKey
	Asked  string // absolute path of the folder that the server runs in
	Server ServerInfo
	text   string
	Known  bool
}

// ProvenConfidence is the confidence of an edge that a ready server resolved. Servers agreed with
// compilers on 99.9 % of sites. The rest allows for an answer that depends on a third file, which is not
// recorded.
const ProvenConfidence = 0.99

// unknownFor is the time for which a server is not asked again after it could not answer. The server may
// lack a download, which can arrive without a change of any file here.
const unknownFor = 10 * time.Minute

// StrategyServer is the Strategy of an edge that only a language server found.
const StrategyServer = "lsp"

// Basis returns the basis of the verdicts on a file: the language server, the rules of judging, and
// the manifests, such as go.mod, in the folder of the file's service and above.
func (p *Proofs) Basis(language, file string) *Basis {
	key := BaseKey{language, p.services.Of(file).Root}
	if b, ok := p.Bases[key]; ok {
		return b
	}
	asked := filepath.Join(p.root, filepath.FromSlash(key.folder))
	b := &Basis{BaseKey: key, Asked: asked, Server: p.prover.Server(language, asked)}
	if b.Server.Whole && b.Asked != p.root {
		b.Asked, b.Server = p.root, p.prover.Server(language, p.root)
	}
	p.Bases[key] = b
	if b.Server.Identity == "" {
		return b
	}
	b.Known = true
	h := sha256.New()
	for dir := key.folder; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		for _, name := range b.Server.Manifests {
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
	b.text = b.Server.Identity + " " + judgingRules + " " + hex.EncodeToString(h.Sum(nil)[:8])
	return b
}

func (p *Proofs) note(err error) {
	if p.err == nil {
		p.err = err
	}
}

// verdicts returns the stored answers of language servers about a file, or nil if there are none or they
// are outdated.
func (p *Proofs) verdicts(f *resolve.File) *l2meta.Verdicts {
	v, ok := p.files[f.Path]
	if !ok && p.heard[f.Path] {
		var err error
		v, err = p.book.of(p.ctx, p.view, f.Path)
		p.note(err)
		p.files[f.Path] = v
	}
	if v == nil || v.File != f.Hash || v.Basis != p.Basis(f.Language, f.Path).text {
		return nil
	}
	return v
}

// heardOf reports whether answers of language servers about a file are stored, valid or outdated.
func (p *Proofs) heardOf(path string) bool {
	return p != nil && p.heard[path]
}

// target returns the declaration that a language server's verdict names. It returns false if the file of
// the declaration has changed.
func (p *Proofs) target(v *l2meta.Verdict) (resolve.Ref, bool) {
	f, err := p.r.File(v.Target)
	p.note(err)
	if f == nil || f.Hash != v.Hash {
		return resolve.Ref{}, false
	}
	i := f.Declared(v.Offset, 0)
	return resolve.Ref{File: f, Index: i}, i >= 0
}

// syntax encodes how a call site was resolved from syntax. A verdict is stored with this text, and no
// longer applies when the text differs.
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

// settle returns a call site with its resolution: by the verdict of a language server if there is a valid
// one, else from syntax.
func (p *Proofs) settle(s *resolve.Site) Link {
	k := linkOf(s)
	if p == nil || k.Outcome == Builtin {
		return k
	}
	k.syntax, k.hash = syntax(s), s.File.Hash
	if known := p.verdicts(s.File); known != nil {
		v, ok := known.Sites[k.Call.NameSpan.StartByte]
		switch {
		case !ok || v.Syntax != k.syntax:
		case v.Unknown:
			k.answered = p.Now-v.At < unknownFor.Microseconds()
		default:
			k.answered = p.apply(&k, &v, known.Server)
		}
		if k.answered {
			return k
		}
	}
	// A call of a function that is certainly outside the workspace, or that a value holds, has no
	// edge to confirm.
	k.Provable = (k.Outcome == Settled || k.Outcome == Open || s.Undeclared) &&
		p.Basis(k.Language, k.File).Known
	return k
}

// apply replaces the resolution of k from syntax by v, the verdict of a language server. It returns false
// if the file of the verdict's target has changed.
func (p *Proofs) apply(k *Link, v *l2meta.Verdict, server string) bool {
	if v.Target == "" {
		if k.Outcome == External {
			k.Module, k.By = cmp.Or(k.Module, v.Module), server
			return true
		}
		if !p.mayChange(k, v) {
			return true
		}
		k.refuse(server)
		k.Outcome, k.Module, k.By = External, v.Module, server
		return true
	}
	to, ok := p.target(v)
	if !ok {
		return false
	}
	if k.Outcome == Settled && same(k.Target, to) {
		k.By, k.Confidence = server, max(k.Confidence, ProvenConfidence)
		return true
	}
	if !p.mayChange(k, v) {
		return true
	}
	k.refuse(server)
	k.By = server
	if s := to.Symbol(); !s.Runs() && !symbols.IsType(s.Kind) {
		k.Outcome, k.Reason = Value, server+": calls what "+to.Symbol().QualifiedName+" holds"
		return true
	}
	k.Outcome, k.Target, k.Strategy, k.Confidence = Settled, to, StrategyServer, ProvenConfidence
	k.Direct, k.Receiver = k.Call.Kind == code.CallSuper || k.Call.Kind == code.CallNew, resolve.Ref{}
	k.Provenance = "resolved by " + server
	return true
}

// mayChange reports whether an answer of a language server may change the list of edges. It may not if it
// is newer than the first page of the request's cursor; then k, which it contradicts, is marked late.
func (p *Proofs) mayChange(k *Link, v *l2meta.Verdict) bool {
	k.Late = p.frozen > 0 && v.At > p.frozen
	return !k.Late
}

// refuse records that a server contradicts the target from syntax.
func (k *Link) refuse(server string) {
	if k.Outcome == Settled {
		k.Refuted, k.RefutedBy = k.Target, server
	}
}

// same reports whether the declaration that a server named matches the declaration from
// syntax: it is identical, the constructor of the type (or the reverse), or another
// declaration of the same symbol in a language that allows several.
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

// named returns the call sites that a server listed as references to a symbol. all reports whether it did
// so for the present state of the index.
func (p *Proofs) named(ref resolve.Ref) (sites []l2meta.NamedAt, all bool) {
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

// MayGrow reports whether answers that language servers give from now on may change the list of edges. On
// pages after the first they may not, and without servers there are none.
func (p *Proofs) MayGrow() bool { return p != nil && p.frozen == 0 }
