package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/cmd/dev/internal/accuracy"
	"sextant/internal/golden"
)

// pinnedFile has the figures of TestPinned, a line for each text.
const pinnedFile = "testdata/accuracy/pinned.tsv"

// TestPinned compares the resolver with compilers on real code that go.sum and
// testdata/node/package-lock.json pin to the byte, so that every figure is
// exact: a rule that loses or gains an edge shows in make test, without a
// corpus. -update writes the figures; read the difference.
func TestPinned(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", ".."))
	committed, err := os.ReadFile(pinnedFile)
	if err != nil && !golden.Updating() {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(committed)), "\n")
	for _, p := range []pinned{
		{"go", "github.com/spf13/pflag", ""}, {"typescript", "rxjs/src/internal", ""},
		{"javascript", "commander/lib", ""}, {"go", "github.com/spf13/pflag", accuracy.Taken},
	} {
		t.Run(p.language+"/"+strings.ReplaceAll(p.title(), "/", "."), func(t *testing.T) {
			got := p.figures(t)
			if golden.Updating() {
				lines = append(without(lines, p.title()), got)
			} else if !slices.Contains(lines, got) {
				t.Errorf("%s has no line\n%s\ngo test ./cmd/dev/accuracy -run Pinned -update writes it", pinnedFile,
					got)
			}
		})
	}
	if golden.Updating() {
		if err := os.WriteFile(pinnedFile, []byte(pinnedHeader+strings.Join(without(lines, "text"), "\n")+"\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const pinnedHeader = "text\tlanguage\tsites\tedges\tright edges\tcalls inside\tfound\tcalls outside\tsaid to be " +
	"outside\twrongly said\n"

// without returns the lines that are not about a text.
func without(lines []string, name string) (out []string) {
	for _, line := range lines {
		if line != "" && !strings.HasPrefix(line, name+"\t") {
			out = append(out, line)
		}
	}
	return out
}

// pinned is a text to measure: a Go module, or a folder of an npm package. use
// is a kind of use to measure, "" for calls.
type pinned struct {
	language, name string
	use            accuracy.Use
}

// title returns the name of the text's line: "github.com/spf13/pflag", or
// "github.com/spf13/pflag references" for a kind of use.
func (p pinned) title() string { return strings.TrimSpace(p.name + " " + string(p.use)) }

// figures measures a copy of the text, in a repository of its own, and returns
// its line.
func (p pinned) figures(t *testing.T) string {
	from, dir := p.folder(t), filepath.Join(t.TempDir(), "text")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}} { // oracles read the files that git lists
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git: %v\n%s", err, out)
		}
	}
	if p.use != "" {
		return p.uses(t, dir)
	}
	truth := truthOf(t, p.language, dir)
	score, _, err := (&runner{options: &options{}}).judge(t.Context(),
		&accuracy.Entry{Language: p.language}, dir, truth)
	if err != nil {
		t.Fatal(err)
	}
	f := accuracy.Publish(score)
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d", p.name, p.language, len(truth), f.PrecisionShown.N,
		f.PrecisionShown.Hit, f.RecallShown.N, f.RecallShown.Hit, f.External.N, f.External.Hit, f.Outside)
}

// uses measures the kind of use in dir and returns its line, in which the figures
// about calls from outside are 0.
func (p pinned) uses(t *testing.T, dir string) string {
	truth, got := truthOf(t, p.use.Of(p.language), dir), accuracy.Uses{}
	run := &runner{options: &options{}}
	if err := run.indexed(t.Context(), dir, func(x *index) error {
		return usesMeasurer{run.options, p.use}.judge(x, &got, accuracy.NewSites(truth))
	}); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t0\t0\t0", p.title(), p.language, len(truth), got.Precision.N,
		got.Precision.Hit, got.Recall.N, got.Recall.Hit)
}

// truthOf returns the sites that an oracle lists in dir.
func truthOf(t *testing.T, oracle, dir string) []accuracy.Truth {
	t.Helper()
	file := filepath.Join(t.TempDir(), "truth.jsonl")
	if err := accuracy.MakeTruth(t.Context(), oracle, dir, file); err != nil {
		t.Fatal(err)
	}
	truth, err := accuracy.ReadTruthFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// folder returns where the text is. The test is skipped without it, or fails if
// SEXTANT_REQUIRE_TOOLS is 1.
func (p pinned) folder(t *testing.T) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("SEXTANT_REQUIRE_TOOLS") == "1" {
		missing = t.Fatalf
	}
	if p.language == "go" {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", p.name).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		return strings.TrimSpace(string(out))
	}
	packages, err := filepath.EvalSymlinks("testdata/node/node_modules")
	if err != nil {
		missing("NOT MEASURED: testdata/node has no node_modules: run npm ci in it")
	}
	if _, err := exec.LookPath("node"); err != nil {
		missing("NOT MEASURED: node is not installed")
	}
	return filepath.Join(packages, p.name)
}
