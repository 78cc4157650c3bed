package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// crowdSize servers share a home in a soak. Without a soak, crowdFew servers
	// do crowdShort steps each.
	crowdSize, crowdFew, crowdShort = 20, 4, 25
	// crowdFiles is the number of files that no member edits. Searches must find
	// them at any time.
	crowdFiles = 60
	// crowdLimit bounds a call without a deadline under load: ten times the limit
	// of the server.
	crowdLimit = 5 * time.Minute
	// lateFactor and lateBy bound how late a call may end under load.
	lateFactor, lateBy = 10, time.Second
)

// crowd is a number of servers that share one home. Their members call tools,
// edit files, clear the index, cancel calls and kill servers at random.
type crowd struct {
	*site
	until time.Time // end of the soak; zero: every member does crowdShort steps

	mu     sync.Mutex
	counts map[string]int // guarded by mu; actions and outcomes
	wrong  []string       // guarded by mu; failures
	worst  time.Duration  // guarded by mu; longest delay of an answer after its deadline
	slow   time.Duration  // guarded by mu; longest call without a deadline
}

// TestSoakCrowd runs several servers on one workspace. While they disturb each
// other's index, no answer may fail for an internal reason or miss a file that
// exists, and every call must end. Afterwards the index must be whole.
func TestSoakCrowd(t *testing.T) {
	t.Parallel()
	c := &crowd{site: newSite(t), counts: map[string]int{}}
	c.env = []string{"SEXTANT_MAX_SERVERS=0"}
	size := crowdFew
	if length := os.Getenv("SEXTANT_SOAK"); length != "" {
		lasts, err := time.ParseDuration(length)
		if err != nil {
			t.Fatal(err)
		}
		size, c.until = crowdSize, time.Now().Add(lasts)
	}
	seed := fromEnv(t, "SEXTANT_SOAK_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SEXTANT_SOAK_SEED=%d", seed)
	for i := range crowdFiles {
		c.file(filepath.Join(fmt.Sprintf("pkg%d", i%7), fmt.Sprintf("still%d.go", i)),
			fmt.Sprintf("package pkg%d\n\nfunc Still%03d() { callee%03d() }\n\nfunc callee%03d() {}\n", i%7, i, i, i))
	}
	first := c.serve()
	first.track(c.site)
	first.close()
	var members sync.WaitGroup
	for i := range size {
		members.Go(func() {
			m := &member{crowd: c, client: c.serve(), number: i, rng: rand.New(rand.NewPCG(seed, uint64(i)))}
			for step := 0; !t.Failed() && (c.until.IsZero() && step < crowdShort ||
				time.Now().Before(c.until)); step++ {
				m.step()
			}
			m.kill()
		})
	}
	members.Wait()
	c.report()
	c.afterwards()
}

func (c *crowd) file(path, text string) {
	abs := filepath.Join(c.ws, path)
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		c.t.Error(err)
	}
	if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
		c.t.Error(err)
	}
}

func (c *crowd) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[what]++
}

func (c *crowd) complain(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wrong = append(c.wrong, fmt.Sprintf(format, args...)); len(c.wrong) <= 20 {
		c.t.Error(c.wrong[len(c.wrong)-1])
	}
}

func (c *crowd) report() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var lines []string
	for what, n := range c.counts {
		lines = append(lines, fmt.Sprintf("%s %d", what, n))
	}
	slices.Sort(lines)
	c.t.Logf("%s; the latest answer came %v after its deadline, the longest call without one took %v",
		strings.Join(lines, ", "), c.worst, c.slow)
}

// afterwards checks with a new server that the index has every file.
func (c *crowd) afterwards() {
	last := c.serve()
	last.track(c.site)
	for i := range crowdFiles {
		var f found
		last.ask("search_codebase",
			map[string]any{"path": c.ws, "query": fmt.Sprintf("must:Still%03d", i), "format": "json"}, &f)
		if f.Status != "ok" || f.Matches == nil || f.Matches.Lines != 1 {
			c.t.Errorf("in the end Still%03d: %s", i, brief(f))
		}
	}
	last.close()
	if left, err := filepath.Glob(filepath.Join(c.home, "roots", ".deleted-*")); err != nil || len(left) > 0 {
		c.t.Errorf("cleared folders are left: %q, %v", left, err)
	}
}

// member is one server of a crowd and the client that calls it.
type member struct {
	*crowd
	*client
	number int
	rng    *rand.Rand
}

// step does one random action.
func (m *member) step() {
	i := m.rng.IntN(crowdFiles)
	switch n := m.rng.IntN(100); {
	case n < 30:
		m.look("search_codebase", map[string]any{"query": fmt.Sprintf("must:Still%03d", i)},
			fmt.Sprintf("Still%03d", i))
	case n < 45:
		m.look("search_codebase", map[string]any{"query": fmt.Sprintf("Still%03d", i)}, fmt.Sprintf("Still%03d", i))
	case n < 60:
		m.look("call_graph", map[string]any{"symbolRef": map[string]any{"symbolLabel": fmt.Sprintf("Still%03d", i)},
			"direction":  "callees",
			"deadlineMs": 1 << m.rng.IntN(12)}, fmt.Sprintf("callee%03d", i))
	case n < 66:
		m.look("file_outline", map[string]any{"file": fmt.Sprintf("pkg%d/still%d.go", i%7, i)},
			fmt.Sprintf("Still%03d", i))
	case n < 80:
		m.count("edits")
		m.file(fmt.Sprintf("edited/by%d/f%d.go", m.number, m.rng.IntN(20)),
			strings.Repeat(fmt.Sprintf("package edited\n\nfunc E%d() {}\n", m.rng.Uint32()), 1+m.rng.IntN(40)))
	case n < 85:
		m.cancelled(map[string]any{"path": m.ws, "query": "regex:\"Still[0-9]+\"", "format": "json"})
	case n < 90:
		m.manage("create")
	case n < 93:
		m.manage("reindex")
	case n < 96:
		m.manage("sync")
	case n < 98:
		m.manage("clear")
	default:
		m.count("kills")
		m.kill()
		m.client = m.serve()
	}
}

