package languages_test

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"

	"sextant/l2meta/languages"
)

// TestScannersAreGuarded extracts texts that once crashed the process, hung it, or made a scanner
// read out of bounds.
func TestScannersAreGuarded(t *testing.T) {
	word := func(n int) string { return strings.Repeat("A", n) }
	texts := map[string][]string{
		"a.kt": {"class A {\n val a: Int\n @B", "class A {\n val a: Int\n @B(c\x00d"},
		"a.svelte": {"{#await x then", "{#await x then" + word(5), "<" + word(100_000) + ">",
			strings.Repeat("<a-b>", 90)},
		"a.sh":    {"cat <<" + word(200) + "\n" + strings.Repeat("b", 200_000) + "\n" + word(200) + "\n"},
		"a.swift": {"let x = " + strings.Repeat("#", 300) + "\"a\"" + strings.Repeat("#", 300) + "\n"},
	}
	for _, n := range []int{255, 256, 257, 511, 512, 1000, 1012, 1016, 1018, 1019, 1020, 1024, 4000} {
		texts["a.rb"] = append(texts["a.rb"], "x = <<~"+word(n)+"\nhi\n"+word(n)+"\ndef after; end\n")
		texts["a.sh"] = append(texts["a.sh"], "cat <<"+word(n)+"\nhi $x\n"+word(n)+"\nafter() { a; }\n")
		texts["a.php"] = append(texts["a.php"], "<?php $x = <<<"+word(n)+"\nhi\n"+word(n)+";\n")
		texts["a.tf"] = append(texts["a.tf"], "a = <<"+word(n)+"\nhi\n"+word(n)+"\n")
	}
	if path := os.Getenv("SEXTANT_GUARD_TEXTS"); path != "" {
		defer inTime().Stop()
		for _, text := range texts[path] {
			f, err := languages.Extract(path, []byte(text))
			if err != nil {
				t.Error(err)
			}
			checkInvariants(t, &f)
		}
		return
	}
	for path := range texts {
		out, err := child(t, "SEXTANT_GUARD_TEXTS="+path).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%.2000s", path, err, out)
		}
	}
}

// TestScannersForget checks that the text after a heredoc whose word is too long for the scanner is
// parsed, and that a scanner keeps no state from one text to the next.
func TestScannersForget(t *testing.T) {
	for path, texts := range map[string][2]string{
		"a.lua":   {"x = '", "x = [[a]]\nfunction after() end\n"},
		"a.sh":    {"cat <<A <<B <<C\n", "after() {\n  cat <<D\n$x\nD\n}\n"},
		"a.php":   {"<?php $x = <<<A\n $y", "<?php $x = <<<'B'\nhi\nB;\nfunction after() {}\n"},
		"a.py":    {"x = f'{", "def after():\n    return f'{1}'\n"},
		"a.swift": {"let x = ##\"a", "let x = #\"a\"#\nfunc after() {}\n"},
		"a.rb":    {"x = <<~A\n", "x = <<~B\nb\nB\ndef after; end\n"},
	} {
		clean, err := languages.Extract(path, []byte(texts[1]))
		if err != nil || len(clean.Symbols) == 0 {
			t.Fatalf("%s: %v", path, err)
		}
		for range 20 {
			_, _ = languages.Extract(path, []byte(texts[0]))
			f, err := languages.Extract(path, []byte(texts[1]))
			if err != nil || f.BadBytes != clean.BadBytes || len(f.Symbols) != len(clean.Symbols) {
				t.Fatalf("%s: %d symbols, %d bytes bad after another text; alone %d, %d (%v)", path, len(f.Symbols),
					f.BadBytes, len(clean.Symbols), clean.BadBytes, err)
			}
		}
	}
}

