//go:build linux

package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"sextant/internal/code"
)

// Scan finds the same files in a real tree as filepath.WalkDir.
func TestScanListsAll(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	tree := openTree(t, root, Policy{Profile: ProfileAllText})
	seen := map[string]Entry{}
	dirs := map[string]bool{}
	c, err := tree.Scan(context.Background(), "", Recursive, func(l Listing) {
		if l.Dir != "" && !dirs[code.Dir(l.Dir)] {
			t.Errorf("%s came before the directory above it", l.Dir)
		}
		dirs[l.Dir] = true
		for _, e := range l.Files {
			seen[e.Path] = e
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	n, missing := 0, 0
	filepath.WalkDir(tree.Root(), func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		rel, _ := filepath.Rel(tree.Root(), p)
		got, ok := seen[rel]
		if !ok {
			if !tree.Ignored(rel, false) {
				t.Errorf("%s was not listed", rel)
			}
			missing++
			return nil
		}
		info, _ := e.Info()
		if got.Key.Size != info.Size() || got.Key.MTime != info.ModTime().UnixNano() {
			t.Errorf("%s: key %+v", rel, got.Key)
		}
		one, err := tree.Stat(rel)
		if err != nil || one != got {
			t.Errorf("%s: Stat says %+v, %v, the scan %+v", rel, one, err, got)
		}
		return nil
	})
	if n < 5000 || missing > n/100 || c.Files != len(seen) || c.Dirs != len(dirs) {
		t.Errorf("%d files on disk, %d not listed, counts %+v", n, missing, c)
	}
}

// Stat and Ignored agree with Scan on trees with many rules.
func TestScanAgreesWithIgnored(t *testing.T) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "golang.org")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no golang.org in the module cache")
	}
	scanned := openTree(t, root, Policy{})
	seen := scanAll(t, scanned)
	fresh := openTree(t, root, Policy{})
	filepath.WalkDir(fresh.Root(), func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(fresh.Root(), p)
		if _, ok := seen[rel]; ok == fresh.Ignored(rel, false) || ok == scanned.Ignored(rel, false) {
			t.Errorf("%s: listed %v, ignored %v", rel, ok, fresh.Ignored(rel, false))
		}
		return nil
	})
}

