package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate"
)

func (a *app) graphCommand() *cobra.Command {
	req := navigate.GraphRequest{View: "tree"}
	var mermaid bool
	var file string
	cmd := &cobra.Command{
		Use: "graph SYMBOL", GroupID: "ask", Short: "Show who calls a symbol, and whom it calls",
		Example: "  sextant graph Server.Handle --direction callers\n  sextant graph New --file internal/server/server.go",
		Args:    exactly(1, "graph Server.Handle"),
		RunE: func(c *cobra.Command, args []string) error {
			if mermaid {
				req.View = "mermaid"
			}
			return a.graph(c.Context(), req, args[0], file)
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Direction, "direction", "", "callers, callees or both (default both)")
	f.IntVar(&req.Depth, "depth", 0, "how far to follow, 1 to 12 (default 1)")
	f.IntVarP(&req.Limit, "limit", "n", 0, "edges, 1 to 500 (default 20)")
	f.BoolVar(&mermaid, "mermaid", false, "print a Mermaid diagram")
	f.StringVar(&file, "file", "", "the file that declares the symbol")
	a.jsonFlag(cmd)
	choices(cmd, "direction", "callers", "callees", "both")
	return cmd
}

func (a *app) graph(ctx context.Context, req navigate.GraphRequest, symbol, file string) error {
	req.Path, req.SymbolRef.SymbolLabel = "/", symbol
	if err := req.Normalize(); err != nil {
		return err
	}
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	if file != "" {
		if path, req.SymbolRef.File, err = a.locate(ctx, file); err != nil {
			return err
		}
	}
	req.Path = path
	answer, err := a.service.CallGraph(ctx, req)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(answer, answer.Status)
	case answer.Reason == navigate.ReasonAmbiguousSymbol:
		return a.candidates(fmt.Sprintf("%s are called %q:", count(len(answer.Candidates), "symbol"), symbol), answer.Candidates,
			"Say which by its qualified name, or with --file.")
	case answer.Reason == navigate.ReasonMissingSymbol && len(answer.Candidates) > 0:
		return a.candidates(fmt.Sprintf("no symbol is called %q; near it are:", symbol), answer.Candidates, "Repeat with the name of one of them.")
	case answer.Reason == navigate.ReasonMissingSymbol:
		return missingSymbol(symbol, answer.CodebaseRoot)
	case answer.Status != navigate.StatusOK:
		return a.failed(answer.Outcome, path)
	}
	if answer.Mermaid != "" {
		_, err = fmt.Fprintln(a.out, answer.Mermaid)
		return err
	}
	a.printTree(answer)
	return nil
}

// treeLine is a node of a tree: its branch, its name, where it stands, and
// what the edge to it rests on and why it ends there.
var treeLine = regexp.MustCompile(`^((?:[│ ]  )*(?:[├└]─ |callers of |callees of )?)([^├└│ (].*?)  (\S.*?:\d+)(.*)$`)

// printTree prints the tree with colours. That a symbol is not followed beyond
// the depth asked for is said once, not at each.
func (a *app) printTree(g *navigate.GraphAnswer) {
	depth := fmt.Sprintf("depth %d", g.Depth)
	deeper := false
	for line := range strings.Lines(g.Tree) {
		line = strings.TrimSuffix(line, "\n")
		if rest, reason, ok := cutReason(line, depth); ok {
			line, deeper = rest+reason, true
		}
		if m := treeLine.FindStringSubmatch(line); m != nil {
			line = a.style.dim(m[1]) + a.style.name(m[2]) + "  " + a.style.path(m[3]) + a.style.dim(m[4])
		}
		fmt.Fprintln(a.out, line)
	}
	if deeper && g.Depth < navigate.MaxDepth {
		fmt.Fprintf(a.out, "\n%s\n", a.style.dim(fmt.Sprintf("Followed to depth %d; --depth %d goes on.", g.Depth, g.Depth+1)))
	}
}

// cutReason takes a reason out of those that end a line of a tree.
func cutReason(line, reason string) (head, rest string, ok bool) {
	head, rest, ok = strings.Cut(line, "  … "+reason)
	if !ok || rest != "" && !strings.HasPrefix(rest, ", ") {
		return line, "", false
	}
	if rest != "" {
		rest = "  … " + strings.TrimPrefix(rest, ", ")
	}
	return head, rest, true
}
