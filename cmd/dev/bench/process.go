package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// peerCommands are other tools to compare with the cold index. In them {tree} is
// replaced by the tree, and {out} by a path for their output.
var peerCommands = []string{"ctags -R --fields=+n -f {out} {tree}", "zoekt-index -index {out} {tree}"}

// literal occurs in some files of most trees. sextant search and ripgrep search for it.
const literal = "context.Background()"

// index measures the cold index of dir in home, the search for one literal in all
// files, and the tools that both are compared with.
func (b *bench) index(ctx context.Context, t *table, home, dir string) error {
	for _, p := range b.peers {
		words := strings.Fields(strings.NewReplacer("{tree}", dir, "{out}", home+".peer").Replace(p))
		if err := errors.Join(t.peer(ctx, words[0], words), os.RemoveAll(home+".peer")); err != nil {
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

// peer is like process, for another tool, which may not be installed.
func (t *table) peer(ctx context.Context, what string, args []string) error {
	if _, err := exec.LookPath(args[0]); err != nil {
		t.note(args[0] + " is not installed")
		return nil
	}
	return t.process(ctx, what, args, nil)
}

// process runs a command, which may exit with 1, and adds its wall time, CPU time and peak memory
// to t.
func (t *table) process(ctx context.Context, what string, args, env []string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // a search that finds nothing
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
	// After the command, which may hold spaces, utime and stime are the twelfth
	// and thirteenth field.
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
