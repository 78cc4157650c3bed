package typeset

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShortPath(t *testing.T) {
	for _, c := range []struct {
		path  string
		cells int
		want  string
	}{
		{"a/b.go", 6, "a/b.go"},
		{"billing/src/main/java/invoice/InvoiceService.java", 40, "billing/…/invoice/InvoiceService.java"},
		{"billing/src/main/java/invoice/InvoiceService.java", 30, "billing/…/InvoiceService.java"},
		{"billing/src/main/java/invoice/InvoiceService.java", 22, "…/InvoiceService.java"},
		{"billing/src/main/java/invoice/InvoiceService.java", 12, "Invoic….java"},
		{"/home/me/src/shop/cart/price.go", 22, "/home/…/cart/price.go"},
		{"src/文档/数据/结算服务.go", 20, "src/…/结算服务.go"},
		{"src/文档/结算服务.go", 9, "结算….go"},
		{"folder/name.go", 10, "…/name.go"},
		{"x", 0, "…"},
	} {
		if got := ShortPath(c.path, c.cells); got != c.want {
			t.Errorf("%q in %d cells is %q (%d cells), want %q", c.path, c.cells, got, Width(got), c.want)
		}
	}
}

func part(role Role, text string) Part { return Part{Role: role, Text: text} }

func TestFit(t *testing.T) {
	place := func(path string) Line {
		return Line{part(Path, path), part(Lines, ":40-52"), part(Dim, " method"), part(Name, " Close")}
	}
	match := Part{Role: Source, Text: strings.Repeat("before ", 10) + "match" + strings.Repeat(" after", 9),
		Focus: [2]int{70, 75}}
	long := "billing/src/main/java/com/example/invoice/InvoiceService.java"
	for _, c := range []struct {
		line  Line
		cells int
		want  string
	}{
		{place("a.go"), 80, "a.go:40-52 method Close"},
		{place(long), 60, "billing/…/invoice/InvoiceService.java:40-52 method Close"},
		{append(place(long), part(Plain, ": "), part(Source, strings.Repeat("source ", 12))), 80,
			"billing/…/InvoiceService.java:40-52 method Close: source source source source s…"},
		{Line{part(Path, "a.go"), part(Plain, ": "), match}, 40,
			"a.go: …ore before match after after aft…"},
		{Line{part(Path, long), part(Lines, ":40"), part(Plain, ": "),
			part(Source, "source of a line that goes on below")}, 45,
			"billing/…/invoice/InvoiceService.java:40:\n    source of a line that goes on below"},
		{Line{part(Path, long), part(Lines, ":40"), part(Name, " InvoiceService.settleAll"), part(Plain, ": "),
			part(Source, "source of a line that goes on below")}, 60,
			"billing/…/InvoiceService.java:40 InvoiceService.settleAll:\n    source of a line that goes on below"},
		{Line{part(Dim, "│  ├─ "), part(Name, "Service.method"), part(Plain, "  "), part(Path, long), part(Lines, ":7"),
			part(Dim, "  [syntactic 0.99]")}, 46,
			"│  ├─ Service.method  …/InvoiceService.java:7\n│  │      [syntactic 0.99]"},
		{Line{part(Dim, "└─ "), part(Name, strings.Repeat("x", 40))}, 30,
			"└─ " + strings.Repeat("x", 27) + "\n       " + strings.Repeat("x", 13)},
		{Text("  note: " + strings.Repeat("word ", 8) + "end"), 30,
			"  note: word word word word\n      word word word word end"},
		{Text(strings.Repeat("文", 15)), 20, "文文文文文文文文文文\n    文文文文文"},
		{Line{part(Dim, "     7 "), part(Source, "println(\""+strings.Repeat("漢字", 20)+"\")")}, 30,
			"     7 println(\"漢字漢字漢字…"},
		{Text(strings.Repeat("x", 90)), 0, strings.Repeat("x", 90)}, // no terminal
	} {
		var got []string
		for _, l := range c.line.Fit(c.cells) {
			got = append(got, l.String())
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%d cells:\n%s\nwant\n%s", c.cells, text, c.want)
		}
	}
}

// TestFitKeepsText fits random lines. No result is wider than the terminal, and only source and paths lose
// text.
func TestFitKeepsText(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	letters := []string{"a", "b", " ", "/", "漢", "é", "e\u0301", "👩‍👩‍👧", "…", "x"}
	for range 5000 {
		var line Line
		kept := ""
		for range 1 + random.IntN(6) {
			p := Part{Role: Role(random.IntN(int(Bad) + 1))}
			for range random.IntN(40) {
				p.Text += letters[random.IntN(len(letters))]
			}
			if p.Role != Path && p.Role != Source {
				kept += strings.ReplaceAll(p.Text, " ", "")
			}
			line = append(line, p)
		}
		cells := leastCells + random.IntN(100)
		got := ""
		for _, l := range line.Fit(cells) {
			if l.Width() > cells {
				t.Fatalf("%q takes %d cells of %d", l.String(), l.Width(), cells)
			}
			for _, p := range l {
				if !utf8.ValidString(p.Text) {
					t.Fatalf("%q is no UTF-8", p.Text)
				}
				if p.Role != Path && p.Role != Source {
					got += strings.ReplaceAll(p.Text, " ", "")
				}
			}
		}
		if got != kept {
			t.Fatalf("%q in %d cells keeps %q, want %q", line.String(), cells, got, kept)
		}
	}
}

func TestVisible(t *testing.T) {
	if got, want := Visible("a\tb\x1b[2J\u202ec\u009bd 漢"), "a    b·[2J·c·d 漢"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPad(t *testing.T) {
	if got := Pad("漢", 4) + "|" + Pad("long", 2); got != "漢  |long" {
		t.Errorf("%q", got)
	}
}
