package golang_test

import (
	"fmt"
	"testing"

	"sextant/internal/code"
	"sextant/l2meta/languages"
)

// TestTestNames checks which functions are tests: as of the go command, those of a _test.go file whose
// name has the prefix, and then no lower-case letter.
func TestTestNames(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       code.Kind
	}{
		{"a_test.go", "Test", code.KindTest},
		{"a_test.go", "TestRun", code.KindTest},
		{"a_test.go", "Test_run", code.KindTest},
		{"a_test.go", "Test1", code.KindTest},
		{"a_test.go", "TestÄ", code.KindTest},
		{"a_test.go", "Testä", code.KindFunction},
		{"a_test.go", "Testify", code.KindFunction},
		{"a_test.go", "BenchmarkRun", code.KindTest},
		{"a_test.go", "FuzzRun", code.KindTest},
		{"a_test.go", "ExampleRun", code.KindTest},
		{"a_test.go", "Run", code.KindFunction},
		{"a_test.go", "helper", code.KindFunction},
		{"a_test.go", "runTest", code.KindFunction},
		{"a.go", "TestRun", code.KindFunction},
		{"test.go", "TestRun", code.KindFunction},
	} {
		f, err := languages.Extract(c.path, fmt.Appendf(nil, "package a\n\nfunc %s() {}\n", c.name))
		if err != nil || len(f.Symbols) != 1 || f.Symbols[0].Kind != c.want {
			t.Errorf("%s: %s is %v, want %v (%v)", c.path, c.name, f.Symbols, c.want, err)
		}
	}
}
