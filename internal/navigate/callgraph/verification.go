package callgraph

import (
	"cmp"
	"slices"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/contract"
)

// WarnVerificationPending is the code of the warning that answers of language servers may
// still change the graph.
const WarnVerificationPending = "CALL_GRAPH_VERIFICATION_PENDING"

// verified sets the answer's Verification: how many edges of this page language servers confirmed,
// refuted and added, and how many questions are open.
func (g *graphing) verified(part *graphPart) {
	v := &contract.Verification{State: contract.VerificationOff}
	g.answer.Verification = v
	if g.req.Verify == contract.VerifyOff {
		return
	}
	if v.State = contract.VerificationUnavailable; g.service.proofs == nil {
		return
	}
	asked := map[proof.BaseKey]int{}
	p := part.walk.links.Proofs
	for _, q := range part.questions() {
		asked[p.Basis(q.Language, q.Path).BaseKey]++
		v.Pending++
	}
	part.mark(v)
	for _, n := range part.notes() {
		if n.Type == contract.NoteRefuted {
			v.Refuted++
		}
	}
	able := g.listServers(p, asked, v)
	switch {
	case v.Pending > 0:
		v.State = contract.VerificationPartial
	case able || v.Confirmed+v.Added+v.Refuted > 0:
		v.State = contract.VerificationComplete
	}
}

// mark counts the edges that servers confirmed and added, and sets the state of edges
// with an open question to pending.
func (p *graphPart) mark(v *contract.Verification) {
	for i := range p.edges() {
		switch e := &p.edges()[i]; {
		case e.Evidence == code.Proven && e.Strategy == proof.StrategyServer:
			v.Added++
		case e.Evidence == code.Proven:
			v.Confirmed++
		case e.question != nil:
			e.State = contract.StatePending
		}
	}
}

// listServers lists in v the language servers for the files of the graph that run, have
// been asked, or are not installed. It reports whether any of them can answer.
func (g *graphing) listServers(p *proof.Proofs, asked map[proof.BaseKey]int, v *contract.Verification) (able bool) {
	for key, b := range p.Bases {
		if b.Server.Name == "" {
			continue
		}
		able = able || b.Known
		state := contract.ServerState{Language: b.Language, Root: b.Asked, Server: b.Server.Name, State: b.Server.State,
			Detail: b.Server.Detail}
		if heard, ok := g.servers[key]; ok {
			state = heard
		}
		switch {
		case !b.Known:
			state.State, state.Detail = contract.ServerMissing, b.Server.Detail
		case state.State == "" && asked[key] == 0:
			continue // the server has answered all questions
		case state.State == "":
			state.State = contract.ServerStarting
			if !g.service.Resident {
				state.Detail = "a command that answers once does not start it; verify wait does"
			}
		}
		v.Servers = append(v.Servers, state)
	}
	slices.SortFunc(v.Servers, func(a, b contract.ServerState) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Root, b.Root))
	})
	// A server that runs in the root of the workspace was added once for each service. It is listed once.
	v.Servers = slices.CompactFunc(v.Servers, func(a, b contract.ServerState) bool {
		return a.Language == b.Language && a.Root == b.Root
	})
	return able
}

// warnPending adds a warning if language servers have not answered about all edges yet, and suggests a
// request that waits for them.
func (g *graphing) warnPending() {
	a := g.answer
	if a.Verification.Pending == 0 {
		return
	}
	a.Warnings = append(a.Warnings, WarnVerificationPending)
	if a.Hints == nil {
		a.Hints = &contract.Hints{}
	}
	a.Hints.Retry = contract.Suggest(g.req.Next(func(r *contract.GraphRequest) {
		r.SymbolRef, r.Verify = a.SymbolRef, contract.VerifyWait
	}))
}
