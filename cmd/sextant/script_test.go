package main

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain also lets the test binary act as a tap (see playTap), as a process that
// builds half an index (see playHalfway), or as the sextant command.
func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == "tap" {
		os.Exit(playTap(os.Args[2], os.Args[3:]))
	}
	if len(os.Args) == 4 && os.Args[1] == "halfway" {
		os.Exit(playHalfway(os.Args[2], os.Args[3]))
	}
	if filepath.Base(os.Args[0]) != "sextant" {
		// Tests that serve read answers as JSON. Scripts have an environment of
		// their own.
		os.Setenv("SEXTANT_FORMAT", "json")
	}
	testscript.Main(m, map[string]func(){"sextant": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		os.Exit(run(ctx, os.Args[1:], systemStreams()))
	}})
}

// TestScript runs the command line in the scenarios of testdata/script, one
// file per subject.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("SEXTANT_HOME", filepath.Join(env.WorkDir, ".index"))
			env.Setenv("SEXTANT_MAX_SERVERS", "0") // results must not depend on the installed servers
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
