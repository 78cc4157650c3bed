package search

import (
	"slices"

	"sextant/internal/navigate/contract"
	"sextant/internal/navigate/symbols"
	"sextant/jit"
)

// badlyParsed is the share of unparsed bytes in a file above which a search warns. Small syntax
// errors rarely hide a declaration.
const badlyParsed = 0.01

// warnBroken adds a warning if files among the results may have declarations that the parser
// missed.
func (r *search) warnBroken(known map[string]jit.FileRow) {
	var files []jit.FileRow
	for _, result := range r.answer.Results {
		file, _ := result.Place()
		f := known[file]
		seen := slices.ContainsFunc(files, func(g jit.FileRow) bool { return g.Path == f.Path })
		if !seen && float64(f.BadBytes) >= badlyParsed*float64(f.Key.Size) && f.BadBytes > 0 {
			files = append(files, f)
		}
	}
	if len(files) > 0 {
		r.answer.Warnings.Add(contract.Warning{Code: "PARSE_ERRORS", Severity: contract.SeverityCaution,
			Message: "What is declared in what could not be parsed of " + symbols.NameBroken(files) +
				" is found as text only."})
	}
}
