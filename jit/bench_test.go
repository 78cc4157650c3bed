package jit

import (
	"fmt"
	"go/build"
	"path/filepath"
	"testing"
	"time"
)

// benchWorld indexes dir, or n generated files if dir is "".
func benchWorld(b *testing.B, dir string, n int, mode WatchMode) *world {
	b.Helper()
	base, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	w := &world{t: b, dir: dir, home: filepath.Join(base, "home")}
	if dir == "" {
		w.dir = filepath.Join(base, "root")
		for i := range n {
			w.write(fmt.Sprintf("d%d/e%d/f%d.go", i/1000, i/10%100, i%10), fmt.Sprintf("package p\n\nfunc f%d\n", i))
		}
	}
	w.opt = testOptions(w.home)
	w.opt.Watch = mode
	// An hour ahead, so that the keys of the new files are not racy.
	w.opt.Clock = func() time.Time { return time.Now().Add(time.Hour) }
	w.open()
	w.must(w.r.Build(b.Context(), "create", nil))
	return w
}

func goroot() string { return filepath.Join(build.Default.GOROOT, "src") }

func perFile(b *testing.B, w *world) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.r.table.size()), "ns/file")
	b.ReportMetric(float64(w.r.table.size()), "files")
}

func BenchmarkSweepGoroot(b *testing.B) {
	w := benchWorld(b, goroot(), 0, WatchOff)
	for b.Loop() {
		w.sync()
	}
	perFile(b, w)
}

func BenchmarkSweep50k(b *testing.B) {
	w := benchWorld(b, "", 50000, WatchOff)
	for b.Loop() {
		w.sync()
	}
	perFile(b, w)
}

func BenchmarkVouched50k(b *testing.B) {
	w := benchWorld(b, "", 50000, WatchAuto)
	w.awaitWatcher()
	for b.Loop() {
		if !w.sync().Vouched {
			b.Fatal("the watcher did not vouch")
		}
	}
}

func BenchmarkVouchedGoroot(b *testing.B) {
	w := benchWorld(b, goroot(), 0, WatchAuto)
	w.awaitWatcher()
	for b.Loop() {
		if !w.sync().Vouched {
			b.Fatal("the watcher did not vouch")
		}
	}
}

func BenchmarkOneFileEdit50k(b *testing.B) {
	w := benchWorld(b, "", 50000, WatchAuto)
	w.awaitWatcher()
	i := 0
	for b.Loop() {
		i++
		w.write("d7/e7/f7.go", fmt.Sprintf("package p\n\nfunc edit%d\n", i))
		if rep := w.sync(); len(rep.Modified) != 1 {
			b.Fatalf("%+v", rep)
		}
	}
}

func benchVerify(b *testing.B, stale int) {
	w := benchWorld(b, "", 2000, WatchOff)
	var paths []string
	for i := range 100 {
		paths = append(paths, fmt.Sprintf("d0/e%d/f%d.go", i/10, i%10))
	}
	n := 0
	for b.Loop() {
		b.StopTimer()
		n++
		for _, p := range paths[:stale] {
			w.write(p, fmt.Sprintf("package p\n\nfunc g%d\n", n))
		}
		b.StartTimer()
		rep, err := w.r.Verify(b.Context(), paths)
		if err != nil || len(rep.Modified) != stale {
			b.Fatalf("%+v, %v", rep, err)
		}
	}
}

func BenchmarkVerify100Stale0(b *testing.B)   { benchVerify(b, 0) }
func BenchmarkVerify100Stale1(b *testing.B)   { benchVerify(b, 1) }
func BenchmarkVerify100Stale100(b *testing.B) { benchVerify(b, 100) }

func BenchmarkOpen50k(b *testing.B) {
	w := benchWorld(b, "", 50000, WatchOff)
	for b.Loop() {
		rs, err := Open(b.Context(), w.opt)
		w.must(err)
		r, _, err := rs.Resolve(b.Context(), w.dir)
		w.must(err)
		w.must(r.refresh(b.Context()))
		if r.table.size() != 50000 {
			b.Fatal("not loaded")
		}
		w.must(rs.Close())
	}
}

func BenchmarkBuildGoroot(b *testing.B) {
	w := benchWorld(b, goroot(), 0, WatchOff)
	for b.Loop() {
		w.must(w.r.Rebuild(b.Context(), "reindex"))
		w.must(w.r.Wait(b.Context(), nil))
	}
	perFile(b, w)
}

func BenchmarkReadGoroot(b *testing.B) {
	w := benchWorld(b, goroot(), 0, WatchOff)
	for b.Loop() {
		if _, _, err := w.r.Read(b.Context(), "net/http/server.go"); err != nil {
			b.Fatal(err)
		}
	}
}
