package jit

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// oracleOps is the number of operations of the random test in each mode, unless
// SEXTANT_ORACLE_OPS is set.
const oracleOps = 300

// driver changes a tree at random. It only uses names for which it can itself
// tell whether they are ignored.
type driver struct {
	*world
	rng   *rand.Rand
	rules []string // lines of .gitignore
	heads [2]map[string]string
	trace []string
}

func (d *driver) files() (files, dirs []string) {
	d.t.Helper()
	d.must(filepath.WalkDir(d.dir, func(abs string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		p, err := filepath.Rel(d.dir, abs)
		if p == ".git" {
			return fs.SkipDir
		}
		if p == "." || p == ".gitignore" {
			return err
		}
		if e.IsDir() {
			dirs = append(dirs, p)
		} else if e.Type().IsRegular() {
			files = append(files, p)
		}
		return err
	}))
	return files, dirs
}

func (d *driver) pick(from []string) string {
	if len(from) == 0 {
		return ""
	}
	return from[d.rng.IntN(len(from))]
}

func (d *driver) name() string {
	return fmt.Sprintf("%c%d.%s", 'a'+rune(d.rng.IntN(6)), d.rng.IntN(4), d.pick([]string{"go", "py", "txt", "log"}))
}

func (d *driver) dirName() string { return fmt.Sprintf("d%d", d.rng.IntN(6)) }

func (d *driver) text() string {
	return strings.Repeat(fmt.Sprintf("func f%d\n", d.rng.IntN(1000)), d.rng.IntN(4))
}

// try ignores an error that only says that a random operation was not possible.
func (d *driver) try(err error) {
	d.t.Helper()
	var pe *fs.PathError
	var le *os.LinkError
	if err != nil && !errors.As(err, &pe) && !errors.As(err, &le) {
		d.t.Fatal(err)
	}
}

func (d *driver) writeAny(p, text string) {
	d.try(os.MkdirAll(filepath.Dir(d.abs(p)), 0o755))
	d.try(os.WriteFile(d.abs(p), []byte(text), 0o644))
}

// ops are the kinds of change. Each may have no effect.
var ops = []struct {
	name string
	do   func(d *driver, file, dir string)
}{
	{"write", func(d *driver, file, _ string) { d.writeAny(file, d.text()) }},
	{"same size", func(d *driver, file, _ string) {
		b, err := os.ReadFile(d.abs(file))
		d.try(err)
		for i := range b {
			if b[i] >= '0' && b[i] <= '9' {
				b[i] = '0' + (b[i]-'0'+1)%10
			}
		}
		d.try(os.WriteFile(d.abs(file), b, 0o644))
	}},
	{"restored mtime", func(d *driver, file, _ string) {
		info, err := os.Lstat(d.abs(file))
		d.writeAny(file, d.text())
		if err == nil {
			d.try(os.Chtimes(d.abs(file), info.ModTime(), info.ModTime()))
		}
	}},
	{"atomic write", func(d *driver, file, _ string) {
		d.writeAny(".tmp", d.text())
		d.try(os.Rename(d.abs(".tmp"), d.abs(file)))
		d.try(os.RemoveAll(d.abs(".tmp")))
	}},
	{"append", func(d *driver, file, _ string) {
		f, err := os.OpenFile(d.abs(file), os.O_APPEND|os.O_WRONLY, 0)
		d.try(err)
		if err == nil {
			_, err = f.WriteString(d.text())
			d.try(errors.Join(err, f.Close()))
		}
	}},
	{"truncate", func(d *driver, file, _ string) { d.try(os.Truncate(d.abs(file), int64(d.rng.IntN(9)))) }},
	{"rename", func(d *driver, file, dir string) { d.try(os.Rename(d.abs(file), d.abs(path.Join(dir, d.name())))) }},
	{"delete", func(d *driver, file, _ string) { d.try(os.Remove(d.abs(file))) }},
	{"new file", func(d *driver, _, dir string) { d.writeAny(path.Join(dir, d.name()), d.text()) }},
	{"new directories", func(d *driver, _, dir string) {
		d.writeAny(path.Join(dir, d.dirName(), d.dirName(), d.name()), d.text())
	}},
	{"directory rename", func(d *driver, _, dir string) {
		_, dirs := d.files()
		d.try(os.Rename(d.abs(dir), d.abs(path.Join(d.pick(dirs), d.dirName()))))
	}},
	{"directory delete", func(d *driver, _, dir string) {
		if dir != "" && d.rng.IntN(3) == 0 {
			d.try(os.RemoveAll(d.abs(dir)))
		}
	}},
	{"ignore rules", func(d *driver, _, _ string) {
		d.rules = nil
		for _, r := range []string{"*.log", "*.txt", "d1", "d2"} {
			if d.rng.IntN(3) == 0 {
				d.rules = append(d.rules, r)
			}
		}
		d.writeAny(".gitignore", strings.Join(d.rules, "\n"))
	}},
	{"link instead of file", func(d *driver, file, _ string) {
		files, _ := d.files()
		d.try(os.Remove(d.abs(file)))
		d.try(os.Symlink(d.abs(d.pick(files)), d.abs(file)))
	}},
	{"link instead of directory", func(d *driver, _, dir string) {
		if _, dirs := d.files(); dir != "" && d.rng.IntN(3) == 0 {
			d.try(os.RemoveAll(d.abs(dir)))
			d.try(os.Symlink(d.abs(d.pick(dirs)), d.abs(dir)))
		}
	}},
	{"chmod", func(d *driver, file, _ string) { d.try(os.Chmod(d.abs(file), 0o600|fs.FileMode(d.rng.IntN(2)*0o44))) }},
	{"directory swap", func(d *driver, _, dir string) {
		_, dirs := d.files()
		other := d.pick(dirs)
		d.try(os.Rename(d.abs(dir), d.abs("swap")))
		d.try(os.Rename(d.abs(other), d.abs(dir)))
		d.try(os.Rename(d.abs("swap"), d.abs(other)))
		d.try(os.RemoveAll(d.abs("swap")))
	}},
	{"branch", func(d *driver, _, _ string) { d.checkout() }},
}

