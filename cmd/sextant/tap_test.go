package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/textproto"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// tap relays messages between Sextant and a language server and records them
// independently of Sextant. It logs a line at its start and at its end. Several
// processes share the log.
type tap struct {
	log  io.Writer
	name string

	mu       sync.Mutex
	asked    map[string]string // methods of unanswered requests, by id; guarded by mu
	loading  map[string]bool   // tokens of unfinished progress; guarded by mu
	requests int               // guarded by mu
	last     time.Time         // time of the last request; guarded by mu
}

// tapLine is a line of the log.
type tapLine struct {
	PID      int
	Server   string
	Event    string // begin; shutdown: ended by Sextant; gone: the server or Sextant exited
	At       time.Time
	InFlight []string // methods of unanswered requests
	Loading  int      // number of unfinished progress reports
	Requests int      // number of requests so far
	Last     time.Time
}

// playTap runs COMMAND as the server of a tap that logs to LOG, for "tap LOG
// COMMAND …". It returns the exit code.
func playTap(log string, command []string) int {
	file, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	t := &tap{log: file, name: command[0], asked: map[string]string{}, loading: map[string]bool{}}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if inErr != nil || outErr != nil {
		return 1
	}
	t.note("begin")
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() {
		relay(os.Stdin, in, t.question)
		in.Close()
	}()
	relay(out, os.Stdout, t.answer)
	t.note("gone")
	if cmd.Wait() != nil {
		return 1
	}
	return 0
}

func (t *tap) note(event string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, _ := json.Marshal(tapLine{os.Getpid(), t.name, event, time.Now(), slices.Sorted(maps.Values(t.asked)),
		len(t.loading), t.requests, t.last}) // cannot fail
	_, _ = t.log.Write(append(line, '\n')) // the soak notices a missing line
}

// tapMessage holds the fields of a message that a tap reads.
type tapMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		ID, Token json.RawMessage
		Value     struct{ Kind, Title string }
	}
}

func (t *tap) question(body []byte) {
	var m tapMessage
	_ = json.Unmarshal(body, &m) // params of other methods may not fit
	if m.Method == "shutdown" {
		t.note("shutdown")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case m.Method == "$/cancelRequest": // Sextant no longer waits for the answer
		delete(t.asked, string(m.Params.ID))
	case m.Method != "" && m.ID != nil:
		t.asked[string(m.ID)] = m.Method
		t.requests++
		t.last = time.Now()
	}
}

func (t *tap) answer(body []byte) {
	var m tapMessage
	_ = json.Unmarshal(body, &m)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case m.Method == "" && m.ID != nil:
		delete(t.asked, string(m.ID))
	// Only progress with a title means loading. pyright sends progress without a
	// title for its work on open files, and sends none while it loads its folders.
	case m.Method == "$/progress" && m.Params.Value.Kind == "begin" && m.Params.Value.Title != "":
		t.loading[string(m.Params.Token)] = true
	case m.Method == "$/progress" && m.Params.Value.Kind == "end":
		delete(t.loading, string(m.Params.Token))
	}
}

// relay copies messages until either end is closed, and passes the body of each
// to see.
func relay(from io.Reader, to io.Writer, see func(body []byte)) {
	in := bufio.NewReader(from)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		length, bad := strconv.Atoi(strings.TrimSpace(header.Get("Content-Length")))
		if err != nil || bad != nil {
			return
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		see(body)
		if _, err := fmt.Fprintf(to, "Content-Length: %d\r\n\r\n%s", length, body); err != nil {
			return
		}
	}
}