func TestSkipReasons(t *testing.T) {
	root := t.TempDir()
	for p, n := range map[string]int{"a.go": 1, ".env": 1, ".env.example": 1, ".env.local": 1, "id_rsa": 1,
		"id_rsa.go": 1, "k.pem": 1, "big.txt": 101, "p.png": 1, "credentials.go": 1, "bad\xff.go": 1, "d/x.go": 1,
		".git/HEAD": 1, "deploy/.npmrc": 1} {
		writeFile(t, filepath.Join(root, p), strings.Repeat("x", n))
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe.go"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"in.go": "a.go", "out": "/etc", "d/up": ".."} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]SkipReason{
		"a.go": "", ".env": SkipSecret, ".env.example": "", ".env.local": SkipSecret,
		"id_rsa": SkipSecret, "id_rsa.go": "",
		"k.pem": SkipSecret, "big.txt": SkipTooLarge, "p.png": SkipUnsupported,
		"credentials.go": "", "bad\xff.go": SkipUnsupported, "d/x.go": "", "pipe.go": SkipNotRegular,
		"in.go": SkipSymlink,
		"out":   SkipSymlink, "d/up": SkipSymlink, "deploy/.npmrc": "",
	}
	tree := openTree(t, root, Policy{MaxFileBytes: 100, IgnorePatterns: []string{"!.env"}})
	got := map[string]SkipReason{}
	for p, e := range scanAll(t, tree) {
		got[p] = e.Skip
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	minimal := openTree(t, root, Policy{Profile: ProfileMinimal, CustomExtensions: []string{".pem", "example"},
		HasSymbols: func(p string) bool { return strings.HasSuffix(p, ".go") }})
	for p, want := range map[string]SkipReason{"a.go": "", "big.txt": SkipUnsupported, ".env.example": "",
		"k.pem": SkipSecret} {
		if e, err := minimal.Stat(p); err != nil || e.Skip != want {
			t.Errorf("minimal %s: %q, %v; want %q", p, e.Skip, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(outside, "x"), "outside")
	writeFile(t, filepath.Join(root, "d/x"), "inside")
	writeFile(t, filepath.Join(root, ".env"), "KEY=1")
	for link, to := range map[string]string{"file": outside + "/x", "dir": outside, "near": "d", "d/loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, root, Policy{})
	for p, want := range map[string]error{
		"file": ErrSymlink, "dir/x": ErrSymlink, "near/x": ErrSymlink, "d/loop": ErrSymlink, "pipe": ErrNotRegular,
		"d": ErrNotRegular, ".env": ErrSecret,
		"../x": ErrOutside, "/etc/passwd": ErrOutside, "d/../d/x": ErrOutside, "": ErrOutside, "d//x": ErrOutside,
		"a\x00b": ErrOutside,
		"gone":   fs.ErrNotExist, "gone/x": fs.ErrNotExist, "d/x/y": fs.ErrNotExist,
	} {
		if text, _, err := tree.Read(p, 0); !errors.Is(err, want) {
			t.Errorf("read %q: %q, %v; want %v", p, text, err, want)
		}
	}
	// The folder's name makes the file a secret, also if it is the root.
	writeFile(t, filepath.Join(root, ".Docker", "config.json"), "{}")
	writeFile(t, filepath.Join(root, ".Docker", "config.json.bak"), "{}")
	docker := openTree(t, filepath.Join(root, ".Docker"), Policy{})
	for _, p := range []string{"config.json", "config.json.bak"} {
		if text, _, err := docker.Read(p, 0); !errors.Is(err, ErrSecret) {
			t.Errorf("read %s of .docker: %q, %v", p, text, err)
		}
		if e, err := docker.Stat(p); err != nil || e.Skip != SkipSecret {
			t.Errorf("%s of .docker: %+v, %v", p, e, err)
		}
	}
	if _, _, err := tree.Read("d/x", 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("over the limit: %v", err)
	}
	for p, want := range map[string]error{"dir/x": ErrSymlink, "near/x": ErrSymlink, "d": ErrNotRegular,
		"gone": fs.ErrNotExist, ".git/x": fs.ErrNotExist, "d/../x": ErrOutside} {
		if e, err := tree.Stat(p); !errors.Is(err, want) {
			t.Errorf("stat %q: %+v, %v; want %v", p, e, err, want)
		}
	}
	text, key, err := tree.Read("d/x", 0)
	e, _ := tree.Stat("d/x")
	if string(text) != "inside" || err != nil || key != e.Key {
		t.Errorf("got %q, %+v, %v", text, key, err)
	}
	if rel, err := tree.Relative(filepath.Join(tree.Root(), "near/x")); rel != "d/x" || err != nil {
		t.Errorf("Relative: %q, %v", rel, err)
	}
	if _, err := tree.Relative(filepath.Join(tree.Root(), "dir/x")); !errors.Is(err, ErrOutside) {
		t.Errorf("Relative of a link that leaves: %v", err)
	}
}

// A change in any rule file applies from the next scan on.
func TestRuleChangesAreSeen(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	for _, p := range []string{"a.x", "s/a.x", "s/t/a.x", "s/t/b.y", "u/Cargo.lock", "u/target/o.rs"} {
		writeFile(t, filepath.Join(root, p), "x\n")
	}
	writeFile(t, filepath.Join(root, ".git/HEAD"), "x\n")
	tree := openTree(t, root, Policy{Home: home})
	paths := func() string {
		return strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(scanAll(t, tree))),
			func(p string) bool {
				return strings.HasPrefix(filepath.Base(p), ".") || strings.HasSuffix(p, ".toml")
			}), " ")
	}
	all := "a.x s/a.x s/t/a.x s/t/b.y u/Cargo.lock u/target/o.rs"
	if got := paths(); got != all {
		t.Fatalf("at first: %s", got)
	}
	ids := map[[16]byte]bool{tree.Rules().ID: true}
	for _, step := range []struct{ file, text, want string }{
		{"s/.gitignore", "*.x\n", "a.x s/t/b.y u/Cargo.lock u/target/o.rs"},
		{"s/t/.gitignore", "!*.x\n", "a.x s/t/a.x s/t/b.y u/Cargo.lock u/target/o.rs"},
		{"s/.gitignore", "*.y\n", "a.x s/a.x s/t/a.x u/Cargo.lock u/target/o.rs"}, // same size
		{".git/info/exclude", "/a.x\n", "s/a.x s/t/a.x u/Cargo.lock u/target/o.rs"},
		{"~/.config/git/ignore", "Cargo.lock\n", "s/a.x s/t/a.x u/target/o.rs"},
		{"sextant.toml", "[index]\nignore = [\"/s/t\"]\n", "s/a.x u/target/o.rs"},
		{".sextantignore", "!/s/*\n/u/\n", "s/a.x"},
	} {
		if rest, ok := strings.CutPrefix(step.file, "~/"); ok {
			writeFile(t, filepath.Join(home, rest), step.text)
		} else {
			writeFile(t, filepath.Join(root, step.file), step.text)
		}
		if got := paths(); got != step.want {
			t.Errorf("after %s: %s, want %s", step.file, got, step.want)
		}
		if id := tree.Rules().ID; ids[id] {
			t.Errorf("after %s: the identity is an old one", step.file)
		} else {
			ids[id] = true
		}
	}
	before := tree.Rules()
	if tree.Reload() {
		t.Error("Reload sees a change where there is none")
	}
	writeFile(t, filepath.Join(root, "sextant.toml"), "")
	writeFile(t, filepath.Join(root, ".sextantignore"), "")
	if !tree.Reload() || tree.Ignored("s/t/new.z", false) {
		t.Error("ignored before its rule")
	}
	writeFile(t, filepath.Join(root, "s/.gitignore"), "*.z\n")
	if !tree.Reload() || tree.Rules().ID == before.ID || !tree.Ignored("s/t/new.z", false) {
		t.Error("Reload missed a change")
	}
	writeFile(t, filepath.Join(root, "s/.gitignore"), "*.q\n")
	if !tree.Reload() || tree.Ignored("s/t/new.z", false) || !tree.Ignored("s/t/new.q", false) {
		t.Error("Reload left old rules in force below")
	}
	if err := os.RemoveAll(filepath.Join(root, "s")); err != nil {
		t.Fatal(err)
	}
	scanAll(t, tree)
	for _, f := range tree.Rules().Files {
		if strings.HasPrefix(f.Path, "s/") {
			t.Errorf("%s is gone and still in force", f.Path)
		}
	}
}

// After concurrent scans, reloads and look-ups, the rules on disk apply
// everywhere.
func TestConcurrentUse(t *testing.T) {
	root := t.TempDir()
	for i := range 40 {
		writeFile(t, filepath.Join(root, "d", itoa(i), "e", "f.go"), "x")
	}
	writeFile(t, filepath.Join(root, ".git/HEAD"), "x\n")
	writeFile(t, filepath.Join(root, ".git/info/exclude"), "private\n")
	tree := openTree(t, root, Policy{})
	for round := range 8 {
		writeFile(t, filepath.Join(root, "d/.gitignore"), "r"+itoa(round)+".go\n")
		var wg sync.WaitGroup
		wg.Go(func() { tree.Reload() })
		for i := range 3 {
			wg.Go(func() {
				if _, err := tree.Scan(context.Background(), []string{"", "d", "d/0001"}[i], Depth(i%2),
					func(Listing) {}); err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() {
				for k := range 40 {
					tree.Ignored("d/"+itoa(k)+"/e/x.go", false)
				}
			})
		}
		wg.Wait()
		scanAll(t, tree)
		for k := range 40 {
			if p := "d/" + itoa(k) + "/e/r" + itoa(round) + ".go"; !tree.Ignored(p, false) {
				t.Fatalf("round %d: %s is not ignored", round, p)
			}
		}
	}
}

func TestBadConfigurationIsAProblem(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "sextant.toml"), "[index]\nprofile = \"all\"\n")
	writeFile(t, filepath.Join(root, "a"), "x")
	tree := openTree(t, root, Policy{})
	if p := tree.Rules().Problems; len(p) != 1 || !strings.Contains(p[0], "unknown profile") {
		t.Errorf("problems: %q", p)
	}
	if _, err := Open(root, Policy{Profile: "all"}); err == nil {
		t.Error("an unknown profile was taken")
	}
	if _, err := Open("relative", Policy{}); err == nil {
		t.Error("a relative root was taken")
	}
}

