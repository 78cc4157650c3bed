package l3lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"
)

var ownerLanguages = []string{"go", "python", "c", "php", "bash"}

// playOwner is a process that has a pool of fake servers and asks it for this
// and that until its input ends: "owner HOME MODE MARK SEED". The servers bear
// MARK in their command lines. It writes a line for each question that was
// answered or refused.
func playOwner(args []string) {
	home, mode, mark := args[0], args[1], args[2]
	seed, _ := strconv.ParseUint(args[3], 10, 64)
	exe, err := os.Executable()
	if err != nil {
		fail(err)
	}
	command := []string{exe, "fake", mode, mark}
	if len(args) > 4 {
		command = args[4:]
	}
	p, err := NewPool(Options{Home: home, Idle: 2 * time.Second, Command: func(string) []string { return command }})
	if err != nil {
		fail(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	random := rand.New(rand.NewPCG(seed, 0))
	for ctx.Err() == nil {
		language := ownerLanguages[random.IntN(len(ownerLanguages))]
		within, cancel := context.WithTimeout(ctx, 5*time.Second)
		b := call(language)
		b.Folder = home // any folder that is there
		rep, err := p.Ask(within, b)
		cancel()
		var e *Error
		switch {
		case ctx.Err() != nil: // it was to stop
		case errors.As(err, &e):
			fmt.Println(language, e.State)
		default:
			fmt.Println(language, rep.State)
		}
		time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond)
	}
	p.Close()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
