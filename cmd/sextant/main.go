// Command sextant finds, outlines, reads and traces code in large workspaces,
// for coding agents (over MCP) and for people (on the command line).
//
// This package handles flags, environment, exit codes and terminal output. The
// answers come from internal/navigate; an MCP client gets the same ones.
//
// Answers go to standard output, everything else (progress, warnings, errors)
// to standard error, so that a pipe receives the answer alone.
package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// version is set at link time. If it is empty, programVersion uses the module
// version.
var version = ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], systemStreams()))
}

// run executes the command line args on io and returns the exit code. Tests
// call it in place of main.
func run(ctx context.Context, args []string, io streams) int {
	ctx, end := context.WithCancel(ctx)
	defer end()
	a := newApp(io)
	cmd := a.command()
	cmd.SetArgs(spareOperators(args))
	err := cmd.ExecuteContext(ctx)
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	return a.report(ctx, err)
}

// spareOperators returns args with a space before the query operator -path:, as in sextant search retry
// -path:vendor/. Otherwise it would be read as the flag -p with the value "ath:…".
func spareOperators(args []string) []string {
	if len(args) == 0 || args[0] != "search" {
		return args
	}
	out := slices.Clone(args)
	for i, arg := range out {
		if strings.HasPrefix(arg, "-path:") {
			out[i] = " " + arg
		}
	}
	return out
}
