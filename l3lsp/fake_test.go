package l3lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The test binary is also a language server ("test.bin fake MODE") and the
// owner of a pool ("test.bin owner …").
func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case "fake":
			playProcess(os.Args[2])
			syscall.Exit(0) // unlike os.Exit it does not sleep a second under -race
		case "owner":
			playOwner(os.Args[2:])
			syscall.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// fake is a scripted language server. It answers every definition request with
// line 1 of the same file, and misbehaves according to its mode:
//
//	good                 behaves well
//	exits-at-once        exits before it reads anything
//	garbage              writes bytes that are no message
//	half                 writes half a message, and no more
//	huge                 writes a message of 100 MB
//	never-initializes    does not answer "initialize"
//	dies-in-flight       exits on a definition request
//	silent               does not answer definition requests
//	mute                 answers two definition requests, and then nothing
//	empty                answers definition requests with null
//	error                answers definition requests with an error
//	slow                 takes a second for a definition request
//	late                 answers a definition request after its cancellation, three times
//	wrong-at-first       answers definition requests with line 2 for ten seconds
//	wrong                answers definition requests with line 2
//	loads                is loading for ten seconds
//	never-loads          is loading forever
//	deaf                 ignores shutdown, exit, the end of its input and SIGTERM
//	leaks, stderr-flood, child, sleeper: processes only
type fake struct {
	mode    string
	out     io.Writer
	born    time.Time
	answer  func(m message) (result string, ok bool) // replaces the answer to a request
	failure func(m message) (code int, ok bool)      // the error response to a request
	heard   func(m message)

	mu    sync.Mutex // guards out and asked
	asked int
	last  json.RawMessage

	loaded *time.Timer
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// path returns the path of the document that a message is about, "" if there is
// none.
func (m message) path() string {
	var p struct{ TextDocument struct{ URI string } }
	_ = json.Unmarshal(m.Params, &p) // leaves it empty in other messages
	path, _ := pathOf(p.TextDocument.URI)
	return path
}

// play serves until its input ends, or until the mode makes it exit.
func (f *fake) play(in io.Reader) {
	f.born = time.Now()
	defer func() {
		if f.loaded != nil {
			f.loaded.Stop()
		}
	}()
	switch f.mode {
	case "exits-at-once":
		return
	case "garbage":
		f.write("what is this\n\n\x00\xff{}{}")
	case "half":
		f.write("Content-Length: 100\r\n\r\n{\"jsonrpc\"")
	case "huge":
		f.write("Content-Length: " + strconv.Itoa(100<<20) + "\r\n\r\n")
		filler := strings.Repeat("x", 1<<20)
		for range 100 {
			if !f.write(filler) {
				return
			}
		}
	}
	r := bufio.NewReader(in)
	for {
		m, err := readMessage(r)
		if err != nil || !f.react(m) {
			return
		}
	}
}

func (f *fake) write(s string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := io.WriteString(f.out, s)
	return err == nil
}

func (f *fake) send(body string) {
	f.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
}

func (f *fake) reply(id json.RawMessage, result string) {
	f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

// announce sends the messages by which the known servers report that loading begins or ends; kind is "begin" or
// "end".
func (f *fake) announce(kind string) {
	for _, spec := range Specs() {
		for _, title := range spec.loading {
			f.send(
				fmt.Sprintf(
					`{"jsonrpc":"2.0","method":"$/progress","params":{"token":%q,"value":{"kind":%q,"title":%q}}}`,
					title, kind, title))
		}
		if spec.done != nil && kind == "end" {
			f.send(`{"jsonrpc":"2.0","method":"language/status","params":{"type":"ServiceReady"}}`)
		}
		for _, text := range spec.loadedLogs {
			if kind == "end" {
				f.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":%q}}`,
					text))
			}
		}
	}
}

// react answers one message; it returns false to make the server exit.
func (f *fake) react(m message) bool {
	if f.heard != nil {
		f.heard(m)
	}
	switch m.Method {
	case "initialize":
		if f.mode != "never-initializes" && f.mode != "half" {
			f.reply(m.ID, `{"capabilities":{},"serverInfo":{"name":"fake","version":"1.0"}}`)
		}
	case "initialized":
		f.announce("begin")
		switch f.mode {
		case "loads":
			f.loaded = time.AfterFunc(10*time.Second, func() { f.announce("end") })
		case "never-loads":
		default:
			f.announce("end")
		}
	case "shutdown":
		if f.mode != "deaf" {
			f.reply(m.ID, "null")
		}
	case "exit":
		return f.mode == "deaf"
	case "$/cancelRequest":
		if f.mode == "late" {
			for range 3 {
				f.reply(f.last, locationJSON("/late", 0))
			}
		}
	case "textDocument/definition", "textDocument/references", "textDocument/implementation":
		return f.question(m)
	}
	return true
}

