package l3lsp

import (
	"slices"
	"strings"
	"testing"
)

// TestGist checks which line of a server's output is quoted: the last that names an error, else the last one.
func TestGist(t *testing.T) {
	long := strings.Repeat("é", maxGist)
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"\n \n", ""}, {"one\n  two  \n\n", "two"}, {"panic: a\nb\n", "panic: a"},
		{"fatal error: a\nb\n", "fatal error: a"}, {"Error: a\nb\nTypeError: c\nd\n", "TypeError: c"},
		{"no panic: a\nb\n", "b"}, {"Errors a\nb\n", "b"}, {long + "\n", strings.Repeat("é", maxGist/2)},
		{"a" + long, "a" + strings.Repeat("é", maxGist/2-1)}, // no half of a character
	} {
		out := &tail{}
		if n, err := out.Write([]byte(c.text)); n != len(c.text) || err != nil {
			t.Errorf("%.20q: wrote %d, %v", c.text, n, err)
		}
		if got := out.gist(); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestTailIsBounded checks that only the end of a long output is kept, however it is written.
func TestTailIsBounded(t *testing.T) {
	for _, size := range []int{1, 1000, maxTail - 1, maxTail, maxTail + 1, 3 * maxTail} {
		out := &tail{}
		line := "panic: early\n"
		for written := 0; written <= 3*maxTail; written += size {
			out.Write([]byte(line + strings.Repeat("x", max(0, size-len(line)))))
			line = ""
			if len(out.text) > 3*maxTail {
				t.Fatalf("%d bytes are kept", len(out.text))
			}
		}
		out.Write([]byte("\nlate\n"))
		if got := out.gist(); got != "late" && size > 1 {
			t.Errorf("by %d bytes: %q", size, got)
		}
	}
}

// TestVariablesOfServers checks which variables a server gets, and that a folder of programs within an untrusted
// workspace is none of them.
func TestVariablesOfServers(t *testing.T) {
	for key, value := range map[string]string{"HOME": "/h", "GOROOT": "/ws/go", "JAVA_HOME": "/jdk", "LD_PRELOAD": "/x",
		"NODE_OPTIONS": "--require x"} {
		t.Setenv(key, value)
	}
	for _, c := range []struct {
		shut []string
		want []string
		none []string
	}{
		{nil, []string{"GOROOT=/ws/go", "JAVA_HOME=/jdk"}, nil},
		{[]string{"/ws"}, []string{"JAVA_HOME=/jdk"}, []string{"GOROOT=/ws/go"}},
		{[]string{"/h"}, []string{"GOROOT=/ws/go"}, nil}, // the home is no folder of programs
	} {
		got := (&setup{path: "/bin", shut: c.shut}).baseEnv()
		for _, v := range append(c.want, "PATH=/bin", "HOME=/h", "NO_COLOR=1") {
			if !slices.Contains(got, v) {
				t.Errorf("without %q: %s is missing in %q", c.shut, v, got)
			}
		}
		for _, v := range append(c.none, "LD_PRELOAD=/x", "NODE_OPTIONS=--require x") {
			if slices.Contains(got, v) {
				t.Errorf("without %q: %s is in %q", c.shut, v, got)
			}
		}
	}
}
