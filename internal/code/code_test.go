package code

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// naive computes a position in the obvious, slow way, as an oracle for LineIndex.
func naive(text []byte, offset int) (line, column int) {
	before := text[:offset]
	return bytes.Count(before, []byte("\n")) + 1, offset - bytes.LastIndexByte(before, '\n')
}

func FuzzLineIndex(f *testing.F) {
	for _, s := range []string{"", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\n\n\nx", "größe\nπ"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		x := NewLineIndex(text)
		for offset := range len(text) + 1 {
			line, column := x.Position(offset)
			if l, c := naive(text, offset); line != l || column != c {
				t.Fatalf("Position(%d) of %q = %d:%d, want %d:%d", offset, text, line, column, l, c)
			}
		}
		lines := strings.SplitAfter(string(text), "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if x.Count() != len(lines) {
			t.Fatalf("%q has %d lines, want %d", text, x.Count(), len(lines))
		}
		for i, want := range lines {
			start, end := x.Lines(i+1, i+1)
			if got := string(text[start:end]); got != want {
				t.Fatalf("line %d of %q = %q, want %q", i+1, text, got, want)
			}
		}
		if start, end := x.Lines(-3, len(lines)+9); len(lines) > 0 && string(text[start:end]) != string(text) {
			t.Fatalf("clamped lines of %q = [%d, %d)", text, start, end)
		}
	})
}

func TestSpanEndsOnTheLineItsNewlineCloses(t *testing.T) {
	x := NewLineIndex([]byte("ab\ncd\n"))
	for _, c := range []struct{ start, end, first, last, endColumn int }{
		{0, 3, 1, 1, 4}, {0, 2, 1, 1, 3}, {3, 6, 2, 2, 4}, {0, 4, 1, 2, 2}, {2, 2, 1, 1, 3},
	} {
		s := x.Span(c.start, c.end)
		if s.StartLine != c.first || s.EndLine != c.last || s.EndColumn != c.endColumn {
			t.Errorf("Span(%d, %d) = %+v, want lines %d-%d, end column %d", c.start, c.end, s,
				c.first, c.last, c.endColumn)
		}
	}
}

func TestIDs(t *testing.T) {
	text := []byte("func A() {}\nfunc A() {}\n")
	first := Symbol{Kind: KindFunction, QualifiedName: "A", Span: Span{EndByte: 11}}
	second := first
	second.Ordinal, second.Span = 1, Span{StartByte: 12, EndByte: 23}
	id := ID("a.go", "go", &first)
	if !id.Valid() {
		t.Errorf("%s has not the form of an id", id)
	}
	if twin := ID("a.go", "go", &second); twin == id {
		t.Errorf("twins have one id, %s", id)
	}
	if key, twin := Key("a.go", "go", &first), Key("a.go", "go", &second); key != twin {
		t.Errorf("twins have the keys %s and %s; want one", key, twin)
	}
	if moved := ID("b.go", "go", &first); moved == id {
		t.Error("a symbol of another file has the same id")
	}
	// Agents keep ids as references, so the derivation is part of the contract.
	if id != "s_qchaebziptrx" {
		t.Errorf("the id of A in a.go is %s: every stored reference would break", id)
	}
	if a, b := Instance(id, &first, text), Instance(id, &second, text); a != b {
		t.Errorf("equal texts have instances %s and %s", a, b)
	}
	for _, bad := range []SymbolID{"", "s_", "s_short", "k_aaaaaaaaaaaa", "s_AAAAAAAAAAAA", "s_aaaaaaaaaaa1"} {
		if bad.Valid() {
			t.Errorf("%q passes for an id", bad)
		}
	}
}

func TestRacy(t *testing.T) {
	now := time.Now().UnixNano()
	old := now - int64(RacyWindow) - 1
	for _, c := range []struct {
		key  StatKey
		want bool
	}{
		{StatKey{MTime: old, CTime: old}, false},
		{StatKey{MTime: now, CTime: old}, true},
		{StatKey{MTime: old, CTime: now}, true}, // a restored mtime
		{StatKey{MTime: now + 1e12}, true},      // a clock that runs ahead
	} {
		if got := c.key.Racy(now); got != c.want {
			t.Errorf("%+v: racy %v, want %v", c.key, got, c.want)
		}
	}
}

func TestEvidenceOrders(t *testing.T) {
	if !(Lexical < Syntactic && Syntactic < Proven) {
		t.Error("lexical < syntactic < proven does not hold")
	}
	if b, err := Proven.MarshalText(); string(b) != "proven" || err != nil {
		t.Errorf("proven is written %q, %v", b, err)
	}
}

func TestShownConfidence(t *testing.T) {
	for c, want := range map[float64]string{1: "1.00", 0.999: "0.99", 0.9999: "0.99", 0.29: "0.29", 0.7: "0.70",
		0.5: "0.50", 0.285: "0.28", 0: "0.00"} {
		if got := ShownConfidence(c); got != want {
			t.Errorf("%v is shown as %s, want %s", c, got, want)
		}
	}
}
