package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
)

func (a *app) readCommand() *cobra.Command {
	var symbol string
	var holding []string
	cmd := &cobra.Command{
		Use: "read FILE[:START[-END]]|SYMBOL…", GroupID: "ask", Short: "Print files, some of their lines, or symbols",
		Example: "  sextant read server.go:40-80\n  sextant read Server.Handle Server.Close\n  sextant " +
			"read server.go --symbol Server.Handle",
		Args: atLeastOne("read server.go:40-80"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.each(args, func(arg string) error { return a.read(c.Context(), arg, symbol, holding) })
		},
	}
	cmd.Flags().StringVar(&symbol, "symbol", "", "the symbol to print, by its qualified name")
	cmd.Flags().StringSliceVar(&holding, "identifiers", nil,
		"print only the lines that hold these, and the branches around them")
	a.jsonFlag(cmd)
	return cmd
}

// read prints a file, a range of its lines, or a symbol. If there is no file with the name arg,
// read looks for a symbol of that name.
func (a *app) read(ctx context.Context, arg, symbol string, holding []string) error {
	file, first, last := splitLines(arg)
	if file != arg && first == 0 {
		return &usageError{fmt.Errorf("%s: lines count from 1; for example: sextant read %s", arg, quote(file+":1"))}
	}
	if last > 0 && last < first {
		return &usageError{fmt.Errorf("lines %d-%d: the last stands before the first; for example: sextant read %s",
			first, last, quote(fmt.Sprintf("%s:%d-%d", file, last, first)))}
	}
	req := contract.ReadRequest{Path: "/", StartLine: first, EndLine: last, Identifiers: holding,
		Delivery: contract.Delivery{MaxTokens: contract.MaxMaxTokens}}
	if symbol != "" {
		req.OpenSymbol = &contract.OpenSymbol{SymbolLabel: symbol}
	}
	if a.json {
		req.Mode = contract.ReadAnnotated
	}
	if err := req.Normalize(); err != nil {
		return err
	}
	if abs, loose := a.loose(ctx, file); loose && symbol == "" && holding == nil && !a.json {
		return a.readLoose(req, abs, file)
	}
	root, rel, err := a.locateBytes(ctx, file)
	var none *noFileError
	if errors.As(err, &none) && symbol == "" && first == 0 {
		return a.readName(ctx, req, arg, none)
	}
	if err != nil {
		return err
	}
	req.Path = filepath.Join(root, filepath.FromSlash(rel))
	answer, err := a.service.Read(ctx, req)
	switch {
	case err != nil:
		return err
	case a.json:
		return a.printJSON(answer, answer.Status)
	case answer.Plain:
		return a.printText(answer, file, max(first, 1))
	case answer.Excerpt != nil:
		return a.draw(&req, answer, root, marker{})
	case answer.Reason == contract.ReasonAmbiguousSymbol:
		return a.candidates(fmt.Sprintf("%q is the name of %s in %s; say which is meant:", symbol,
			count(len(answer.Candidates), "symbol"), file), answer.Candidates, "Say which by its qualified name.")
	case answer.Reason == contract.ReasonMissingSymbol && len(answer.Candidates) > 0:
		return a.candidates(fmt.Sprintf("%s has no symbol %q; the nearest are:", file, symbol), answer.Candidates,
			fmt.Sprintf("For example: sextant read %s --symbol %s", quote(file),
				quote(answer.Candidates[0].SymbolLabel)))
	case answer.Reason == contract.ReasonMissingSymbol:
		return fmt.Errorf("%s has no symbol %q; sextant outline %s lists those it has", file, symbol, quote(file))
	case answer.Status != contract.StatusOK:
		return failed(answer.Outcome, file)
	}
	return a.printContent(answer)
}

// readLoose prints lines of a file that is in no codebase.
func (a *app) readLoose(req contract.ReadRequest, abs, file string) error {
	req.Path = abs
	answer, err := a.service.ReadUntracked(req)
	switch {
	case err != nil:
		return err
	case answer.Status != contract.StatusOK:
		return failed(answer.Outcome, file)
	}
	return a.printText(answer, file, max(req.StartLine, 1))
}

