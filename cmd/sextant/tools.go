package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate"
)

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", GroupID: "serve", Short: "Serve the six tools over MCP on standard input and output",
		Long: "Serve the six tools over the Model Context Protocol on standard input and output.\n\nFor Claude Code:  claude mcp add sextant -- sextant serve",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.server().ServeStdio(c.Context(), a.in, a.out) },
	}
	cmd.Flags().BoolVar(&a.noWatch, "no-watch", false, "sweep the tree before every answer instead of watching it")
	cmd.Flags().BoolVarP(&a.quiet, "quiet", "q", false, "no events on standard error")
	return cmd
}

func (a *app) toolCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "tool", GroupID: "serve", Short: "Call the tools as an agent does"}
	list := &cobra.Command{Use: "list", Short: "List the tools with their schemas", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return a.toolList() }}
	a.jsonFlag(list)
	var args string
	call := &cobra.Command{
		Use: "call NAME", Short: "Call a tool and print exactly its text; exit 1 when it is an error",
		Example: `  sextant tool call search_codebase --args-json '{"path":"/home/me/project","query":"session expiry"}'`,
		Args:    exactly(1, `tool call list_codebases --args-json '{}'`),
		RunE: func(c *cobra.Command, names []string) error {
			a.quiet = true
			text, isError, err := a.server().Call(c.Context(), names[0], json.RawMessage(args))
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(a.out, text); err != nil {
				return err
			}
			if isError {
				return errReported
			}
			return nil
		},
	}
	call.Flags().StringVar(&args, "args-json", "{}", "the arguments, a JSON object")
	cmd.AddCommand(list, call)
	return cmd
}

func (a *app) toolList() error {
	for _, t := range a.server().Tools() {
		if a.json {
			if err := a.printJSON(map[string]any{"name": t.Name, "title": t.Title, "description": t.Description, "inputSchema": json.RawMessage(t.Schema)}); err != nil {
				return err
			}
			continue
		}
		first, _, _ := strings.Cut(t.Description, "\n")
		fmt.Fprintf(a.out, "%s  %s\n", a.style.name(fmt.Sprintf("%-16s", t.Name)), first)
	}
	return nil
}

func (a *app) listCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", GroupID: "index", Short: "List the tracked codebases", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := a.open(c.Context()); err != nil {
				return err
			}
			answer, err := a.service.ListCodebases(c.Context(), navigate.ListRequest{})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(answer)
			}
			_, err = fmt.Fprintln(a.out, answer.Markdown())
			return err
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

func (a *app) statusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "status [PATH]", GroupID: "index", Short: "Show the state of an index: coverage, size, services", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.path = args[0]
			}
			answer, err := a.manage(c.Context(), navigate.ManageRequest{Action: "status", Detail: "full"})
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(answer)
			}
			return a.printStatus(answer)
		},
	}
	a.jsonFlag(cmd)
	return cmd
}

func (a *app) printStatus(s *navigate.ManageAnswer) error {
	if s.Status != navigate.StatusOK {
		return errors.New(s.Message)
	}
	fmt.Fprintln(a.out, s.HumanText)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(a.out, "  %s %s\n", a.style.dim(fmt.Sprintf("%-10s", name)), fmt.Sprintf(format, args...))
	}
	if t := s.Tiers; t != nil {
		row("words", "%d files, %d chunks", t.L1.Files, t.L1.Chunks)
		row("symbols", "%d symbols, %d call sites (%s)", t.L2.Symbols, t.L2.Calls, s.SymbolQuality)
	}
	if s.Disk != nil {
		row("disk", "%s", size(s.Disk.Bytes))
	}
	if c := s.Coverage; c != nil {
		row("coverage", "%d parsed (%d with errors), %d text only", c.Parsed, c.ParseErrors, c.TextOnly)
		for reason, n := range c.Skipped {
			row("skipped", "%d %s", n, reason)
		}
	}
	for i, sv := range s.Services {
		if i == 0 {
			row("services", "%d", len(s.Services))
		}
		fmt.Fprintf(a.out, "    %s %s %s\n", a.style.name(sv.Name), a.style.path(sv.Path), a.style.dim(sv.Language))
	}
	return nil
}

func (a *app) clearCommand() *cobra.Command {
	return &cobra.Command{
		Use: "clear [PATH]", GroupID: "index", Short: "Remove the index of a codebase (its source is untouched)", Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.path = args[0]
			}
			answer, err := a.manage(c.Context(), navigate.ManageRequest{Action: "clear"})
			if err != nil {
				return err
			}
			if answer.Status != navigate.StatusOK {
				return errors.New(answer.Message)
			}
			fmt.Fprintln(a.out, answer.Message)
			return nil
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "sextant %s\n", programVersion())
			return err
		},
	}
}