// checkout replaces the files of the tree by another set, like a switch of
// branches.
func (d *driver) checkout() {
	files, _ := d.files()
	which := d.rng.IntN(2)
	if d.heads[which] == nil || d.rng.IntN(4) == 0 {
		d.heads[which] = d.onDisk(nil)
		return
	}
	delete(d.heads[which], ".gitignore")
	for _, p := range files {
		if _, ok := d.heads[which][filepath.ToSlash(p)]; !ok {
			d.try(os.Remove(d.abs(p)))
		}
	}
	for p, text := range d.heads[which] {
		d.writeAny(p, text)
	}
}

func (d *driver) ignored(p string) bool {
	for step := range strings.SplitSeq(p, "/") {
		if slices.Contains(d.rules, step) || slices.Contains(d.rules, "*"+path.Ext(step)) && path.Ext(step) != "" {
			return true
		}
	}
	return notText(d.world)(p) // truncate has made a file longer
}

func (d *driver) step() string {
	files, dirs := d.files()
	op := ops[d.rng.IntN(len(ops))]
	file, dir := d.pick(files), d.pick(dirs)
	if file == "" {
		file = d.name()
	}
	op.do(d, file, dir)
	return fmt.Sprintf("%s (%s, %s)", op.name, file, dir)
}

// oracleEnv returns the number in an environment variable, otherwise if it is not set.
func oracleEnv(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func TestRandomEditsLeaveNoStaleRow(t *testing.T) {
	n := oracleEnv(t, "SEXTANT_ORACLE_OPS", oracleOps)
	seed := oracleEnv(t, "SEXTANT_ORACLE_SEED", uint64(time.Now().UnixNano()))
	for name, mode := range map[string]WatchMode{"sweep": WatchOff, "watch": WatchAuto} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("SEXTANT_ORACLE_SEED=%d", seed)
			w := newWorld(t, seeds(), func(o *Options) { o.Watch = mode })
			d := &driver{world: w, rng: rand.New(rand.NewPCG(seed, 1))}
			vouched := 0
			for i := range int(n) {
				if mode == WatchAuto && i%8 == 0 {
					w.awaitWatcher()
				}
				for range 1 + d.rng.IntN(3) {
					d.trace = append(d.trace, d.step())
				}
				if w.sync().Vouched {
					vouched++
				}
				w.check(fmt.Sprintf("operation %d: %q", i, d.trace[max(0, len(d.trace)-6):]), d.ignored)
			}
			if mode == WatchAuto && vouched < int(n)/10 {
				t.Errorf("the watcher vouched for %d of %d syncs only", vouched, n)
			}
			t.Logf("%d of %d syncs vouched", vouched, n)
		})
	}
}