func (c *console) printContent(answer *contract.ReadAnswer) error {
	_, err := fmt.Fprintln(c.out, strings.TrimSuffix(answer.Content, "\n"))
	return err
}

// readName prints the symbol called name. none is the error that no file has that
// name. If no symbol has it either, readName returns none, or, if only symbols have
// similar names, lists these.
func (a *app) readName(ctx context.Context, req contract.ReadRequest, name string, none *noFileError) error {
	path, err := a.ready(ctx)
	if err != nil {
		return err
	}
	req.Path, req.OpenSymbol = path, &contract.OpenSymbol{SymbolLabel: name}
	answer, err := a.service.Read(ctx, req)
	if err != nil {
		return err
	}
	example := func() string {
		c := answer.Candidates[0]
		return "For example: sextant read " + quote(shown(answer.CodebaseRoot, c.File)+":"+
			linesFromTo(c.Span.StartLine, c.Span.EndLine))
	}
	switch {
	case answer.Reason == contract.ReasonMissingSymbol && len(none.near) == 0 && len(answer.Candidates) == 0:
		return fmt.Errorf("%s does not exist in %s, as a file or as a symbol; sextant search path:%s finds a file by its "+
			"name, sextant search %s looks for the words", name, strings.Join(none.bases, " or "),
			quote("**/"+filepath.Base(name)), quote(name))
	case answer.Reason == contract.ReasonMissingSymbol && len(none.near) > 0:
		return none
	case a.json:
		return a.printJSON(answer, answer.Status)
	case answer.Plain:
		file := shown(answer.CodebaseRoot, answer.File)
		if err := a.placeOf(answer, file); err != nil {
			return err
		}
		return a.printText(answer, file, answer.Span.StartLine)
	case answer.Excerpt != nil:
		return a.draw(&req, answer, answer.CodebaseRoot, marker{})
	case answer.Reason == contract.ReasonAmbiguousSymbol:
		return a.candidates(fmt.Sprintf("%q is the name of %s; say which is meant:", name,
			count(len(answer.Candidates), "symbol")), answer.Candidates, example())
	case answer.Reason == contract.ReasonMissingSymbol:
		return a.candidates(fmt.Sprintf("no file or symbol is called %q; the nearest are:", name), answer.Candidates,
			example())
	case answer.Status != contract.StatusOK:
		return failed(answer.Outcome, name)
	}
	return a.printContent(answer)
}

// placeOf prints, on a terminal, the file and lines of a symbol that was read by its
// name. In a pipe it prints nothing, so the pipe gets the source alone.
func (c *console) placeOf(answer *contract.ReadAnswer, file string) error {
	s := answer.Symbol
	if s == nil || !c.outTerminal {
		return nil
	}
	lines := contract.Lines(s.Span)
	return c.sheet().say(typeset.Line{{Role: typeset.Path, Text: code.QuotePath(file)},
		{Role: typeset.Lines, Text: ":" + linesFromTo(lines.StartLine, lines.EndLine)},
		{Role: typeset.Dim, Text: " " + string(s.Kind)}, {Role: typeset.Name, Text: " " + s.SymbolLabel}})
}

// printText prints the text of an answer unchanged. If the answer was cut off,
// a note on standard error names the command that continues.
func (c *console) printText(answer *contract.ReadAnswer, file string, first int) error {
	if _, err := c.out.Write(answer.Text); err != nil {
		return err
	}
	switch {
	case answer.Behind != "":
		c.aside("%s", answer.Behind)
	case answer.Continuation != "":
		next := first + bytes.Count(answer.Text, []byte("\n"))
		c.aside("Cut before line %d; go on with sextant read %s", next, quote(fmt.Sprintf("%s:%d-", file, next)))
	}
	return nil
}

// splitLines splits an argument into a file and its lines: "file:10-20", "file:10" for one line,
// "file:10-" for the rest of the file (last is 0). If no number follows the colon, the colon
// belongs to the name, and first and last are 0.
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
	if to == "" {
		return arg[:i], first, 0
	}
	if last, err = strconv.Atoi(to); err != nil {
		return arg, 0, 0
	}
	return arg[:i], first, last
}
