package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
)

// impactDeadline is the default --deadline of impact, in milliseconds. It is longer than that of
// other commands because a command that has just started has no results of language servers in
// memory.
const impactDeadline = 10_000

func (a *app) impactCommand() *cobra.Command {
	revision := "HEAD"
	var req contract.GraphRequest
	cmd := &cobra.Command{
		Use: "impact [REVISION]", GroupID: "ask", Short: "Show what a change touches, and the tests for it",
		Long: `Show the symbols that a change touches, the tests that it concerns, the code in
other files that reaches it, and the services that call it.

REVISION is compared with the files on disk, staged and untracked ones included
(default HEAD: all that is not committed). A..B compares two commits, A...B
what B changed since it left A.

Tests come likeliest first, each with how it is known: it calls a changed
symbol, may call it (through an interface or a value), imports a changed file,
or has its name or its words.`,
		Example: "  sextant impact\n  sextant impact main...HEAD\n  sextant impact HEAD~1 --limit 100",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return nil
			}
			return &usageError{fmt.Errorf("%s takes at most a revision, got %s; for example: sextant impact HEAD~1",
				c.CommandPath(), count(len(args), "argument"))}
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				revision = args[0]
			}
			req.SymbolRef.Diff = &revision
			return a.impact(c.Context(), req)
		},
	}
	f := cmd.Flags()
	f.VarP(wholeFlag{"limit", &req.Limit, 1, contract.MaxEdgeLimit, contract.DefaultTestLimit}, "limit", "n",
		"test files, 1 to 500 (default 30)")
	f.Var(wholeFlag{"deadline", &req.DeadlineMs, 1, contract.MaxDeadline, impactDeadline}, "deadline",
		"time limit in milliseconds; the answer has what was found by then (default 10000)")
	f.StringVar((*string)(&req.Detail), "detail", "",
		"compact, or full: name every symbol and every test (default compact)")
	f.StringVar(&req.Cursor, "cursor", "", "continue where the previous answer stopped")
	a.jsonFlag(cmd)
	choices(cmd, "detail", "compact", "full")
	return cmd
}

// impact prints the code that a change affects, such as the change since a revision. req names
// the change.
func (a *app) impact(ctx context.Context, req contract.GraphRequest) error {
	// Reject an invalid request before building an index for it.
	req.Path, req.MaxTokens = string(filepath.Separator), contract.MaxMaxTokens
	if !a.json {
		req.Format, req.Price = contract.FormatText, compact.Cost(&req)
	}
	if req.DeadlineMs == 0 {
		req.DeadlineMs = impactDeadline
	}
	if err := req.Normalize(); err != nil {
		return err
	}
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	req.Path = path
	answer, err := a.service.CallGraph(ctx, req)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(answer, answer.Status)
	case answer.Status != contract.StatusOK:
		return failed(answer.Outcome, path)
	}
	return a.draw(&req, answer, answer.CodebaseRoot, marker{})
}
