package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"sextant/internal/budget"
	"sextant/internal/navigate"
	"sextant/internal/navigate/servers"
	"sextant/internal/typeset"
	"sextant/internal/usage"
	"sextant/jit"
	"sextant/mcp"
)

// streams holds the standard input, output and error of a command, and its environment variables.
type streams struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	// outTerminal and errTerminal report whether out and err are terminals.
	outTerminal, errTerminal bool
	outColumns, errColumns   int // widths of out and err in columns, 0 if it is no terminal
}

// systemStreams returns the streams and the environment of this process.
func systemStreams() streams {
	return streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv,
		outTerminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr),
		outColumns: columns(os.Stdout, os.Getenv), errColumns: columns(os.Stderr, os.Getenv)}
}

func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) }

// app is one run of the program. Its method open opens the index and the
// service when a command first needs them.
type app struct {
	console
	path     string
	quiet    bool
	roots    *jit.Roots
	settings settings
	servers  serversConfig // settings of the language servers, with defaults filled in; set by open
	prover   *servers.Prover
	meaning  semantic
	service  *navigate.Service
	caches   *budget.Budget
	usage    *usage.Log // set by spent
}

func newApp(io streams) *app {
	return &app{console: newConsole(io), settings: settings{env: io.env}, caches: budget.New(cacheBytes)}
}

func (a *app) close() error {
	if a.service != nil {
		a.service.Close()
	}
	a.prover.Close()
	if a.usage != nil {
		_ = a.usage.Close() // a failure to count tokens is no failure of the server
	}
	if a.roots == nil {
		return nil
	}
	return a.roots.Close()
}

// programVersion returns the version for answers and handshakes: the one set at
// link time, or else the module version, or "dev" if neither is known.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// open opens the index and the service, or returns the service that is open
// already.
func (a *app) open(ctx context.Context) (*navigate.Service, error) {
	if a.service != nil {
		return a.service, nil
	}
	home, err := a.settings.home()
	if err != nil {
		return nil, err
	}
	watch, err := a.settings.watchMode()
	if err != nil {
		return nil, err
	}
	lines, err := a.settings.readLines()
	if err != nil {
		return nil, err
	}
	if a.meaning, err = a.settings.semantic(home); err != nil {
		return nil, err
	}
	if a.servers, err = a.settings.serversConfig(home); err != nil {
		return nil, err
	}
	a.prover = servers.New(a.servers.options(home, a.shut))
	index := navigate.IndexOptions(home, a.meaning.words)
	index.Watch, index.Version, index.Moved = watch, programVersion(), a.prover.Moved
	if a.roots, err = jit.Open(ctx, index); err != nil {
		return nil, fmt.Errorf("open the index in %s: %w; set SEXTANT_HOME to another folder", home, err)
	}
	a.meaning.words.Budget, a.meaning.words.Scratch = a.caches, home
	a.service = navigate.New(navigate.Options{Roots: a.roots, Version: programVersion(), ReadLines: lines,
		Words: a.meaning.words, Fusion: a.meaning.fusion, NoEmbedder: a.meaning.missing, Resident: !a.settings.once,
		Prover: a.prover, Budget: a.caches})
	return a.service, nil
}

// workingDir returns the folder that tool calls over MCP refer to if they name
// none: --path, or else the current folder; "" if that was removed.
func (a *app) workingDir() string {
	dir, err := filepath.Abs(a.path)
	if err != nil {
		return ""
	}
	return dir
}

// server returns an MCP server that opens the service on its first call.
func (a *app) server() *mcp.Server {
	opts := mcp.Options{
		Open:    func(ctx context.Context) (mcp.Service, error) { return a.open(context.WithoutCancel(ctx)) },
		Version: programVersion(), Format: a.settings.format(), Dir: a.workingDir(),
		FileTokens: usage.FileTokens, Spent: a.spent(),
	}
	if !a.quiet {
		opts.Log = slog.New(slog.NewJSONHandler(a.err, nil))
	}
	return mcp.NewServer(opts)
}

