package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/search"
	"sextant/jit"
)

func (a *app) searchCommand() *cobra.Command {
	var req contract.SearchRequest
	var lines searchLines
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
		Example: "  sextant search \"where are sessions expired\"\n  sextant search 'must:\"ctx.Err()\" lang:go' --limit 30",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{fmt.Errorf("search needs a query, for example: sextant search \"where are sessions expired\"")}
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
		panic(err) // only if cmd has no such flag, a mistake of the caller
	}
}

// jsonFlag adds --json to cmd.
func (a *app) jsonFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&a.json, "json", false, "print the whole answer as JSON")
}

func (a *app) search(ctx context.Context, req contract.SearchRequest, lines searchLines) error {
	// Reject an invalid query before building an index for it. The path is not
	// known yet; any absolute one passes validation.
	req.Path, req.MaxTokens = string(filepath.Separator), contract.MaxMaxTokens
	if err := req.Normalize(); err != nil {
		return err
	}
	query, err := search.ParseQuery(req.Query)
	if err == nil {
		err = search.CheckCursor(req.Cursor, query.Exhaustive())
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
	return a.printSearch(answer, time.Since(start))
}

// printJSON prints v as JSON. It returns errReported if status is not ok, for
// the exit code.
func (a *app) printJSON(v any, status contract.Status) error {
	text, err := contract.Encode(v)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(a.out, "%s\n", text); err == nil && status != contract.StatusOK {
		return errReported
	}
	return err
}

// printSearch prints the results, their number and suggestions. Warnings go to
// standard error.
func (a *app) printSearch(s *contract.SearchAnswer, took time.Duration) error {
	if s.Status != contract.StatusOK {
		return a.failed(s.Outcome, s.Path)
	}
	m := newMarker(s.Query)
	for i, r := range s.Results {
		if g, ok := r.(*contract.Group); ok {
			a.printGroup(i+1, g, a.shown(s.CodebaseRoot, g.File), m)
		}
	}
	note := func(format string, args ...any) {
		fmt.Fprintf(a.out, "%s\n", a.style.dim(fmt.Sprintf(format, args...)))
	}
	took = took.Round(100 * time.Microsecond)
	switch {
	case len(s.Results) == 0:
		fmt.Fprintf(a.out, "Nothing found%s.\n", in(s.Scope))
		if s.Scope != contract.ScopeMixed && s.Matches == nil {
			note("--scope mixed looks at docs, tests' data and generated files too.")
		}
	case s.Matches != nil:
		more := ""
		if !s.Matches.Complete {
			more = " so far (the index is not complete)"
		}
		note("%s in %s%s, %s", count(s.Matches.Lines, "line"), count(s.Matches.Files, "file"), more, took)
	default:
		note("%s, confidence %s, %s", count(len(s.Results), "result"), s.Confidence, took)
	}
	for _, n := range s.DidYouMean {
		where := fmt.Sprintf("%s, %s:%d", n.Kind, a.shown(s.CodebaseRoot, n.File), n.Line)
		if n.Symbols > 1 {
			where = count(n.Symbols, "symbol")
		}
		fmt.Fprintf(a.out, "Did you mean %s (%s)? %s\n", a.style.name(n.SymbolLabel), where,
			a.style.dim("sextant search "+quote(n.Next.Args.(*contract.SearchRequest).Query)))
	}
	if s.Matches != nil && s.Matches.OutOfScope != nil {
		out := s.Matches.OutOfScope
		note("--scope %s leaves out %s in %s.", s.Scope, count(out.Lines, "line"), count(out.Files, "file"))
	}
	if s.Cursor != "" {
		note("More: add --cursor %s", quote(s.Cursor))
	}
	a.printWarnings(s.Warnings)
	if s.Tiers != nil {
		switch t := s.Tiers.Semantic; t.State {
		case contract.TierFailed:
			a.warnMeaning(t.Why)
		case contract.TierBuilding:
			fmt.Fprintf(a.err, "%s\n", a.errStyle.dim("Found by words for the most part: "+t.Why+"; sextant index makes them."))
		}
	}
	return nil
}

// in returns a phrase for the files of a scope, "" for all.
func in(scope contract.Scope) string {
	switch scope {
	case contract.ScopeRuntime:
		return " in source and tests"
	case contract.ScopeDocs:
		return " in the docs"
	}
	return ""
}

// printGroup prints result number n: its place, its symbol and its lines.
func (a *app) printGroup(n int, g *contract.Group, file string, m marker) {
	place := fmt.Sprintf("%s:%d", file, g.Span.StartLine)
	switch s := g.SymbolSpan; {
	case g.SymbolKind == "" && g.PreviewSpan != nil && len(g.MatchedLines) == 0:
		// A result that belongs to no symbol: name the lines of its preview.
		place = fmt.Sprintf("%s:%s", file, linesFromTo(g.PreviewSpan.StartLine, g.PreviewSpan.EndLine))
	case s != nil:
		place = fmt.Sprintf("%s:%s", file, linesFromTo(s.StartLine, s.EndLine))
	}
	head := a.style.path(place)
	if g.SymbolKind != "" {
		head += "  " + a.style.dim(g.SymbolKind) + " " + a.style.name(g.SymbolLabel)
	}
	if g.Class != "" {
		head += "  " + a.style.dim("("+string(g.Class)+")")
	}
	fmt.Fprintf(a.out, "%2d. %s  %s\n", n, head, a.style.level(g.Confidence))
	if len(g.MatchedLines) > 0 {
		lines := slices.Concat(g.MatchedLines, g.ContextLines)
		slices.SortFunc(lines, func(a, b contract.MatchedLine) int { return cmp.Compare(a.Line, b.Line) })
		for _, l := range lines {
			a.printLine(l.Line, l.Text, m)
		}
	} else if g.PreviewSpan != nil {
		for i, line := range strings.Split(g.Preview, "\n") {
			a.printLine(g.PreviewSpan.StartLine+i, line, m)
		}
	}
	fmt.Fprintln(a.out)
}

// printLine prints a line of source. Tabs become four spaces; control
// characters, which could move the cursor, become "·".
func (a *app) printLine(n int, line string, m marker) {
	line = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return '·'
		}
		return r
	}, strings.TrimSuffix(line, "\r"))
	line = strings.ReplaceAll(line, "\t", "    ")
	fmt.Fprintf(a.out, "    %s %s\n", a.style.dim(fmt.Sprintf("%5d", n)), a.style.marked(line, m))
}

// linesFromTo formats a range of lines: "12" or "12-20".
func linesFromTo(first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// printWarnings prints warnings on standard error, except for those that
// tellProblems printed.
func (a *app) printWarnings(ws contract.Warnings) {
	for _, w := range ws {
		if w.Code == jit.WarnConfig && len(a.told) > 0 {
			continue
		}
		fmt.Fprintf(a.err, "%s %s\n", a.errStyle.warn("warning:"), w.Message)
	}
}
