package contract

import (
	"regexp"
	"strconv"
)

// FilePlace is a file with lines, 1-based and inclusive. Last is 0 for the end of the file.
type FilePlace struct {
	File        string
	First, Last int
}

// filePlace matches the forms of ParsePlace. A number after a second colon is a column.
var filePlace = regexp.MustCompile(
	`(?s)^(.+?)(?::L?|#L)(\d{1,9})(?::\d{1,9}|C\d{1,9})?(?:(-)(?:L?(\d{1,9})(?:C\d{1,9})?)?)?$`)

// ParsePlace parses a file with lines as answers, compilers and web pages print it: server.go:10, server.go:10-20,
// server.go:10-, server.go:10:5, server.go#L10-L20. It returns false for any other text.
func ParsePlace(text string) (FilePlace, bool) {
	m := filePlace.FindStringSubmatch(text)
	if m == nil {
		return FilePlace{}, false
	}
	at := FilePlace{File: m[1]}
	at.First, _ = strconv.Atoi(m[2])
	switch {
	case m[4] != "":
		at.Last, _ = strconv.Atoi(m[4])
	case m[3] == "":
		at.Last = at.First
	}
	return at, true
}