// command builds the root command with all subcommands.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "sextant",
		Short:         "Find, outline, read and trace code in large workspaces; for agents and people",
		Long:          longHelp,
		SilenceErrors: true, SilenceUsage: true,
		Version: programVersion(),
		// serve is the only command that keeps running.
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			a.settings.once = c.Name() != "serve"
			memory := heap{a.env, a.caches}
			memory.pace(startGrowth)
			if a.settings.once {
				go memory.watch(c.Context())
			}
		},
	}
	root.SetVersionTemplate("sextant {{.Version}}\n")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetUsageTemplate(fittedUsage(root.UsageTemplate(), a.outColumns))
	root.SetFlagErrorFunc(flagFault)
	root.PersistentFlags().StringVarP(&a.path, "path", "p", "",
		"folder or file to work on (default: the tracked codebase or repository around the current folder)")
	root.AddGroup(&cobra.Group{ID: "ask", Title: "Ask:"}, &cobra.Group{ID: "index", Title: "Index:"},
		&cobra.Group{ID: "serve", Title: "Agents:"})
	root.AddCommand(a.searchCommand(), a.outlineCommand(), a.graphCommand(), a.impactCommand(),
		a.servicesCommand(), a.readCommand(), a.indexCommand(), a.listCommand(), a.statusCommand(), a.clearCommand(),
		a.serveCommand(), a.serversCommand(), a.trustCommand(), a.untrustCommand(), a.toolCommand(), a.statsCommand(),
		a.versionCommand())
	strictBuiltins(root)
	return root
}

// fittedUsage returns cobra's template for the usage of a command with the texts of flags wrapped at so many
// columns. With 0 columns, which is no terminal, it returns the template unchanged.
func fittedUsage(template string, columns int) string {
	if columns == 0 {
		return template
	}
	return strings.ReplaceAll(template, "Flags.FlagUsages ", fmt.Sprintf("Flags.FlagUsagesWrapped %d ", columns))
}

// strictBuiltins makes the commands help and completion, which cobra adds, refuse unknown names
// as wrong usage. Cobra itself prints help for them, and the program would exit with 0.
func strictBuiltins(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Args = func(_ *cobra.Command, names []string) error {
				if _, rest, err := root.Find(names); err != nil || len(rest) > 0 {
					return &usageError{fmt.Errorf("no command is called %q; sextant --help lists them",
						strings.Join(names, " "))}
				}
				return nil
			}
		case "completion":
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
			c.Args = func(_ *cobra.Command, shells []string) error {
				if len(shells) > 0 {
					return &usageError{fmt.Errorf("sextant completion: expected bash, fish, powershell or zsh, got %q",
						shells[0])}
				}
				return nil
			}
		}
	}
}

const longHelp = `Sextant answers questions about code: where something is, what a file holds,
who calls a function. It indexes the folder you stand in on the first question,
keeps the index fresh before every answer, and needs no account and no network.

  sextant search "where are sessions expired"   ranked, with the owning symbols
  sextant search 'must:"ctx.Err()"'             every line that holds it
  sextant outline internal/server/server.go     the symbols of a file
  sextant graph Server.Handle                   callers and callees
  sextant serve                                 the six tools over MCP, for agents`

// exactly returns a function that checks whether a command has n arguments. For any other number,
// the function returns a usage error with an example.
func exactly(n int, example string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return &usageError{fmt.Errorf("%s takes %s, got %d; for example: sextant %s", c.CommandPath(),
			count(n, "argument"), len(args), example)}
	}
}

// atLeastOne returns a function that checks whether a command has at least one argument.
// Otherwise the function returns a usage error with an example.
func atLeastOne(example string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return nil
		}
		return &usageError{fmt.Errorf("%s takes 1 argument or more, got 0; for example: sextant %s",
			c.CommandPath(), example)}
	}
}

// each calls answer for the arguments one after the other, up to the first error. If
// there are several, it prints a line "== ARGUMENT" before each answer, as in an
// answer to an agent; with --json it does not, and each answer is one line.
func (a *app) each(args []string, answer func(arg string) error) error {
	path := a.path
	for _, arg := range args {
		if len(args) > 1 && !a.json {
			if err := a.sheet().say(typeset.Line{{Role: typeset.Dim, Text: "== " + arg}}); err != nil {
				return err
			}
		}
		a.path = path // the method locate changes a.path for an argument in another codebase
		if err := answer(arg); err != nil {
			return err
		}
	}
	return nil
}

// atMostPath accepts an optional folder argument and stores it as --path.
func (a *app) atMostPath(c *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return &usageError{fmt.Errorf("%s takes one folder at most, got %d; for example: %s src", c.CommandPath(),
			len(args), c.CommandPath())}
	case len(args) == 1 && args[0] == "":
		return &usageError{fmt.Errorf("%s: the folder is empty; for example: %s src", c.CommandPath(), c.CommandPath())}
	case len(args) == 1:
		a.path = args[0]
	}
	return nil
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &usageError{fmt.Errorf("%s takes no arguments, got %q", c.CommandPath(), args[0])}
}
