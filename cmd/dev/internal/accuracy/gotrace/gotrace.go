// Package gotrace records which function called which while the test suites of
// a Go module ran. It builds every function of the module, without inlining,
// with a statement that records the function and its caller. Only calls that
// really ran are recorded: calls that no test reaches are missing, and so are
// those made by starting a goroutine or by the runtime.
package gotrace

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Pair is one recorded call. Files are relative to the module.
type Pair struct {
	File       string // file of the call
	Line       int
	Name       string // name of the callee, without its receiver
	TargetFile string
	TargetLine int // line of the callee's name
}

// Pairs runs the tests of the module at the top of dir and returns the calls
// they made. Failing tests are no error; their calls count as well.
func Pairs(ctx context.Context, dir string) ([]Pair, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "gotrace-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	t := &tracer{dir: dir, scratch: scratch, replace: map[string]string{}, names: map[string]string{}}
	if err := t.instrument(ctx); err != nil {
		return nil, err
	}
	overlay := filepath.Join(scratch, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": t.replace})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return nil, err
	}
	log := filepath.Join(scratch, "pairs")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-short", "-vet=off", "-timeout=300s", "-gcflags=-l",
		"-overlay", overlay, "./...")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), traceVariable+"="+log)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	pairs, err := t.read(log)
	if err == nil && len(pairs) == 0 {
		err = fmt.Errorf("nothing ran: %s", out[max(0, len(out)-2000):])
	}
	return pairs, err
}

// traceVariable is the environment variable with the path of the file to which
// an instrumented program writes its calls.
const traceVariable = "SEXTANT_GOTRACE"

// tracer instruments one module.
type tracer struct {
	dir, scratch string
	replace      map[string]string // path → file that replaces it in the build
	names        map[string]string // "file:line" of a declaration → "line name" of the declared name
}

// instrument creates the overlay: copies of the module's files with recording
// statements, which the go command compiles in place of the originals.
func (t *tracer) instrument(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-e", "-json=Dir,Name,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir = t.dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list in %s: %w", t.dir, err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			Dir, Name                          string
			GoFiles, TestGoFiles, XTestGoFiles []string
		}
		if err := dec.Decode(&p); err != nil {
			return err
		}
		if len(p.GoFiles) > 0 {
			if err := t.unit(p.Dir, p.Name, "zz_trace.go", slices.Concat(p.GoFiles, p.TestGoFiles)); err != nil {
				return err
			}
		}
		if len(p.XTestGoFiles) > 0 {
			if err := t.unit(p.Dir, p.Name+"_test", "zz_trace_x_test.go", p.XTestGoFiles); err != nil {
				return err
			}
		}
	}
	return nil
}

// unit instruments the files of one package, and adds the file noter with the recording function to
// it.
func (t *tracer) unit(dir, name, noter string, files []string) error {
	for _, f := range files {
		if err := t.file(filepath.Join(dir, f)); err != nil {
			return err
		}
	}
	return t.put(filepath.Join(dir, noter), "package "+name+noterText)
}

// put lets the build read text in place of the file at path.
func (t *tracer) put(path, text string) error {
	to := filepath.Join(t.scratch, strconv.Itoa(len(t.replace))+".go")
	t.replace[path] = to
	return os.WriteFile(to, []byte(text), 0o600)
}

// file records the declarations of a file, and inserts a call of the recording
// function at the start of each body, without moving any line.
func (t *tracer) file(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	relative, err := filepath.Rel(t.dir, path)
	if err != nil {
		return err
	}
	var out strings.Builder
	last := 0
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Name.Name == "init" {
			continue
		}
		brace, named := set.Position(f.Body.Lbrace), set.Position(f.Name.Pos())
		t.names[relative+":"+strconv.Itoa(brace.Line)] = strconv.Itoa(named.Line) + " " + f.Name.Name
		out.Write(text[last : brace.Offset+1])
		out.WriteString("sextantTrace();")
		last = brace.Offset + 1
	}
	out.Write(text[last:])
	return t.put(path, out.String())
}

// noterText is the source of the recording function, which writes each pair of a caller's line
// and a callee once per process.
const noterText = `

import (
	sextantOS "os"
	sextantRuntime "runtime"
	sextantSync "sync"
	sextantStrconv "strconv"
)

var sextantSeen sextantSync.Map

//go:noinline
func sextantTrace() {
	var pcs [2]uintptr
	if sextantRuntime.Callers(2, pcs[:]) < 2 {
		return
	}
	if _, seen := sextantSeen.LoadOrStore(pcs, true); seen {
		return
	}
	frames := sextantRuntime.CallersFrames(pcs[:])
	callee, _ := frames.Next()
	caller, _ := frames.Next()
	f, err := sextantOS.OpenFile(sextantOS.Getenv("` + traceVariable + `"), sextantOS.O_CREATE|sextantOS.O_APPEND|sextantOS.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	f.WriteString(caller.File + "\t" + sextantStrconv.Itoa(caller.Line) + "\t" + callee.File + "\t" + sextantStrconv.Itoa(callee.Line) + "\n")
}
`

// read returns the recorded calls between files of the module.
func (t *tracer) read(log string) (out []Pair, err error) {
	f, err := os.Open(log)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		part := strings.Split(lines.Text(), "\t")
		if len(part) != 4 {
			continue // truncated by a killed test
		}
		from, inside := t.relative(part[0])
		to, ok := t.relative(part[2])
		line, err := strconv.Atoi(part[1])
		at, name, named := strings.Cut(t.names[to+":"+part[3]], " ")
		if !inside || !ok || !named || err != nil {
			continue
		}
		target, err := strconv.Atoi(at)
		if err != nil {
			return nil, err
		}
		out = append(out, Pair{File: from, Line: line, Name: name, TargetFile: to, TargetLine: target})
	}
	return out, lines.Err()
}

// relative returns a path relative to the module; false for a path outside.
func (t *tracer) relative(path string) (string, bool) {
	r, err := filepath.Rel(t.dir, path)
	return r, err == nil && filepath.IsLocal(r)
}
