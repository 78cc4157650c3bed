package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sextant/internal/lang"
)

// soakServers are the language servers that the soak runs through taps.
// soakFolders are searched for them after PATH.
var (
	soakServers = map[string]string{"go": "gopls", "typescript": "typescript-language-server",
		"python": "pyright-langserver", "cpp": "clangd-19",
		"rust": "rust-analyzer", "php": "intelephense"}
	soakFolders = []string{"/usr/bin", "../../testdata/gotools/bin", "../../testdata/node/node_modules/.bin"}
)

const (
	soakProcesses = 3
	soakLimit     = 3 // servers, over all processes
	// soakIdle is the idle time-out of servers, short enough to occur in a soak.
	soakIdle = 20 * time.Second
)

// soak is several serve processes that call_graph is called on at random for
// one workspace, and the observed states of their language servers.
type soak struct {
	*site
	log     string // file that the taps write to
	clients []*client
	symbols map[string][]map[string]any // symbolRef arguments, by language

	mu    sync.Mutex
	heard map[string]int // server states in answers and their counts; guarded by mu
	late  time.Duration  // longest delay of an answer after its deadline; guarded by mu
}

// TestSoakServersOfServeProcesses makes three processes verify random calls of
// the workspace SEXTANT_SOAK_ROOT with real language servers, for the duration
// SEXTANT_SOAK, such as 10m. Meanwhile it polls the process table. Taps before
// the servers record the state in which each server ended.
func TestSoakServersOfServeProcesses(t *testing.T) {
	root, length := os.Getenv("SEXTANT_SOAK_ROOT"), os.Getenv("SEXTANT_SOAK")
	if root == "" || length == "" {
		t.Skip("it takes minutes, and real repositories: SEXTANT_SOAK=10m and SEXTANT_SOAK_ROOT are not set")
	}
	lasts, err := time.ParseDuration(length)
	if err != nil {
		t.Fatal(err)
	}
	s := &soak{site: newSite(t), heard: map[string]int{}}
	s.ws, s.own, s.log = root, true, filepath.Join(t.TempDir(), "taps")
	s.env = []string{"HOME=" + os.Getenv("HOME"), "SEXTANT_SERVER_IDLE=" + soakIdle.String()}
	s.install()
	for range soakProcesses {
		s.clients = append(s.clients, s.serve())
	}
	s.clients[0].track(s.site)
	s.collect()

	var asking sync.WaitGroup
	until := time.Now().Add(lasts)
	seed := fromEnv(t, "SEXTANT_SOAK_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SEXTANT_SOAK_SEED=%d", seed)
	for i, c := range s.clients {
		asking.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for time.Now().Before(until) && !t.Failed() {
				s.ask(c, random)
			}
		})
	}
	stop := make(chan struct{})
	go func() { asking.Wait(); close(stop) }()
	w := s.watch(stop)
	t.Logf("%d servers lived at once at most, in %d looks", w.most, w.looks)
	if w.most > soakLimit {
		t.Errorf("%d servers lived at once", w.most)
	}
	closing := time.Now() // background work may continue until here
	for _, c := range s.clients {
		c.close()
	}
	if left := s.servers(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	s.judge(closing)
}

