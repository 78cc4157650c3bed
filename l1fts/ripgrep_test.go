package l1fts

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sextant/internal/code"
	"sextant/internal/store"
)

// judge returns the matching lines by file, according to ripgrep run on dir: without ignore rules or
// configuration, without decoding, and with every file taken as text. An expression may match with
// the option --crlf or without.
func judge(t *testing.T, dir string, literal bool, pattern string) map[string][]int {
	t.Helper()
	found := judgeWith(t, dir, literal, pattern)
	if !literal {
		for path, lines := range judgeWith(t, dir, literal, pattern, "--crlf") {
			found[path] = slices.Compact(slices.Sorted(slices.Values(append(found[path], lines...))))
		}
	}
	return found
}

// judgeWith returns the matching lines by file, according to ripgrep run on dir with more options.
func judgeWith(t *testing.T, dir string, literal bool, pattern string, options ...string) map[string][]int {
	t.Helper()
	args := []string{"--no-config", "--hidden", "--no-ignore", "--text", "--encoding", "none", "--no-heading",
		"--line-number", "--null", "--color", "never"}
	if literal {
		args = append(args, "--fixed-strings")
	}
	args = append(args, options...)
	cmd := exec.Command("rg", append(args, "-e", pattern, ".")...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 && stderr.Len() == 0 {
		return map[string][]int{} // no match
	}
	if err != nil && len(options) > 0 && strings.Contains(stderr.String(), "is not allowed in a regex") {
		return map[string][]int{} // --crlf refuses a literal "\r"
	}
	if err != nil {
		t.Fatalf("rg %q: %v: %s", pattern, err, stderr.String())
	}
	found := map[string][]int{}
	for len(out) > 0 {
		var line []byte
		line, out, _ = bytes.Cut(out, []byte{'\n'})
		path, rest, ok := bytes.Cut(line, []byte{0})
		number, _, ok2 := bytes.Cut(rest, []byte{':'})
		n, err := strconv.Atoi(string(number))
		if !ok || !ok2 || err != nil {
			t.Fatalf("rg %q wrote %q", pattern, line)
		}
		p := filepath.ToSlash(filepath.Clean(string(path)))
		found[p] = append(found[p], n)
	}
	return found
}

func requireRipgrep(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("rg"); err != nil {
		if os.Getenv("SEXTANT_REQUIRE_TOOLS") != "" {
			t.Fatal("ripgrep is required and missing: apt-get install ripgrep")
		}
		t.Skip("ripgrep is missing: apt-get install ripgrep")
	}
}

// exhaustive answers q as a caller would: it finds candidates and matches their
// bytes.
func exhaustive(t *testing.T, db *store.DB, x *Index, texts map[string][]byte, raw string,
	f Filter) (found map[string][]int, candidates int) {
	t.Helper()
	q, err := Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	found = map[string][]int{}
	m := q.Matcher()
	err = db.View(t.Context(), func(v *store.View) error {
		cs, err := x.Candidates(t.Context(), v, q, f)
		candidates = len(cs)
		for _, c := range cs {
			lines, ok, err := m.MatchLines(t.Context(), texts[c.Path])
			if err != nil {
				return err
			}
			if ok && len(lines) > 0 {
				found[c.Path] = lines
			}
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return found, candidates
}

// asked is a query in this package's syntax and in ripgrep's.
type asked struct {
	raw     string
	literal bool
	pattern string
}

func quoteValue(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// translate replaces RE2's ASCII classes, because ripgrep's are Unicode
// classes.
var translate = strings.NewReplacer(`\\`, `\\`, `\w`, `[0-9A-Za-z_]`, `\d`, `[0-9]`, `\s`, `[\t\f\r ]`, `\S`,
	`[^\t\n\f\r ]`, `\W`, `[^0-9A-Za-z_]`, `\D`, `[^0-9]`, `\b`, `(?-u:\b)`)

func regexQuery(re string) asked {
	return asked{raw: "regex:" + quoteValue(re), pattern: translate.Replace(re)}
}

// sampler draws random queries from the text of a tree.
type sampler struct {
	*rand.Rand
	files []*code.File
}

// snippet returns n bytes of one line of some file, cut at character
// boundaries.
func (s sampler) snippet(n int) string {
	for {
		text := s.files[s.IntN(len(s.files))].Text
		if len(text) <= n {
			continue
		}
		at := s.IntN(len(text) - n)
		line, _, _ := bytes.Cut(text[at:min(len(text), at+n)], []byte{'\n'})
		out := strings.ToValidUTF8(string(line), "")
		if strings.TrimSpace(out) != "" && !strings.HasSuffix(out, `\`) && !strings.Contains(out, `\\`) &&
			!strings.Contains(out, `\"`) && !strings.ContainsRune(out, 0) {
			return out
		}
	}
}

var wordPattern = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{2,}`)

func (s sampler) word() string {
	for {
		if w := wordPattern.FindString(s.snippet(60)); w != "" {
			return w
		}
	}
}

func (s sampler) line() string { return strings.TrimRight(s.snippet(40), " \t\r") }

func (s sampler) query(i int) asked {
	meta := regexp.QuoteMeta
	switch i % 16 {
	case 0, 1:
		l := s.snippet(3 + s.IntN(30))
		return asked{raw: "must:" + quoteValue(l), literal: true, pattern: l}
	case 2:
		l := s.snippet(1 + s.IntN(2))
		return asked{raw: "must:" + quoteValue(l), literal: true, pattern: l}
	case 3:
		w := s.word()
		return asked{raw: "must:" + w, literal: true, pattern: w}
	case 4:
		return regexQuery(`(?i)` + meta(s.word()))
	case 5:
		return regexQuery(`\b` + s.word() + `\b`)
	case 6:
		return regexQuery(s.word() + `|` + s.word() + `|` + meta(s.snippet(8)))
	case 7:
		return regexQuery(`^` + meta(s.line()) + `$`)
	case 8:
		return regexQuery(`^\s*` + meta(strings.TrimSpace(s.line())))
	case 9:
		return regexQuery(meta(strings.TrimRight(s.line(), " ")) + `\s*$`)
	case 10:
		w := s.word()
		return regexQuery(w[:len(w)/2] + `\w*` + w[len(w)/2+1:] + `\(`)
	case 11:
		return regexQuery(`(` + s.word() + `|` + s.word() + `)\W+[a-z]\S*`)
	case 12:
		return regexQuery(meta(s.snippet(6)) + `.*` + meta(s.snippet(4)))
	case 13:
		return regexQuery(fmt.Sprintf(`[^%s]\d{%d,}[%s]`, "a-f\"", 2+s.IntN(6), "xyz,;)"))
	case 14:
		return regexQuery(`(?i)\b` + s.word()[:3] + `[a-m]+s?\b.$`)
	}
	return regexQuery(`^[^\s]{` + strconv.Itoa(70+s.IntN(40)) + `,}$`)
}

// TestAgreesWithRipgrep compares results with ripgrep line by line, over Go's
// net packages, or over the whole distribution with SEXTANT_FULL=1.
func TestAgreesWithRipgrep(t *testing.T) {
	requireRipgrep(t)
	root, part := filepath.Join(goroot(), "net"), "http"
	if os.Getenv("SEXTANT_FULL") == "1" {
		root, part = goroot(), "net"
	}
	files := tree(t, root, 100_000)
	x, db := New(Options{}), openDB(t)
	put(t, db, x, files...)
	texts := map[string][]byte{}
	for _, f := range files {
		texts[f.Path] = f.Text
	}
	n := 120
	if testing.Short() {
		n = 32
	}
	s := sampler{rand.New(rand.NewPCG(1, 2)), files}
	lines := 0
	for i := range n {
		a := s.query(i)
		dir, filter := ".", Filter{}
		if len(a.pattern) < 3 || i%16 > 10 {
			dir, filter.Prefix = part, part // few or no grams, so nearly every file is read
		}
		want := map[string][]int{}
		for path, l := range judge(t, filepath.Join(root, dir), a.literal, a.pattern) {
			if path = filepath.ToSlash(filepath.Join(dir, path)); texts[path] != nil {
				want[path] = l
			}
		}
		got, candidates := exhaustive(t, db, x, texts, a.raw, filter)
		lines += compare(t, a.raw, got, want)
		if testing.Verbose() {
			t.Logf("%-70s %d files of %d candidates", a.raw, len(got), candidates)
		}
	}
	if lines == 0 {
		t.Error("no query matched anything")
	}
}

// compare reports differences, and returns the number of equal lines.
func compare(t *testing.T, raw string, got, want map[string][]int) (lines int) {
	t.Helper()
	for path, w := range want {
		if g := got[path]; !slices.Equal(g, w) {
			t.Errorf("%s: %s: lines %v, ripgrep %v", raw, path, g, w)
		}
		lines += len(w)
	}
	for path, g := range got {
		if want[path] == nil {
			t.Errorf("%s: %s: lines %v, ripgrep none", raw, path, g)
		}
	}
	return lines
}

// TestAgreesWithRipgrepOnOddBytes covers bytes that Go source does not contain:
// invalid UTF-8, carriage returns, NUL, and a missing last newline.
func TestAgreesWithRipgrepOnOddBytes(t *testing.T) {
	requireRipgrep(t)
	contents := map[string]string{
		"crlf.txt":     "alpha\r\nbeta \r\n\r\ngamma",
		"invalid.txt":  "caf\xe9 noir\n\xff\xfe\xfdabc\nok\nab\xc3\nx\xe9y\n",
		"nolast.txt":   "one\ntwo\nthree",
		"blank.txt":    "\n\n\n",
		"bom.txt":      "\ufeffpackage x\n",
		"unicode.txt":  "größe Straße\nΣίσυφος ſtart K\n漢字かな\nna\u0301ive\n\ufffd real\n",
		"nul.txt":      "abc\x00def\nghi\n",
		"tabs.txt":     "\tindented\n  spaces\n\vvertical\n\ffeed\n",
		"empty.txt":    "",
		"surrogate.md": "a\xed\xa0\x80b\nab\n",
	}
	dir := t.TempDir()
	texts := map[string][]byte{}
	var files []*code.File
	for name, text := range contents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		texts[name] = []byte(text)
		files = append(files, goFile(name, []byte(text)))
	}
	x, db := New(Options{}), openDB(t)
	put(t, db, x, files...)
	for _, re := range []string{`.`, `^.*$`, `^$`, `^.+$`, `a.*c`, `caf.`, `caf. `, `caf[^x]`, `x.y`, `x.?y`, `b$`,
		`ab$`, `beta $`, `beta\s*$`, `a\r$`, `three$`, `^t`, `alpha$`, `a$|^c`, `^.{5}$`, `^.{6}$`, `^[^\r]+$`, `a\z`,
		`(?i)STRASSE`, `(?i)straße`, `(?i)GRÖSSE`, `(?i)größe`, `(?i)σίσυφοσ`, `(?i)start`, `(?i)k`, `\w+`,
		`\bok\b`, `[^a-z]`, `\W`, `字か`, `na.ive`, `\x{FFFD}`, `[\x{FFFD}]`,
		`^\s`, `^\s+\S`, `\x00`, `c.d`, `^package`, `a.b`, `[[:alpha:]]+`, `(?s)c.d`, `a|^$`, `x*`, `(abc)?def`,
		`ö`, `[ö-ü]`, `(?i)Ö`, `\pL{3}`, `\PL{3}`, `^[^\r]*$`} {
		a := regexQuery(re)
		got, _ := exhaustive(t, db, x, texts, a.raw, Filter{})
		compare(t, a.raw, got, judge(t, dir, false, a.pattern))
	}
	for _, literal := range []string{"a", "é", "\r", "K", "Straße", "ee", "漢字", " ", "\t", "abc", "real",
		"no such text", ".", "?"} {
		if !utf8.ValidString(literal) {
			t.Fatalf("%q is not UTF-8", literal)
		}
		got, _ := exhaustive(t, db, x, texts, "must:"+quoteValue(literal), Filter{})
		compare(t, literal, got, judge(t, dir, true, literal))
	}
}
