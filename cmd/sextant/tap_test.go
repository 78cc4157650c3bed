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

// tap stands between Sextant and a language server, passes everything on, and
// keeps account of it: what Sextant itself has no part in. It writes a line to a
// log, which several processes share, for its beginning and its end.
type tap struct {
	log  io.Writer
	name string

	mu       sync.Mutex
	asked    map[string]string // methods of Sextant's requests without an answer, by id; guarded by mu
	loading  map[string]bool   // progress that has begun and not ended, by token; guarded by mu
	requests int               // guarded by mu
	last     time.Time         // of the last request; guarded by mu
}

// tapLine is a line of a tap's log.
type tapLine struct {
	PID      int
	Server   string
	Event    string // begin, shutdown: Sextant ends it; gone: it ended by itself, or Sextant left
	At       time.Time
	InFlight []string // methods of requests without an answer then
	Loading  int      // progress that went on then
	Requests int      // until then
	Last     time.Time
}

// playTap runs COMMAND as the server: "tap LOG COMMAND …".
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
	line, _ := json.Marshal(tapLine{os.Getpid(), t.name, event, time.Now(), slices.Sorted(maps.Values(t.asked)), len(t.loading), t.requests, t.last}) // has a form
	_, _ = t.log.Write(append(line, '\n'))                                                                                                            // a line that is missing is found missing
}

// tapMessage is what a tap reads of a message.
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
	_ = json.Unmarshal(body, &m) // params may be of another form
	if m.Method == "shutdown" {
		t.note("shutdown")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case m.Method == "$/cancelRequest": // nobody waits for the answer any more
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
	// Work on a text that is open has no title: pyright's, which reads its folders
	// before it answers anything, and tells of that by no progress.
	case m.Method == "$/progress" && m.Params.Value.Kind == "begin" && m.Params.Value.Title != "":
		t.loading[string(m.Params.Token)] = true
	case m.Method == "$/progress" && m.Params.Value.Kind == "end":
		delete(t.loading, string(m.Params.Token))
	}
}

// relay passes messages on, showing each to see, until either end is closed.
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