// TestUnreadable runs itself again as a user who is not root, who may read
// anything.
func TestUnreadable(t *testing.T) {
	if os.Getuid() != 0 {
		checkUnreadable(t)
		t.Run("elsewhere", checkUnreadableElsewhere) // needs git
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The child process needs access to the binary and to a directory of its
	// own.
	dir, err := os.MkdirTemp("", "unreadable")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	bin, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(filepath.Join(dir, "t"), bin, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "t"), "-test.run=^TestUnreadable$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestUnreadable")) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}

func checkUnreadable(t *testing.T) {
	root := t.TempDir()
	for _, p := range []string{"a/x.go", "b/x.go", "c.go"} {
		writeFile(t, filepath.Join(root, p), "x\n")
	}
	tree := openTree(t, root, Policy{})
	for p, mode := range map[string]fs.FileMode{"a": 0, "c.go": 0, "b": 0o444} {
		abs := filepath.Join(root, p)
		if err := os.Chmod(abs, mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(abs, 0o755)
	}
	listings := map[string]Listing{}
	c, err := tree.Scan(context.Background(), "", Recursive, func(l Listing) { listings[l.Dir] = l })
	if err != nil || c.Unreadable != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	if l := listings["a"]; !errors.Is(l.Err, fs.ErrPermission) {
		t.Errorf("a: %v", l.Err)
	}
	if l := listings["b"]; l.Err != nil || len(l.Files) != 1 || l.Files[0].Skip != SkipUnreadable {
		t.Errorf("b: %+v", l)
	}
	for _, p := range []string{"c.go", "a/x.go"} {
		if _, _, err := tree.Read(p, 0); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("read %s: %v", p, err)
		}
	}
	if _, err := tree.Stat("a/x.go"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("stat: %v", err)
	}
}

