package languages_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// TestPythonAgainstAST compares the extracted facts with Python's own ast module over the standard
// library: symbols by kind, qualified name and lines, calls by kind, name and arguments, imports by
// module, name and alias.
func TestPythonAgainstAST(t *testing.T) {
	t.Parallel()
	python := requireTool(t, "python3")
	stdlib, err := exec.Command(python, "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := sourceFiles(t, strings.TrimSpace(string(stdlib)), ".py")
	answers := askTruth(t, sampled(files, 400), python, "testdata/truth/python_truth.py")
	var score scores
	for _, a := range answers {
		if a.Symbols != nil { // nil: not valid for this interpreter, like lib2to3's own test data
			score.compare(t, a)
		}
	}
	score.require(t)
}

// requireTool returns the path of an executable. If it is missing, the test is skipped, or fails if
// SEXTANT_REQUIRE_TOOLS is 1.
func requireTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		missingTool(t, "%s is not installed", name)
	}
	return path
}

func missingTool(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("SEXTANT_REQUIRE_TOOLS") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf("NOT COMPARED: "+format, args...)
}

// sourceFiles returns the files below dir with one of the endings, in order.
func sourceFiles(t *testing.T, dir string, endings ...string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		for _, ending := range endings {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ending) {
				out = append(out, path)
				break
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sampled returns about n of the files, evenly spaced, or all of them if SEXTANT_FULL is 1.
func sampled(files []string, n int) (out []string) {
	if os.Getenv("SEXTANT_FULL") == "1" || len(files) <= n {
		return files
	}
	for i := range n {
		out = append(out, files[i*len(files)/n])
	}
	return out
}

// truth holds the facts of one file according to the language's own parser.
type truth struct {
	Path    string   `json:"path"`
	Symbols []string `json:"symbols"` // "kind qualified.name first-last", nil if it does not parse
	Calls   []string `json:"calls"`   // "kind name arguments"
	Imports []string `json:"imports"` // "module name alias"
}

// askTruth runs a script that reads paths and writes one truth per line.
func askTruth(t *testing.T, files []string, script ...string) (out []truth) {
	t.Helper()
	if len(files) == 0 {
		t.Fatal("no files to compare")
	}
	cmd := exec.Command(script[0], script[1:]...)
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(files, "\n")), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", script, err)
	}
	for d := json.NewDecoder(strings.NewReader(string(answer))); d.More(); {
		var one truth
		if err := d.Decode(&one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	if len(out) != len(files) {
		t.Fatalf("%v: %d answers for %d files", script, len(out), len(files))
	}
	return out
}

// scores holds the comparison of all files, by kind of fact.
type scores struct{ symbols, calls, imports tally }

// compare extracts the file of a truth and compares the facts. A file that breaks an invariant
// fails the test.
func (s *scores) compare(t *testing.T, want truth) {
	t.Helper()
	text, err := os.ReadFile(want.Path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := languages.Extract(want.Path, text)
	if err != nil {
		t.Errorf("%v", err)
	}
	checkInvariants(t, &f)
	var symbols, calls, imports []string
	for _, x := range f.Symbols {
		symbols = append(symbols, symbolLine(&x))
	}
	kinds := map[code.CallKind]string{code.CallPlain: "plain", code.CallNew: "new", code.CallDecorator: "decorator",
		code.CallSuper: "super"}
	for _, x := range f.Calls {
		if kind := kinds[x.Kind]; kind != "" {
			calls = append(calls, fmt.Sprintf("%s %s %d", kind, x.Callee, x.Args))
		}
	}
	for _, x := range f.Imports {
		imports = append(imports, x.Module+" "+x.Name+" "+x.Alias)
	}
	s.symbols.compare(want.Path, want.Symbols, symbols)
	s.calls.compare(want.Path, want.Calls, calls)
	s.imports.compare(want.Path, want.Imports, imports)
}

func (s *scores) require(t *testing.T) {
	t.Run("symbols", func(t *testing.T) { s.symbols.require(t, 0.995) })
	t.Run("calls", func(t *testing.T) { s.calls.require(t, 0.995) })
	t.Run("imports", func(t *testing.T) { s.imports.require(t, 0.995) })
}

// symbolLine returns a symbol in the form of truth.Symbols.
func symbolLine(s *code.Symbol) string {
	return fmt.Sprintf("%s %s %d-%d", s.Kind, s.QualifiedName, s.Span.StartLine, s.Span.EndLine)
}
