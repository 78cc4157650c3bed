package symbols

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sextant/internal/navigate/contract"
	"sextant/jit"
)

// maxBrokenNamed bounds the files that a warning names.
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

// badShare returns the share of a file that its grammar could not parse, as a percentage.
func badShare(bad, size int) string {
	return strconv.FormatFloat(100*float64(bad)/float64(max(size, 1)), 'f', 1, 64) + "%"
}
