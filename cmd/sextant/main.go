// Command sextant finds, outlines, reads and traces code in large workspaces,
// for coding agents (over MCP) and for people (on the command line).
//
// This package is flags, environment, exit codes and terminal output; what is
// said comes from internal/navigate, as an MCP client would get it.
//
// Answers go to standard output, everything else (progress, warnings, errors)
// to standard error, so that a pipe gets what was asked for and no more.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// version is set at link time; a build without it is named by its module
// version.
var version = ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], systemStreams()))
}

// run is main with everything it touches handed in. It returns the exit code.
func run(ctx context.Context, args []string, io streams) int {
	a := newApp(io)
	cmd := a.command()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	return a.report(ctx, err)
}
