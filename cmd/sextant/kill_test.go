package main

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"sextant/internal/store"
)

const (
	// killRounds is the number of kills. SEXTANT_KILLS overrides it;
	// SEXTANT_KILLS_SEED repeats the edits of a run.
	killRounds = 12
	// killWithin is the longest time between a request and the kill of its writer.
	// Indexing the workspace of the test takes about as long.
	killWithin = 120 * time.Millisecond
	// settleWithin bounds how long the next server needs for a whole index.
	settleWithin = time.Minute
)

// TestKilledWriter repeatedly kills one of two servers of a root with SIGKILL,
// while it writes and the other answers. The databases must stay sound, no lock
// may be left, and the next server's answers must match the disk.
func TestKilledWriter(t *testing.T) {
	t.Parallel()
	requireTool(t, "git", "apt-get install git")
	rounds := int(fromEnv(t, "SEXTANT_KILLS", killRounds))
	seed := fromEnv(t, "SEXTANT_KILLS_SEED", uint64(time.Now().UnixNano()))
	t.Logf("SEXTANT_KILLS_SEED=%d", seed)
	s := newSite(t)
	e := &editor{t: t, dir: s.ws, rng: rand.New(rand.NewPCG(seed, 6))}
	e.git("init", "-q")
	e.branches = []string{"main"}
	for range 200 {
		p := filepath.Join(e.dirName(), e.dirName(), e.fileName())
		e.write(p, e.text(p))
	}
	k := &killing{site: s, editor: e, writer: s.serve(), reader: s.serve()}
	k.writer.track(s)
	for i := range rounds {
		k.round()
		if t.Failed() {
			t.Fatalf("in round %d, after %q", i, e.trace[max(0, len(e.trace)-12):])
		}
	}
	k.writer.close()
	k.reader.close()
	t.Logf("%d kills, in %d of them both servers; %d left an index half built", rounds, k.both, k.halfBuilt)
}

// killing is the state of TestKilledWriter; both and halfBuilt count rounds.
type killing struct {
	*site
	*editor
	writer, reader  *client
	both, halfBuilt int
}

// round edits files, makes the writer index them, and kills it at a random
// moment while the reader answers. In one of three rounds it kills the reader
// too.
func (k *killing) round() {
	t := k.site.t
	for range 1 + k.rng.IntN(6) {
		k.step()
	}
	k.writer.send(map[string]any{"jsonrpc": "2.0", "id": 1 << 20, "method": "tools/call", "params": map[string]any{
		"name": "manage_index", "arguments": pick(k.rng, []map[string]any{
			{"action": "reindex", "path": k.ws, "wait": true},
			{"action": "reindex", "path": k.ws},
			{"action": "repair", "path": k.ws, "wait": true},
			{"action": "sync", "path": k.ws, "wait": true},
		})}})
	killed := make(chan error, 1)
	process := k.writer.cmd.Process
	time.AfterFunc(time.Duration(k.rng.Int64N(int64(killWithin))), func() { killed <- process.Kill() })
	for dead := false; !dead; {
		select {
		case err := <-killed:
			if err != nil {
				t.Fatal(err)
			}
			dead = true
		default:
			if text, isError := k.reader.call("search_codebase",
				map[string]any{"path": k.ws, "query": "must:uq00", "scope": "mixed"}); isError {
				t.Errorf("while another writes, search answers %s", text)
			}
		}
	}
	k.writer.kill()
	if k.rng.IntN(3) == 0 {
		k.both++
		k.reader.kill()
		k.sound()
		k.reader = k.serve()
	} else {
		k.sound()
	}
	k.writer = k.serve()
	k.settle(process.Pid)
	now := look(t, k.ws)
	k.compare("the next server", k.writer, now)
	k.compare("the reader", k.reader, now)
	k.unlocked()
}

// compare searches for every token and name, and reports differences between
// the answers and the disk.
func (k *killing) compare(who string, c *client, now picture) {
	k.site.t.Helper()
	for query, pattern := range map[string]*regexp.Regexp{`regex:"uq[0-9]{7}z"`: tokenPattern,
		`regex:"Sym[0-9]{7}"`: namePattern} {
		want := map[string]bool{}
		for word, places := range now.places {
			for _, at := range places {
				want[at] = want[at] || pattern.MatchString(word)
			}
		}
		var wrong []string
		for _, at := range (&checker{client: c, editor: k.editor, ws: k.ws, now: now}).walk(query) {
			if !want[at] {
				wrong = append(wrong, "+"+at)
			}
			delete(want, at)
		}
		for at, missing := range want {
			if missing {
				wrong = append(wrong, "-"+at)
			}
		}
		if len(wrong) > 0 {
			k.site.t.Errorf("%s: %s differs from the disk in %d lines: %q", who, query, len(wrong),
				wrong[:min(len(wrong), 20)])
		}
	}
}

// sound runs SQLite's integrity check on every database.
func (k *killing) sound() {
	t := k.site.t
	t.Helper()
	files := k.inHome("index-*.db", filepath.Join("roots", "*", "index-*.db"))
	if len(files) < 2 {
		t.Errorf("the databases are %q", files)
	}
	for _, f := range files {
		db, err := sql.Open("sqlite", "file:"+f+"?mode=ro")
		if err != nil {
			t.Fatal(err)
		}
		var verdict string
		err = db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict)
		if err := errors.Join(err, db.Close()); err != nil || verdict != "ok" {
			t.Errorf("integrity_check of %s: %q, %v", f, verdict, err)
		}
	}
}

func (k *killing) inHome(patterns ...string) (files []string) {
	k.site.t.Helper()
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(k.home, p))
		if err != nil {
			k.site.t.Fatal(err)
		}
		files = append(files, found...)
	}
	return files
}

// settle calls the new server until the index is whole. The first server called
// has resumed the interrupted build. Until it is done, answers must say that
// they are incomplete. The process dead must hold no lock.
func (k *killing) settle(dead int) {
	t := k.site.t
	t.Helper()
	var first found
	k.writer.ask("search_codebase", map[string]any{"path": k.ws, "query": "must:uq00", "scope": "mixed"}, &first)
	if first.Status != "ok" && first.Status != "not_ready" {
		t.Errorf("the first search after the kill: %s", brief(first))
	}
	if first.Matches == nil || !first.Matches.Complete {
		k.halfBuilt++
		if first.Status == "ok" && len(first.Warnings) == 0 {
			t.Errorf("an incomplete answer without a warning: %s", brief(first))
		}
	}
	var a struct {
		Status, Message string
		Operation       *struct{ Writer struct{ PID int } }
	}
	for until := time.Now().Add(settleWithin); a.Status != "ok"; {
		k.writer.ask("manage_index", map[string]any{"action": "sync", "path": k.ws, "wait": true}, &a)
		if a.Status == "blocked" && a.Operation != nil && a.Operation.Writer.PID == dead {
			t.Fatalf("held by the dead: %+v", a)
		}
		if time.Now().After(until) {
			t.Fatalf("no index after the kill: %+v", a)
		}
	}
}

// unlocked acquires every lock: no process may hold one between requests.
func (k *killing) unlocked() {
	t := k.site.t
	t.Helper()
	locks := k.inHome("*.lock", filepath.Join("roots", "*", "*.lock"))
	if len(locks) == 0 {
		t.Error("no lock file is found")
	}
	for _, f := range locks {
		lock, err := store.TryLock(f, store.Holder{Action: "test"})
		if err == nil {
			err = lock.Unlock()
		}
		if err != nil {
			t.Error(fmt.Errorf("a lock is left: %w", err))
		}
	}
}
