package l3lsp

// The guard is in guard_linux.c; the constructor in it needs no call.

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

// guard ends a server together with everything that it started, when the
// server ends, when end is called, and when this process is gone, however that
// came: it is this very binary once more, as the parent of the server and as
// the subreaper of its descendants (prctl(2)). A descendant that left the
// server's process group or session, and whose own parent has ended, is a
// child of the guard's then.
//
// What a guard does not survive is a SIGKILL of its own: the server dies with
// it, but not what left the server's process group.
type guard struct {
	cmd      *exec.Cmd // the guard, in whose place the caller waits
	lifeline io.Closer // the guard ends all when this is closed
	server   int       // process id
}

// startGuarded starts cmd below a guard. Afterwards cmd is the guard, which
// ends as the server does: with its exit status, or by its signal.
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
	cmd.Path = "/proc/self/exe"                           // also when a newer binary lies in its place
	cmd.ExtraFiles = []*os.File{lifeline, told}           // descriptors 3 and 4
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what kills our group must not kill it
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
		_ = cmd.Wait() // it says the same less well
		return nil, err
	}
	return g, nil
}

// readReport returns the process id of the server that the guard has started,
// or why it could not.
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

// group is the process group of the guard and of the server.
func (g *guard) group() int { return g.cmd.Process.Pid }

// use sums over all that descends from the guard.
func (g *guard) use() use { return treeUse(g.cmd.Process.Pid) }

// end makes the guard end the server with all that it started. The caller
// waits for it.
func (g *guard) end() { g.lifeline.Close() }
