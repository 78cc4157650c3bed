//go:build unix && !linux

package l3lsp

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// guard is a shell that leads the process group of a server and kills the group when this process
// is gone. The server's own child processes (tsserver below its wrapper, build tools) have no
// pipe to this process that would end them, and where the kernel cannot bind a child to its
// parent, the server itself may keep running too. The guard starts before the server, so that no
// server runs without one.
//
// Processes that leave the process group are not killed: these systems have no subreaper.
type guard struct {
	shell  *exec.Cmd
	held   io.Closer // the shell waits until this is closed
	server int       // process id of the server
}

// startGuarded starts cmd in the process group of a new guard.
func startGuarded(cmd *exec.Cmd) (*guard, error) {
	shell := exec.Command("/bin/sh", "-c", `trap "" TERM; read -r _; kill -s KILL 0`)
	shell.Env, shell.Dir = []string{}, "/"
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal to our group must not kill it
	held, err := shell.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := shell.Start(); err != nil {
		return nil, fmt.Errorf("guard: %w", err)
	}
	g := &guard{shell: shell, held: held}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.group()}
	if err := cmd.Start(); err != nil {
		g.end()
		return nil, err
	}
	g.server = cmd.Process.Pid
	return g, nil
}

func (g *guard) group() int { return g.shell.Process.Pid }

// use returns zero, because these systems do not report the resources of a process.
func (g *guard) use() use { return use{} }

// end kills the group, the guard included.
func (g *guard) end() {
	signalGroup(g.group(), syscall.SIGKILL)
	g.held.Close()
	_ = g.shell.Wait() // the error only says that the shell was killed
}
