package syntax

import "regexp"

// IsAwaited reports whether the keyword await stands directly before the expression at a byte offset of text. A call
// that is awaited declares no route: await api.post("/orders", lines.map((l) => l.code)) sends a request through a
// client with the name of a router.
func IsAwaited[T string | []byte](text T, at int) bool {
	return awaits.MatchString(string(text[max(0, at-maxAwait):at]))
}

// maxAwait is the number of bytes before an expression in which IsAwaited looks for the keyword.
const maxAwait = 16

var awaits = regexp.MustCompile(`\bawait\s+$`)
