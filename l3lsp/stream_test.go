package l3lsp

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestHeaders checks which header lines begin a message, and the length that they give.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
		err  error
	}{
		{"Content-Length: 12\r\n\r\n{", 12, nil}, {"content-length:0\n\n", 0, nil},
		{"Content-Type: a\r\nContent-Length: 3\r\n\r\n", 3, nil}, {"Content-Length: 3\r\nContent-Type: a:b\r\n\r\n", 3, nil},
		{"Content-Type: a\r\n\r\n", 0, errGarbage}, {"\r\n", 0, errGarbage}, {"Content-Length: -1\r\n\r\n", 0, errGarbage},
		{"Content-Length: many\r\n\r\n", 0, errGarbage}, {"hello\r\n\r\n", 0, errGarbage},
		{"Content-Length: 3\r\n", 0, io.EOF}, {"", 0, io.EOF},
		{strings.Repeat("a: b\n", maxHeader/5) + "\n", 0, errGarbage},
		{strings.Repeat("a: b\n", maxHeader/5+1) + "\n", 0, errGarbage},
		{"Content-Length: 3\n" + strings.Repeat("b", maxHeader-21) + ":\n\n", 3, nil},
		{"Content-Length: 3\n" + strings.Repeat("b", maxHeader-20) + ":\n\n", 0, errGarbage},
	} {
		s := newStream(closed{strings.NewReader(c.text)})
		if got, err := s.header(); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%.40q: %d, %v; want %d, %v", c.text, got, err, c.want, c.err)
		}
		s.Close()
	}
}

// TestFaultsOfAStream checks that only output that is no message, or too large a one, is the server's fault.
func TestFaultsOfAStream(t *testing.T) {
	for text, want := range map[string]error{
		"Content-Length: 9\r\n\r\n{}": nil, "": nil, "garbage\n": errGarbage, "Content-Length: 2\r\n\r\n[]": errGarbage,
		"Content-Length: 67108865\r\n\r\n": errMessageTooLarge, "Content-Length: 67108864\r\n\r\n": nil,
	} {
		s := newStream(closed{strings.NewReader(text)})
		if _, _, err := s.Read(t.Context()); err == nil || !errors.Is(s.fault(), want) || want == nil && s.fault() != nil {
			t.Errorf("%q: %v with fault %v, want %v", text, err, s.fault(), want)
		}
		s.Close()
	}
}
