package languages_test

import (
	"fmt"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
	"sextant/l2meta/syntax"
)

// TestLargeFilesTakeOnePass extracts texts on which a quadratic rule would run for minutes, and
// counts the results.
func TestLargeFilesTakeOnePass(t *testing.T) {
	t.Parallel()
	const many = 20_000
	repeat := func(format string) string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, path, text string
		symbols          int
	}{
		{"keys", "a.yaml", repeat("key%d: value\n"), many},
		{"documents", "a.yaml", repeat("---\nkind: A\nmetadata: {}\nn%d: 1\n"), 3 * many},
		{"open quotes", "a.yaml", repeat("k%d: \"\n"), many},
		{"deep keys", "a.yaml", deepKeys(2_000), 2},
		{"open fences", "a.md", repeat("```%d\n# a\n\n"), 0},
		{"headings below one comment", "a.md", "<!-- top -->\n" + repeat("# Heading %d\n\ntext\n\n"), many},
		{"ever deeper headings", "a.md", repeat("###### Heading %d\n"), many},
		{"rules", "a.css", repeat(".a%d{color:red}"), many},
		{"addresses without end", "a.css", ".a { b: " + repeat("url(%d") + "\n}", 1},
		{"elements in elements", "a.html", strings.Repeat("<a-b>", 500) + strings.Repeat("</a-b>", 500), 251},
		{"open blocks", "a.css", repeat(".a%d {"), 186},
		{"tables", "a.sql", repeat("CREATE TABLE t%d (id int);\n"), 2 * many},
		{"comments that open twice", "a.sql", repeat("/* /* %d */\n") + "CREATE TABLE t (id int);", 2},
		{"one wide table", "a.sql", "CREATE TABLE t (\n" + strings.TrimSuffix(repeat("c%d int,\n"), ",\n") + ");",
			many + 1},
		{"brackets", "a.sql", "CREATE TABLE t (a int DEFAULT " + strings.Repeat("(", many) +
			strings.Repeat(")", many) + ");", 2},
		{"comments on columns", "a.sql", "CREATE TABLE t (a int);\n" + repeat("COMMENT ON COLUMN u.c%d IS 'x';\n"), 2},
		{"rows", "a.sql", repeat("INSERT INTO t VALUES (%d, 'it''s');\n") + "CREATE VIEW v AS SELECT 1;", 1},
		{"stages", "Dockerfile", repeat("FROM a AS s%d\nRUN x\n"), many},
		{"continued lines", "Dockerfile", "FROM a\nRUN " + repeat("x%d \\\n") + "y\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := languages.Extract(c.path, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Symbols) != c.symbols {
				t.Errorf("%d symbols, want %d", len(f.Symbols), c.symbols)
			}
		})
	}
}

func deepKeys(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "k:\n")
	}
	return b.String()
}

// TestEmbedParsesThePartAlone counts the bytes that the parser receives for the scripts of a page.
func TestEmbedParsesThePartAlone(t *testing.T) {
	const scripts = 300
	page := []byte(strings.Repeat("<p>text</p>\n<script>let a = 1;</script>\n", scripts))
	seen := 0
	counting := syntax.NewGrammar(languages.Sources["javascript"].Language(),
		&syntax.Rules{Mask: func(text []byte) []byte {
			seen += len(text)
			return text
		}})
	parsed, err := languages.GrammarOf("html", "a.html", nil).Parse(page)
	if err != nil {
		t.Fatal(err)
	}
	w := syntax.NewWalk(parsed, "a.html", "html", code.NewLineIndex(page))
	w.Grammars = func(string, string, []byte) *syntax.Grammar { return counting }
	w.Children(0)
	if want := scripts * len("let a = 1;"); seen != want {
		t.Errorf("the parser was given %d bytes for %d scripts, want %d", seen, scripts, want)
	}
}

// TestSQLDialects extracts statements that no single grammar supports.
func TestSQLDialects(t *testing.T) {
	for text, want := range map[string]string{
		"create or replace function f(a int default 1) returns int as $$ begin; end $$ language plpgsql;": "function f",
		"CREATE PROCEDURE p() BEGIN DECLARE x INT; IF x THEN SELECT 1; END IF; CASE x WHEN 1 THEN SELECT 2; END " +
			"CASE; END; create table t(a int);": "function p, struct t, field t.a",
		"CREATE TABLE a.b.c (x int)":                                                                "struct a.b.c, field a.b.c.x",
		"create table t (x int -- a ' quote\n, y text);":                                            "struct t, field t.x, field t.y",
		"CREATE TABLE `a``b` (`x` int) COMMENT='it\\'s; ok';":                                       "struct a``b, field a``b.x",
		"INSERT INTO t VALUES ('CREATE TABLE x (a int);');":                                         "",
		"CREATE TEMP TABLE t AS SELECT 1; CREATE INDEX ON t(a)":                                     "struct t",
		"CREATE VIEW v(a, b) AS SELECT 1, 2":                                                        "struct v",
		"CREATE TABLE t (LIKE other INCLUDING ALL, z int)":                                          "struct t, field t.z",
		"alter table a.t add column c numeric(1,2), add d int;":                                     "field a.t.c, field a.t.d",
		"CREATE FUNCTION f(x int) RETURN int IS v int; BEGIN RETURN 1; END;\n/\nCREATE SEQUENCE s;": "function f, config s",
	} {
		f, err := languages.Extract("a.sql", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range f.Symbols {
			got = append(got, string(s.Kind)+" "+s.QualifiedName)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s\n got: %s\nwant: %s", text, strings.Join(got, ", "), want)
		}
	}
}

// TestYAMLKeys extracts keys that indentation alone does not determine.
func TestYAMLKeys(t *testing.T) {
	for text, want := range map[string]string{
		"\"\":\n  a:\n    b: 1":                    "a",
		"a: |\n  b: 1\nc: 2":                       "a c",
		"a: >-\n\n  b: 1\n\n  d: 2\nc:":            "a c",
		"a:\n- b: 1\n  c: 2\nd: 1":                 "a d",
		"a:\n  - b:\n      c: 1\n  - d\ne: 1":      "a e",
		"a: \"x\n  b: 1\"\nc: 1":                   "a c",
		"a: {b: 1,\n  c: 2}\nd: 1":                 "a d",
		"a: [\n1,\n2]\nd: 1":                       "a d",
		"\"a b\": 1\n'c': 2":                       "a b c",
		"a: plain\n  text: more\nb: 1":             "a b",
		"a:\r\n  b: 1\r\nc: 2\r\n":                 "a a.b c",
		"\ufeffa: 1":                               "a",
		"a: http://x\nb: 'it''s: x'\nc: 1":         "a b c",
		"- a: 1\n  b: 2\n- c":                      "",
		"{{ if .x }}\na: 1\n{{ end }}":             "a",
		"a: &x\n  b: 1\nc: *x\nd: !!map\n  e: 1":   "a a.b c d d.e",
		"%YAML 1.2\n---\na: 1\n...\n---\na: 2\n":   "a a",
		"a: # note\n  b: 1 # other: note\n# c: 1":  "a a.b",
		"a: \"open\nb: 1\nc: 2":                    "a b c",
		"? k\n: v\na: 1":                           "a",
		"a:\n    b:\n        c:\n            d: 1": "a a.b",
	} {
		f, err := languages.Extract("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range f.Symbols {
			got = append(got, s.QualifiedName)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q\n got: %s\nwant: %s", text, strings.Join(got, " "), want)
		}
	}
}
