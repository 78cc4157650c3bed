package languages_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sextant/l2meta/languages"
)

// realLimits bound the bytes with parse errors per thousand bytes of real code. They are measured
// values, rounded up. Unpreprocessed C is the hardest.
var realLimits = map[string]int{"c": 10, "cpp": 10, "rust": 2, "bash": 5, "ruby": 2}

// TestRealFilesOfSystemsLanguages extracts the C and Bash files of the Go distribution and, if
// SEXTANT_CORPUS names a folder of repositories, all files of these languages there.
func TestRealFilesOfSystemsLanguages(t *testing.T) {
	t.Parallel()
	type sum struct{ files, bytes, bad, symbols, calls int }
	sums := map[string]*sum{}
	roots := []string{goRoot()}
	if corpus := os.Getenv("SEXTANT_CORPUS"); corpus != "" {
		roots = append(roots, corpus)
	}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".c", ".h", ".cc", ".cpp", ".rs", ".rb", ".sh", ".bash":
			default:
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f, err := languages.Extract(path, text)
			if err != nil {
				t.Errorf("%v", err)
				return nil
			}
			checkInvariants(t, &f)
			s := sums[f.Language]
			if s == nil {
				s = &sum{}
				sums[f.Language] = s
			}
			s.files++
			s.bytes += len(text)
			s.bad += f.BadBytes
			s.symbols += len(f.Symbols)
			s.calls += len(f.Calls)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for language, s := range sums {
		limit, ours := realLimits[language]
		if !ours {
			continue
		}
		t.Logf("%s: %d files, %d bytes, %d of them unplaced, %d symbols, %d calls", language, s.files, s.bytes, s.bad,
			s.symbols, s.calls)
		if s.bad*1000 > s.bytes*limit || s.symbols == 0 {
			t.Errorf("%s: %d of %d bytes unplaced, %d symbols", language, s.bad, s.bytes, s.symbols)
		}
	}
	if sums["c"] == nil || sums["bash"] == nil {
		t.Error("no C or no Bash was read")
	}
}
