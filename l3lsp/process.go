//go:build unix

package l3lsp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// peer is the server's side of a session: a process, or a script in tests.
type peer interface {
	io.ReadWriteCloser // the standard streams of the peer; Close closes both
	// end asks the peer to exit, kills it if it does not, and returns when it is gone. grace is the
	// time to wait after each attempt; if it is 0, the peer is killed at once.
	end(grace time.Duration)
	pid() int
	use() use    // resources that the peer and its descendants use; zero if unknown
	why() string // describes how the peer ended, and its last message; "" if neither is known
}

// process is a running server with its guard.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr *tail
	guard  *guard
	exited chan struct{} // closed when Wait has returned
	state  error         // result of Wait; valid after exited is closed
}

// start runs a server in a process group of its own, with dir as its working directory and env as
// its whole environment. The server and its descendants end when this process ends, in whatever
// way; see guard.
func start(command, env []string, dir string) (peer, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Dir = env, dir
	p := &process{cmd: cmd, stderr: &tail{}, exited: make(chan struct{})}
	cmd.Stderr = p.stderr // cmd drains it in a goroutine
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	// Wait must not wait for a grandchild that keeps standard error open.
	cmd.WaitDelay = time.Second
	if p.guard, err = startGuarded(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", command[0], err)
	}
	go func() {
		p.state = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

func (p *process) Read(b []byte) (int, error)  { return p.stdout.Read(b) }
func (p *process) Write(b []byte) (int, error) { return p.stdin.Write(b) }
func (p *process) Close() error                { return errors.Join(p.stdin.Close(), p.stdout.Close()) }
func (p *process) pid() int                    { return p.guard.server }
func (p *process) group() int                  { return p.guard.group() }
func (p *process) use() use                    { return p.guard.use() }

// exitGrace is the time that a server has to exit after the notification
// "exit", before its input is closed. Some servers ignore "exit", but all
// should notice a closed input.
const exitGrace = 200 * time.Millisecond

// killWait is the longest wait for a killed process. A process that the kernel cannot end, such
// as one blocked on a dead network disk, is abandoned.
const killWait = 10 * time.Second

// end implements peer: it closes the server's input, then sends SIGTERM and
// finally SIGKILL, and waits for grace before each of the two signals. If grace
// is 0, it kills at once.
func (p *process) end(grace time.Duration) {
	if grace > 0 && !p.gone(exitGrace) {
		p.stdin.Close()
		if !p.gone(grace) {
			signalGroup(p.group(), syscall.SIGTERM)
			p.gone(grace)
		}
	}
	// Processes that the server started may outlive it, so kill the group in any case.
	p.guard.end()
	p.gone(killWait)
}

// gone waits for the end of the process, up to the time within, and reports whether it has ended.
func (p *process) gone(within time.Duration) bool {
	timeout := time.NewTimer(within)
	defer timeout.Stop()
	select {
	case <-p.exited:
		return true
	case <-timeout.C:
		return false
	}
}

func (p *process) why() string {
	var parts []string
	if p.gone(100*time.Millisecond) && p.state != nil { // the server's output ends a moment before its process
		parts = append(parts, p.state.Error())
	}
	if text := p.stderr.gist(); text != "" {
		parts = append(parts, "it said: "+text)
	}
	return strings.Join(parts, "; ")
}

// use is the memory and CPU time that processes use. Both are zero if the
// system does not report them.
type use struct {
	rss int64
	cpu time.Duration
}

// signalGroup sends a signal to a process group.
func signalGroup(group int, sig syscall.Signal) {
	_ = syscall.Kill(-group, sig) // the error ESRCH means that the group is empty
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is the number of bytes that are kept of the end of a server's standard error.
const maxTail = 8 << 10

// Write keeps the end of b. It never fails, and never blocks.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if len(b) > maxTail {
		b = b[len(b)-maxTail:]
	}
	t.text = append(t.text, b...)
	if len(t.text) > 2*maxTail {
		t.text = append(t.text[:0], t.text[len(t.text)-maxTail:]...)
	}
	return n, nil
}

// maxGist is the largest length in bytes of a quoted line of a server's output.
const maxGist = 200

// gist returns the most informative line of the kept text: the last line that contains an error, or
// else the last line.
func (t *tail) gist() (gist string) {
	t.mu.Lock()
	text := string(t.text[max(0, len(t.text)-maxTail):])
	t.mu.Unlock()
	named := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		names := strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") ||
			strings.Contains(line, "Error: ")
		if line != "" && (names || !named) {
			gist, named = line, named || names
		}
	}
	return strings.ToValidUTF8(gist[:min(len(gist), maxGist)], "")
}

// baseEnv returns the part of this process's environment that a server gets: the variables that
// it needs to find its program and its caches, and none that could make it run other programs.
// GOROOT and JAVA_HOME, which name folders of programs, are omitted if they are within an
// untrusted workspace.
func (r *setup) baseEnv() []string {
	env := []string{"PATH=" + r.path, "NO_COLOR=1"}
	for _, k := range []string{"HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "GOPATH", "GOMODCACHE", "GOCACHE",
		"GOROOT", "JAVA_HOME", "XDG_CACHE_HOME"} {
		programs := k == "GOROOT" || k == "JAVA_HOME"
		if v, ok := os.LookupEnv(k); ok && !(programs && inAny(v, r.shut)) {
			env = append(env, k+"="+v)
		}
	}
	return env
}
