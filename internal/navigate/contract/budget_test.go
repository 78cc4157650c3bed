package contract

import (
	"encoding/json"
	"fmt"
	"go/build"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
)

// goSources returns n source files of the Go library, of about 2 to 20 kB each.
func goSources(t testing.TB, n int) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src"),
		func(path string, d fs.DirEntry, err error) error {
			if err != nil || len(files) == n || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			info, err := d.Info()
			if err != nil || info.Size() < 2_000 || info.Size() > 20_000 || info.Size()%7 != 0 {
				return err
			}
			text, err := os.ReadFile(path)
			files[path] = string(text)
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < n {
		t.Fatalf("only %d source files", len(files))
	}
	return files
}

// TestTokensOfParts compares the estimate with the count on parts of answers, each of one sort.
func TestTokensOfParts(t *testing.T) {
	codec := o200k(t)
	texts := map[string]string{
		"prose": strings.Repeat(
			"The gate stats what the answer rests on and re-indexes what moved, before the response leaves.\n", 30),
		"chinese": strings.Repeat("索引只是磁盘的缓存，可以随时删除并重建。", 30),
		"german":  strings.Repeat("Größere Änderungen überprüft der Wächter für jede Überschrift erneut. ", 30),
		"paths":   strings.Repeat("src/cmd/compile/internal/ssagen/abi_amd64.go:1041-1066\n", 30),
	}
	var ids strings.Builder
	symbols := []OutlineSymbol{}
	for i := range 60 {
		text := []byte(fmt.Sprintf("func handle%d() {}", i))
		s := code.Symbol{Kind: code.KindFunction, Name: fmt.Sprintf("handle%d", i),
			QualifiedName: fmt.Sprintf("Server.handle%d", i),
			Span:          code.Span{StartLine: i*7 + 1, EndLine: i*7 + 5, EndByte: len(text)}}
		id, key := code.ID("internal/server/server.go", "go", &s), code.Key("internal/server/server.go", "go", &s)
		instance := code.Instance(id, &s, text)
		ids.WriteString(string(id) + " " + key + " " + instance + "\n")
		symbols = append(symbols, OutlineSymbol{
			SymbolID: string(id), SymbolLabel: s.QualifiedName, Kind: s.Kind, Name: s.Name,
			QualifiedName: s.QualifiedName, Span: s.Span, Language: "go",
			Signature: "func (s *Server) " + s.Name + "(ctx context.Context, r *http.Request) error",
			SymbolKey: key, Returns: "error",
			CallGraphHint: CallGraphHint{Supported: true,
				SymbolRef: &SymbolRef{File: "internal/server/server.go", SymbolID: string(id),
					SymbolInstanceID: instance}},
		})
	}
	texts["ids"] = ids.String()
	outline, err := Encode(symbols)
	if err != nil {
		t.Fatal(err)
	}
	texts["outline"] = string(outline)
	for path, text := range goSources(t, 25) {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		texts[path], texts[path+" as JSON"] = text, string(quoted)
	}
	for name, text := range texts {
		got, want := Tokens(text), judge(t, codec, text)
		ratio := float64(got) / float64(want)
		t.Logf("%.2f %s", ratio, name)
		if ratio < 0.75 || ratio > 1.25 {
			t.Errorf("%s: estimate %d, counted %d: ratio %.2f", name, got, want, ratio)
		}
	}
}

// TestFitKeepsWithin checks by real token counts that an answer filled by Fit stays within its
// budget.
func TestFitKeepsWithin(t *testing.T) {
	codec := o200k(t)
	var lines []MatchedLine
	sources := goSources(t, 25)
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		for i, line := range strings.Split(sources[path], "\n") {
			lines = append(lines, MatchedLine{Line: i + 1, Text: line})
		}
	}
	for _, most := range []int{MinMaxTokens, 1000, DefaultMaxTokens, MaxMaxTokens} {
		b := NewBudget(&Delivery{MaxTokens: most})
		kept := Fit(b, lines)
		if len(kept) == 0 || len(kept) == len(lines) {
			t.Fatalf("budget %d keeps %d of %d lines", most, len(kept), len(lines))
		}
		text, err := Encode(kept)
		if err != nil {
			t.Fatal(err)
		}
		if n := judge(t, codec, string(text)); n > most {
			t.Errorf("budget %d: %d tokens", most, n)
		} else if most >= DefaultMaxTokens && n < most/2 {
			t.Errorf("budget %d: only %d tokens are used", most, n)
		}
		if b.Left() < 0 || b.Fits(lines) {
			t.Errorf("budget %d: something fits that cannot", most)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	var all strings.Builder
	for _, text := range goSources(b, 25) {
		all.WriteString(text)
	}
	b.SetBytes(int64(all.Len()))
	for b.Loop() {
		Tokens(all.String())
	}
}
