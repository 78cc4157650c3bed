package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/internal/navigate"
)

func (a *app) searchCommand() *cobra.Command {
	var req navigate.SearchRequest
	cmd := &cobra.Command{
		Use: "search QUERY…", GroupID: "ask", Short: "Find code by words, names, literals or regular expressions",
		Long: `Find code. Words are ranked; names come first. Operators narrow the search:

  lang:go            files in a language
  path:src/**        files that a gitignore pattern matches (-path: leaves them out)
  kind:method        symbols of a kind
  service:checkout   one service of a workspace
  must:"a.b("        every line that holds this text, as complete as ripgrep
  regex:"x[0-9]+"    every line that this RE2 expression matches
  exclude:mock       no file that holds this text`,
		Example: "  sextant search \"where are stale files reindexed\"\n  sextant search 'must:\"ctx.Err()\" lang:go' --limit 30",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{fmt.Errorf("search needs a query, for example: sextant search \"where are sessions expired\"")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			req.Query = strings.Join(args, " ")
			return a.search(c.Context(), req)
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Scope, "scope", "", "runtime (source, tests), docs or mixed (all) (default runtime)")
	f.IntVarP(&req.Limit, "limit", "n", 0, "results, 1 to 50 (default 10)")
	f.StringVar(&req.GroupBy, "group-by", "", "symbol or file (default symbol)")
	f.StringVar(&req.Service, "service", "", "only this service of the workspace")
	f.StringVar(&req.Cursor, "cursor", "", "go on where the answer before stopped")
	a.jsonFlag(cmd)
	return cmd
}

func (a *app) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.json, "json", false, "print the whole answer as JSON")
}

func (a *app) search(ctx context.Context, req navigate.SearchRequest) error {
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	req.Path = path
	if err := req.Normalize(); err != nil {
		return &usageError{err}
	}
	start := time.Now()
	answer, err := a.service.Search(ctx, req)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(answer)
	}
	return a.printSearch(answer, time.Since(start))
}

func (a *app) printJSON(v any) error {
	text, err := navigate.Encode(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s\n", text)
	return err
}

func (a *app) printSearch(s *navigate.SearchAnswer, took time.Duration) error {
	if s.Status != navigate.StatusOK {
		return fmt.Errorf("%s", s.Message)
	}
	terms := strings.Fields(strings.ToLower(s.Query))
	for i, r := range s.Results {
		if g, ok := r.(*navigate.Group); ok {
			a.printGroup(i+1, g, terms)
		}
	}
	switch {
	case len(s.Results) == 0:
		fmt.Fprintf(a.out, "Nothing found in scope %s.\n", s.Scope)
		if s.Scope != "mixed" {
			fmt.Fprintf(a.out, "%s\n", a.style.dim("--scope mixed looks at docs, fixtures and generated files too."))
		}
	case s.Matches != nil:
		fmt.Fprintf(a.out, "%s\n", a.style.dim(fmt.Sprintf("%d lines in %d files, %s", s.Matches.Lines, s.Matches.Files, took.Round(100*time.Microsecond))))
	default:
		fmt.Fprintf(a.out, "%s\n", a.style.dim(fmt.Sprintf("%d results, confidence %s, %s", len(s.Results), s.Confidence, took.Round(100*time.Microsecond))))
	}
	if s.Cursor != "" {
		fmt.Fprintf(a.out, "%s\n", a.style.dim("More: --cursor "+s.Cursor))
	}
	a.printWarnings(s.Warnings)
	return nil
}

func (a *app) printGroup(n int, g *navigate.Group, terms []string) {
	label := a.style.name(g.SymbolLabel)
	if g.SymbolKind != "" {
		label = a.style.dim(g.SymbolKind) + " " + label
	}
	place := fmt.Sprintf("%s:%d", g.File, g.Span.StartLine)
	if g.SymbolSpan != nil {
		place = fmt.Sprintf("%s:%d-%d", g.File, g.SymbolSpan.StartLine, g.SymbolSpan.EndLine)
	}
	fmt.Fprintf(a.out, "%2d. %s  %s  %s\n", n, a.style.path(place), label, a.style.level(g.Confidence))
	if len(g.MatchedLines) > 0 {
		for _, m := range g.MatchedLines {
			fmt.Fprintf(a.out, "    %s %s\n", a.style.dim(fmt.Sprintf("%5d", m.Line)), a.style.marked(expand(m.Text), terms))
		}
	} else if g.PreviewSpan != nil {
		for i, line := range strings.Split(g.Preview, "\n") {
			fmt.Fprintf(a.out, "    %s %s\n", a.style.dim(fmt.Sprintf("%5d", g.PreviewSpan.StartLine+i)), a.style.marked(expand(line), terms))
		}
	}
	fmt.Fprintln(a.out)
}

// expand makes tabs narrow enough for a preview.
func expand(line string) string { return strings.ReplaceAll(line, "\t", "    ") }

func (a *app) printWarnings(ws navigate.Warnings) {
	for _, w := range ws {
		fmt.Fprintf(a.err, "%s %s\n", a.style.warn("warning:"), w.Message)
	}
}
