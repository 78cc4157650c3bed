package contract

import (
	"fmt"
	"strings"
)

// Plural returns "1 file" or "3 files", for the number n and the noun what.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Clip cuts a quoted argument to 80 bytes, with "…" after them, for use in a message.
func Clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