// heard holds the fields that the answers of all tools share.
type heard struct {
	Status, Reason string
	Warnings       []json.RawMessage
	Truncated      *struct{ Cause string }
	IndexComplete  *bool
}

// partial reports whether an answer warns that the index is incomplete.
func (h *heard) partial() bool {
	for _, w := range h.Warnings {
		for _, code := range []string{"INDEX_PARTIAL", "INDEX_DAMAGED", "SOURCE_CHANGES_PENDING"} {
			if strings.Contains(string(w), code) {
				return true
			}
		}
	}
	return h.Truncated != nil
}

// look calls a tool for a symbol that exists and checks that the answer
// contains want or says that it is partial.
func (m *member) look(tool string, args map[string]any, want string) {
	args["path"], args["format"] = m.ws, "json"
	text, isError, took := m.try(tool, args)
	m.late(tool, args, took)
	var h heard
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		m.complain("%s %v: %v: %.300s", tool, args, err, text)
		return
	}
	m.count(tool + " " + h.Status + " " + h.Reason)
	switch {
	case isError && h.Reason != "server_busy":
		m.complain("%s %v failed: %.400s", tool, args, text)
	case h.Status == "ok" && !strings.Contains(without(text, "query", "symbolRef", "hints"), want) && !h.partial():
		m.complain("%s %v does not find %s: %.600s", tool, args, want, text)
	case h.Status == "not_found" && h.Reason != "missing_path":
		m.complain("%s %v says that there is none: %.600s", tool, args, text)
	}
}

// without returns a JSON answer without the fields that repeat the request.
func without(text string, fields ...string) string {
	var all map[string]json.RawMessage
	_ = json.Unmarshal([]byte(text), &all) // look has parsed it before
	for _, f := range fields {
		delete(all, f)
	}
	rest, _ := json.Marshal(all)
	return string(rest)
}

// late records how long after its deadline a call ended, and complains if that
// exceeds the bounds.
func (m *member) late(tool string, args map[string]any, took time.Duration) {
	ms, limited := args["deadlineMs"].(int)
	deadline := time.Duration(ms) * time.Millisecond
	m.mu.Lock()
	if limited {
		m.worst = max(m.worst, took-deadline)
	} else {
		m.slow = max(m.slow, took)
	}
	m.mu.Unlock()
	if limited && took > lateFactor*deadline+lateBy || took > crowdLimit {
		m.complain("%s %v took %v", tool, args, took)
	}
}

func (m *member) manage(action string) {
	args := map[string]any{"action": action, "path": m.ws, "format": "json"}
	if m.rng.IntN(2) == 0 && action != "clear" {
		args["wait"], args["deadlineMs"] = true, 1+m.rng.IntN(3000)
	}
	text, isError, took := m.try("manage_index", args)
	// its deadlineMs bounds only the waiting, not the call
	m.late("manage_index", map[string]any{"action": action}, took)
	var h heard
	if err := json.Unmarshal([]byte(text), &h); err != nil || isError && h.Reason != "server_busy" {
		m.complain("manage_index %v: %.400s", args, text)
	}
	m.count(action + " " + h.Status + " " + h.Reason)
}

// try calls a tool. It skips the answers of cancelled calls.
func (m *member) try(tool string, args any) (text string, isError bool, took time.Duration) {
	began := time.Now()
	m.lastID++
	m.send(map[string]any{"jsonrpc": "2.0", "id": m.lastID, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args}})
	for {
		line, err := m.out.ReadBytes('\n')
		if err != nil {
			m.crowd.t.Errorf("%s %v: %v\n%s", tool, args, err, m.stderr.String())
			return "", true, 0
		}
		var answer struct {
			ID     int
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		if json.Unmarshal(line, &answer) == nil && answer.ID == m.lastID {
			for _, c := range answer.Result.Content {
				text += c.Text
			}
			return text, answer.Result.IsError, time.Since(began)
		}
	}
}

// cancelled sends a search and cancels it within 3 ms.
func (m *member) cancelled(args any) {
	m.count("cancellations")
	m.lastID++
	m.send(map[string]any{"jsonrpc": "2.0", "id": m.lastID, "method": "tools/call",
		"params": map[string]any{"name": "search_codebase", "arguments": args}})
	// so that the cancellation meets any point of the call
	time.Sleep(time.Duration(m.rng.IntN(3000)) * time.Microsecond)
	m.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled",
		"params": map[string]any{"requestId": m.lastID}})
}