// TestSoakIdleServerGoes checks that an idle language server stops after its
// idle time-out and not earlier.
func TestSoakIdleServerGoes(t *testing.T) {
	if os.Getenv("SEXTANT_SOAK") == "" {
		t.Skip("it waits for a real server: SEXTANT_SOAK is not set")
	}
	s := &soak{site: newSite(t), heard: map[string]int{}}
	s.own, s.log = true, filepath.Join(t.TempDir(), "taps")
	s.env = []string{"HOME=" + os.Getenv("HOME"), "SEXTANT_SERVER_IDLE=" + soakIdle.String()}
	if err := os.WriteFile(filepath.Join(s.ws, "a.py"), []byte("def f(): pass\ndef g(): f()\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.install()
	s.clients = append(s.clients, s.serve())
	s.clients[0].track(s.site)
	var a struct{ Verification struct{ State string } }
	s.clients[0].ask("call_graph", map[string]any{"path": s.ws, "symbolRef": map[string]any{"symbolLabel": "g"},
		"verify": "wait", "deadlineMs": 60_000}, &a)
	if a.Verification.State != "complete" || len(s.servers()) != 1 {
		t.Fatalf("%s, servers %v", a.Verification.State, s.servers())
	}
	asked := time.Now()
	for len(s.servers()) > 0 {
		time.Sleep(20 * time.Millisecond)
		if time.Since(asked) > 2*soakIdle {
			t.Fatalf("after %s: %v", time.Since(asked), s.servers())
		}
	}
	if took := time.Since(asked); took < soakIdle-2*time.Second { // its last request was a little before the answer
		t.Errorf("gone after %s", took)
	} else {
		t.Logf("gone %s after the answer", took.Round(time.Millisecond))
	}
	s.clients[0].close()
	s.judge(time.Now())
}

// install puts a tap before each language server found, in the folder that
// Sextant searches first.
func (s *soak) install() {
	s.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	bin := filepath.Join(s.home, "servers", "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		s.t.Fatal(err)
	}
	for language, name := range soakServers {
		real := ""
		for _, dir := range soakFolders {
			at, err := filepath.Abs(filepath.Join(dir, name))
			if info, statErr := os.Stat(at); err == nil && statErr == nil && info.Mode().IsRegular() && real == "" {
				real = at
			}
		}
		if real == "" {
			delete(soakServers, language)
			s.t.Logf("%s is not installed", name)
			continue
		}
		script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] && exec %s --version\nexec %s tap %s %s \"$@\"\n",
			real, exe, s.log, real)
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	if len(soakServers) < 5 {
		s.t.Fatal("five languages are needed")
	}
	// typescript-language-server searches tsserver in a node_modules next to itself.
	modules, err := filepath.Abs("../../testdata/node/node_modules")
	if err == nil {
		err = os.Symlink(modules, filepath.Join(s.home, "servers", "node_modules"))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// collect finds callables of each language for the calls.
func (s *soak) collect() {
	s.t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(s.ws, func(path string, e fs.DirEntry, err error) error {
		if l, ok := lang.Detect(path); err == nil && ok && !e.IsDir() && soakServers[l.Name] != "" {
			rel, _ := filepath.Rel(s.ws, path) // no error: path is below s.ws
			files[l.Name] = append(files[l.Name], rel)
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.symbols = map[string][]map[string]any{}
	random := rand.New(rand.NewPCG(4, 4))
	for language, list := range files {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, file := range list[:min(len(list), 40)] {
			var a struct {
				Outline *struct {
					Symbols []struct{ SymbolID, Kind string }
				}
			}
			s.clients[0].ask("file_outline", map[string]any{"path": s.ws, "file": file}, &a)
			if a.Outline == nil {
				continue
			}
			for _, symbol := range a.Outline.Symbols {
				if slices.Contains([]string{"function", "method"}, symbol.Kind) {
					s.symbols[language] = append(s.symbols[language],
						map[string]any{"file": file, "symbolId": symbol.SymbolID})
				}
			}
		}
		s.t.Logf("%s: %d files, %d callables", language, len(list), len(s.symbols[language]))
		if len(s.symbols[language]) == 0 {
			s.t.Fatal("the soak needs callables of each language")
		}
	}
}

// ask makes one random call and records the server states in its answer.
func (s *soak) ask(c *client, random *rand.Rand) {
	languages := slices.Sorted(maps.Keys(s.symbols))
	language := languages[random.IntN(len(languages))]
	symbol := s.symbols[language][random.IntN(len(s.symbols[language]))]
	deadline := time.Duration(500+random.IntN(30_000)) * time.Millisecond
	args := map[string]any{"path": s.ws, "symbolRef": symbol, "deadlineMs": deadline.Milliseconds(),
		"depth":     1 + random.IntN(3),
		"direction": []string{"callers", "callees", "both"}[random.IntN(3)],
		"verify":    []string{"wait", "auto"}[random.IntN(2)]}
	began := time.Now()
	var a struct {
		Edges        []struct{ Evidence string }
		Verification *struct {
			State   string
			Servers []struct{ Language, State, Detail string }
		}
	}
	c.ask("call_graph", args, &a)
	over := time.Since(began) - deadline
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = max(s.late, over)
	for _, e := range a.Edges {
		s.heard[language+" edge "+e.Evidence]++
	}
	if a.Verification == nil {
		return
	}
	s.heard[language+" answer "+a.Verification.State]++
	for _, server := range a.Verification.Servers {
		s.heard[server.Language+" server "+server.State]++
		if server.State == "crashed" || server.State == "missing" {
			s.t.Errorf("%s is %s: %s", server.Language, server.State, server.Detail)
		}
	}
}

// soakWatch counts looks at the process table and the most servers seen at
// once.
type soakWatch struct{ most, looks int }

// watch polls the process table until stop is closed.
func (s *soak) watch(stop <-chan struct{}) (w soakWatch) {
	for {
		select {
		case <-stop:
			return w
		case <-time.After(20 * time.Millisecond):
		}
		live := s.servers()
		w.looks++
		if len(live) > w.most {
			w.most = len(live)
			s.t.Logf("%d servers: %v", len(live), live)
		}
	}
}

// servers returns the guard processes that the clients started, one for each
// language server.
func (s *soak) servers() (live []string) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range stats {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // the process ended meanwhile
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		const state, ppid = 0, 1 // indexes in fields, which starts after pid and name
		if len(fields) <= ppid || fields[state] == "Z" ||
			!slices.ContainsFunc(s.clients, func(c *client) bool {
				return strconv.Itoa(c.cmd.Process.Pid) == fields[ppid]
			}) {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if bytes.HasPrefix(command, []byte("sextant-guard\x00")) {
			pid := filepath.Base(filepath.Dir(file))
			live = append(live, fmt.Sprintf("%s of %s: %s", pid, fields[ppid],
				bytes.ReplaceAll(command, []byte{0}, []byte{' '})))
		}
	}
	return live
}

// judge checks the log of the taps. Every server must have been ended by
// "shutdown". Before the processes were closed (at closing), none may have been
// ended with requests in flight or while loading.
func (s *soak) judge(closing time.Time) {
	s.t.Helper()
	text, err := os.ReadFile(s.log)
	if err != nil {
		s.t.Fatal(err)
	}
	begun, ended, asked := map[string]int{}, map[string]int{}, map[string]int{}
	open := map[int]string{}
	for line := range bytes.Lines(text) {
		var l tapLine
		if err := json.Unmarshal(line, &l); err != nil {
			s.t.Fatalf("%v: %s", err, line)
		}
		name := filepath.Base(l.Server)
		switch l.Event {
		case "begin":
			begun[name]++
			open[l.PID] = name
		case "shutdown":
			ended[name]++
			asked[name] += l.Requests
			delete(open, l.PID)
			if l.At.Before(closing) && len(l.InFlight) > 0 ||
				l.At.Before(closing) && l.Loading > 0 && l.At.Sub(l.Last) < soakIdle {
				s.t.Errorf("%s (%d) was ended with %v in flight, loading %d, after %d requests", name, l.PID,
					l.InFlight, l.Loading, l.Requests)
			}
		}
	}
	for pid, name := range open {
		s.t.Errorf("%s (%d) was ended without a word", name, pid)
	}
	s.t.Logf("started %v, shut down %v, requests %v; the latest answer came %s after its deadline", begun, ended, asked,
		s.late.Round(time.Millisecond))
	for _, what := range slices.Sorted(maps.Keys(s.heard)) {
		s.t.Logf("%s: %d", what, s.heard[what])
	}
	for name := range begun {
		if asked[name] == 0 {
			s.t.Errorf("%s was started %d times, and asked nothing", name, begun[name])
		}
	}
}
