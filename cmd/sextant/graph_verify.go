package main

import (
	"fmt"
	"slices"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/l3lsp"
)

// verification returns lines for people about the contribution of language servers: the number of
// edges that they confirmed, refuted or added, why they could not do more, and which flag or
// command helps.
func (r *graphRun) verification(g *contract.GraphAnswer) (lines []string) {
	v := g.Verification
	if v == nil || v.State == contract.VerificationOff {
		return nil
	}
	if v.Confirmed+v.Refuted+v.Added > 0 {
		lines = append(lines,
			fmt.Sprintf("Language servers: %d confirmed, %d refuted, %d added.", v.Confirmed, v.Refuted, v.Added))
	}
	if r.req.Verify != contract.VerifyWait {
		if names := askable(v); v.Pending > 0 && len(names) > 0 {
			lines = append(lines,
				fmt.Sprintf("%s could prove more, at %s: --verify wait asks, with --deadline 60000 where the "+
					"workspace is large.",
					strings.Join(names, " and "), count(v.Pending, "place")))
		}
		return lines
	}
	if len(v.Servers) == 0 && v.State == contract.VerificationUnavailable {
		if line := r.noServer(g); line != "" {
			lines = append(lines, line)
		}
		return lines
	}
	for _, s := range v.Servers {
		if line := r.unsettled(v, &s); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// askable returns the names of the language servers that are installed.
func askable(v *contract.Verification) (names []string) {
	for _, s := range v.Servers {
		if s.State != contract.ServerMissing && !slices.Contains(names, s.Server) {
			names = append(names, s.Server)
		}
	}
	return names
}

// noServer returns why no server could verify the graph: servers are turned
// off, or none is known for the language. It returns "" if the graph has no
// edge to verify.
func (r *graphRun) noServer(g *contract.GraphAnswer) string {
	if r.prover.Off() {
		return "Nothing was proven: no language server may run (max = 0, in [servers] of the data folder's " +
			"sextant.toml " +
			"or as SEXTANT_MAX_SERVERS)."
	}
	for _, n := range g.Nodes {
		if _, served := l3lsp.Serves(n.Language); n.SymbolID == g.SymbolRef.SymbolID && !served {
			return fmt.Sprintf(
				"Nothing was proven: no language server is known for %s; sextant servers lists those that are.",
				n.Language)
		}
	}
	return ""
}

// unsettled returns why server s did not answer every request although the
// command waited for it; "" if it answered them all.
func (r *graphRun) unsettled(v *contract.Verification, s *contract.ServerState) string {
	switch {
	case s.State == contract.ServerMissing && slices.Contains(r.servers.Off, s.Server):
		return fmt.Sprintf(
			"%s could not prove anything: off, in [servers] of the data folder's sextant.toml, names it.", s.Server)
	case s.State == contract.ServerMissing:
		return fmt.Sprintf("%s could not prove anything: %s", s.Server, s.Detail)
	case v.Pending == 0:
		return ""
	case s.State == contract.ServerReady:
		return fmt.Sprintf("%s did not answer every request within %d ms; --deadline %d waits longer.", s.Server,
			r.req.DeadlineMs, contract.LongerDeadline(r.req.DeadlineMs))
	case s.State == contract.ServerStarting:
		return fmt.Sprintf("%s was still starting after %d ms; --deadline %d waits longer.", s.Server, r.req.DeadlineMs,
			contract.LongerDeadline(r.req.DeadlineMs))
	case s.State == contract.ServerIndexing:
		return fmt.Sprintf("%s was still reading the workspace after %d ms; --deadline %d waits longer.", s.Server,
			r.req.DeadlineMs, contract.LongerDeadline(r.req.DeadlineMs))
	}
	return fmt.Sprintf("%s could not be asked: %s", s.Server, s.Detail)
}
