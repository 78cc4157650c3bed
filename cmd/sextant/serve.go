package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
	"sextant/mcp"
)

func (a *app) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", GroupID: "serve", Short: "Serve the six tools over MCP on standard input and output",
		Long: `Serve the six tools over the Model Context Protocol on standard input and
output, for an agent that starts this command. Events go to standard error.

For Claude Code:  claude mcp add sextant -- sextant serve`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.settings.checkFormat(); err != nil {
				return err
			}
			if f, ok := a.in.(*os.File); ok && isTerminal(f) {
				fmt.Fprintln(a.err,
					"Waiting for an MCP client on standard input; agents start this command themselves (see "+
						"sextant serve --help). Ctrl-D ends it.")
			}
			defer heap{a.env, a.caches}.beThrifty(c.Context())()
			return a.server().ServeStdio(c.Context(), a.in, a.out)
		},
	}
	cmd.Flags().BoolVar(&a.settings.noWatch, "no-watch", false,
		"sweep the tree before every answer instead of watching it")
	cmd.Flags().BoolVarP(&a.quiet, "quiet", "q", false, "no events on standard error")
	a.formatFlag(cmd)
	return cmd
}

func (a *app) toolCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "tool", GroupID: "serve", Short: "Call the tools as an agent does",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{fmt.Errorf(
					"sextant tool has no %q; expected list or call, for example: sextant tool call "+
						"list_codebases", args[0])}
			}
			return c.Help()
		}}
	list := &cobra.Command{Use: "list", Short: "List the tools; with --json, their schemas too", Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.toolList() }}
	a.jsonFlag(list)
	var args string
	call := &cobra.Command{
		Use: "call NAME", Short: "Call a tool and print exactly its text; exit 1 when it is an error",
		Example: `  sextant tool call search_codebase --args-json '{"path":"/home/me/project","query":"session expiry"}'`,
		Args:    exactly(1, `tool call list_codebases --args-json '{}'`),
		ValidArgs: []string{contract.ToolList, contract.ToolSearch, contract.ToolOutline,
			contract.ToolGraph, contract.ToolRead, contract.ToolManage},
		RunE: func(c *cobra.Command, names []string) error { return a.toolCall(c, names[0], args) },
	}
	call.Flags().StringVar(&args, "args-json", "{}", "the arguments, a JSON object")
	a.formatFlag(call)
	cmd.AddCommand(list, call)
	return cmd
}

// formatFlag adds --format to a command that serves tools.
func (a *app) formatFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.settings.toolFormat, "format", "",
		"of answers whose call sets none: text or json (default text)")
	choices(cmd, "format", string(contract.FormatText), string(contract.FormatJSON))
}

// toolCall prints the exact text that an agent would receive, and a newline.
func (a *app) toolCall(c *cobra.Command, name, args string) error {
	a.quiet = true
	if err := a.settings.checkFormat(); err != nil {
		return err
	}
	text, isError, err := a.server().Call(c.Context(), name, json.RawMessage(args))
	if errors.Is(err, mcp.ErrUnknownTool) {
		return &usageError{err}
	}
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
}

// toolList prints each tool with the first sentence of its description, or its
// schema with --json.
func (a *app) toolList() error {
	for _, t := range a.server().Tools() {
		if a.json {
			v := map[string]any{"name": t.Name, "title": t.Title, "description": t.Description,
				"inputSchema": json.RawMessage(t.Schema)}
			if err := a.printJSON(v, contract.StatusOK); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(a.out, "%s  %s\n", a.style.name(fmt.Sprintf("%-16s", t.Name)), firstSentence(t.Description))
	}
	return nil
}

// firstSentence returns text up to and including the first full stop that is
// followed by white space or by the end of text.
func firstSentence(text string) string {
	for i, c := range text {
		if rest := text[i+1:]; c == '.' &&
			(rest == "" || strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\n")) {
			return text[:i+1]
		}
	}
	return text
}
