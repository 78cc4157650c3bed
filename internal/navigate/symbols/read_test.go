package symbols_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

func TestReferencesSurviveEdits(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	before := navigatetest.Symbol(t, b.Outline("bufio.go"), "Reader.Peek")
	open := &contract.OpenSymbol{SymbolID: before.SymbolID,
		SymbolInstanceID: before.CallGraphHint.SymbolRef.SymbolInstanceID}
	path := filepath.Join(b.Dir, "bufio.go")

	b.Edit("bufio.go", func(s string) string {
		return strings.Replace(s, "package bufio\n", "package bufio\n\n// moved\n// down\n", 1)
	})
	a, err := b.Read(contract.ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || !a.Plain || !strings.HasPrefix(string(a.Text), "func (b *Reader) Peek(") || len(a.Warnings) > 0 {
		t.Errorf("after an edit above it: %v, %+v", err, a)
	}

	b.Edit("bufio.go", func(s string) string {
		return strings.Replace(s, "func (b *Reader) Peek(n int) ([]byte, error) {\n",
			"func (b *Reader) Peek(n int) ([]byte, error) {\n\t// edited\n", 1)
	})
	a, err = b.Read(contract.ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || len(a.Warnings) != 1 || a.Warnings[0].Code != "SYMBOL_MOVED" ||
		!strings.Contains(a.Content, "// edited") {
		t.Errorf("after an edit inside it: %v, %+v", err, a)
	}

	b.Edit("bufio.go", func(s string) string { return strings.ReplaceAll(s, ") Peek(", ") Glance(") })
	a, err = b.Read(contract.ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || a.Status != contract.StatusNotFound || a.Reason != contract.ReasonMissingSymbol {
		t.Errorf("after it was renamed: %v, %+v; want missing_symbol, never a guess", err, a.Outcome)
	}
}

func TestReadLinesThatHoldIdentifiers(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": `package a

// Send sends.
func Send(token string) error {
	for retry := 0; retry < 3; retry++ {
		if err := post(token); err == nil {
			return nil
		}
		wait()
	}
	return errLast
}

func post(token string) error { return nil }
`})
	read := func(r contract.ReadRequest) (*contract.ReadAnswer, string) {
		t.Helper()
		r.Path = b.Dir
		a, err := b.Read(r)
		if err != nil || a.Excerpt == nil {
			t.Fatalf("%+v: %v, %+v", r, err, a)
		}
		var lines []string
		for _, l := range a.Excerpt.Lines {
			lines = append(lines, strconv.Itoa(l.Line))
		}
		return a, strings.Join(lines, " ")
	}
	send := &contract.OpenSymbol{SymbolLabel: "Send"}
	for _, c := range []struct {
		r             contract.ReadRequest
		want, missing string
	}{
		{contract.ReadRequest{OpenSymbol: send, Identifiers: []string{"post"}}, "4 5 6", ""},
		{contract.ReadRequest{OpenSymbol: send, Identifiers: []string{"errLast", "nothing"}}, "4 11", "nothing"},
		{contract.ReadRequest{OpenSymbol: send, Identifiers: []string{"LAST"}}, "4 11", ""}, // within a word
		{contract.ReadRequest{OpenSymbol: send, Identifiers: []string{"token"}, StartLine: 5}, "4 5 6", ""},
		{contract.ReadRequest{File: "a.go", Identifiers: []string{"wait", "errLast"}}, "4 5 9 11", ""},
		{contract.ReadRequest{File: "a.go:10-20", Identifiers: []string{"token", "errLast"}}, "4 11 14", ""},
	} {
		a, got := read(c.r)
		if got != c.want || strings.Join(a.Excerpt.Missing, " ") != c.missing {
			t.Errorf("%+v: lines %s, missing %v; want %s, %s", c.r, got, a.Excerpt.Missing, c.want, c.missing)
		}
	}
	// The answer counts the lines beyond the budget, and the next call goes on there.
	b.Edit("a.go", func(s string) string {
		return s + "\nfunc many() {\n" + strings.Repeat("\tif ok {\n\t\tsend(token, 1, 2, 3)\n\t}\n", 60) + "}\n"
	})
	r := contract.ReadRequest{OpenSymbol: &contract.OpenSymbol{SymbolLabel: "many"}, Identifiers: []string{"send"},
		Delivery: contract.Delivery{MaxTokens: 600}}
	total, pages := 0, 0
	for {
		a, _ := read(r)
		pages++
		if a.Truncated == nil {
			total += (len(a.Excerpt.Lines) - 1) / 2
			break
		}
		total += a.Truncated.Shown
		r.StartLine = a.Truncated.Next.Args.(*contract.ReadRequest).StartLine
	}
	if total != 60 || pages < 2 {
		t.Errorf("%d calls on %d pages", total, pages)
	}
}

func TestPlainReadIsCutWithItsContinuation(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	path := filepath.Join(b.Dir, "bufio.go")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	next := regexp.MustCompile(`start_line=(\d+)\.\)$`)
	for start := 0; ; {
		a, err := b.Read(contract.ReadRequest{Path: path, StartLine: start})
		if err != nil || !a.Plain {
			t.Fatalf("read from %d: %v, %+v", start, err, a)
		}
		got = append(got, a.Text...)
		m := next.FindStringSubmatch(a.Continuation)
		if m == nil {
			break
		}
		if _, err := jsonNumber(m[1], &start); err != nil {
			t.Fatal(err)
		}
	}
	if string(got) != string(whole) {
		t.Errorf("the pieces make %d bytes, the file has %d", len(got), len(whole))
	}
}

func jsonNumber(s string, n *int) (int, error) { return *n, json.Unmarshal([]byte(s), n) }

func TestRefusedPaths(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	for name, text := range map[string]string{".env": "KEY=1", "ignored.log": "x", ".gitignore": "*.log\n",
		"blob.bin": "a\x00b", "id_rsa": "-----BEGIN"} {
		if err := os.WriteFile(filepath.Join(b.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(b.Dir, "out")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]contract.Reason{".env": contract.ReasonSecret, "id_rsa": contract.ReasonSecret,
		"ignored.log": contract.ReasonIgnored} {
		_, err := b.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, name)})
		var refused *contract.Refusal
		if !errors.As(err, &refused) || refused.Reason != want || refused.Message == "" {
			t.Errorf("%s: %v; want %s", name, err, want)
		}
	}
	for _, path := range []string{"/etc/passwd", filepath.Join(b.Dir, "out")} {
		a, err := b.Read(contract.ReadRequest{Path: path})
		if err == nil && a.Plain {
			t.Errorf("%s was read", path)
		}
	}
}

// TestOnlyRulesMakeAnIgnoredFile checks that an unindexed file is not called ignored if no rule
// excludes it: neither while it grows, nor if it is outside of the root.
func TestOnlyRulesMakeAnIgnoredFile(t *testing.T) {
	b := navigatetest.Indexed(t, "net/http/httptest")
	growing := filepath.Join(b.Dir, "growing.txt")
	f, err := os.Create(growing)
	if err != nil {
		t.Fatal(err)
	}
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				ended <- f.Close()
				return
			default:
				if _, err := f.WriteString("one more line\n"); err != nil {
					ended <- err
					return
				}
			}
			if at, _ := f.Seek(0, io.SeekCurrent); at > 1<<20 {
				_ = f.Truncate(0)
				_, _ = f.Seek(0, io.SeekStart)
			}
		}
	}()
	for range 20 {
		a, err := b.Service.Read(t.Context(), navigatetest.Normal(t, contract.ReadRequest{Path: growing, EndLine: 1}))
		if err != nil || a.Status != contract.StatusOK && a.Reason != contract.ReasonSourceChanged {
			t.Errorf("a growing file: %+v, %v", a, err)
			break
		}
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(b.Dir, "self")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]contract.Reason{"../x.go": contract.ReasonOutside,
		"self/server.go": contract.ReasonSymlink} {
		if err := os.WriteFile(filepath.Join(b.Dir, filepath.Clean("../x.go")),
			[]byte("package x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var refused *contract.Refusal
		req := contract.OutlineRequest{Path: b.Dir, File: file}
		if _, err := b.Service.Outline(t.Context(), req); !errors.As(err, &refused) || refused.Reason != want {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}

// TestReadCutsHugeLine checks that a plain read keeps its budget where one line is longer, and says
// where the line is cut.
func TestReadCutsHugeLine(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"data.json": "[" +
		strings.Repeat("\"h\u00e9llo\",", 200_000) + "0]\nlast\n"})
	a, err := b.Read(contract.ReadRequest{Path: filepath.Join(b.Dir, "data.json")})
	if err != nil || contract.Tokens(a.Text) > 10_000 || len(a.Text) < 1000 || !utf8.Valid(a.Text) ||
		!strings.Contains(a.Continuation, "Line 1 is cut at byte ") ||
		!strings.Contains(a.Continuation, "start_line=2") {
		t.Errorf("%d bytes, continued by %q, %v", len(a.Text), a.Continuation, err)
	}
}

// TestReadOfLinkThatLeadsOut checks that a link to a file that is in no codebase is refused as a
// link, as file_outline refuses it.
func TestReadOfLinkThatLeadsOut(t *testing.T) {
	b := navigatetest.Of(t, map[string]string{"a.go": "package a\n"})
	out := filepath.Join(t.TempDir(), "out.txt")
	link := filepath.Join(b.Dir, "link.txt")
	if err := errors.Join(os.WriteFile(out, []byte("out\n"), 0o644), os.Symlink(out, link)); err != nil {
		t.Fatal(err)
	}
	_, err := b.Read(contract.ReadRequest{Path: link})
	var refused *contract.Refusal
	if !errors.As(err, &refused) || refused.Reason != contract.ReasonSymlink {
		t.Errorf("%v; want symlink_rejected", err)
	}
}
