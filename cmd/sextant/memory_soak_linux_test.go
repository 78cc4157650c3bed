package main

import (
	"encoding/json"
	"fmt"
	"go/build"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A server may hold so much at the end of a session, in kB: some of it always,
// and some for each file.
const (
	sessionKB, sessionKBPerFile = 315 << 10, 10
	// soakCalls is how many calls of each kind a session has.
	soakCalls = 60
)

// session is a server that is asked at random.
type session struct {
	*client
	root    string
	random  *rand.Rand
	files   []string // below root
	symbols []map[string]any
}

// TestSoakMemory asks a server for a session's worth of each tool, and on until
// SEXTANT_SOAK is over: what it holds stays within its bound, and neither that
// nor its descriptors and threads grow with the calls. The folder is
// SEXTANT_SOAK_ROOT, or the Go distribution.
func TestSoakMemory(t *testing.T) {
	length := os.Getenv("SEXTANT_SOAK")
	if length == "" {
		t.Skip("it takes minutes: SEXTANT_SOAK=10m is not set")
	}
	lasts, err := time.ParseDuration(length)
	if err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(lasts)
	site := newSite(t)
	site.ws, site.own = filepath.Join(build.Default.GOROOT, "src"), true
	if root := os.Getenv("SEXTANT_SOAK_ROOT"); root != "" {
		site.ws = root
	}
	site.env = []string{"SEXTANT_MAX_SERVERS=0"}
	indexer := site.serve()
	indexer.track(site)
	indexer.close()

	seed := fromEnv(t, "SEXTANT_SOAK_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SEXTANT_SOAK_SEED=%d", seed)
	s := &session{client: site.serve(), root: site.ws, random: rand.New(rand.NewPCG(seed, 1))}
	s.look()
	bound := sessionKB + sessionKBPerFile*len(s.files)
	var first held
	for round := 0; round < 2 || time.Now().Before(until); round++ {
		for range soakCalls {
			s.round()
		}
		now := s.held()
		t.Logf("after %d calls of each kind: %s", (round+1)*soakCalls, now)
		if round > 0 && now.anonKB > bound { // calls are settled ahead in the first, which takes more
			t.Errorf("%d kB are held, more than %d for %d files", now.anonKB, bound, len(s.files))
		}
		if round == 1 {
			first = now
		}
	}
	s.rest()
	last := s.held()
	t.Logf("idle: %s", last)
	if last.anonKB > first.anonKB*5/4 || last.descriptors > first.descriptors+8 || last.threads > first.threads+8 {
		t.Errorf("it grew: %s at first, %s at last", first, last)
	}
	s.close()
}

// look chooses what will be asked about.
func (s *session) look() {
	err := filepath.WalkDir(s.root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(s.root, p)
			s.files = append(s.files, rel)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	for len(s.symbols) < 4*soakCalls {
		var a struct {
			Outline struct {
				Symbols []struct{ SymbolLabel, Kind string }
			}
		}
		file := s.file()
		text, isError := s.call("file_outline", map[string]any{"path": s.root, "file": file, "format": "json"})
		if isError || json.Unmarshal([]byte(text), &a) != nil {
			continue // it is not indexed
		}
		for _, x := range a.Outline.Symbols {
			if x.Kind == "function" || x.Kind == "method" {
				s.symbols = append(s.symbols, map[string]any{"file": file, "symbolLabel": x.SymbolLabel})
			}
		}
	}
}

func (s *session) file() string { return s.files[s.random.IntN(len(s.files))] }

func (s *session) symbol() map[string]any { return s.symbols[s.random.IntN(len(s.symbols))] }

// name is the last step of a symbol's label.
func (s *session) name() string {
	label := s.symbol()["symbolLabel"].(string)
	return label[strings.LastIndexByte(label, '.')+1:]
}

// round calls each kind of question once.
func (s *session) round() {
	s.call("list_codebases", map[string]any{})
	s.call("manage_index", map[string]any{"action": "status", "path": s.root})
	for _, query := range []string{s.name(), s.name() + " " + s.name() + " " + s.name(), "must:" + s.name(), "regex:" + s.name() + `\w*\(`} {
		s.call("search_codebase", map[string]any{"path": s.root, "query": query})
	}
	s.call("file_outline", map[string]any{"path": s.root, "file": s.file()})
	s.call("read_file", map[string]any{"path": filepath.Join(s.root, s.file())})
	for _, depth := range []int{1, 6} {
		s.call("call_graph", map[string]any{"path": s.root, "symbolRef": s.symbol(), "depth": depth, "limit": 200})
	}
}

// held is what a process holds.
type held struct{ anonKB, rssKB, descriptors, threads int }

func (h held) String() string {
	return fmt.Sprintf("%d kB of its own, %d kB resident, %d descriptors, %d threads", h.anonKB, h.rssKB, h.descriptors, h.threads)
}

// held reads RssAnon and RssShmem, which no other process shares, and the rest.
func (s *session) held() (h held) {
	s.t.Helper()
	proc := filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid))
	status, err := os.ReadFile(filepath.Join(proc, "status"))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		n, _ := strconv.Atoi(fields[1])
		switch fields[0] {
		case "RssAnon:", "RssShmem:":
			h.anonKB += n
		case "VmRSS:":
			h.rssKB = n
		case "Threads:":
			h.threads = n
		}
	}
	list, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		s.t.Fatal(err)
	}
	h.descriptors = len(list)
	return h
}

// rest waits until the server has given back what it does not need.
func (s *session) rest() {
	for last := s.held().anonKB; ; {
		time.Sleep(3 * restAfter)
		now := s.held().anonKB
		if now > last-last/50 {
			return
		}
		last = now
	}
}
