package languages_test

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// TestJavaAgainstJavac compares the extracted declarations and calls with javac's own parser over
// the sources of the JDK.
func TestJavaAgainstJavac(t *testing.T) {
	t.Parallel()
	java := requireTool(t, "java")
	files := sampled(jdkSources(t, java), 600)
	compareJava(t, askTruth(t, files, java, "testdata/truth/JavaTruth.java"))
}

func compareJava(t *testing.T, truths []truth) {
	t.Helper()
	var symbols, calls tally
	for _, a := range truths {
		if a.Symbols == nil {
			continue // not valid for this compiler
		}
		wantSymbols, wantCalls := splitCalls(a.Symbols)
		gotSymbols, gotCalls := splitCalls(javaFound(t, a.Path))
		symbols.compare(a.Path, wantSymbols, gotSymbols)
		calls.compare(a.Path, wantCalls, gotCalls)
	}
	symbols.require(t, 0.999)
	calls.require(t, 0.999)
}

func splitCalls(all []string) (symbols, calls []string) {
	for _, s := range all {
		if strings.HasPrefix(s, "call ") {
			calls = append(calls, s)
		} else {
			symbols = append(symbols, s)
		}
	}
	return symbols, calls
}

// jdkSources unpacks a part of the JDK's src.zip and returns its files.
func jdkSources(t *testing.T, java string) (out []string) {
	t.Helper()
	properties, err := exec.Command(java, "-XshowSettings:properties", "-version").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	_, home, _ := strings.Cut(string(properties), "java.home = ")
	home, _, _ = strings.Cut(home, "\n")
	r, err := zip.OpenReader(filepath.Join(strings.TrimSpace(home), "lib", "src.zip"))
	if err != nil {
		missingTool(t, "the JDK has no sources: %v", err)
	}
	defer r.Close()
	dir := t.TempDir()
	var entries []string
	for _, f := range r.File {
		if strings.HasPrefix(f.Name, "java.base/java/") || strings.HasPrefix(f.Name, "jdk.compiler/") ||
			strings.HasPrefix(f.Name, "java.desktop/javax/swing/") {
			if strings.HasSuffix(f.Name, ".java") && !strings.HasSuffix(f.Name, "-info.java") {
				entries = append(entries, f.Name)
			}
		}
	}
	for i, name := range sampled(entries, 600) {
		in, err := r.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprint(i), filepath.Base(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}

var callKinds = map[code.CallKind]string{
	code.CallPlain: "plain", code.CallNew: "new", code.CallMacro: "macro", code.CallDecorator: "decorator",
	code.CallSuper: "super", code.CallReference: "reference",
}

func javaFound(t *testing.T, path string) (out []string) {
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
		case code.KindField, code.KindConstant:
			out = append(out, fmt.Sprintf("%s %s %d", s.Kind, s.QualifiedName, s.Span.StartLine))
		default:
			out = append(out, symbolLine(&s))
		}
	}
	for _, c := range f.Calls {
		caller := ""
		if c.Caller >= 0 {
			caller = f.Symbols[c.Caller].QualifiedName
		}
		out = append(out, fmt.Sprintf("call %s %s(%d) %d in %s", callKinds[c.Kind], c.Callee, c.Args,
			c.Span.StartLine, caller))
	}
	return out
}
