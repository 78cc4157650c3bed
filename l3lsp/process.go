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

// peer is what a session talks to: a process, or a script of a test.
type peer interface {
	io.ReadWriteCloser // its standard streams; Close closes both
	// end waits for it to leave within grace, then makes it, and returns when
	// it is gone. Without grace it is made to leave at once.
	end(grace time.Duration)
	pid() int
	use() use    // of it and what it started; zero where it is not known
	why() string // what is known of its end and what it said last, "" when nothing
}

// process is a running server with its guard.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr *tail
	guard  *guard
	exited chan struct{} // closed once the process was waited for
	state  error         // what Wait said; read after exited
}

// start runs a server in a process group of its own, with dir as its folder
// and env as its whole environment. The server and what it starts end with
// this process, however that ends; see guard.
func start(command, env []string, dir string) (peer, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env, cmd.Dir = env, dir
	p := &process{cmd: cmd, stderr: &tail{}, exited: make(chan struct{})}
	cmd.Stderr = p.stderr // drained by a goroutine of the command's
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	// A grandchild that keeps standard error open must not hold up Wait.
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

// exitGrace is how long a server may take to leave when it is told to, before
// its input is closed: some do not hear "exit", but all should hear that.
const exitGrace = 200 * time.Millisecond

// killWait is how long a killed process is waited for: one that the kernel
// does not let go, on a dead network disk, is left to it.
const killWait = 10 * time.Second

func (p *process) end(grace time.Duration) {
	if grace > 0 && !p.gone(exitGrace) {
		p.stdin.Close()
		if !p.gone(grace) {
			signalGroup(p.group(), syscall.SIGTERM)
			p.gone(grace)
		}
	}
	// What the server started may outlive it, so that is killed either way.
	p.guard.end()
	p.gone(killWait)
}

// gone waits for the end of the process.
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
	if p.gone(100*time.Millisecond) && p.state != nil { // its streams end a moment before it does
		parts = append(parts, p.state.Error())
	}
	if text := p.stderr.gist(); text != "" {
		parts = append(parts, "it said: "+text)
	}
	return strings.Join(parts, "; ")
}

// use is what processes take: resident bytes, and processor time so far; zero
// where the system does not tell.
type use struct {
	rss int64
	cpu time.Duration
}

// signalGroup sends a signal to a process group.
func signalGroup(group int, sig syscall.Signal) {
	_ = syscall.Kill(-group, sig) // ESRCH: nobody is left
}

// tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is how much of a server's standard error is kept.
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

// maxGist bounds a line of a server's in a message of ours, in bytes.
const maxGist = 200

// gist is the line that says most of what was kept: the last that names an
// error, or else the last.
func (t *tail) gist() (gist string) {
	t.mu.Lock()
	text := string(t.text[max(0, len(t.text)-maxTail):])
	t.mu.Unlock()
	named := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		names := strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.Contains(line, "Error: ")
		if line != "" && (names || !named) {
			gist, named = line, named || names
		}
	}
	return strings.ToValidUTF8(gist[:min(len(gist), maxGist)], "")
}

// baseEnv is the part of this process's environment that a server gets: what
// it needs to find itself and its caches, and nothing that could change what it
// runs. Of the folders that name programs those of a workspace are left out.
func (r *setup) baseEnv() []string {
	env := []string{"PATH=" + r.path, "NO_COLOR=1"}
	for _, k := range []string{"HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "GOPATH", "GOMODCACHE", "GOCACHE", "GOROOT", "JAVA_HOME", "XDG_CACHE_HOME"} {
		programs := k == "GOROOT" || k == "JAVA_HOME"
		if v, ok := os.LookupEnv(k); ok && !(programs && inAny(v, r.shut)) {
			env = append(env, k+"="+v)
		}
	}
	return env
}
