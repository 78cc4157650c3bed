package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckFindsWhatOneSystemLacks checks that a constant that only Linux has
// and a field of another width are errors for macOS, in tests and beside cgo,
// and not for Linux.
func TestCheckFindsWhatOneSystemLacks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.24\n",
		"a/a.go": "package a\n\n// typedef int number;\nimport \"C\"\n\nimport \"syscall\"\n\nvar N C.number\n\n" +
			"var Mode uint32 = (&syscall.Stat_t{}).Mode\n",
		"b/b.go": "package b\n\nimport \"m/a\"\n\nvar N = int(a.N)\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"syscall\"\n\t\"testing\"\n)\n\n" +
			"func TestB(t *testing.T) { t.Log(syscall.CLONE_NEWPID, N) }\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := check(dir, "linux/amd64"); err != nil {
		t.Errorf("linux/amd64: %v", err)
	}
	err := check(dir, "darwin/arm64")
	if err == nil {
		t.Fatal("darwin/arm64: no error")
	}
	for _, want := range []string{"a.go:10", "as uint32 value", "undefined: syscall.CLONE_NEWPID"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in: %v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 2 {
		t.Errorf("%d errors instead of 2: %v", n, err)
	}
}
