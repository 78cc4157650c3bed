// Command sextant finds, outlines, reads and traces code in large workspaces,
// for coding agents (over MCP) and for people (on the command line).
//
// This package is flags, environment, exit codes and terminal output; what is
// said comes from internal/navigate, as an MCP client would get it.
package main

import (
	"context"
	"errors"
	"fmt"
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

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // the command could not do what it was asked
	exitUsage   = 2 // the command line is wrong
)

// run is main with everything it touches handed in.
func run(ctx context.Context, args []string, io streams) int {
	a := newApp(io)
	cmd := a.command()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if closeErr := a.close(); err == nil {
		err = closeErr
	}
	var usage *usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailure
	case errors.As(err, &usage):
		fmt.Fprintf(io.err, "%s %v\n", a.style.bad("sextant:"), err)
		return exitUsage
	}
	fmt.Fprintf(io.err, "%s %v\n", a.style.bad("sextant:"), err)
	return exitFailure
}

// errReported ends a command whose failure has been told already.
var errReported = errors.New("reported")

// usageError is a command line that cannot be meant.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }
