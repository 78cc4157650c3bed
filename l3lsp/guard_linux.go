package l3lsp

// The guard is implemented in guard_linux.c. Its code runs before main, without
// a call from Go.

import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// guard is a process that ends a server and all its descendants when the server ends, when the
// method end is called, or when this process ends for any reason. It is this binary, started once
// more as the parent of the server. It is the subreaper of the server's descendants (prctl(2)):
// when the parent of a descendant ends, the descendant becomes a child of the guard, even outside
// the server's process group or session.
//
// If the guard itself is killed with SIGKILL, the server dies with it, but processes that left
// the server's process group survive.
type guard struct {
	cmd      *exec.Cmd // the guard; the caller of startGuarded waits for it
	lifeline io.Closer // closing it makes the guard end the server and its descendants
	server   int       // process id of the server
}

// startGuarded starts cmd below a guard. Afterwards cmd.Process is the guard's process. The guard
// ends in the same way as the server: with the same exit status, or by the same signal.
func startGuarded(cmd *exec.Cmd) (*guard, error) {
	if cmd.Err != nil {
		return nil, cmd.Err
	}
	lifeline, held, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	report, told, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, lifeline.Close(), held.Close())
	}
	defer report.Close()
	cmd.Args = append([]string{"sextant-guard", cmd.Path}, cmd.Args...)
	cmd.Path = "/proc/self/exe"                           // this link works even if the binary on disk was replaced
	cmd.ExtraFiles = []*os.File{lifeline, told}           // descriptors 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal to our group must not kill it
	err = cmd.Start()
	lifeline.Close()
	told.Close()
	if err != nil {
		held.Close()
		return nil, fmt.Errorf("guard: %w", err)
	}
	g := &guard{cmd: cmd, lifeline: held}
	if g.server, err = readReport(report); err != nil {
		held.Close()
		_ = cmd.Wait() // err says more than the error of Wait
		return nil, err
	}
	return g, nil
}

// readReport returns the process id of the server that the guard started, or
// the error of the guard.
func readReport(r io.Reader) (pid int, err error) {
	b, err := io.ReadAll(r)
	switch {
	case err != nil:
		return 0, err
	case len(b) >= 8:
		return 0, syscall.Errno(binary.NativeEndian.Uint32(b[4:]))
	case len(b) < 4:
		return 0, errors.New("its guard ended at once")
	}
	return int(binary.NativeEndian.Uint32(b)), nil
}

// group returns the process group of the guard and the server.
func (g *guard) group() int { return g.cmd.Process.Pid }

// use returns the resources that the guard and its descendants use in total.
func (g *guard) use() use { return treeUse(g.cmd.Process.Pid) }

// end makes the guard end the server and its descendants, without waiting.
func (g *guard) end() { g.lifeline.Close() }