// TestScannersShareNothing parses Lua concurrently, as its scanner keeps its state in global
// variables.
func TestScannersShareNothing(t *testing.T) {
	texts := []string{"x = 'a'\nfunction f() return [==[b]==] end\n",
		"--[[ c ]]\ny = \"d\" .. [[e]]\nfunction g() end\n"}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			text := strings.Repeat(texts[i%2], 50)
			for range 20 {
				if f, err := languages.Extract("a.lua", []byte(text)); err != nil || f.BadBytes > 0 {
					t.Errorf("%d bytes bad, %v", f.BadBytes, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestGuardsAreInPlace checks that the binding's Language and tree-sitter's TSLanguage have the
// layout that guard.go and guard.c assume.
func TestGuardsAreInPlace(t *testing.T) {
	var l sitter.Language
	if unsafe.Sizeof(l) != unsafe.Sizeof(uintptr(0)) {
		t.Fatal("the binding's Language is more than a pointer")
	}
	scanners := map[string]bool{
		"bash": true, "c": false, "cpp": true, "csharp": true, "elixir": true, "go": false, "hcl": true, "html": true,
		"java":       false,
		"javascript": true, "kotlin": true, "lua": true, "php": true, "protobuf": false, "python": true,
		"ruby": true, "rust": true,
		"scala": true, "svelte": true, "swift": true, "toml": true, "tsx": true, "typescript": true, "vue": true,
	}
	for name, s := range languages.Sources {
		if s.Language == nil {
			continue
		}
		has, known := scanners[name]
		if is := *s.Grammar().Language != *s.Language(); is != has || !known {
			t.Errorf("%s: guarded %v, has a scanner %v (%v)", name, is, has, known)
		}
	}
}

// child returns a command that runs this test again in a process of its own, which may crash.
func child(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), env...)
	return c
}

// inTime returns a timer that ends the process unless it is stopped in time. C code that hangs
// cannot be interrupted otherwise.
func inTime() *time.Timer {
	return time.AfterFunc(readWait, func() { panic("the text is not read in time") })
}

// readWait is ample for one text on a busy machine.
const readWait = 2 * time.Minute

// The number of texts in a run of mutations, and in one with SEXTANT_SOAK set.
const (
	mutations     = 1500
	soakMutations = 100_000
)

// TestMutatedTextsSoak checks that no text crashes or hangs the process, panics, or breaks the
// invariants of a File. The texts are mutated golden sources and constructs, many of them with
// parts that scanners count and remember. They are extracted in separate processes, so that the
// text of a crash is known.
func TestMutatedTextsSoak(t *testing.T) {
	t.Parallel()
	if run := os.Getenv("SEXTANT_MUTATIONS"); run != "" {
		readMutations(t, run)
		return
	}
	total, seed := mutations, int64(1)
	if os.Getenv("SEXTANT_SOAK") != "" {
		total, seed = soakMutations, time.Now().UnixNano()
		t.Logf("seed %d", seed)
	}
	const each = 5000
	for done := 0; done < total; done += each {
		last := filepath.Join(t.TempDir(), fmt.Sprint(done))
		run := fmt.Sprintf("%d %d %s", seed+int64(done), min(each, total-done), last)
		if out, err := child(t, "SEXTANT_MUTATIONS="+run).CombinedOutput(); err != nil {
			text, _ := os.ReadFile(last)
			t.Errorf("%v\nthe text, behind its path: %.3000q\n%.4000s", err, text, out)
		}
	}
}

// readMutations extracts mutated texts. run holds a seed, the number of texts, and the file for the
// current text.
func readMutations(t *testing.T, run string) {
	parts := strings.SplitN(run, " ", 3)
	seed, _ := strconv.ParseInt(parts[0], 10, 64)
	count, _ := strconv.Atoi(parts[1])
	m := mutator{random: rand.New(rand.NewSource(seed)), golden: goldenTexts(t)}
	for range count {
		path, text := m.next()
		if err := os.WriteFile(parts[2], append([]byte(path+"\n"), text...), 0o600); err != nil {
			t.Fatal(err)
		}
		watchdog := inTime()
		f, err := languages.Extract(path, text)
		watchdog.Stop()
		if err != nil {
			continue // the parser or the rules gave up
		}
		if checkInvariants(t, &f); t.Failed() {
			t.FailNow()
		}
	}
}

// goldenTexts returns the paths and texts of the golden sources.
func goldenTexts(t *testing.T) (out [][2]string) {
	files, err := filepath.Glob("*/testdata/golden/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range files {
		if filepath.Ext(path) == ".golden" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, [2]string{filepath.Base(path), string(text)})
	}
	return out
}

// mutator generates damaged texts.
type mutator struct {
	random *rand.Rand
	golden [][2]string
}

// mutatedMost bounds a mutated text, in bytes, so that a run has many texts.
const mutatedMost = 6000

// mutatedSizes are sizes at the limits of the buffers and counters in scanners.
var mutatedSizes = []int{0, 1, 2, 3, 15, 16, 17, 60, 127, 128, 204, 205, 254, 255, 256, 257, 340, 511, 512, 1000, 1012,
	1019, 1020, 1023, 1024, 1025}

func (m *mutator) next() (path string, text []byte) {
	switch c := constructs[m.random.Intn(len(constructs))]; m.random.Intn(4) {
	case 0: // a construct alone
		path, text = c.path, []byte(c.text(m.size()))
	case 1: // a construct inside another of its language, or after it
		path, text = c.path, []byte(c.text(m.size()))
		for range 1 + m.random.Intn(3) {
			if d := constructs[m.random.Intn(len(constructs))]; filepath.Ext(d.path) == filepath.Ext(path) {
				text = m.insert(text, d.text(m.size()))
			}
		}
	case 2: // a construct inside a valid text
		g := m.golden[m.random.Intn(len(m.golden))]
		path, text = g[0], m.insert([]byte(g[1]), c.text(m.size()))
	default:
		g := m.golden[m.random.Intn(len(m.golden))]
		path, text = g[0], []byte(g[1])
	}
	if m.random.Intn(3) > 0 {
		text = damage(m.random, text)
	}
	return path, text[:min(len(text), mutatedMost)]
}

func (m *mutator) size() int { return mutatedSizes[m.random.Intn(len(mutatedSizes))] }

func (m *mutator) insert(text []byte, what string) []byte {
	at := m.random.Intn(len(text) + 1)
	return append(append(append([]byte(nil), text[:at]...), what...), text[at:]...)
}
