package l3lsp

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// process is a running server: its streams and its process group.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr *tail
	exited chan struct{} // closed once the process was waited for
	state  error         // what Wait said; read after exited
}

// start runs a server in a process group of its own, with dir as its folder
// and env as its whole environment. The group dies with this process.
func start(command, env []string, dir string) (*process, error) {
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
	ownGroup(cmd)
	// A grandchild that keeps standard error open must not hold up Wait.
	cmd.WaitDelay = time.Second
	if err := startBound(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", command[0], err)
	}
	go func() {
		p.state = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// Close ends both streams to the server.
func (p *process) Close() error { return errors.Join(p.stdin.Close(), p.stdout.Close()) }

// end waits for the server to leave by itself, then asks the group to
// terminate, then kills it. It returns when the process is gone.
func (p *process) end(grace time.Duration) {
	for _, force := range []func(){func() {}, func() { signalGroup(p.pid(), false) }} {
		force()
		select {
		case <-p.exited:
		case <-time.After(grace):
			continue
		}
		break
	}
	// What the server started may outlive it.
	signalGroup(p.pid(), true)
	<-p.exited
}

// rss is the resident memory of the server's whole group, in bytes; 0 where
// the system does not tell.
func (p *process) rss() int64 { return groupRSS(p.pid()) }

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

// String is what was kept, at most maxTail bytes.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text[max(0, len(t.text)-maxTail):])
}

// baseEnv is the part of this process's environment that a server gets: what
// it needs to find itself and its caches, and nothing that could change what it
// runs.
func baseEnv() (env []string) {
	for _, k := range []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "GOPATH", "GOMODCACHE", "GOCACHE", "GOROOT", "JAVA_HOME", "XDG_CACHE_HOME", "SystemRoot", "APPDATA", "LOCALAPPDATA", "USERPROFILE"} {
		if v, ok := os.LookupEnv(k); ok {
			env = append(env, k+"="+v)
		}
	}
	return env
}
