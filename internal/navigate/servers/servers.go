// Package servers implements proof.Prover and manage.Servers with a pool of language servers
// (l3lsp), which starts and stops them. This package decides when the pool is created, and which
// folders' programs no server may run.
//
// Apart from the options of New, no type of l3lsp occurs in its interface.
package servers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
	"sextant/jit"
	"sextant/l3lsp"
)

// Prover sends questions to a pool of language servers, which the first question creates. It is
// safe for concurrent use.
type Prover struct {
	opt l3lsp.Options

	mu     sync.Mutex
	pool   *l3lsp.Pool // guarded by mu; nil before the first question
	fault  error       // guarded by mu; the error of creating the pool
	closed bool        // guarded by mu
}

// New returns a prover whose pool is created with opt, except that Max = 0 starts
// no server.
func New(opt l3lsp.Options) *Prover { return &Prover{opt: opt} }

// Off reports whether no server may run.
func (p *Prover) Off() bool { return p.opt.Max == 0 }

// started returns the pool and creates it if needed. The pool is nil if servers
// are turned off, the prover is closed, or creating it failed (with the error).
func (p *Prover) started() (*l3lsp.Pool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pool == nil && p.fault == nil && !p.Off() && !p.closed {
		if p.fault = os.MkdirAll(p.opt.Home, 0o700); p.fault == nil {
			p.pool, p.fault = l3lsp.NewPool(p.opt)
		}
	}
	return p.pool, p.fault
}

// running returns the pool, nil if no question has created it.
func (p *Prover) running() *l3lsp.Pool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pool
}

// Close stops the servers. Later questions are not sent. A nil Prover has no servers.
func (p *Prover) Close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed = true; p.pool != nil {
		p.pool.Close()
		p.pool = nil
	}
}

// Moved notifies the running servers of created, changed and removed files.
func (p *Prover) Moved(m jit.Moves) {
	if pool := p.running(); pool != nil {
		pool.Moved(m.Created, m.Changed, m.Removed)
	}
}

// Shut returns the folders whose programs no language server of folder may run: its own checkout,
// and every tracked codebase with the checkout around it, because one server process serves several
// codebases. The user's home is never among them, even if it is a repository (of dotfiles). If the
// codebases cannot be listed, it returns "/", which forbids all programs.
func Shut(roots *jit.Roots, home, folder string) (shut []string) {
	add := func(dir string) {
		if dir != "" && dir != home {
			shut = append(shut, dir)
		}
	}
	add(roots.Top(folder))
	list, err := roots.List(context.Background())
	if err != nil {
		return []string{string(filepath.Separator)} // the workspaces are unknown: run nothing
	}
	for _, t := range list {
		shut = append(shut, t.Path)
		add(roots.Top(t.Path))
	}
	return shut
}

// Server returns the state of the language server for a language in folder. It returns the zero
// ServerInfo if no server is known for the language or servers are turned off.
func (p *Prover) Server(language, folder string) proof.ServerInfo {
	spec, ok := l3lsp.Serves(language)
	if !ok || p.Off() {
		return proof.ServerInfo{}
	}
	pool, err := p.started()
	if pool == nil {
		return proof.ServerInfo{Name: spec.Name, State: contract.ServerPhase(l3lsp.Crashed),
			Detail: fmt.Sprint(err)}
	}
	found := pool.Find(language, folder)
	state, detail := pool.StateOf(found)
	return proof.ServerInfo{Name: found.Spec.Name, Identity: found.Identity, Manifests: found.Spec.Manifests(),
		Whole: found.Spec.Whole, Implements: found.Spec.Implements, State: contract.ServerPhase(state), Detail: detail}
}

// Ask sends a batch of questions to the pool. It returns a
// *callgraph.ServerError if the server is not running.
func (p *Prover) Ask(ctx context.Context, b *proof.Batch) (proof.Report, error) {
	batch := l3lsp.Batch{Folder: b.Folder, Language: b.Language, Text: b.Text}
	switch b.Ask {
	case proof.AskReferences:
		batch.Question = l3lsp.References
	case proof.AskImplementations:
		batch.Question = l3lsp.Implementations
	}
	for _, f := range b.Files {
		batch.Files = append(batch.Files, l3lsp.Source{Path: f.Path, Text: f.Text, Offsets: f.Offsets})
	}
	if c := b.Canary; c != nil {
		batch.Canary = &l3lsp.Canary{Path: c.Path, Text: c.Text, Offset: c.Offset, TargetOffset: c.TargetOffset}
	}
	pool, err := p.started()
	if pool == nil {
		return proof.Report{},
			&proof.ServerError{Server: b.Language, State: contract.ServerPhase(l3lsp.Crashed),
				Detail: fmt.Sprint(err)}
	}
	report, err := pool.Ask(ctx, batch)
	var down *l3lsp.Error
	if errors.As(err, &down) {
		return proof.Report{},
			&proof.ServerError{Server: down.Server, State: contract.ServerPhase(down.State),
				Detail: down.Detail, After: down.After}
	}
	if err != nil {
		return proof.Report{}, err
	}
	return reportOf(report), nil
}

// reportOf converts a report of the pool to the form that package callgraph uses.
func reportOf(r l3lsp.Report) proof.Report {
	out := proof.Report{Server: r.Server, State: contract.ServerPhase(r.State), Detail: r.Detail,
		Answers: make([][]proof.Answer, len(r.Answers))}
	for i, sites := range r.Answers {
		out.Answers[i] = make([]proof.Answer, len(sites))
		for k, a := range sites {
			to := &out.Answers[i][k]
			to.Asked = a.Asked
			for _, l := range a.Locations {
				to.Locations = append(to.Locations,
					proof.Location{Path: l.Path, Line: l.Line, Offset: l.Offset})
			}
		}
	}
	return out
}

// Pool returns the limits of the pool and the state of its servers.
func (p *Prover) Pool() contract.L3State {
	state := contract.L3State{Max: p.opt.Max, IdleTimeoutMs: p.opt.Idle.Milliseconds()}
	pool := p.running()
	if pool == nil {
		return state
	}
	for _, s := range pool.Status() {
		one := contract.ServerState{Server: s.Server, State: contract.ServerPhase(s.State), Detail: s.Fault,
			PID: s.PID, RSSBytes: s.RSS}
		if s.Version != "" {
			one.Server = s.Version
		}
		if len(s.Languages) > 0 {
			one.Language = s.Languages[0]
		}
		if n := len(s.Folders); n > 0 {
			one.Root, one.Roots = s.Folders[n-1], s.Folders
		}
		if !s.ReapAt.IsZero() {
			one.IdleMs, one.ReapInMs = time.Since(s.IdleSince).Milliseconds(),
				max(time.Until(s.ReapAt).Milliseconds(), 0)
		}
		if !s.Retry.IsZero() && s.Retry.After(time.Now()) {
			one.RetryInMs = time.Until(s.Retry).Milliseconds()
		}
		state.Servers = append(state.Servers, one)
	}
	return state
}
