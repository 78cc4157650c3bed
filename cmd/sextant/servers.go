package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sextant/internal/navigate/contract"
	"sextant/internal/typeset"
	"sextant/l3lsp"
)

const serversHelp = `List the language servers that Sextant can use, with the version of each that is
installed, and for the others how to install them.

A language server knows a language as its compiler does: call_graph and
"sextant graph --verify wait" ask it whether a call really leads where the text
says. Nothing else needs one.

Sextant searches servers in the data folder, where "sextant servers install"
puts them, and then on PATH, but never in a workspace. These keys in the
sextant.toml of the data folder (SEXTANT_HOME) change which are run, and how;
the sextant.toml of a workspace cannot:

  [servers]
  max = 3              # servers running at once, over all processes; 0: none
  idle = "5m"          # stop a server after this time without a request
  memory_mb = 4096     # restart a server that, with its children, uses more
  off = ["clangd"]     # servers that never run

  [servers.command]    # other programs: a name on PATH or an absolute path
  jdtls = ["/opt/jdtls/bin/jdtls", "-configuration", "/home/me/.jdtls"]
  pyright = ["basedpyright-langserver", "--stdio"]

SEXTANT_MAX_SERVERS and SEXTANT_SERVER_IDLE override max and idle.`

func (a *app) serversCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "servers", GroupID: "serve", Short: "List the language servers that can be used, and which are installed",
		Args: noArguments,
		Long: serversHelp,
		RunE: func(c *cobra.Command, _ []string) error { return a.listServers(c) },
	}
	a.jsonFlag(cmd)
	yes := false
	install := &cobra.Command{
		Use: "install SERVER...", Short: "Install language servers at tested versions, for Sextant alone",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{errors.New("sextant servers install takes the names of servers, for example: " +
					"sextant servers install gopls pyright")}
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(l3lsp.Installable(), cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(c *cobra.Command, names []string) error { return a.installServers(c, names, yes) },
	}
	install.Flags().BoolVarP(&yes, "yes", "y", false, "install without asking")
	cmd.AddCommand(install)
	return cmd
}

// listServers prints every known language server with its state (installed,
// missing, turned off, or unable to run) and the reason.
func (a *app) listServers(c *cobra.Command) error {
	home, err := a.settings.home()
	if err != nil {
		return err
	}
	limits, err := a.settings.serversConfig(home)
	if err != nil {
		return err
	}
	pool, err := l3lsp.NewPool(limits.options(home, nil))
	if err != nil {
		return err
	}
	defer pool.Close()
	known := pool.Known(c.Context())
	if a.json {
		return a.printJSON(map[string]any{"servers": known}, contract.StatusOK)
	}
	var lines []typeset.Line
	for _, s := range known {
		state := typeset.Part{Role: typeset.Good, Text: "installed  "}
		rest := []typeset.Part{{Role: typeset.Path, Text: s.Path}}
		switch {
		case slices.Contains(limits.Off, s.Name):
			state = typeset.Part{Role: typeset.Dim, Text: "off        "}
			rest = []typeset.Part{{Text: "by "}, {Role: typeset.Path, Text: filepath.Join(home, "sextant.toml")}}
		case s.Path == "":
			state, rest = typeset.Part{Role: typeset.Caution, Text: "missing    "}, typeset.Text(s.Install)
		case s.Missing != "":
			state, rest = typeset.Part{Role: typeset.Caution, Text: "not run    "}, typeset.Text(s.Missing)
		case s.Version != "":
			rest = append(typeset.Text(s.Version+"  "), rest...)
		}
		lines = append(lines, append(typeset.Line{{Role: typeset.Name, Text: fmt.Sprintf("%-26s", s.Name)},
			{Text: fmt.Sprintf("  %-22s  ", strings.Join(s.Languages, ", "))}, state}, rest...))
	}
	return a.sheet().say(lines...)
}

// installServers prints the install commands, asks for consent unless yes is
// set, and runs them.
func (a *app) installServers(c *cobra.Command, names []string, yes bool) error {
	home, err := a.settings.serversHome()
	if err != nil {
		return err
	}
	for _, name := range names { // reject an unknown name before installing anything
		command, _, err := l3lsp.InstallCommand(home, name)
		if err != nil {
			return err
		}
		a.tell("%s: %s", name, strings.Join(command, " "))
	}
	if !yes {
		fmt.Fprint(a.err, "Run this? [y/N] ")
		answer, _ := bufio.NewReader(a.in).ReadString('\n') // end of input means no
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			return errors.New("nothing was installed; --yes installs without asking")
		}
	}
	for _, name := range names {
		if err := l3lsp.Install(c.Context(), home, name, a.err); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s is installed\n", name)
	}
	return nil
}

const trustHelp = `Let language servers run code of a workspace.

Some servers run what a project brings along to understand it: build scripts,
compiler plugins, macros, the project's own tools. By default none of it runs,
because code that you only want to read should not. This command allows it in
FOLDER and everything below, for every language server, until "sextant untrust
FOLDER". Without FOLDER, it lists the trusted folders.

Servers for C#, Kotlin, Ruby and Scala need this and run in trusted workspaces
only. The others always run, but may miss generated code, for example, in
workspaces that are not trusted.`

func (a *app) trustCommand() *cobra.Command {
	return &cobra.Command{
		Use: "trust [FOLDER]", GroupID: "serve",
		Short: "Let language servers run code of a workspace, or list the trusted ones",
		Long:  trustHelp, Example: "  sextant trust .        trust this workspace\n" +
			"  sextant trust          list the trusted ones\n  sextant untrust .      take it back",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.settings.trust()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				folders, err := list.List()
				for _, f := range folders {
					fmt.Fprintln(a.out, f)
				}
				if err == nil && len(folders) == 0 {
					fmt.Fprintln(a.err, "No workspace is trusted: language servers run no code of any. sextant trust "+
						"FOLDER trusts one.")
				}
				return err
			}
			real, err := list.Add(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s is trusted: language servers may run its build scripts, plugins and tools; "+
				"sextant untrust %s takes that back\n", real, quote(real))
			return nil
		},
	}
}

func (a *app) untrustCommand() *cobra.Command {
	return &cobra.Command{
		Use: "untrust FOLDER", GroupID: "serve", Short: "No longer let language servers run code of a workspace",
		Args: exactly(1, "untrust ."),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.settings.trust()
			if err != nil {
				return err
			}
			abs, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			removed, err := list.Remove(abs)
			if err != nil {
				return err
			}
			if !removed {
				return fmt.Errorf("%s is not in the list of trusted workspaces; sextant trust shows it", abs)
			}
			fmt.Fprintf(a.out, "%s is no longer trusted\n", abs)
			return nil
		},
	}
}