func (f *fake) question(m message) bool {
	if f.failure != nil {
		if code, ok := f.failure(m); ok {
			f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, m.ID, code))
			return true
		}
	}
	if f.answer != nil {
		if result, ok := f.answer(m); ok {
			f.reply(m.ID, result)
			return true
		}
	}
	f.asked++
	line := 0
	switch f.mode {
	case "silent":
		return true
	case "mute":
		if f.asked > 2 {
			return true
		}
	case "dies-in-flight":
		return false
	case "late":
		f.last = m.ID
		return true
	case "empty":
		f.reply(m.ID, "null")
		return true
	case "error":
		f.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no"}}`, m.ID))
		return true
	case "slow":
		time.Sleep(time.Second)
	case "wrong":
		line = 1
	case "wrong-at-first":
		if time.Since(f.born) < 10*time.Second {
			line = 1
		}
	}
	f.reply(m.ID, locationJSON(m.path(), line))
	return true
}

func locationJSON(path string, line int) string {
	return fmt.Sprintf(
		`[{"uri":"file://%s","range":{"start":{"line":%d,"character":0},"end":{"line":%[2]d,"character":1}}}]`, path,
		line)
}

func readMessage(in *bufio.Reader) (m message, err error) {
	length := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return m, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if v, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, _ = strconv.Atoi(v)
		}
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// spawn starts the fake as another process. It runs in a session of its own,
// except a "sleeper" that the server starts itself.
func spawn(mode string) {
	cmd := exec.Command(os.Args[0], "fake", mode, os.Args[3])
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: os.Args[2] != "child"}
	if cmd.Start() != nil {
		syscall.Exit(4)
	}
}

// playProcess runs the fake as a process of its own.
func playProcess(mode string) {
	f := &fake{mode: mode, out: os.Stdout}
	var held []byte
	switch mode {
	case "stderr-flood":
		go func() {
			for {
				os.Stderr.Write(bytes.Repeat([]byte("noise "), 4096))
			}
		}()
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
	case "leaks":
		held = bytes.Repeat([]byte{1}, 300<<20)
	case "child": // like the tsserver of typescript-language-server
		spawn("sleeper")
	case "daemon": // like a daemon that a build tool leaves running
		spawn("forks")
	case "forks":
		spawn("sleeper")
		syscall.Exit(0)
	case "sleeper":
		time.Sleep(time.Hour)
	case "exits-at-once":
		fmt.Fprintln(os.Stderr, "panic: no such thing\n\ngoroutine 1 [running]:")
		syscall.Exit(3)
	}
	f.play(os.Stdin)
	switch mode {
	case "dies-in-flight":
		syscall.Exit(9)
	case "deaf":
		time.Sleep(time.Hour)
	case "leaks":
		fmt.Fprintln(os.Stderr, len(held))
	}
}

// script is a fake in this process, for tests with a fake clock.
type script struct {
	io.Reader
	io.Writer
	closers []io.Closer
	gone    chan struct{} // closed when play ended
	number  int
	memory  func() int64
	cpu     func() time.Duration
}

// scripts launches fakes in this process, and counts those alive.
type scripts struct {
	mode    func(server string) string
	answer  func(m message) (string, bool)
	failure func(m message) (int, bool)
	heard   func(m message)
	memory  func() int64
	cpu     func() time.Duration

	mu       sync.Mutex
	launched int
	alive    int
	most     int // largest number alive at once
}

// counts returns how many fakes were launched, how many are alive, and the
// largest number alive at once.
func (s *scripts) counts() (launched, alive, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.launched, s.alive, s.most
}

func (s *scripts) launch(command, _ []string, _ string) (peer, error) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	f := &fake{mode: s.mode(command[len(command)-1]), out: out, answer: s.answer, failure: s.failure, heard: s.heard}
	s.mu.Lock()
	s.launched++
	s.alive++
	s.most = max(s.most, s.alive)
	p := &script{Reader: fromServer, Writer: toServer, closers: []io.Closer{fromServer, toServer},
		gone: make(chan struct{}), number: s.launched, memory: s.memory, cpu: s.cpu}
	s.mu.Unlock()
	go func() {
		f.play(in)
		if f.mode == "deaf" || f.mode == "garbage" {
			_, _ = io.Copy(io.Discard, in)
		}
		out.Close()
		in.Close()
		s.mu.Lock()
		s.alive--
		s.mu.Unlock()
		close(p.gone)
	}()
	return p, nil
}

func (p *script) Close() error {
	for _, c := range p.closers {
		c.Close()
	}
	return nil
}

func (p *script) end(grace time.Duration) {
	select {
	case <-p.gone:
	case <-time.After(grace):
	}
	p.Close()
	<-p.gone
}

func (p *script) pid() int    { return p.number }
func (p *script) why() string { return "" }
func (p *script) use() (u use) {
	if p.memory != nil {
		u.rss = p.memory()
	}
	if p.cpu != nil {
		u.cpu = p.cpu()
	}
	return u
}
