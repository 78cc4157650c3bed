package impact

import (
	"slices"
	"testing"
)

func TestWordsOf(t *testing.T) {
	for text, want := range map[string][]string{
		"src/rowCounts_x.go":       {"src", "row", "count", "go"},
		"HTTPServer":               {"http", "server"},
		"query-builder/insert.ts":  {"query", "builder", "insert", "ts"},
		"Größe der Ähre":           {"größe", "der", "ähre"},
		"a/b/c":                    nil,
		"bass":                     {"bas"},
		"InlineByteBuddyMockMaker": {"inline", "byte", "buddy", "mock", "maker"},
	} {
		if got := wordsOf(text); !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}

// TestStem checks that the tests of a file have its stem, by the conventions of each language.
func TestStem(t *testing.T) {
	for _, list := range [][]string{
		{"foo.go", "foo_test.go"}, {"a/foo.py", "tests/test_foo.py"},
		{"src/FooBar.java", "test/FooBarTest.java", "FooBarIT.java"},
		{"foo.ts", "foo.spec.ts", "__tests__/foo.test.ts"}, {"foo_bar.rb", "spec/foo_bar_spec.rb"},
		{"fooBar.ts", "foo-bar.test.ts"},
	} {
		for _, file := range list[1:] {
			if stem(file) != stem(list[0]) {
				t.Errorf("%s is %q, %s is %q", list[0], stem(list[0]), file, stem(file))
			}
		}
	}
	if stem("foo.go") == stem("bar_test.go") {
		t.Error("bar_test.go is taken for the test of foo.go")
	}
}
