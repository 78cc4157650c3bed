package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"sextant/internal/navigate"
	"sextant/internal/store"
	"sextant/jit"
	"sextant/l1fts"
	"sextant/l2meta"
	"sextant/mcp"
)

// streams is the terminal or pipe that a command talks to.
type streams struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	// outTerminal and errTerminal say whether the streams are terminals.
	outTerminal, errTerminal bool
}

func systemStreams() streams {
	return streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv,
		outTerminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr)}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// app is one run of the program. What commands need is opened when they need
// it.
type app struct {
	streams
	style   style
	json    bool // print the answer as it is, for programs
	path    string
	noWatch bool
	quiet   bool
	roots   *jit.Roots
	service *navigate.Service
}

func newApp(io streams) *app {
	return &app{streams: io, style: newStyle(io)}
}

func (a *app) close() error {
	if a.roots == nil {
		return nil
	}
	return a.roots.Close()
}

// A tier's housekeeping is found by its methods: one that lost them would
// never be tended.
var _ jit.Merger = (*l1fts.Index)(nil)

// programVersion is the version that answers and handshakes name.
func programVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// home is the folder of catalog and databases.
func (a *app) home() (string, error) {
	if h := a.env("SEXTANT_HOME"); h != "" {
		abs, err := filepath.Abs(h)
		if err != nil {
			return "", fmt.Errorf("SEXTANT_HOME=%s: %w", h, err)
		}
		return abs, nil
	}
	if runtime.GOOS == "darwin" {
		return a.underHome("Library", "Application Support", "sextant")
	}
	if d := a.env("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "sextant"), nil
	}
	return a.underHome(".local", "share", "sextant")
}

func (a *app) underHome(steps ...string) (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w; set SEXTANT_HOME", err)
	}
	return filepath.Join(append([]string{home}, steps...)...), nil
}

// open opens the roots and the service over them.
func (a *app) open(ctx context.Context) (*navigate.Service, error) {
	if a.service != nil {
		return a.service, nil
	}
	home, err := a.home()
	if err != nil {
		return nil, err
	}
	watch := jit.WatchOff
	if !a.noWatch && a.env("SEXTANT_WATCH") != "off" {
		watch = jit.WatchAuto
	}
	words := l1fts.New(l1fts.Options{})
	a.roots, err = jit.Open(ctx, jit.Options{
		Home: home, Extract: l2meta.Extract, Tiers: []jit.Indexer{words, l2meta.Index{}},
		Schemas: []store.Schema{l1fts.Schema(), l2meta.Schema()}, Watch: watch, Version: programVersion(),
	})
	if err != nil {
		return nil, fmt.Errorf("open the index: %w", err)
	}
	lines, err := a.readLines()
	if err != nil {
		return nil, err
	}
	a.service = navigate.New(navigate.Options{Roots: a.roots, Version: programVersion(), ReadLines: lines})
	return a.service, nil
}

// readLines is SEXTANT_READ_FILE_MAX_LINES, 0 when it is not set.
func (a *app) readLines() (int, error) {
	text := a.env("SEXTANT_READ_FILE_MAX_LINES")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("SEXTANT_READ_FILE_MAX_LINES=%q: expected a number above 0, for example 1000", text)
	}
	return n, nil
}

// server is the MCP server over the service.
func (a *app) server() *mcp.Server {
	opts := mcp.Options{
		Open:    func(ctx context.Context) (mcp.Service, error) { return a.open(context.WithoutCancel(ctx)) },
		Version: programVersion(), Format: navigate.Format(a.env("SEXTANT_FORMAT")),
	}
	if !a.quiet {
		opts.Log = slog.New(slog.NewJSONHandler(a.err, nil))
	}
	return mcp.NewServer(opts)
}

// command is the whole command line.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "sextant",
		Short:         "Find, outline, read and trace code in large workspaces; for agents and people",
		Long:          longHelp,
		SilenceErrors: true, SilenceUsage: true,
		Version: programVersion(),
	}
	root.SetVersionTemplate("sextant {{.Version}}\n")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w; see %s --help", err, c.CommandPath())}
	})
	root.PersistentFlags().StringVarP(&a.path, "path", "C", "", "folder or file to work on (default: the tracked codebase or repository around the current folder)")
	root.AddGroup(&cobra.Group{ID: "ask", Title: "Ask:"}, &cobra.Group{ID: "index", Title: "Index:"}, &cobra.Group{ID: "serve", Title: "Agents:"})
	root.AddCommand(a.searchCommand(), a.outlineCommand(), a.graphCommand(), a.readCommand(),
		a.indexCommand(), a.listCommand(), a.statusCommand(), a.clearCommand(),
		a.serveCommand(), a.toolCommand(), a.versionCommand())
	return root
}

const longHelp = `Sextant answers questions about code: where something is, what a file holds, who
calls a function. It indexes the folder you stand in on the first question, keeps
the index fresh before every answer, and needs no account and no network.

  sextant search "where are sessions expired"     ranked, with the owning symbols
  sextant search 'must:"ctx.Err()"'                every line that holds it
  sextant outline internal/server/server.go       the symbols of a file
  sextant graph Server.Handle                     callers and callees
  sextant serve                                   the six tools over MCP, for an agent`

// exactly reports a wrong number of arguments with an example.
func exactly(n int, example string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return &usageError{fmt.Errorf("%s takes %d argument(s), got %d; for example: sextant %s", c.CommandPath(), n, len(args), example)}
	}
}

// where is the absolute path that a command works on: the one asked for, else
// the tracked codebase or the repository around the current folder.
func (a *app) where(ctx context.Context) (string, error) {
	if a.path != "" {
		abs, err := filepath.Abs(a.path)
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(abs); err != nil {
			return "", fmt.Errorf("%s does not exist", a.path)
		}
		return abs, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the current folder: %w; name one with --path", err)
	}
	if _, err := a.open(ctx); err != nil {
		return "", err
	}
	root, _, err := a.roots.Resolve(ctx, here)
	if err == nil {
		return root.Path(), nil
	}
	if !errors.Is(err, jit.ErrNotTracked) {
		return "", err
	}
	return repositoryTop(here), nil
}

// repositoryTop is the nearest folder above here that holds .git, else here.
func repositoryTop(here string) string {
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return here
		}
	}
}
