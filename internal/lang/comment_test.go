package lang

import (
	"strings"
	"testing"
)

func TestCommentAbove(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           int // 0-based
	}{
		{"go", "x()\n\n// tells\n// more\nfunc f() {}", 2},
		{"java", "x();\n/**\n * tells\n */\nvoid f() {}", 1},
		{"c", "/* without\nstars */\nvoid f() {}", 0},
		{"c", "/* one */\n// two\n/* three\n*/\nvoid f() {}", 0},
		{"c", "int x; /* of x\n and more */\nvoid f() {}", 2},
		{"c", "int x; /* of x */\nvoid f() {}", 1},
		{"python", "# tells\ndef f():", 0},
		{"c", "#define X\nvoid f() {}", 1},
		{"rust", "#[test]\nfn f() {}", 1},
		{"lua", "x()\n-- tells\nfunction f() end", 1},
		{"html", "<!-- tells -->\n<p>", 0},
		{"", ";; tells\n# more\nf", 0},
		{"go", "x()\nfunc f() {}", 1},
		{"c", "*p = 1;\nvoid f() {}", 1},
		{"go", "// of others\n\nfunc f() {}", 2},
		{"go", "//go:build other\nnone\n// tells\nfunc f() {}", 2},
		{"go", strings.Repeat("// a\n", maxCommentLines+7) + "func f() {}", 7},
		{"c", "/*" + strings.Repeat("\n", maxCommentLines) + "*/\nvoid f() {}", maxCommentLines + 1},
	} {
		lines := strings.Split(c.text, "\n")
		got := CommentAbove(c.language, len(lines)-1, func(n int) ([]byte, bool) {
			if n < 0 || lines[n] == "none" {
				return nil, false
			}
			return []byte(lines[n]), true
		})
		if got != c.want {
			t.Errorf("%s %q: %d, want %d", c.language, c.text, got, c.want)
		}
	}
}
