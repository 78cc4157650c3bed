package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate"
	"sextant/jit"
)

func (a *app) outlineCommand() *cobra.Command {
	var skeleton bool
	cmd := &cobra.Command{
		Use: "outline FILE", GroupID: "ask", Short: "List the symbols of a file", Args: exactly(1, "outline internal/server/server.go"),
		RunE: func(c *cobra.Command, args []string) error { return a.outline(c.Context(), args[0], skeleton) },
	}
	cmd.Flags().BoolVar(&skeleton, "skeleton", false, "print the file with the bodies of its functions left out")
	a.jsonFlag(cmd)
	return cmd
}

// locate finds the root and the relative path of a file named on the command
// line.
func (a *app) locate(ctx context.Context, file string) (root, rel string, err error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return "", "", err
	}
	if _, err := os.Stat(abs); err != nil && a.path != "" {
		abs = filepath.Join(a.path, file)
	}
	if a.path == "" {
		a.path = filepath.Dir(abs)
		if _, err := os.Stat(a.path); err != nil {
			return "", "", fmt.Errorf("%s does not exist", file)
		}
	}
	if _, err := a.ready(ctx); err != nil {
		return "", "", err
	}
	r, rel, err := a.roots.Resolve(ctx, abs)
	if err != nil {
		if errors.Is(err, jit.ErrNotTracked) {
			return "", "", fmt.Errorf("%s is in no indexed codebase; try sextant index %s", file, filepath.Dir(abs))
		}
		return "", "", err
	}
	return r.Path(), rel, nil
}

func (a *app) outline(ctx context.Context, file string, skeleton bool) error {
	root, rel, err := a.locate(ctx, file)
	if err != nil {
		return err
	}
	req := navigate.OutlineRequest{Path: root, File: rel, Delivery: navigate.Delivery{MaxTokens: navigate.MaxMaxTokens}}
	if skeleton {
		req.Detail = "skeleton"
	}
	if err := req.Normalize(); err != nil {
		return &usageError{err}
	}
	answer, err := a.service.Outline(ctx, req)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(answer)
	}
	if answer.Status != navigate.StatusOK {
		return errors.New(answer.Message)
	}
	if skeleton {
		fmt.Fprint(a.out, answer.Skeleton)
		return nil
	}
	for _, s := range answer.Outline.Symbols {
		indent := strings.Repeat("  ", len(s.ParentPath))
		lines := fmt.Sprintf("%d-%d", s.Span.StartLine, s.Span.EndLine)
		fmt.Fprintf(a.out, "%s %s%s %s  %s\n", a.style.dim(fmt.Sprintf("%11s", lines)), indent, a.style.dim(string(s.Kind)), a.style.name(s.Name), s.Signature)
	}
	if answer.HasMore {
		fmt.Fprintf(a.out, "%s\n", a.style.dim(fmt.Sprintf("… %d more; --json has a cursor", answer.Truncated.Omitted)))
	}
	return nil
}

func (a *app) graphCommand() *cobra.Command {
	req := navigate.GraphRequest{View: "tree"}
	var mermaid bool
	cmd := &cobra.Command{
		Use: "graph SYMBOL", GroupID: "ask", Short: "Show who calls a symbol, and whom it calls", Args: exactly(1, "graph Server.Handle"),
		RunE: func(c *cobra.Command, args []string) error {
			if mermaid {
				req.View = "mermaid"
			}
			return a.graph(c.Context(), req, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Direction, "direction", "", "callers, callees or both (default both)")
	f.IntVar(&req.Depth, "depth", 0, "how far to follow, 1 to 12 (default 1)")
	f.IntVar(&req.Limit, "limit", 0, "edges, 1 to 500 (default 20)")
	f.BoolVar(&mermaid, "mermaid", false, "print a Mermaid diagram")
	f.StringVar(&req.SymbolRef.File, "file", "", "the file that declares the symbol, relative to the root")
	a.jsonFlag(cmd)
	return cmd
}

func (a *app) graph(ctx context.Context, req navigate.GraphRequest, symbol string) error {
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	req.Path, req.SymbolRef.SymbolLabel = path, symbol
	if err := req.Normalize(); err != nil {
		return &usageError{err}
	}
	answer, err := a.service.CallGraph(ctx, req)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(answer)
	}
	if answer.Status != navigate.StatusOK {
		for _, c := range answer.Candidates {
			fmt.Fprintf(a.err, "  %s  %s\n", a.style.path(fmt.Sprintf("%s:%d", c.File, c.Span.StartLine)), c.SymbolLabel)
		}
		return errors.New(answer.Message)
	}
	fmt.Fprintln(a.out, answer.Tree+answer.Mermaid)
	return nil
}

func (a *app) readCommand() *cobra.Command {
	var symbol string
	cmd := &cobra.Command{
		Use: "read FILE[:START[-END]]", GroupID: "ask", Short: "Print a file, some of its lines, or one symbol",
		Example: "  sextant read server.go:40-80\n  sextant read server.go --symbol Server.Handle",
		Args:    exactly(1, "read server.go:40-80"),
		RunE:    func(c *cobra.Command, args []string) error { return a.read(c.Context(), args[0], symbol) },
	}
	cmd.Flags().StringVar(&symbol, "symbol", "", "the symbol to print, by its qualified name")
	return cmd
}

func (a *app) read(ctx context.Context, arg, symbol string) error {
	file, first, last := splitLines(arg)
	root, rel, err := a.locate(ctx, file)
	if err != nil {
		return err
	}
	req := navigate.ReadRequest{Path: filepath.Join(root, filepath.FromSlash(rel)), StartLine: first, EndLine: last, Delivery: navigate.Delivery{MaxTokens: navigate.MaxMaxTokens}}
	if symbol != "" {
		req.OpenSymbol = &navigate.OpenSymbol{SymbolLabel: symbol}
	}
	if err := req.Normalize(); err != nil {
		return &usageError{err}
	}
	answer, err := a.service.Read(ctx, req)
	if err != nil {
		return err
	}
	if answer.Plain {
		_, err = a.out.Write(answer.Text)
		return err
	}
	if answer.Status != navigate.StatusOK {
		for _, c := range answer.Candidates {
			fmt.Fprintf(a.err, "  %s  %s\n", a.style.path(fmt.Sprintf("%s:%d", c.File, c.Span.StartLine)), c.SymbolLabel)
		}
		return errors.New(answer.Message)
	}
	fmt.Fprint(a.out, answer.Content)
	return nil
}

// splitLines cuts "file:10-20" into its parts; a colon that no number follows
// belongs to the name.
func splitLines(arg string) (file string, first, last int) {
	i := strings.LastIndexByte(arg, ':')
	if i < 0 {
		return arg, 0, 0
	}
	from, to, ranged := strings.Cut(arg[i+1:], "-")
	first, err := strconv.Atoi(from)
	if err != nil {
		return arg, 0, 0
	}
	if !ranged {
		return arg[:i], first, first
	}
	if last, err = strconv.Atoi(to); err != nil {
		return arg[:i], first, 0
	}
	return arg[:i], first, last
}
