package jit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"sextant/internal/code"
	"sextant/internal/store"
)

// besideRounds is the number of rounds of edits beside calls in each mode.
// SEXTANT_ORACLE_OPS overrides it.
const besideRounds = 40

// beside is a driver in a git repository whose root is in use while it edits.
type beside struct {
	*driver
	seed   uint64
	rounds int
}

// TestEditsBesideCallsLeaveNoStaleRow edits files, ignore rules and the git index
// of a root while other goroutines call Sync and Verify, with deadlines that end in
// the middle of their work, a budget that leaves most of it to the background, and
// restarts between and during calls. Once nothing is pending, the table in memory,
// the database and the disk agree.
func TestEditsBesideCallsLeaveNoStaleRow(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: apt-get install git")
	}
	seed := oracleEnv(t, "SEXTANT_ORACLE_SEED", uint64(time.Now().UnixNano()))
	rounds := oracleEnv(t, "SEXTANT_ORACLE_OPS", besideRounds)
	for name, mode := range map[string]WatchMode{"sweep": WatchOff, "watch": WatchAuto} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("SEXTANT_ORACLE_SEED=%d", seed)
			w := newWorld(t, seeds(), func(o *Options) {
				o.Watch, o.Budget, o.Workers, o.Extract = mode, 3*time.Millisecond, 3, slowly(seed)
			})
			d := beside{driver: &driver{world: w, rng: rand.New(rand.NewPCG(seed, 1))}, seed: seed}
			d.git("init", "-q")
			for d.rounds = range int(rounds) {
				d.round()
				d.quiesce()
				after := fmt.Sprintf("round %d: %q", d.rounds, d.trace[max(0, len(d.trace)-12):])
				d.checkTable(after)
				ignored, binary := d.ignoredByGit(), notText(w)
				w.check(after, func(p string) bool { return ignored[p] || binary(p) })
			}
		})
	}
}

// slowly returns linesAsSymbols with random delays, so that the files of a call
// end in any order.
func slowly(seed uint64) Extractor {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(seed, 9))
	return func(path string, text []byte) (code.File, error) {
		mu.Lock()
		delay := time.Duration(rng.IntN(6000)) * time.Microsecond
		mu.Unlock()
		time.Sleep(delay)
		return linesAsSymbols(path, text)
	}
}

// round edits beside calls, and restarts the root now and then.
func (d *beside) round() {
	ctx, cancel := context.WithCancel(d.t.Context())
	var calls sync.WaitGroup
	for caller := range 3 {
		calls.Go(func() { d.call(ctx, d.r, rand.New(rand.NewPCG(d.seed, uint64(10*d.rounds+caller)))) })
	}
	for range 1 + d.rng.IntN(5) {
		if d.rng.IntN(3) == 0 {
			d.trace = append(d.trace, d.track())
		} else {
			d.trace = append(d.trace, d.step())
		}
		time.Sleep(time.Duration(d.rng.IntN(8000)) * time.Microsecond)
	}
	restart, during := d.rng.IntN(8) == 0, d.rng.IntN(2) == 0
	if restart && during {
		d.must(d.rs.Close())
	}
	cancel()
	calls.Wait()
	if restart {
		d.trace = append(d.trace, "restart")
		d.must(d.rs.Close())
		d.open()
	}
}

// call calls Sync and Verify until ctx ends. Their own deadlines end earlier.
func (d *beside) call(ctx context.Context, r *Root, rng *rand.Rand) {
	for ctx.Err() == nil {
		soon, cancel := context.WithTimeout(ctx, time.Duration(rng.IntN(20000))*time.Microsecond)
		if rng.IntN(2) == 0 {
			_, _ = r.Sync(soon) // its deadline may pass
		} else {
			paths := []string{fmt.Sprintf("d%d/%c%d.go", rng.IntN(6), 'a'+rune(rng.IntN(6)), rng.IntN(4))}
			for _, p := range r.table.indexed() {
				if rng.IntN(8) == 0 {
					paths = append(paths, p)
				}
			}
			_, _ = r.Verify(soon, paths)
		}
		cancel()
	}
}

// track changes the git index or restores files from it.
func (d *beside) track() string {
	files, dirs := d.files()
	file, dir := d.pick(files), d.pick(dirs)
	if file == "" || dir == "" {
		return "nothing"
	}
	args := [][]string{{"add", "-f", "--", file}, {"add", "-f", "--", file}, {"add", "-f", "--", dir},
		{"rm", "-q", "-f", "--cached", "--", file}, {"rm", "-q", "-r", "-f", "--cached", "--", dir},
		{"commit", "-q", "-a", "-m", "state"}, {"reset", "-q", "--hard"}}[d.rng.IntN(7)]
	d.git(args...)
	return strings.Join(args, " ")
}

// git runs git in the root and returns what it prints. It may refuse.
func (d *beside) git(args ...string) []byte { return d.gitWith("", args...) }

func (d *beside) gitWith(input string, args ...string) []byte {
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "gc.auto=0",
		"-c", "core.excludesFile="}, args...)...)
	cmd.Dir, cmd.Stdin = d.dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, _ := cmd.Output()
	return out
}

// ignoredByGit returns the files that git ignores, by its own reading of the rules.
func (d *beside) ignoredByGit() map[string]bool {
	var paths strings.Builder
	for p := range d.onDisk(nil) {
		paths.WriteString(p + "\x00")
	}
	ignored := map[string]bool{}
	for p := range strings.SplitSeq(string(d.gitWith(paths.String(), "check-ignore", "-z", "--stdin")), "\x00") {
		ignored[p] = true
	}
	return ignored
}

// quiesce calls Sync until nothing is pending or unverified.
func (d *beside) quiesce() {
	d.t.Helper()
	for range 5000 {
		if rep := d.sync(); rep.Pending == 0 && len(rep.Unverified) == 0 {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	d.t.Fatal("files are pending for ever")
}

// checkTable compares the table in memory with the rows of the database.
func (d *beside) checkTable(after string) {
	d.t.Helper()
	rows := map[string]bool{}
	d.must(d.r.View(d.t.Context(), func(v *View) error {
		return v.Files(d.t.Context(), func(row store.FileRow) error {
			rows[row.Path] = true
			if k, ok := d.r.table.get(row.Path); !ok || k.hash != row.Hash || string(k.skip) != row.Skip {
				d.t.Errorf("after %s the row of %s is %x %q, in the table %t %x %q", after, row.Path, row.Hash,
					row.Skip, ok, k.hash, k.skip)
			}
			return nil
		})
	}))
	for _, p := range d.r.table.indexed() {
		if !rows[p] {
			d.t.Errorf("after %s the table has %s, the database has not", after, p)
		}
	}
}
