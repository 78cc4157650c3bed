package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
)

func (a *app) outlineCommand() *cobra.Command {
	var skeleton bool
	cmd := &cobra.Command{
		Use: "outline FILE", GroupID: "ask", Short: "List the symbols of a file",
		Example: "  sextant outline internal/server/server.go\n  sextant outline server.go --skeleton",
		Args:    exactly(1, "outline internal/server/server.go"),
		RunE:    func(c *cobra.Command, args []string) error { return a.outline(c.Context(), args[0], skeleton) },
	}
	cmd.Flags().BoolVar(&skeleton, "skeleton", false, "print the file with the bodies of its functions left out")
	a.jsonFlag(cmd)
	return cmd
}

// outline prints the symbols of a file, or its skeleton.
func (a *app) outline(ctx context.Context, file string, skeleton bool) error {
	root, rel, err := a.locate(ctx, file)
	if err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(rel))); err == nil && info.IsDir() {
		return &usageError{fmt.Errorf("%s is a folder; outline takes a file, and sextant search path:%s finds those in it",
			file, quote(path.Join(rel, "**")))}
	}
	req := contract.OutlineRequest{Path: root, File: rel, LimitSymbols: contract.MaxSymbolLimit,
		Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
	if skeleton {
		req.Detail = contract.DetailSkeleton
	}
	if err := req.Normalize(); err != nil {
		return err
	}
	answer, err := a.service.Outline(ctx, req)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(answer, answer.Status)
	case answer.Status != contract.StatusOK:
		return a.failed(answer.Outcome, file)
	case skeleton:
		_, err = fmt.Fprintln(a.out, strings.TrimSuffix(answer.Skeleton, "\n"))
		return err
	}
	symbols := answer.Outline.Symbols
	if len(symbols) == 0 {
		fmt.Fprintf(a.err, "No symbols are declared in %s.\n", file)
	}
	a.printSymbols(symbols)
	if answer.HasMore {
		fmt.Fprintf(a.err, "%s\n", a.errStyle.dim(fmt.Sprintf("… %d more; --json has a cursor", answer.Truncated.Omitted)))
	}
	return nil
}

// printSymbols prints a symbol a line, indented by nesting, in aligned columns:
// "12-20 method Handle(w, r)".
func (a *app) printSymbols(symbols []contract.OutlineSymbol) {
	lines, kinds := 0, 0
	for _, s := range symbols {
		lines = max(lines, len(linesFromTo(s.Span.StartLine, s.Span.EndLine)))
		kinds = max(kinds, len(s.Kind))
	}
	for _, s := range symbols {
		text := a.style.name(s.Name)
		if s.Signature != "" {
			text = strings.Replace(s.Signature, s.Name, text, 1)
			if !strings.Contains(s.Signature, s.Name) {
				text = a.style.name(s.Name) + "  " + s.Signature
			}
		}
		fmt.Fprintf(a.out, "%s  %s  %s%s\n",
			a.style.dim(fmt.Sprintf("%*s", lines, linesFromTo(s.Span.StartLine, s.Span.EndLine))),
			a.style.dim(fmt.Sprintf("%-*s", kinds, s.Kind)), strings.Repeat("  ", len(s.ParentPath)), text)
	}
}
