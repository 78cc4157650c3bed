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

type name struct{ text string }

func hides(name string) (n name) {
	if n.text == name {
		n.text = "same"
	}
	return n
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

// module writes a module of packages to a folder, and makes it the working directory.
func module(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.24\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// TestMeasure checks that mutations die where a test covers the code, and
// survive where none does.
func TestMeasure(t *testing.T) {
	module(t, map[string]string{
		"a/a.go": "package a\n\nfunc Most(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestMost(t *testing.T) {\n" +
			"\tif Most(1, 2) != 2 || Most(2, 1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
		"b/b.go":       "package b\n\nfunc Less(a, b int) bool { return a < b }\n",
		"b/b_test.go":  "package b\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
		"c/c_test.go":  "package c\n\nimport \"testing\"\n\nfunc TestFails(t *testing.T) { t.Fail() }\n",
		"c/c.go":       "package c\n\nfunc Less(a, b int) bool { return a < b }\n",
		"d/outside.go": "package d\n\nconst Limit = 10\n",
	})
	o := &options{n: 10, seed: 1, timeout: time.Minute, jobs: 2, want: 50}
	// The mutations are > to >= and the negated condition. The tests kill the
	// second; Most(a, a) is a either way.
	if ok, err := o.measure(t.Context(), []string{"./a"}); err != nil || !ok {
		t.Errorf("a: %v, %v", ok, err)
	}
	if ok, err := o.measure(t.Context(), []string{"./b"}); err != nil || ok {
		t.Errorf("b, which nothing tests: %v, %v", ok, err)
	}
	o.tests = []string{"./a=TestMost"}
	if ok, err := o.measure(t.Context(), []string{"./b"}); err != nil || ok {
		t.Errorf("b with the tests of a: %v, %v", ok, err)
	}
	// Several packages are tried in the same test binaries, each with its own figure.
	o.tests = nil
	if ok, err := o.measure(t.Context(), []string{"./a", "./b"}); err != nil || ok {
		t.Errorf("a and b: %v, %v", ok, err)
	}
	if _, err := o.measure(t.Context(), []string{"./c"}); err == nil {
		t.Error("tests that fail without a mutation say nothing, and are no error")
	}
	if _, err := o.measure(t.Context(), []string{"./d"}); err == nil {
		t.Error("a package without functions has mutations")
	}
}

// TestVerdicts checks every mutation of functions of all shapes, all in one test
// binary: mutations that do not compile are no part of the sample, a loop without an
// end is noticed, and a statement that no test runs is unreached.
func TestVerdicts(t *testing.T) {
	module(t, map[string]string{
		"a/a.go": `package a

func Word[T any](list ...T) (n int, s string) {
outer:
	for i := range list {
		switch {
		case i > 0:
			n++
			break outer
		}
	}
	return n, "a" + "b"
}

var Twice = func(n int) int { return n * 2 }

func Last(n int) { // without results
	for n > 0 {
		n--
	}
	if n < 0 {
		Unreached()
	}
}

func Unreached() bool { return true }
`,
		"a/a_test.go": `package a

import "testing"

func TestAll(t *testing.T) {
	if n, s := Word(1, 2, 3); n != 1 || s != "ab" || Twice(2) != 4 {
		t.Fail()
	}
	Last(3)
}
`,
	})
	all, err := sitesOf(t.Context(), "./a", "")
	if err != nil {
		t.Fatal(err)
	}
	sample, err := draw(t.Context(), t.TempDir(), []string{"./a"}, [][]site{all}, 100)
	if err != nil {
		t.Fatal(err)
	}
	units, err := (&options{timeout: time.Minute}).rehearsed(t.Context(), t.TempDir(), []string{"./a"}, sample.flags)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range sample.sites {
		for u := range units {
			units[u].took = -9 * time.Second / 5 // leaves the loop without an end a second
		}
		verdict, err := kill(t.Context(), units, i)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, verdict+" "+sample.sites[i].was+" -> "+sample.sites[i].now)
	}
	slices.Sort(got)
	want := []string{
		"dead 2 -> 3", "dead n++ -> ", "dead n-- -> ",
		"survived 0 -> 1", "survived 0 -> 1", "survived 0 -> 1", "survived < -> <=", "survived > -> >=",
		"survived > -> >=",
		"survived n < 0 -> !(n < 0)", "unreached Unreached() -> ", "unreached true -> false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
