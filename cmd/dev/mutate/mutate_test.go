package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMutations(t *testing.T) {
	sites, err := mutations("a.go", []byte(`package a

func f(a, b int, ok bool) (n int) {
	x := a
	if a < b && ok {
		n = 1
	}
	for {
		n++
		break
	}
	return x - n
}
`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range sites {
		_, change, _ := strings.Cut(sites[i].String(), "  ")
		got = append(got, change)
	}
	slices.Sort(got)
	want := []string{"&&  ->  ||", "-  ->  +", "1  ->  2", "<  ->  <=", "a < b && ok  ->  !(a < b && ok)",
		"break  ->  (nothing)", "n = 1  ->  (nothing)", "n++  ->  (nothing)"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestMeasure checks that mutations die where a test covers the code, survive
// where none does, and do not count where they do not compile.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.24\n",
		"a/a.go":       "package a\n\nfunc Most(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
		"a/a_test.go":  "package a\n\nimport \"testing\"\n\nfunc TestMost(t *testing.T) {\n\tif Most(1, 2) != 2 || Most(2, 1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
		"b/b.go":       "package b\n\nfunc Less(a, b int) bool { return a < b }\n\nfunc Word() string { return \"a\" + \"b\" }\n",
		"b/b_test.go":  "package b\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
		"c/c_test.go":  "package c\n\nimport \"testing\"\n\nfunc TestFails(t *testing.T) { t.Fail() }\n",
		"c/unnamed.go": "package c\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	o := &options{n: 10, seed: 1, timeout: time.Minute, want: 50}
	// The mutations are > to >= and the negated condition. The tests kill the
	// second; Most(a, a) is a either way.
	if ok, err := o.measure(t.Context(), "./a"); err != nil || !ok {
		t.Errorf("a: %v, %v", ok, err)
	}
	if ok, err := o.measure(t.Context(), "./b"); err != nil || ok {
		t.Errorf("b, which nothing tests: %v, %v", ok, err)
	}
	if _, err := o.measure(t.Context(), "./c"); err == nil {
		t.Error("tests that fail without a mutation say nothing, and are no error")
	}
}
