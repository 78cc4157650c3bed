package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// program builds the command once per test run, to bin/ where a later run can
// reuse the linked file.
var program = sync.OnceValues(func() (string, error) {
	exe, err := filepath.Abs(filepath.Join("..", "..", "bin", "sextant-under-test"))
	if err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return exe, nil
})

// nobody is the id of a user without root's right to bypass permissions.
const nobody = 65534

// site is an environment for a server: a folder with the program, its data and
// a workspace. Any user may read it.
type site struct {
	t         testing.TB
	exe, home string
	ws        string // the workspace
	args      []string
	own       bool     // run the server as the current user, even if that is root
	env       []string // variables of the server, in addition to the inherited ones
}

// newSite creates a site and removes it after the test. args are the arguments
// of its server after "serve".
func newSite(t testing.TB, args ...string) *site {
	t.Helper()
	base, err := os.MkdirTemp("", "sextant-site-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(unlockAll(base), os.RemoveAll(base)); err != nil {
			t.Error(err)
		}
	})
	if base, err = filepath.EvalSymlinks(base); err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, exe: filepath.Join(base, "sextant"), home: filepath.Join(base, "home"),
		ws: filepath.Join(base, "ws"), args: args}
	exe, err := program()
	if err != nil {
		t.Fatal(err)
	}
	// A separate process copies the program. If this process had the copy open for
	// writing, a child that another test forks meanwhile would inherit the open
	// file, and running the copy would fail with "text file busy".
	err = errors.Join(os.Chmod(base, 0o755), exec.Command("install", "-m", "755", exe, s.exe).Run(),
		os.Mkdir(s.home, 0o755), os.Mkdir(s.ws, 0o755))
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(s.home, nobody, nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unlockAll restores the permissions that a test removed.
func unlockAll(dir string) error {
	return filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() && err != nil { // cannot be listed: make it readable and walk it again
			if err := os.Chmod(p, 0o755); err != nil {
				return err
			}
			return unlockAll(p)
		}
		return err
	})
}

// client talks to a server over its standard input and output, one line of JSON
// per message.
type client struct {
	t      testing.TB
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
	lastID int
}

// serve starts a server and initializes the session. If the test runs as root,
// the server runs as nobody unless site.own is set.
func (s *site) serve() *client {
	s.t.Helper()
	c := &client{t: s.t}
	c.cmd = exec.Command(s.exe, append([]string{"serve", "--quiet"}, s.args...)...)
	c.cmd.Dir = s.ws
	c.cmd.Env = append(os.Environ(), "SEXTANT_HOME="+s.home, "HOME="+s.home, "XDG_CONFIG_HOME="+s.home,
		"GIT_CONFIG_NOSYSTEM=1")
	c.cmd.Env = append(c.cmd.Env, s.env...)
	if os.Getuid() == 0 && !s.own {
		c.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	c.cmd.Stderr = &c.stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	c.out = bufio.NewReader(out)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		s.t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { // after a failure the server may still run and write to the site
		if c.cmd.ProcessState == nil {
			c.kill()
		}
	})
	c.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}}, nil)
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

// close ends the server by closing its input and waits for it.
func (c *client) close() {
	c.t.Helper()
	_ = c.in.Close()
	rest, _ := io.ReadAll(c.out)
	if err := c.cmd.Wait(); err != nil || len(rest) > 0 {
		c.t.Errorf("the server ended with %v and wrote %q\n%s", err, rest, c.stderr.String())
	}
}

// kill ends the server with SIGKILL, as in a crash.
func (c *client) kill() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c.out)
	_ = c.cmd.Wait() // returns "signal: killed"
	_ = c.in.Close()
}

func (c *client) send(message any) {
	c.t.Helper()
	line, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(append(line, '\n'))
	}
	if err != nil {
		c.t.Fatalf("send: %v\n%s", err, c.stderr.String())
	}
}

// request sends a request and decodes its result. It skips notifications.
func (c *client) request(method string, params, result any) {
	c.t.Helper()
	c.lastID++
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			c.t.Fatalf("%s: %v\n%s", method, err, c.stderr.String())
		}
		var m struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      int             `json:"id"`
			Method  string          `json:"method"`
			Result  json.RawMessage `json:"result"`
			Error   json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
			c.t.Fatalf("%s: standard output carries %q, which is no JSON-RPC", method, line)
		}
		if m.Method != "" {
			continue
		}
		if m.ID != c.lastID || m.Error != nil {
			c.t.Fatalf("%s: %s", method, line)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatalf("%s: %v: %s", method, err, line)
			}
		}
		return
	}
}

// call calls a tool and returns its text.
func (c *client) call(tool string, args any) (text string, isError bool) {
	c.t.Helper()
	var r struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	c.request("tools/call", map[string]any{"name": tool, "arguments": args}, &r)
	var b strings.Builder
	for _, part := range r.Content {
		if part.Type != "text" {
			c.t.Fatalf("%s: content of type %q", tool, part.Type)
		}
		b.WriteString(part.Text)
	}
	return b.String(), r.IsError
}

// ask calls a tool that must answer in JSON without an error.
func (c *client) ask(tool string, args, answer any) {
	c.t.Helper()
	text, isError := c.call(tool, args)
	if isError {
		c.t.Fatalf("%s %v: %s", tool, args, text)
	}
	if err := json.Unmarshal([]byte(text), answer); err != nil {
		c.t.Fatalf("%s %v: %v: %s", tool, args, err, text)
	}
}

// track indexes the workspace of s and waits until it is ready.
func (c *client) track(s *site) {
	c.t.Helper()
	var a struct{ Status, Message string }
	c.ask("manage_index", map[string]any{"action": "create", "path": s.ws, "wait": true, "format": "json"}, &a)
	if a.Status != "ok" {
		c.t.Fatalf("manage_index create: %s: %s", a.Status, a.Message)
	}
}

// requireTool skips the test with a message if a program is missing. With
// SEXTANT_REQUIRE_TOOLS set it fails the test.
func requireTool(t *testing.T, name, install string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		if os.Getenv("SEXTANT_REQUIRE_TOOLS") != "" {
			t.Fatalf("%s is required and missing: %s", name, install)
		}
		t.Skipf("SKIPPED: %s is missing: %s", name, install)
	}
}
