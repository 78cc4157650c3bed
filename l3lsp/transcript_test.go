package l3lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// turn is one message that a server receives in a transcript, with its
// reactions.
type turn struct {
	hears  string // the method, with FILE:LINE:COLUMN if it has a position
	says   []string
	answer string // "" for a notification
	used   bool
}

// readTranscript parses lines "> METHOD [PLACE]", "= ANSWER", "< METHOD PARAMS"
// (a notification) and "? METHOD PARAMS" (a request by the server).
func readTranscript(text, dir string) (turns []turn) {
	for line := range strings.Lines(strings.ReplaceAll(text, "$WORK", dir)) {
		mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch mark {
		case ">":
			turns = append(turns, turn{hears: rest})
		case "=":
			turns[len(turns)-1].answer = rest
		case "<", "?":
			method, params, _ := strings.Cut(rest, " ")
			id := ""
			if mark == "?" {
				id = fmt.Sprintf(`"id":"own-%d",`, len(turns))
			}
			last := &turns[len(turns)-1]
			last.says = append(last.says, fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":%q,"params":%s}`, id, method,
				params))
		}
	}
	return turns
}

// player is a server that follows a transcript.
type player struct {
	t   *testing.T
	dir string

	mu    sync.Mutex
	turns []turn // guarded by mu
}

func (p *player) launch([]string, []string, string) (peer, error) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	end := &script{Reader: fromServer, Writer: toServer, closers: []io.Closer{fromServer, toServer},
		gone: make(chan struct{})}
	go func() {
		defer close(end.gone)
		f := &fake{out: out}
		r := bufio.NewReader(in)
		for {
			m, err := readMessage(r)
			if err != nil || m.Method == "exit" {
				break
			}
			p.react(f, m)
		}
		out.Close()
		in.Close()
	}()
	return end, nil
}

// react takes the next turn that matches m; a message that comes more often
// than in the transcript gets its last answer again.
func (p *player) react(f *fake, m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := m.Method
	if path := m.path(); path != "" {
		rel, _ := filepath.Rel(p.dir, path)
		key += " " + filepath.ToSlash(rel)
		var at struct {
			Position *struct{ Line, Character int }
		}
		if json.Unmarshal(m.Params, &at) == nil && at.Position != nil {
			key += fmt.Sprintf(":%d:%d", at.Position.Line, at.Position.Character)
		}
	}
	var take *turn
	for i := range p.turns {
		if p.turns[i].hears == key {
			take = &p.turns[i]
			if !take.used {
				break
			}
		}
	}
	if take == nil {
		if m.Method != "" && m.ID != nil {
			p.t.Errorf("it was asked %s, which is not in the transcript", key)
			f.reply(m.ID, "null")
		}
		return
	}
	if !take.used {
		take.used = true
		for _, s := range take.says {
			f.send(s)
		}
	}
	if m.ID != nil {
		f.reply(m.ID, take.answer)
	}
}

// TestTranscripts covers servers that no registry has: java-language-server as
// recorded, the others according to their documentation. Each must get its
// queries when its transcript says that it is ready, and not before: every turn
// must be taken.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "transcripts", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		server := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(server, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w := newWorkspace(t, text)
			play := &player{t: t, dir: w.dir, turns: readTranscript(string(txtar.Parse(text).Comment), w.dir)}
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			p, err := NewPool(Options{launch: play.launch, Home: t.TempDir(), Command: func(name string) []string {
				if name == server {
					return []string{exe}
				}
				return []string{"no-such-server"}
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			c := serverCase{server, specOf(t, server).Languages[0], "^" + server}
			questions := parseQuestions(txtar.Parse(text).Comment)
			for _, q := range questions {
				w.ask(p, c, questions.canary(), q)
			}
			if strings.Contains(string(text), "> workspace/didChangeWatchedFiles") {
				w.edit(p)
				for _, q := range questions {
					w.ask(p, c, questions.canary(), q)
				}
			}
			p.Close()
			for _, turn := range play.turns {
				if !turn.used && turn.hears != "exit" {
					t.Errorf("it was not asked %s", turn.hears)
				}
			}
		})
	}
}
