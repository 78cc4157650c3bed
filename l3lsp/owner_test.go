package l3lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"
)

var ownerLanguages = []string{"go", "python", "c", "php", "bash"}

// ownerTask is the work of an owner of real servers, stored as a file.
type ownerTask struct {
	Dirs    []string // folders of the servers
	Within  time.Duration
	Batches []struct {
		Folder, Language string
		Files            []Source
		Canary           *Canary
	}
}

// playOwner runs as a process with a pool, and queries it at random until its
// input ends. It writes a line for each batch that was answered or refused. Its
// servers are fakes with MARK in their command lines, or COMMAND: "owner HOME
// MODE MARK SEED [COMMAND …]"; or real ones: "owner HOME real TASKFILE SEED".
func playOwner(args []string) {
	home, mode, mark := args[0], args[1], args[2]
	seed, _ := strconv.ParseUint(args[3], 10, 64)
	opt, batches, within := Options{Home: home, Idle: 2 * time.Second}, []Batch{}, 5*time.Second
	if mode == "real" {
		var task ownerTask
		text, err := os.ReadFile(mark)
		if err = errors.Join(err, json.Unmarshal(text, &task)); err != nil {
			fail(err)
		}
		opt.Dirs, opt.Idle, within = task.Dirs, 0, task.Within
		for _, b := range task.Batches {
			batches = append(batches, Batch{Folder: b.Folder, Language: b.Language, Files: b.Files, Canary: b.Canary})
		}
	} else {
		command := []string{os.Args[0], "fake", mode, mark}
		if len(args) > 4 {
			command = args[4:]
		}
		opt.Command = func(string) []string { return command }
		for _, l := range ownerLanguages {
			b := call(l)
			b.Folder = home // any folder that is there
			batches = append(batches, b)
		}
	}
	p, err := NewPool(opt)
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
		askAsOwner(ctx, p, batches[random.IntN(len(batches))], within)
		time.Sleep(time.Duration(random.IntN(50)) * time.Millisecond)
	}
	p.Close()
}

func askAsOwner(ctx context.Context, p *Pool, b Batch, within time.Duration) {
	asked, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	rep, err := p.Ask(asked, b)
	var e *Error
	switch {
	case ctx.Err() != nil: // stopped by the test
	case errors.As(err, &e):
		fmt.Println(b.Language, e.State)
	default:
		fmt.Println(b.Language, rep.State)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
