package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"sextant/internal/code"
	"sextant/internal/navigate"
	"sextant/jit"
	"sextant/l1fts"
)

// playHalfway builds the index of ws in the data folder home, for a test that runs it as a process.
// When it extracts a file it prints "halfway", and goes on only when its standard input is closed.
func playHalfway(home, ws string) int {
	ctx := context.Background()
	opt := navigate.IndexOptions(home, l1fts.Options{})
	opt.Watch, opt.Version = jit.WatchOff, programVersion()
	opt.Extract = func(string, []byte) (code.File, error) {
		fmt.Println("halfway")
		_, err := io.Copy(io.Discard, os.Stdin)
		return code.File{}, err
	}
	roots, err := jit.Open(ctx, opt)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	root, err := roots.Track(ctx, ws, jit.Policy{})
	if err == nil {
		err = root.Build(ctx, "create", nil)
	}
	fmt.Fprintln(os.Stderr, "the build has ended:", err)
	return 1
}
