package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sextant/l3lsp"
)

// serversHome is where servers that Sextant installed lie, and what they keep.
func (a *app) serversHome() (string, error) {
	home, err := a.home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, "servers"), nil
}

const serversHelp = `List the language servers that are known, whether each is installed, and how it
is to be had. They prove the edges of the call graph.

A server is looked for in the data folder, where "sextant servers install" puts
it, and then on PATH, but never in a workspace. The data folder's sextant.toml
names other programs and limits; a workspace has no say in them:

  [servers]
  max = 3              # at once, over all of your processes; 0 starts none
  idle = "5m"          # after which one is stopped that nobody asks
  memory_mb = 4096     # that one may hold, with all that it starts
  off = ["clangd"]     # never run

  [servers.command]    # in place of the table's: the program by its absolute
  jdtls = ["/opt/jdtls/bin/jdtls", "-configuration", "/home/me/.jdtls"]
  pyright = ["basedpyright-langserver", "--stdio"]    # path, or by name

SEXTANT_MAX_SERVERS and SEXTANT_SERVER_IDLE win over max and idle.`

func (a *app) serversCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "servers", GroupID: "serve", Short: "List the language servers that are known, and what is installed", Args: noArguments,
		Long: serversHelp,
		RunE: func(c *cobra.Command, _ []string) error { return a.listServers(c) },
	}
	a.jsonFlag(cmd)
	yes := false
	install := &cobra.Command{
		Use: "install SERVER...", Short: "Install language servers at their tested versions, for Sextant alone",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{errors.New("sextant servers install takes the names of servers, for example: sextant servers install gopls pyright")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, names []string) error { return a.installServers(c, names, yes) },
	}
	install.Flags().BoolVarP(&yes, "yes", "y", false, "install without asking")
	cmd.AddCommand(install)
	return cmd
}

func (a *app) listServers(c *cobra.Command) error {
	home, err := a.home()
	if err != nil {
		return err
	}
	limits, err := a.serversConfig(home)
	if err != nil {
		return err
	}
	pool, err := l3lsp.NewPool(limits.options(filepath.Join(home, "servers"), l3lsp.NewTrust(home)))
	if err != nil {
		return err
	}
	defer pool.Close()
	known := pool.Known(c.Context())
	if a.json {
		return a.printJSON(map[string]any{"servers": known}, "ok")
	}
	for _, s := range known {
		state, rest := a.style.good("installed"), s.Path
		if s.Version != "" {
			rest = s.Version + "  " + a.style.path(s.Path)
		}
		if slices.Contains(limits.Off, s.Name) {
			state, rest = a.style.dim("off      "), "by "+filepath.Join(home, "sextant.toml")
		} else if s.Path == "" {
			state, rest = a.style.warn("missing  "), s.Install
		} else if s.Missing != "" {
			state, rest = a.style.warn("not run  "), s.Missing
		}
		fmt.Fprintf(a.out, "%s  %s  %s  %s\n", a.style.name(fmt.Sprintf("%-26s", s.Name)), fmt.Sprintf("%-22s", strings.Join(s.Languages, ", ")), state, rest)
	}
	return nil
}

func (a *app) installServers(c *cobra.Command, names []string, yes bool) error {
	home, err := a.serversHome()
	if err != nil {
		return err
	}
	for _, name := range names { // before anything is installed
		command, _, err := l3lsp.InstallCommand(home, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.err, "%s: %s\n", name, strings.Join(command, " "))
	}
	if !yes {
		fmt.Fprint(a.err, "Run this? [y/N] ")
		answer, _ := bufio.NewReader(a.in).ReadString('\n') // none is no
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

func (a *app) trustCommand() *cobra.Command {
	return &cobra.Command{
		Use: "trust [PATH]", GroupID: "serve", Short: "Let language servers run code of a workspace; without PATH, list the trusted ones",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.trust()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				folders, err := list.List()
				for _, f := range folders {
					fmt.Fprintln(a.out, f)
				}
				if err == nil && len(folders) == 0 {
					fmt.Fprintln(a.err, "No workspace is trusted; language servers run nothing of any.")
				}
				return err
			}
			real, err := list.Add(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s is trusted: language servers may run its build scripts, plugins and tools\n", real)
			return nil
		},
	}
}

func (a *app) untrustCommand() *cobra.Command {
	return &cobra.Command{
		Use: "untrust PATH", GroupID: "serve", Short: "End the trust in a workspace", Args: exactly(1, "untrust ."),
		RunE: func(_ *cobra.Command, args []string) error {
			list, err := a.trust()
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
			fmt.Fprintf(a.out, "%s is trusted no more\n", abs)
			return nil
		},
	}
}

// trust is the list of trusted workspaces.
func (a *app) trust() (l3lsp.Trust, error) {
	home, err := a.home()
	if err != nil {
		return l3lsp.Trust{}, err
	}
	return l3lsp.NewTrust(home), nil
}
