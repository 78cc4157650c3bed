package l2meta

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypeScriptSymbolsAgainstCompiler compares what the rules declare with
// the TypeScript compiler's own parser over the packages of testdata/node:
// same kind, qualified name and lines. SEXTANT_TYPESCRIPT_TREE names a folder
// that is read instead.
func TestTypeScriptSymbolsAgainstCompiler(t *testing.T) {
	node := requireTool(t, "node")
	packages, err := filepath.Abs("../testdata/node/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(packages, "typescript")
	if _, err := os.Stat(compiler); err != nil {
		missingTool(t, "testdata/node has no node_modules: run npm ci in it")
	}
	root, limit := packages, 600
	if tree := os.Getenv("SEXTANT_TYPESCRIPT_TREE"); tree != "" {
		root, limit = tree, 1<<30
	}
	files := sourceFiles(t, root, ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
	answers := askTruth(t, sampled(handWritten(files), limit), node, "testdata/truth/typescript_truth.js", compiler)
	scores := map[string]*tally{".ts": {}, ".tsx": {}, ".js": {}}
	for _, a := range answers {
		if a.Symbols == nil {
			continue // the compiler finds errors in it
		}
		ending := filepath.Ext(a.Path)
		if scores[ending] == nil {
			ending = "." + ending[2:] // .mts and .cjs
		}
		scores[ending].compare(strings.TrimPrefix(a.Path, root), a.Symbols, symbolLines(t, a.Path))
	}
	for ending, score := range scores {
		t.Run(ending, func(t *testing.T) { score.require(t, 0.995) })
	}
}

// handWritten leaves out what no one wrote: minified texts, which have no
// lines to compare.
func handWritten(files []string) (out []string) {
	for _, f := range files {
		if !strings.Contains(f, ".min.") && !strings.Contains(f, "/umd/") {
			out = append(out, f)
		}
	}
	return out
}
