package languages_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypeScriptAgainstCompiler compares the extracted facts with the TypeScript compiler's own
// parser over the packages of testdata/node: symbols by kind, qualified name and lines, calls by
// kind, name and arguments, imports by module, name and alias. SEXTANT_TYPESCRIPT_TREE names
// another folder to read.
func TestTypeScriptAgainstCompiler(t *testing.T) {
	node := requireTool(t, "node")
	packages, err := filepath.EvalSymlinks("../../testdata/node/node_modules")
	if err == nil {
		packages, err = filepath.Abs(packages)
	}
	if err != nil {
		missingTool(t, "testdata/node has no node_modules: run npm ci in it")
	}
	compiler := filepath.Join(packages, "typescript")
	root, limit := packages, 600
	if tree := os.Getenv("SEXTANT_TYPESCRIPT_TREE"); tree != "" {
		root, limit = tree, 1<<30
	}
	files := sourceFiles(t, root, ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
	answers := askTruth(t, sampled(handWritten(files), limit), node, "testdata/truth/typescript_truth.js", compiler)
	byEnding := map[string]*scores{".ts": {}, ".tsx": {}, ".js": {}}
	for _, a := range answers {
		if a.Symbols == nil {
			continue // the compiler finds errors in it
		}
		ending := filepath.Ext(a.Path)
		if byEnding[ending] == nil {
			ending = "." + ending[2:] // .mts and .cjs
		}
		byEnding[ending].compare(t, a)
	}
	for ending, score := range byEnding {
		t.Run(ending, score.require)
	}
}

// handWritten drops minified files, whose lines cannot be compared.
func handWritten(files []string) (out []string) {
	for _, f := range files {
		info, err := os.Stat(f)
		if err == nil && info.Size() <= 4<<20 && !strings.Contains(f, ".min.") && !strings.Contains(f, "/umd/") {
			out = append(out, f)
		}
	}
	return out
}
