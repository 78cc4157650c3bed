package callgraph

import (
	"context"
	"fmt"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/engine"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/resolve"
)

// refuse sets the outcome for a language whose calls are not indexed: an answer without
// edges would seem to say that there are none.
func (g *graphing) refuse(language string, s *code.Symbol) {
	a := g.answer
	a.Outcome = contract.CondUnsupported.Outcome(
		"Calls are not known in %s, so neither is who uses %s. search_codebase with must:%s finds every mention.",
		symbols.OrPlain(language), s.QualifiedName, s.Name)
	search := contract.Suggest(&contract.SearchRequest{Path: g.place.Root.Path(),
		Query: "must:" + contract.QuoteOperator(s.Name) + " " + s.Name, Scope: contract.ScopeMixed})
	a.Hints = &contract.Hints{NextSteps: []contract.Action{*search.Because("Finds every mention of " + s.Name + ".")}}
}

// leadToEnds suggests, for a method declared in a .proto file, the graphs of its handlers
// and of its clients. The .proto file itself contains no calls.
func (g *graphing) leadToEnds(ctx context.Context, file int64, index int) error {
	return g.place.Root.ViewServices(ctx, func(v *jit.View, generation int64, services *jit.Services) error {
		r := resolve.New(ctx, v, g.service.Derived(g.place.Root), generation)
		rpc, err := r.Symbol(file, index)
		if err != nil || rpc.File == nil || rpc.Symbol().Kind != code.KindRPC {
			return err
		}
		handlers, clients, err := engine.Joiner(r, services).Ends(rpc)
		if err != nil {
			return err
		}
		a, name := g.answer, rpc.Symbol().Name
		a.Outcome = contract.CondUnsupported.Outcome("%s is declared in a .proto, where nothing is called. The "+
			"candidates are %s that answer it, and then %s: repeat the call with one of them.",
			name, contract.Plural(len(handlers), "declaration"), contract.Plural(len(clients), "caller"))
		var steps []contract.Action
		lead := func(refs []resolve.Ref, does string) {
			for i, ref := range refs {
				c := symbols.CandidatesOf([]l2meta.Row{symbols.RowOf(ref)})
				if a.Candidates = append(a.Candidates, c...); i < symbols.MaxSuggested {
					next := anew(g.req, contract.SymbolRef{File: c[0].File, SymbolID: c[0].SymbolID,
						SymbolLabel: c[0].SymbolLabel})
					steps = append(steps, *contract.Suggest(next).Because(fmt.Sprintf("%s %s %s",
						c[0].SymbolLabel, does, name)))
				}
			}
		}
		lead(handlers, "answers")
		lead(clients, "calls")
		a.Candidates = a.Candidates[:min(len(a.Candidates), symbols.MaxCandidates)]
		a.Hints.NextSteps = append(steps, a.Hints.NextSteps...)
		return nil
	})
}
