package l3lsp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sextant/internal/lang"
)

// BenchmarkWarm measures the cost of a call site at a server that has read its
// folder and resolves a canary: for the first query of its file, in batches of
// files of one folder, and for a repeated one. ms/edge is wall time,
// cpu-ms/edge the CPU time of the server and its descendants.
func BenchmarkWarm(b *testing.B) {
	for _, c := range []struct {
		server, dir, only string // uses the files of dir whose path contains only
		declared          string // a regular expression of the first line of a function
	}{
		{"gopls", goroot(b), "net/http/", `^func (\w+)\(`},
		{"typescript-language-server", rxjs(b), "internal/operators/", `^export function (\w+)[<(]`},
		{"typescript", rxjs(b), "internal/operators/", `^export function (\w+)[<(]`},
		{"pyright", pythonLibrary(b), "", `^def (\w+)\(`},
	} {
		b.Run(c.server, func(b *testing.B) {
			if c.dir == "" {
				b.Skip("the sources are not installed")
			}
			p := realPool(b, Options{Command: only(c.server), Idle: time.Hour})
			requireServer(b, p, c.server, c.dir)
			w := &warm{pool: p, dir: c.dir, declared: regexp.MustCompile(`(?m)` + c.declared)}
			w.read(b, c.only)
			w.ready(b)
			b.Run("first", func(b *testing.B) { w.measure(b, w.batches) })
			b.Run("again", func(b *testing.B) { w.measure(b, w.batches[:1]) })
		})
	}
}

// warm is one server with batches of sites in its folder.
type warm struct {
	pool     *Pool
	dir      string
	declared *regexp.Regexp
	batches  []Batch
	next     int // the next unused batch
}

var benchCall = regexp.MustCompile(`\b([A-Za-z_]\w*)\(`)

// The size of a batch of the benchmark: the sites that a graph queries in some
// files of a package.
const (
	batchFiles = 8
	fileSites  = 25
)

// read collects the calls in files by a regular expression.
func (w *warm) read(b *testing.B, only string) {
	b.Helper()
	var files []Source
	var canary *Canary
	language := ""
	err := filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		l, known := lang.Detect(path)
		if err != nil || d.IsDir() || !known || !strings.Contains(filepath.ToSlash(path), only) ||
			!slices.Contains([]string{"go", "typescript", "python"}, l.Name) || strings.Contains(path, "_test.") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		language = l.Name
		if canary == nil {
			canary = canaryIn(path, text, w.declared)
		}
		if f := (Source{Path: path, Text: text, Offsets: calls(text, w.declared)}); len(f.Offsets) > 0 {
			files = append(files, f)
		}
		return nil
	})
	if err != nil || canary == nil || len(files) < batchFiles {
		b.Fatalf("%d files, canary %v: %v", len(files), canary, err)
	}
	for group := range slices.Chunk(files, batchFiles) {
		w.batches = append(w.batches, Batch{Folder: w.dir, Language: language, Files: group, Canary: canary})
	}
}

// calls returns the offsets of the first called name on each line of a text.
func calls(text []byte, declared *regexp.Regexp) (out []int) {
	at := 0
	for line := range strings.Lines(string(text)) {
		start := strings.TrimSpace(line)
		if m := benchCall.FindStringSubmatchIndex(line); m != nil && len(out) < fileSites &&
			!declared.MatchString(line) &&
			!startsWithAny(start, []string{"//", "*", "/*", "#", "def ", "class ", "func ", "if (", "for (",
				"while (", "switch ("}) {
			out = append(out, at+m[2])
		}
		at += len(line)
	}
	return out
}

// canaryIn returns a call of a function that the same file declares; nil if
// there is none.
func canaryIn(path string, text []byte, declared *regexp.Regexp) *Canary {
	for _, m := range declared.FindAllSubmatchIndex(text, -1) {
		name := string(text[m[2]:m[3]])
		call := regexp.MustCompile(`\n[ \t]+(?:return |x := |await )?(` + regexp.QuoteMeta(name) +
			`)\(`).FindSubmatchIndex(text)
		if call != nil && call[2] != m[2] {
			return &Canary{Path: path, Text: text, Offset: call[2], TargetOffset: m[2]}
		}
	}
	return nil
}

// ready waits until the server has read its folder.
func (w *warm) ready(b *testing.B) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
	defer cancel()
	one := w.batches[len(w.batches)-1]
	for {
		r, err := w.pool.Ask(ctx, one)
		if err != nil || ctx.Err() != nil {
			b.Fatalf("%+v: %v", r, err)
		}
		if r.State == Ready {
			return
		}
	}
}

// measure queries batches in turn. A first query needs sites not queried
// before; when these are used up, known ones are queried again.
func (w *warm) measure(b *testing.B, batches []Batch) {
	pid := w.pool.Status()[0].PID
	edges, found := 0, 0
	group, err := syscall.Getpgid(pid)
	if err != nil {
		b.Fatal(err)
	}
	before, began := groupCPU(b, group), time.Now()
	for b.Loop() {
		batch := batches[w.next%len(batches)]
		w.next++
		r, err := w.pool.Ask(b.Context(), batch)
		if err != nil || r.State != Ready {
			b.Fatalf("%s %s: %v", r.State, r.Detail, err)
		}
		for _, file := range r.Answers {
			edges += len(file)
			for _, a := range file {
				found += min(len(a.Locations), 1)
			}
		}
	}
	took, cpu := time.Since(began), groupCPU(b, group)-before
	b.ReportMetric(float64(took.Microseconds())/1000/float64(edges), "ms/edge")
	b.ReportMetric(float64(cpu.Microseconds())/1000/float64(edges), "cpu-ms/edge")
	b.ReportMetric(float64(found)/float64(edges), "answered")
	b.ReportMetric(float64(edges)/float64(b.N), "edges/op")
}

// groupCPU returns the CPU time of the processes of a group and their ended
// children, from /proc.
func groupCPU(t testing.TB, pgid int) time.Duration {
	t.Helper()
	ticks := 0
	for _, fields := range stats(t) {
		if fields[statGroup] != strconv.Itoa(pgid) {
			continue
		}
		for _, n := range fields[statTimes : statTimes+4] {
			v, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			ticks += v
		}
	}
	return time.Duration(ticks) * (time.Second / userHZ)
}

// goroot returns the folder of Go's library sources.
func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// rxjs returns a copy of the sources of an npm package, with a tsconfig.json.
// In node_modules they would count as a dependency. "" if it is not installed.
func rxjs(t testing.TB) string {
	t.Helper()
	from := filepath.FromSlash("../testdata/node/node_modules/rxjs/src")
	if _, err := os.Stat(from); err != nil {
		return ""
	}
	dir := filepath.Join(t.TempDir(), "rxjs")
	copyTree(t, from, dir)
	config := `{"compilerOptions": {"target": "es2022", "moduleResolution": "node", "strict": true, "baseUrl": "."}, "include": ["**/*.ts"]}`
	if err := os.WriteFile(filepath.Join(dir, "tsconfig.json"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pythonLibrary returns a copy of some packages of Python's standard library,
// because beside the original are all installed packages. "" if there is none.
func pythonLibrary(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		return ""
	}
	dir := t.TempDir()
	for _, pkg := range []string{"asyncio", "concurrent", "email", "http", "json", "logging", "xml"} {
		copyTree(t, filepath.Join(strings.TrimSpace(string(out)), pkg), filepath.Join(dir, pkg))
	}
	return dir
}

func copyTree(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
