package gotruth

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.24\n",
	"m.go": `package m

import (
	"fmt"
	"example.com/m/in"
)

type I interface{ Do() }

type S struct{ in.Base; f func() }

func Map[T any](t T) T { return t }

func (s S) run(i I) {
	s.Promoted()
	i.Do()
	s.f()
	Map[int](1)
	Map("x")
	_ = string("conversion")
	fmt.Println(len("x"))
	func() { in.New().Promoted() }()
	var e error
	_ = e.Error()
}

var table = []any{Map[int], S.run, (*S).Promoted, I.Do, (in.New), fmt.Sprint, S{f: nil}}

func taken(s S, i I, lost Missing) (func(), any) {
	run := s.Promoted
	run()
	return i.Do, lost.Any
}
`,
	"m_test.go": "package m_test\n\nimport \"example.com/m\"\n\nfunc Test() { m.Map(2) }\n",
	"in/in.go": `package in

type Base struct{}

func New() *Base { return nil }

func (b *Base) Promoted() {}
`,
	"sub/go.mod":     "module example.com/sub\n\ngo 1.24\n",
	"sub/windows.go": "//go:build windows\n\npackage sub\n\nfunc F() { F() }\n",
	"sub/sub.go":     "package sub\n\nfunc G() { G() }\n",
}

const want = `m.go:15:4 Promoted static in/in.go:7
m.go:16:4 Do interface m.go:8
m.go:17:4 f interface m.go:10
m.go:18:2 Map static m.go:12
m.go:19:2 Map static m.go:12
m.go:20:6 string value
m.go:21:6 Println external fmt
m.go:21:14 len external builtin
m.go:22:14 New static in/in.go:5
m.go:22:20 Promoted static in/in.go:7
m.go:24:8 Error external builtin
m.go:31:2 run value
m_test.go:5:17 Map static m.go:12
sub/sub.go:3:12 G static sub/sub.go:3
`

const wantReferences = `in/in.go:1:9 in unknown
m.go:1:9 m unknown
m.go:27:19 Map static m.go:12
m.go:27:31 run static m.go:14
m.go:27:41 Promoted static in/in.go:7
m.go:27:53 Do interface m.go:8
m.go:27:61 New static in/in.go:5
m.go:27:71 Sprint external fmt
m.go:29:27 Missing unknown
m.go:30:11 Promoted static in/in.go:7
m.go:32:11 Do interface m.go:8
m.go:32:20 Any unknown
m_test.go:1:9 m_test unknown
sub/sub.go:1:9 sub unknown
`

func TestSites(t *testing.T) { check(t, Sites, want) }

func TestReferences(t *testing.T) { check(t, References, wantReferences) }

// check compares the sites of module with the lines of want.
func check(t *testing.T, list func(context.Context, string) ([]Site, error), want string) {
	dir := t.TempDir()
	for name, text := range module {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sites, err := list(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, s := range sites {
		got[line(s)] = true
	}
	for _, l := range strings.SplitAfter(want, "\n") {
		if l != "" && !got[l] {
			t.Errorf("lacks %s", l)
		}
		delete(got, l)
	}
	for l := range got {
		t.Errorf("not expected: %s", l)
	}
}

func line(s Site) string {
	l := fmt.Sprintf("%s:%d:%d %s %s", s.File, s.Line, s.Column, s.Name, s.Class)
	switch {
	case s.TargetFile != "":
		l += fmt.Sprintf(" %s:%d", s.TargetFile, s.TargetLine)
	case s.Module != "":
		l += " " + s.Module
	}
	return l + "\n"
}
