package symbols

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// maxBrokenNamed is the largest number of files that a warning names.
const maxBrokenNamed = 3

// NameBroken returns a list of the files with parse errors for a warning, the worst first.
func NameBroken(files []jit.FileRow) string {
	slices.SortFunc(files, func(a, b jit.FileRow) int {
		return cmp.Or(cmp.Compare(b.BadBytes, a.BadBytes), cmp.Compare(a.Path, b.Path))
	})
	var named []string
	for _, f := range files[:min(len(files), maxBrokenNamed)] {
		named = append(named, fmt.Sprintf("%s (%s)", f.Path, badShare(f.BadBytes, int(f.Key.Size))))
	}
	if more := len(files) - len(named); more > 0 {
		named = append(named, contract.Plural(more, "more file"))
	}
	return strings.Join(named, ", ")
}

// NotParsed returns the outcome for a file without symbols. badBytes is the number of bytes that
// the parser could not parse. If it is 0, the language has no grammar, and format is the message,
// with %s for the language. Otherwise the parser gave up on the text.
func NotParsed(f *code.File, badBytes int, format string) contract.Outcome {
	if badBytes == 0 {
		return contract.CondUnsupported.Outcome(format, OrPlain(f.Language))
	}
	return contract.CondNotParsed.Outcome("The %s parser gave up on %s, as on nesting of thousands of levels, so "+
		"its symbols and calls are not known. read_file shows its text, search_codebase searches it.",
		OrPlain(f.Language), f.Path)
}

// badShare returns the share of a file that its grammar could not parse, as a percentage.
func badShare(bad, size int) string {
	share := 100 * float64(bad) / float64(max(size, 1))
	if share < 0.1 && bad > 0 {
		return "<0.1%"
	}
	return strconv.FormatFloat(share, 'f', 1, 64) + "%"
}
