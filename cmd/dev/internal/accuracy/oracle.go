package accuracy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sextant/cmd/dev/internal/accuracy/gotrace"
	"sextant/cmd/dev/internal/accuracy/gotruth"
)

// oracles maps a language to the command of its oracle, a program that resolves calls with a
// compiler or by running them. The command runs in the top folder of this project with the work
// tree as its last argument. It writes one line per call site to its standard output. A language
// without an oracle is judged by hand. Go's oracle is the type checker in this process.
var oracles = map[string][]string{
	"typescript": {"node", "testdata/oracles/typescript.mjs"},
	"javascript": {"node", "testdata/oracles/typescript.mjs"},
	"python":     {"python3", "testdata/oracles/python.py"},
	"ruby":       {"ruby", "testdata/oracles/ruby.rb"},
	"java":       {"java", "testdata/oracles/Java.java"},
	"kotlin":     {"java", "-cp", "/usr/share/kotlin/kotlinc/lib/*", "testdata/oracles/Kotlin.java"},
	"scala":      {"testdata/oracles/scala.sh", "Scala"},
	"csharp":     {"node", "testdata/oracles/csharp/csharp.mjs"},
	"php":        {"node", "testdata/oracles/php/php.mjs"},
	"rust":       {"testdata/oracles/rust.py"},
	"elixir":     {"elixir", "testdata/oracles/elixir.exs"},
	"c":          {"testdata/oracles/cfamily.py"},
	"cpp":        {"testdata/oracles/cfamily.py"},

	Accessed.Of("typescript"): {"node", "testdata/oracles/accesses.mjs"},
	Accessed.Of("javascript"): {"node", "testdata/oracles/accesses.mjs"},
}

// MakeTruth runs the oracle of a language, which resolves calls with a compiler, over the work tree
// dir. It writes the result to the file out, atomically.
func MakeTruth(ctx context.Context, language, dir, out string) error {
	return makeTruth(ctx, language, dir, out)
}

// MakeWholeTruth does the same as MakeTruth, but covers all call sites, even if the oracle of the
// language usually takes a sample of them.
func MakeWholeTruth(ctx context.Context, language, dir, out string) error {
	return makeTruth(ctx, language, dir, out, whole[language]...)
}

// whole maps a language to options with which its oracle lists all call sites rather than a sample.
var whole = map[string][]string{"python": {"--sites", "0"}}

func makeTruth(ctx context.Context, language, dir, out string, options ...string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(out), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = errors.Join(runOracle(ctx, language, dir, f, options...), f.Close())
	if err != nil {
		return fmt.Errorf("truth of %s: %w", dir, err)
	}
	return os.Rename(f.Name(), out)
}

// runOracle runs the oracle of a language over the work tree dir, and writes its call sites with
// their targets to out.
func runOracle(ctx context.Context, language, dir string, out io.Writer, options ...string) error {
	switch language {
	case "go":
		truth, err := goTruth(gotruth.Sites(ctx, dir))
		return errors.Join(err, WriteTruth(out, truth))
	case Taken.Of("go"):
		truth, err := goTruth(gotruth.References(ctx, dir))
		return errors.Join(err, WriteTruth(out, truth))
	case GoTraced:
		truth, err := goTraced(ctx, dir)
		return errors.Join(err, WriteTruth(out, truth))
	}
	command := oracles[language]
	if command == nil {
		return fmt.Errorf("no oracle for %s", language)
	}
	if _, err := exec.LookPath(command[0]); err != nil {
		return fmt.Errorf("the oracle for %s needs %s: %w", language, command[0], err)
	}
	cmd := exec.CommandContext(ctx, command[0], append(append(slices.Clone(command[1:]), options...), dir)...)
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = out, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, tail(stderr.String()))
	}
	return nil
}

// GoTraced is the name of the oracle of Go that runs test suites and records
// their calls.
const GoTraced = "go-traced"

// goTruth returns the sites that package gotruth lists, with their true targets.
func goTruth(sites []gotruth.Site, err error) ([]Truth, error) {
	if err != nil {
		return nil, err
	}
	truth := make([]Truth, len(sites))
	for i, s := range sites {
		truth[i] = Truth{File: s.File, Line: s.Line, Column: s.Column, Name: s.Name, Class: Class(s.Class),
			Module: s.Module}
		if s.TargetFile != "" {
			truth[i].Targets = []Place{{File: s.TargetFile, Line: s.TargetLine}}
		}
	}
	return truth, nil
}

// goTraced returns the calls that ran in tests. The column of a call, and whether it is dispatched
// through an interface, come from the type checker; its target comes from the run alone.
func goTraced(ctx context.Context, dir string) ([]Truth, error) {
	pairs, err := gotrace.Pairs(ctx, dir)
	if err != nil {
		return nil, err
	}
	known, err := goTruth(gotruth.Sites(ctx, dir))
	if err != nil {
		return nil, err
	}
	type place struct {
		file string
		line int
		name string
	}
	ran := map[place][]Place{}
	for _, p := range pairs {
		at := place{p.File, p.Line, p.Name}
		ran[at] = append(ran[at], Place{File: p.TargetFile, Line: p.TargetLine})
	}
	var truth []Truth
	for _, t := range known {
		if targets := ran[place{t.File, t.Line, t.Name}]; t.Class == ClassStatic && len(targets) > 0 {
			t.Targets = targets
			truth = append(truth, t)
		}
	}
	return truth, nil
}

// tail returns the end of a program's output, at most 2,000 bytes.
func tail(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 2000 {
		s = "… " + s[len(s)-2000:]
	}
	return s
}

// HandFile returns the path of the hand-checked sites of a language.
func HandFile(language string) string {
	return filepath.Join("testdata", "accuracy", "hand", language+".jsonl")
}

// ReadHand returns the hand-checked sites of one repository, none if there is
// no file. A line that was checked at another commit is an error.
func ReadHand(entry *Entry) ([]Truth, error) {
	all, err := ReadTruthFile(HandFile(entry.Language))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Truth
	for _, t := range all {
		if t.Repo != entry.Repo {
			continue
		}
		if t.Commit != entry.Commit {
			return nil, fmt.Errorf("%s: %s:%d was checked at %s, and corpus.lock says %s", HandFile(entry.Language),
				t.File, t.Line, t.Commit, entry.Commit)
		}
		out = append(out, t)
	}
	return out, nil
}

// HasOracle reports whether the language has an oracle, a program that finds the true targets of
// calls.
func HasOracle(language string) bool {
	return language == "go" || language == Taken.Of("go") || oracles[language] != nil
}
