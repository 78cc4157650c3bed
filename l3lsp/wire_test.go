package l3lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// closed is a connection with fixed input that discards output.
type closed struct{ io.Reader }

func (closed) Write(b []byte) (int, error) { return len(b), nil }
func (closed) Close() error                { return nil }

// FuzzFraming checks that reading ends for any input, with messages or an
// error, and takes no more memory than one message may have.
func FuzzFraming(f *testing.F) {
	for _, s := range []string{
		"Content-Length: 36\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}",
		"Content-Length: 2\nContent-Type: x\n\n{}",
		"Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n", "content-length:0\r\n\r\n",
		"\r\n", ":", strings.Repeat("a", 5000),
		"Content-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":null}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		s := newStream(closed{bytes.NewReader(sent)})
		defer s.Close()
		for {
			msg, n, err := s.Read(context.Background())
			if err != nil {
				return
			}
			if msg == nil || n > int64(len(sent)) {
				t.Fatalf("a message of %d bytes of %d sent: %v", n, len(sent), msg)
			}
		}
	})
}

// FuzzPlaces checks that locations decode from any answer, with absolute, clean
// paths.
func FuzzPlaces(f *testing.F) {
	for _, s := range []string{
		"null", "[]", `{"uri":"file:///a/b","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}}`,
		`[{"targetUri":"file:///a%20b/c%2Bd","targetSelectionRange":{"start":{"line":1,"character":2},"end":{}}}]`,
		`[{"uri":"file:///a/../../b"},{"uri":"file://host/c","range":{}},{"uri":"%zz","range":{}},7,null]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, p := range places(json.RawMessage(raw)) {
			if !filepath.IsAbs(p.path) || filepath.Clean(p.path) != p.path {
				t.Fatalf("%q gives the path %q", raw, p.path)
			}
		}
	})
}

// TestPlaces checks that each form of an answer gives its places.
func TestPlaces(t *testing.T) {
	const at = `"start":{"line":1,"character":2},"end":{"line":1,"character":3}`
	want := place{path: "/a/b", at: protocol.Position{Line: 1, Character: 2}}
	for raw, count := range map[string]int{
		"null": 0, "[]": 0, "7": 0, `"a"`: 0,
		`{"uri":"file:///a/b","range":{` + at +
			`}}`: 1,
		`[{"uri":"file:///a/b","range":{` + at + `}},{"uri":"jdt://a/b","range":{` + at +
			`}}]`: 1,
		`[{"targetUri":"file:///a/b","targetSelectionRange":{` + at +
			`}},{"uri":"file:///a/b","range":{` + at + `}}]`: 2,
	} {
		got := places(json.RawMessage(raw))
		if len(got) != count {
			t.Errorf("%s gives %+v", raw, got)
		}
		for _, p := range got {
			if p.path != want.path || p.at != want.at {
				t.Errorf("%s gives %+v, want %+v", raw, p, want)
			}
		}
	}
}

func TestMessagesAreASCII(t *testing.T) {
	for _, text := range []string{"", "plain \"quoted\"\n", "é𝒳 \u2028 \x00 \xff 漢字 \U0010ffff", "\u0080 \u007f"} {
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		out := escaped(data)
		if err := errors.Join(json.Unmarshal(data, &want), json.Unmarshal(out, &got)); err != nil || got != want {
			t.Errorf("%q comes as %q, %v", want, got, err)
		}
		if i := bytes.IndexFunc(out, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
			t.Errorf("%q is not ASCII", out)
		}
	}
}
