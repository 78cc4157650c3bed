package symbols_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/navigatetest"
)

func TestReferencesSurviveEdits(t *testing.T) {
	b := navigatetest.Indexed(t, "bufio")
	before := navigatetest.Symbol(t, b.Outline("bufio.go"), "Reader.Peek")
	open := &contract.OpenSymbol{SymbolID: before.SymbolID, SymbolInstanceID: before.CallGraphHint.SymbolRef.SymbolInstanceID}
	path := filepath.Join(b.Dir, "bufio.go")

	b.Edit("bufio.go", func(s string) string {
		return strings.Replace(s, "package bufio\n", "package bufio\n\n// moved\n// down\n", 1)
	})
	a, err := b.Read(contract.ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || !a.Plain || !strings.HasPrefix(string(a.Text), "func (b *Reader) Peek(") || len(a.Warnings) > 0 {
		t.Errorf("after an edit above it: %v, %+v", err, a)
	}

	b.Edit("bufio.go", func(s string) string {
		return strings.Replace(s, "func (b *Reader) Peek(n int) ([]byte, error) {\n", "func (b *Reader) Peek(n int) ([]byte, error) {\n\t// edited\n", 1)
	})
	a, err = b.Read(contract.ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || len(a.Warnings) != 1 || a.Warnings[0].Code != "SYMBOL_MOVED" || !strings.Contains(a.Content, "// edited") {
		t.Errorf("after an edit inside it: %v, %+v", err, a)
	}

	b.Edit("bufio.go", func(s string) string { return strings.ReplaceAll(s, ") Peek(", ") Glance(") })
	a, err = b.Read(contract.ReadRequest{Path: path, OpenSymbol: open})
	if err != nil || a.Status != contract.StatusNotFound || a.Reason != contract.ReasonMissingSymbol {
		t.Errorf("after it was renamed: %v, %+v; want missing_symbol, never a guess", err, a.Outcome)
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
	for name, text := range map[string]string{".env": "KEY=1", "ignored.log": "x", ".gitignore": "*.log\n", "blob.bin": "a\x00b", "id_rsa": "-----BEGIN"} {
		if err := os.WriteFile(filepath.Join(b.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(b.Dir, "out")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]contract.Reason{".env": contract.ReasonSecret, "id_rsa": contract.ReasonSecret, "ignored.log": contract.ReasonIgnored} {
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
	for file, want := range map[string]contract.Reason{"../x.go": contract.ReasonOutside, "self/server.go": contract.ReasonSymlink} {
		if err := os.WriteFile(filepath.Join(b.Dir, filepath.Clean("../x.go")), []byte("package x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var refused *contract.Refusal
		req := contract.OutlineRequest{Path: b.Dir, File: file}
		if _, err := b.Service.Outline(t.Context(), req); !errors.As(err, &refused) || refused.Reason != want {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}
