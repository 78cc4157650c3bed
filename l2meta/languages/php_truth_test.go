package languages_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// TestPHPAgainstEngine compares the extracted declarations and calls with PHP's own parser, over
// the golden and the files below SEXTANT_CORPUS.
func TestPHPAgainstEngine(t *testing.T) {
	php := requireTool(t, "php")
	if out, err := exec.Command(php, "-m").Output(); err != nil || !strings.Contains(string(out), "\nast\n") {
		missingTool(t, "php has no ast extension")
	}
	files := []string{"php/testdata/golden/php/Queue.php"}
	if corpus := os.Getenv("SEXTANT_CORPUS"); corpus != "" {
		files = append(files, sampled(sourceFiles(t, corpus, ".php"), 2000)...)
	}
	var symbols, calls tally
	for _, a := range askTruth(t, files, php, "testdata/truth/php_truth.php") {
		if a.Symbols == nil {
			continue // not valid for this engine
		}
		wantSymbols, wantCalls := splitCalls(a.Symbols)
		gotSymbols, gotCalls := splitCalls(phpFound(t, a.Path))
		symbols.compare(a.Path, wantSymbols, gotSymbols)
		calls.compare(a.Path, wantCalls, gotCalls)
	}
	symbols.require(t, 0.999)
	calls.require(t, 0.999)
}

func phpFound(t *testing.T, path string) (out []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := languages.Extract(path, text)
	if err != nil {
		t.Errorf("%v", err)
	}
	checkInvariants(t, &f)
	for _, s := range f.Symbols {
		switch s.Kind {
		case code.KindNamespace:
			out = append(out, fmt.Sprintf("namespace %s", s.QualifiedName))
		case code.KindConstant, code.KindProperty:
			out = append(out, fmt.Sprintf("%s %s %d", s.Kind, s.QualifiedName, s.NameSpan.StartLine))
		case code.KindTest:
			out = append(out, fmt.Sprintf("method %s %d", s.QualifiedName, s.Span.EndLine))
		default:
			out = append(out, fmt.Sprintf("%s %s %d", s.Kind, s.QualifiedName, s.Span.EndLine))
		}
	}
	for _, c := range f.Calls {
		text := f.Text[c.Span.StartByte]
		if c.Kind == code.CallReference && text == '[' ||
			c.Kind == code.CallReference && strings.HasPrefix(string(f.Text[c.Span.StartByte:]), "array") {
			continue // a method passed by name, which the engine reads as an array
		}
		caller := ""
		if c.Caller >= 0 {
			caller = f.Symbols[c.Caller].QualifiedName
		}
		out = append(out, fmt.Sprintf("call %s %s(%d) %d in %s", callKinds[c.Kind], c.Callee, c.Args,
			c.Span.StartLine, caller))
	}
	return out
}
