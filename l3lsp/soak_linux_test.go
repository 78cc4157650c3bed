package l3lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// soak returns the duration of a soak test: SEXTANT_SOAK, such as "10m", or
// short.
func soak(t *testing.T, short time.Duration) time.Duration {
	t.Helper()
	v := os.Getenv("SEXTANT_SOAK")
	if v == "" {
		return short
	}
	d, err := time.ParseDuration(v)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// owners are three processes with pools that share one home, with their output.
type owners struct {
	t      *testing.T
	cmds   []*exec.Cmd
	inputs []io.Closer
	group  sync.WaitGroup

	mu   sync.Mutex
	said []map[string]int // by owner: "language state" → how often; guarded by mu
}

// threeOwners starts three owners (see playOwner) and counts in said the lines that they print.
func threeOwners(t *testing.T, mode, mark string) *owners {
	t.Helper()
	o := &owners{t: t, said: []map[string]int{{}, {}, {}}}
	home := t.TempDir()
	for i := range o.said {
		cmd, in, out := owner(t, home, mode, mark, i)
		o.cmds, o.inputs = append(o.cmds, cmd), append(o.inputs, in)
		o.group.Go(func() {
			for {
				line, err := out.ReadString('\n')
				if err != nil {
					break
				}
				o.mu.Lock()
				o.said[i][strings.TrimSpace(line)]++
				o.mu.Unlock()
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("owner %d: %v", i, err)
			}
		})
	}
	return o
}

// served reports whether every owner received an answer, and every language
// gave one.
func (o *owners) served(languages []string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	answers := func(said map[string]int, l string) bool { return said[l+" ready"] > 0 }
	for _, said := range o.said {
		if !slices.ContainsFunc(languages, func(l string) bool { return answers(said, l) }) {
			return false
		}
	}
	return !slices.ContainsFunc(languages, func(l string) bool {
		return !slices.ContainsFunc(o.said, func(said map[string]int) bool { return answers(said, l) })
	})
}

// watch counts servers for the soak time, and longer until every owner was
// served and three servers were alive at once; then it ends the owners.
func (o *owners) watch(count func() int, short time.Duration, languages []string) {
	o.t.Helper()
	most, start, enough := 0, time.Now(), soak(o.t, short)
	for time.Since(start) < enough || (most < 3 || !o.served(languages)) && time.Since(start) < enough+patience {
		n := count()
		if most = max(most, n); n > 3 {
			o.t.Errorf("%d servers live", n)
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !o.served(languages) {
		o.t.Error("an owner had no answer, or a language gave none")
	}
	for _, in := range o.inputs {
		in.Close()
	}
	o.group.Wait()
	if left := count(); left > 0 {
		o.t.Errorf("%d are left", left)
	}
	if most < 3 {
		o.t.Errorf("at most %d servers lived at once", most)
	}
	for i, said := range o.said {
		o.t.Logf("owner %d: %v", i, said)
		for state, n := range said {
			if strings.HasSuffix(state, " crashed") || strings.HasSuffix(state, " missing") {
				o.t.Errorf("owner %d: %s, %d times", i, state, n)
			}
		}
	}
}

// TestThreeProcessesShareThreeServers has three processes query five languages:
// the process table must never show more than three servers.
func TestThreeProcessesShareThreeServers(t *testing.T) {
	o := threeOwners(t, "good", mark(t))
	o.watch(func() int { return len(alive(t, mark(t))) }, 6*time.Second, ownerLanguages)
}

// TestSoakThreeRealServers is like TestThreeProcessesShareThreeServers, with
// real servers, for the time SEXTANT_SOAK.
func TestSoakThreeRealServers(t *testing.T) {
	if os.Getenv("SEXTANT_SOAK") == "" {
		t.Skip("real servers take minutes: SEXTANT_SOAK is not set")
	}
	task := ownerTask{Dirs: toolFolders(t), Within: time.Minute}
	p := realPool(t, Options{})
	var languages []string
	for _, l := range []string{"go", "typescript", "python", "cpp", "bash"} {
		text, err := os.ReadFile(filepath.Join("testdata", "servers", l+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		w := newWorkspace(t, text)
		requireServer(t, p, p.Find(l, w.dir).Spec.Name, w.dir)
		questions := parseQuestions(txtar.Parse(text).Comment)
		b := w.batch(l, questions.canary(), questions[0].place)
		languages = append(languages, l)
		task.Batches = append(task.Batches, struct {
			Folder, Language string
			Files            []Source
			Canary           *Canary
		}{b.Folder, b.Language, b.Files, b.Canary})
	}
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "task.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	o := threeOwners(t, "real", file)
	o.watch(func() int { return len(children(t, o.cmds)) }, 0, languages)
}

// children returns the guards that the given processes started, one per server.
func children(t *testing.T, of []*exec.Cmd) (pids []int) {
	t.Helper()
	for pid, fields := range stats(t) {
		if !slices.ContainsFunc(of,
			func(c *exec.Cmd) bool { return strconv.Itoa(c.Process.Pid) == fields[statParent] }) {
			continue
		}
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !bytes.HasPrefix(command, []byte("sextant-guard\x00")) {
			continue // gone, a zombie, not a guard, or still before exec
		}
		pids = append(pids, pid)
	}
	return pids
}
