package contract

import (
	"flag"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

var fit = flag.String("fit", "",
	"files of answers, as a pattern: writes the prices of pieces in them to tokenprices.go")

// judge returns the tokens of text by o200k.
func judge(t testing.TB, codec tokenizer.Codec, text string) int {
	t.Helper()
	n, err := codec.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func o200k(t testing.TB) tokenizer.Codec {
	t.Helper()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	return codec
}

// TestTokensAreNear compares the estimate with the count, on answers of every tool in both formats.
func TestTokensAreNear(t *testing.T) {
	if *fit != "" {
		fitPrices(t)
	}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "tools", "samples", "*"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d samples, error %v", len(files), err)
	}
	codec := o200k(t)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, want := Tokens(text), judge(t, codec, string(text))
		ratio := float64(got) / float64(want)
		t.Logf("%.2f %6d %s", ratio, want, filepath.Base(name))
		if (ratio < 0.9 || ratio > 1.1) && max(got-want, want-got) > 5 {
			t.Errorf("%s: estimate %d, counted %d: %.2f", name, got, want, ratio)
		}
	}
}

// TestPieces checks that the pieces of a text cover its bytes, and are those into which o200k
// splits it.
func TestPieces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"func (s *Server) Close() error {\n\treturn nil\n}\n",
			"func| (|s| *|Server|)| Close|()| error| {\n|\treturn| nil|\n|}\n"},
		{"HTTPServer readFile x2", "HTTPServer| read|File| x|2"},
		{"a.go:1234-1299", "a|.go|:|123|4|-|129|9"},
		{"  if x:\n\n    y = 1", " | if| x|:\n\n|   | y| =| |1"},
		{`{"a":"b\nc"}`, `{"|a|":"|b|\nc|"}`},
		{"größe 索引", "größe| |索引"},
	} {
		var got []string
		for i := 0; i < len(c.text); {
			end, _ := nextPiece(c.text, i)
			if end <= i {
				t.Fatalf("%q: no piece at %d", c.text, i)
			}
			got = append(got, c.text[i:end])
			i = end
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q is split into %q, want %q", c.text, s, c.want)
		}
	}
}

// FuzzTokens checks that any bytes have an estimate, and that the pieces cover them.
func FuzzTokens(f *testing.F) {
	f.Add([]byte("a \xff\xe4 \r\n\t\t{\\\"x\\n\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for i := 0; i < len(text); {
			end, _ := nextPiece(text, i)
			if end <= i || end > len(text) {
				t.Fatalf("the piece at %d ends at %d", i, end)
			}
			i = end
		}
		if n := Tokens(text); n < 0 || n > 3*len(text)+1 {
			t.Errorf("%d tokens of %d bytes", n, len(text))
		}
	})
}

// fitPrices counts the pieces of the files that -fit names, and writes their mean prices. Where there
// are few of a size, those of the neighbouring sizes and shapes count, too.
func fitPrices(t *testing.T) {
	files, err := filepath.Glob(*fit)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", *fit, err)
	}
	codec := o200k(t)
	var count, sum [marks + 1][escapeLead + 1][maxPiece + 1]float64
	known := map[string]int{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(text); {
			end, p := nextPiece(text, i)
			if s := string(text[i:end]); p.kind <= marks && p.size <= maxPiece {
				n, ok := known[s]
				if !ok {
					n = judge(t, codec, s)
					known[s] = n
				}
				count[p.kind][p.lead][p.size]++
				sum[p.kind][p.lead][p.size] += float64(n)
			}
			i = end
		}
	}
	var out strings.Builder
	out.WriteString("package contract\n\n// prices are the mean tokens of a piece, in parts of pricesPerToken, by " +
		"kind, lead and size. Counted in answers of all\n" +
		"// tools about bbolt, flask, mockito and vite; -fit of TestTokensAreNear writes them.\n")
	out.WriteString("var prices = [marks + 1][escapeLead + 1][maxPiece + 1]uint16{\n")
	for k := range count {
		out.WriteString("{\n")
		for l := range count[k] {
			out.WriteString("{")
			last := 1.0
			for size := range count[k][l] {
				// Start from the price of the next smaller size, with the weight of twenty pieces.
				if size > 0 {
					last = (sum[k][l][size] + 20*last) / (count[k][l][size] + 20)
				}
				fmt.Fprintf(&out, "%.0f, ", last*pricesPerToken)
			}
			out.WriteString("},\n")
		}
		out.WriteString("},\n")
	}
	out.WriteString("}\n")
	text, err := format.Source([]byte(out.String()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("tokenprices.go", text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Skip("prices written; run the test again")
}
