package main

import (
	"bytes"
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

// sessionKB plus sessionKBPerFile for each file bounds the memory of a server in
// kB, after the first round.
const (
	sessionKB, sessionKBPerFile = 315 << 10, 10
	// soakCalls is the number of calls of each kind in a round.
	soakCalls = 60
)

// session is a server and the files and symbols for random calls.
type session struct {
	*client
	root    string
	random  *rand.Rand
	files   []string // below root
	symbols []map[string]any
}

// newSoak returns an indexed workspace, SEXTANT_SOAK_ROOT or the Go distribution,
// the duration SEXTANT_SOAK, and a seed. It skips the test without a duration.
func newSoak(t *testing.T) (*site, time.Duration, uint64) {
	t.Helper()
	length := os.Getenv("SEXTANT_SOAK")
	if length == "" {
		t.Skip("it takes minutes: SEXTANT_SOAK=10m is not set")
	}
	lasts, err := time.ParseDuration(length)
	if err != nil {
		t.Fatal(err)
	}
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
	return site, lasts, seed
}

// TestSoakMemory calls each tool as often as a session does, and repeats that
// for the duration SEXTANT_SOAK. The memory of the server must stay within its
// bound; memory, descriptors and threads must not grow with the calls. The
// workspace is SEXTANT_SOAK_ROOT (default: the Go distribution).
func TestSoakMemory(t *testing.T) {
	site, lasts, seed := newSoak(t)
	until := time.Now().Add(lasts)
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
		if round > 0 && now.anonKB > bound { // the first round also precomputes calls, which takes more
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

// look collects the files and symbols to use in calls.
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
			continue // a file that is not indexed
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

// name returns the last part of a random symbol's label: Handle of
// Server.Handle.
func (s *session) name() string {
	label := s.symbol()["symbolLabel"].(string)
	return label[strings.LastIndexByte(label, '.')+1:]
}

// round makes one call of each kind.
func (s *session) round() {
	s.call("list_codebases", map[string]any{})
	s.call("manage_index", map[string]any{"action": "status", "path": s.root})
	for _, query := range []string{s.name(), s.name() + " " + s.name() + " " + s.name(), "must:" + s.name(),
		"regex:" + s.name() + `\w*\(`} {
		s.call("search_codebase", map[string]any{"path": s.root, "query": query})
	}
	s.call("file_outline", map[string]any{"path": s.root, "file": s.file()})
	s.call("read_file", map[string]any{"path": filepath.Join(s.root, s.file())})
	for _, depth := range []int{1, 6} {
		s.call("call_graph", map[string]any{"path": s.root, "symbolRef": s.symbol(), "depth": depth, "limit": 200})
	}
}

// held is the resource use of a process.
type held struct{ anonKB, rssKB, descriptors, threads int }

func (h held) String() string {
	return fmt.Sprintf("%d kB of its own, %d kB resident, %d descriptors, %d threads", h.anonKB, h.rssKB, h.descriptors,
		h.threads)
}

// held reads the resource use of the server from /proc. anonKB is RssAnon plus
// RssShmem, the memory that it shares with no other process.
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

// rest waits until the server has returned unused memory, that is until its
// memory stops shrinking.
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

// restartCPU bounds the processor time that a process takes in the background on a
// root whose calls the process before it resolved.
const restartCPU = time.Second

// TestSoakRestart requests a graph from two servers, one after the other. The first one resolves
// every call of the workspace in advance; the second one uses the result that the first one stored.
func TestSoakRestart(t *testing.T) {
	site, _, seed := newSoak(t)
	var background [2]time.Duration
	for i := range background {
		s := &session{client: site.serve(), root: site.ws, random: rand.New(rand.NewPCG(seed, 2))}
		s.look()
		s.call("call_graph", map[string]any{"path": s.root, "symbolRef": s.symbol()})
		background[i] = s.idle()
		s.close()
	}
	t.Logf("in the background: %v at first, %v after a restart", background[0], background[1])
	if background[0] < 2*restartCPU {
		t.Errorf("the first process took %v: too little to tell anything", background[0])
	}
	if background[1] > restartCPU {
		t.Errorf("a restarted process took %v, more than %v", background[1], restartCPU)
	}
}

// used returns the processor time of the server.
func (s *session) used() time.Duration {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid), "stat"))
	if err != nil {
		s.t.Fatal(err)
	}
	// The fields after the command, which may hold spaces: utime and stime are the
	// twelfth and thirteenth, in hundredths of a second.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
