package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/internal/compact"
	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search"
	"sextant/internal/typeset"
)

func (a *app) searchCommand() *cobra.Command {
	var req contract.SearchRequest
	var lines searchLines
	cmd := &cobra.Command{
		Use: "search QUERY…", GroupID: "ask", Short: "Find code by words, names, literals or regular expressions",
		Long: `Find code. Words are ranked; names come first. Operators narrow the search:

  lang:go            files in a language
  path:src/**        files that match a gitignore pattern (-path: excludes them)
  kind:method        symbols of a kind
  service:checkout   one service of a workspace
  annotation:Test    declarations with this word in an annotation; param: and
                     returns: in their types
  extends:Handler    types that extend, implement, mix in or embed this one
  must:"a.b("        every line that holds this text, as complete as ripgrep
  regex:"x[0-9]+"    every line that this RE2 expression matches
  exclude:mock       no file that holds this text`,
		Example: "  sextant search \"where are sessions expired\"\n" +
			"  sextant search 'must:\"ctx.Err()\" lang:go' --limit 30",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{fmt.Errorf(
					"search needs a query, for example: sextant search \"where are sessions expired\"")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			req.Query = strings.Join(args, " ")
			return a.search(c.Context(), req, lines)
		},
	}
	f := cmd.Flags()
	f.StringVar((*string)(&req.Scope), "scope", "",
		"runtime (source, tests, build and deployment), docs or mixed (all) (default runtime; mixed for must:, "+
			"regex: and exclude:)")
	f.VarP(wholeFlag{"limit", &req.Limit, 1, contract.MaxSearchLimit, contract.DefaultSearchLimit}, "limit", "n",
		"results, 1 to 50 (default 10)")
	f.VarP(wholeFlag{"context", &req.Context, 0, contract.MaxContextLines, 3}, "context", "C",
		"lines around each match of must: and regex:, 0 to 10")
	f.StringVar((*string)(&req.GroupBy), "group-by", "", "symbol or file (default symbol)")
	f.StringVar(&req.Service, "service", "", "only this service of the workspace")
	f.StringVar(&req.Cursor, "cursor", "", "continue where the previous answer stopped")
	f.BoolVar(&req.CountOnly, "count", false, "with must: and the like, count the matches and print none")
	f.BoolVarP(&lines.files, "files-with-matches", "l", false, "print the paths of files alone")
	f.BoolVar(&lines.vimgrep, "vimgrep", false, "print each place as FILE:LINE:COLUMN:TEXT, for editors")
	a.jsonFlag(cmd)
	cmd.MarkFlagsMutuallyExclusive("files-with-matches", "vimgrep", "json")
	choices(cmd, "scope", "runtime", "docs", "mixed")
	choices(cmd, "group-by", "symbol", "file")
	return cmd
}

// choices registers the values of a flag for shell completion.
func choices(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the caller has made the mistake to name a flag that cmd lacks
	}
}

// search runs a query and prints the answer, as JSON or in the form that lines selects.
func (a *app) search(ctx context.Context, req contract.SearchRequest, lines searchLines) error {
	// Reject an invalid query before building an index for it. The path is not
	// known yet; any absolute one passes validation.
	req.Path, req.MaxTokens = string(filepath.Separator), contract.MaxMaxTokens
	if !a.json && !lines.files && !lines.vimgrep {
		req.Format, req.Price = contract.FormatText, compact.Cost(&req)
	}
	if err := req.Normalize(); err != nil {
		return err
	}
	query, err := search.ParseQuery(req.Query)
	if err == nil {
		err = search.CheckCursor(&query, req.Cursor)
	}
	if err != nil {
		return err
	}
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	req.Path = path
	start := time.Now()
	answer, err := a.service.Search(ctx, req)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(answer, answer.Status)
	}
	if lines.files || lines.vimgrep {
		return a.printLines(answer, lines)
	}
	return a.printSearch(&req, answer, time.Since(start))
}

// printSearch prints the results and, on a terminal, the confidence in them and
// the time the search took. Warnings go to standard error.
func (c *console) printSearch(req *contract.SearchRequest, s *contract.SearchAnswer, took time.Duration) error {
	if s.Status != contract.StatusOK {
		return failed(s.Outcome, s.Path)
	}
	warnings, tiers := s.Warnings, s.Tiers
	s.Warnings, s.Tiers = nil, nil
	if err := c.draw(req, s, s.CodebaseRoot, newMarker(s.Query)); err != nil {
		return err
	}
	if c.outTerminal && len(s.Results) > 0 {
		sure := ""
		if s.Matches == nil {
			sure = ", confidence " + string(s.Confidence)
		}
		text := fmt.Sprintf("%s%s, %s", count(len(s.Results), "result"), sure, took.Round(100*time.Microsecond))
		if err := c.sheet().say(typeset.Line{{Role: typeset.Dim, Text: text}}); err != nil {
			return err
		}
	}
	c.printWarnings(warnings)
	if tiers != nil {
		switch t := tiers.Semantic; t.State {
		case contract.TierFailed:
			c.warnMeaning(t.Why)
		case contract.TierBuilding:
			c.aside("Found by words for the most part: %s; sextant index makes them.", t.Why)
		}
	}
	return nil
}

// linesFromTo formats a range of lines: "12" or "12-20".
func linesFromTo(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
