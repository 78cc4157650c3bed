package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// peerCommands lists other tools to compare with the cold index. In them {tree} is replaced by
// the tree, and {out} by a path for their output. Output in the top folder of the tree itself is
// measured and removed, too.
var peerCommands = []string{"ctags -R --fields=+n -f {out} {tree}", "zoekt-index -index {out} {tree}",
	"codegraph init -y {tree}"}

// peerLimit is the time limit for the run of another tool.
const peerLimit = 15 * time.Minute

// literal occurs in some files of most trees. sextant search and ripgrep search for it.
const literal = "context.Background()"

// index measures the cold index of dir, with its data in home. It also measures a search for one
// literal in all files, and other tools for comparison.
func (b *bench) index(ctx context.Context, t *table, home, dir string) error {
	for _, p := range b.peers {
		words := strings.Fields(strings.NewReplacer("{tree}", dir, "{out}", home+".peer").Replace(p))
		if err := t.indexer(ctx, words, dir, home+".peer"); err != nil {
			return err
		}
	}
	env := []string{"SEXTANT_HOME=" + home}
	if err := t.process(ctx, "cold index", []string{b.binary, "index", dir}, env); err != nil {
		return err
	}
	_, bytes, err := size(home)
	t.add("cold index", "MB on disk", float64(bytes)/1e6)
	if err != nil {
		return err
	}
	search := []string{b.binary, "search", "--path", dir, "--scope", "mixed", `must:"` + literal + `"`}
	if err := t.process(ctx, "one literal, whole process", search, env); err != nil {
		return err
	}
	return t.peer(ctx, "rg, the same literal",
		[]string{"rg", "-F", "--hidden", "--no-ignore", "--no-config", literal, dir})
}

// indexer measures another tool that indexes the tree dir, and removes the index
// from out or from dir.
func (t *table) indexer(ctx context.Context, words []string, dir, out string) error {
	before, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if err := t.peer(ctx, words[0], words); err != nil {
		return err
	}
	after, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	written := []string{out}
	for _, entry := range after {
		same := func(old os.DirEntry) bool { return old.Name() == entry.Name() }
		if !slices.ContainsFunc(before, same) {
			written = append(written, filepath.Join(dir, entry.Name()))
		}
	}
	for _, path := range written {
		_, bytes, err := size(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err = errors.Join(err, os.RemoveAll(path)); err != nil {
			return err
		}
		t.add(words[0], "MB on disk", float64(bytes)/1e6)
	}
	return nil
}

// peer does the same as process, for another tool. If the tool is not installed, or takes longer
// than peerLimit, a note below the table reports it.
func (t *table) peer(ctx context.Context, what string, args []string) error {
	if _, err := exec.LookPath(args[0]); err != nil {
		t.note(args[0] + " is not installed")
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, peerLimit)
	defer cancel()
	err := t.process(limited, what, args, nil)
	if limited.Err() != nil && ctx.Err() == nil {
		t.note(fmt.Sprintf("%s was ended after %v", args[0], peerLimit))
		return nil
	}
	return err
}

// process runs a command and adds its wall time, CPU time and peak memory to the row what of t. The
// command may exit with status 1, as a search does that finds nothing.
func (t *table) process(ctx context.Context, what string, args, env []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // a search that finds nothing exits with status 1
		return fmt.Errorf("%s: %w\n%s", what, err, out)
	}
	t.add(what, "wall s", time.Since(began).Seconds())
	t.add(what, "CPU s", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		t.add(what, "peak MB", float64(use.Maxrss)/1e3)
	}
	return nil
}

// tick is the unit of CPU time in /proc.
const tick = 10 * time.Millisecond

// used returns the CPU time of a process so far.
func used(pid int) (time.Duration, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, err
	}
	// The second field is the command's name in parentheses, which may contain spaces. Of the
	// fields after it, utime and stime are the twelfth and thirteenth.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, err
}

// resident returns the bytes of memory that a process shares with no other
// process, and the peak of its resident memory.
func resident(pid int) (own, peak float64, err error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[2] != "kB" {
			continue
		}
		kB, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			return 0, 0, err
		}
		switch fields[0] {
		case "RssAnon:", "RssShmem:":
			own += kB * 1024
		case "VmHWM:":
			peak = kB * 1024
		}
	}
	return own, peak, nil
}

// load returns the load averages of the machine.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Join(strings.Fields(string(text))[:3], " ")
}