// checkUnreadableElsewhere checks that a directory without read permission does
// not count as unreadable if it is ignored or in another checkout.
func checkUnreadableElsewhere(t *testing.T) {
	r := newRepo(t)
	for _, p := range []string{"apart/shut/deep/x.go", "out/shut/deep/x.go"} {
		r.write(p, "x\n")
	}
	tree := r.open("")
	listed(t, tree)
	for _, p := range []string{"apart/shut", "out/shut"} {
		abs := filepath.Join(r.root, p)
		if err := os.Chmod(abs, 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(abs, 0o755)
	}
	r.git(nil, "-C", "apart", "init", "-q")
	r.write(".gitignore", "out/\n")
	listed(t, tree)
	for dir, want := range map[string]error{"apart": ErrApart, "out": ErrIgnored} {
		for _, p := range []string{dir + "/shut/x.go", dir + "/shut/deep/x.go"} {
			if _, err := tree.Stat(p); !errors.Is(err, want) {
				t.Errorf("stat %s: %v, want %v", p, err, want)
			}
		}
		_, err := tree.Scan(t.Context(), dir+"/shut/deep", Recursive, func(l Listing) { t.Errorf("listed %+v", l) })
		if !errors.Is(err, want) {
			t.Errorf("scan of %s: %v, want %v", dir, err, want)
		}
	}
}

func TestScanOfWhatIsGone(t *testing.T) {
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "d/x"), "x")
	writeFile(t, filepath.Join(root, ".gitignore"), "ig/\n")
	writeFile(t, filepath.Join(root, "ig/x"), "x")
	if err := os.Symlink("d", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	tree := openTree(t, root, Policy{})
	for dir, want := range map[string]error{"gone": fs.ErrNotExist, "link": fs.ErrNotExist, "d/x": fs.ErrNotExist,
		"ig": ErrIgnored, "../x": ErrOutside} {
		_, err := tree.Scan(context.Background(), dir, Shallow, func(l Listing) {
			t.Errorf("%s was listed: %+v", dir, l)
		})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", dir, err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tree.Scan(ctx, "", Recursive, func(Listing) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Scan(context.Background(), "", Recursive, func(Listing) {}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("deleted root: %v", err)
	}
}

func benchmarkScan(b *testing.B, root string) {
	tree := openTree(b, root, Policy{})
	var c Counts
	for b.Loop() {
		var err error
		if c, err = tree.Scan(context.Background(), "", Recursive, func(Listing) {}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(c.Files), "files")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.Files), "ns/file")
}

func BenchmarkScanGoroot(b *testing.B) { benchmarkScan(b, filepath.Join(build.Default.GOROOT, "src")) }

func BenchmarkScanModuleCache(b *testing.B) {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		b.Fatal(err)
	}
	benchmarkScan(b, strings.TrimSpace(string(out)))
}

func BenchmarkScanTracked50k(b *testing.B) {
	r := newRepo(b)
	for i := range 50000 {
		r.write(fmt.Sprintf("d%d/e%d/f%d.go", i/1000, i/10%100, i%10), "package p\n")
	}
	r.write(".gitignore", "*.log\nf9.go\n/build/\n")
	r.git(nil, "add", "-f", ".")
	benchmarkScan(b, r.root)
}

func BenchmarkStat(b *testing.B) {
	tree := openTree(b, filepath.Join(build.Default.GOROOT, "src"), Policy{})
	for b.Loop() {
		if _, err := tree.Stat("net/http/internal/ascii/print.go"); err != nil {
			b.Fatal(err)
		}
	}
}
