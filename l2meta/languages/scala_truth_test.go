package languages_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// TestScalaAgainstScalac compares the extracted declarations with the parser of the Scala 2
// compiler, over the golden and the files below SEXTANT_CORPUS.
func TestScalaAgainstScalac(t *testing.T) {
	t.Parallel()
	scalac, java := requireTool(t, "scalac"), requireTool(t, "java")
	at, err := filepath.EvalSymlinks(scalac)
	if err != nil {
		t.Fatal(err)
	}
	jars, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(at)), "lib", "scala-*.jar"))
	if err != nil || len(jars) == 0 {
		missingTool(t, "the compiler's jars are not beside %s", at)
	}
	dir := t.TempDir()
	if out, err := exec.Command(scalac, "-d", dir, "testdata/truth/ScalaTruth.scala").CombinedOutput(); err != nil {
		missingTool(t, "this scalac does not compile the reader: %s", out)
	}
	files := []string{"jvm/testdata/golden/scala/Queue.scala"}
	if corpus := os.Getenv("SEXTANT_CORPUS"); corpus != "" {
		files = append(files, sampled(sourceFiles(t, corpus, ".scala"), 1000)...)
	}
	classpath := strings.Join(append(jars, dir), string(os.PathListSeparator))
	var symbols tally
	for _, a := range askTruth(t, files, java, "-Dfile.encoding=UTF-8", "-cp", classpath, "ScalaTruth") {
		if a.Symbols != nil { // nil: not valid for this compiler
			symbols.compare(a.Path, a.Symbols, scalaFound(t, a.Path))
		}
	}
	symbols.require(t, 0.995)
}

// scalaFound returns symbols by the line of their name, without types, packages and givens, which
// the truth does not contain.
func scalaFound(t *testing.T, path string) (out []string) {
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
		kind := string(s.Kind)
		switch s.Kind {
		case code.KindType, code.KindNamespace:
			continue
		case code.KindProperty, code.KindConstant, code.KindVariable:
			kind = "value"
		case code.KindTest:
			kind = "method"
		}
		out = append(out, fmt.Sprintf("%s %s %d", kind, s.QualifiedName, s.NameSpan.StartLine))
	}
	return out
}
