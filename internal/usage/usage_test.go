package usage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSums checks that answers are summed by day and tool, losses included, and that the file outlives
// the log.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	day := time.Date(2026, 11, 27, 23, 0, 0, 0, time.Local)
	l := Open(dir)
	l.now = func() time.Time { return day }
	l.Add(Answer{"search_codebase", 100, 4000})
	l.Add(Answer{"search_codebase", 300, 200})
	l.Add(Answer{"list_codebases", 50, 0})
	day = day.Add(2 * time.Hour)
	l.Add(Answer{"search_codebase", 10, 20})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again := Open(dir)
	again.now = l.now
	again.Add(Answer{"search_codebase", 1, 2})
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Sum{{"2026-11-27", "list_codebases", 1, 50, 0, 1, 50},
		{"2026-11-27", "search_codebase", 2, 400, 4200, 1, 100}, {"2026-11-28", "search_codebase", 2, 11, 22, 0, 0}}
	if got := fmt.Sprint(list); got != fmt.Sprint(want) {
		t.Errorf("got  %s\nwant %v", got, want)
	}
}

// TestProcessesAdd checks that logs that write at the same time lose nothing.
func TestProcessesAdd(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				l := Open(dir)
				l.Add(Answer{"read_file", 10, 100})
				if err := l.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	list, err := Read(dir)
	if err != nil || len(list) != 1 || list[0].Answers != 40 {
		t.Errorf("got %v, %v; want 40 answers", list, err)
	}
}

// TestFileIsBounded checks that old days are dropped, and that damaged lines are.
func TestFileIsBounded(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName),
		[]byte("nonsense\n2026-01-01\tread_file\tx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 1, 1, 12, 0, 0, 0, time.Local)
	l := Open(dir)
	l.now = func() time.Time { return day }
	for range 3 * MaxDays {
		for _, tool := range []string{"search_codebase", "read_file"} {
			l.Add(Answer{tool, 1 << 20, 1 << 30})
		}
		day = day.AddDate(0, 0, 1)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines != 2*MaxDays || len(text) > 20_000 {
		t.Errorf("%d lines of %d bytes", lines, len(text))
	}
}
