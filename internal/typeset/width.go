package typeset

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// ellipsis replaces omitted text. It is one cell wide.
const ellipsis = "…"

// Width returns how many cells text takes on a terminal.
func Width(text string) int {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return uniseg.StringWidth(text)
		}
	}
	return len(text)
}

// Pad returns text followed by as many spaces as make it cells cells wide.
func Pad(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-Width(text)))
}

// clip returns the longest beginning of text that takes at most cells cells, and at least one
// grapheme cluster, a character as a reader sees it.
func clip(text string, cells int) string {
	end, at, state := 0, 0, -1
	for rest := text; rest != ""; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if at += width; at > cells && end > 0 {
			break
		}
		end += len(cluster)
	}
	return text[:end]
}

// tail returns the longest end of text that takes at most cells cells.
func tail(text string, cells int) string {
	at, state, over := 0, -1, Width(text)-cells
	for rest := text; rest != "" && over > 0; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		over -= width
		at += len(cluster)
	}
	return text[at:]
}

// Cut returns text if it takes at most the given number of cells. Otherwise it returns the
// beginning of text and "…".
func Cut(text string, cells int) string {
	if Width(text) <= cells {
		return text
	}
	if cells <= 1 {
		return ellipsis
	}
	return strings.TrimRight(clip(text, cells-1), " ") + ellipsis
}

// around returns text in at most the given number of cells. It keeps the bytes in the range
// focus, as far as they fit.
func around(text string, cells int, focus [2]int) string {
	if Width(text) <= cells || focus[1] <= focus[0] || Width(text[:focus[1]]) < cells {
		return Cut(text, cells)
	}
	// Keep some text before the match, up to a third of the line.
	lead := max(0, min(cells/3, cells-2-Width(text[focus[0]:focus[1]])))
	rest := strings.TrimLeft(tail(text[:focus[0]], lead), " ") + text[focus[0]:]
	return ellipsis + Cut(rest, cells-1)
}

// ShortPath returns a path in at most cells cells. It keeps the first folder and as many of the
// last elements as fit, "a/…/y/z.go". If the file name alone does not fit, it keeps the beginning
// and the end of the name.
func ShortPath(path string, cells int) string {
	if Width(path) <= cells {
		return path
	}
	steps := strings.Split(path, "/")
	if steps[0] == "" && len(steps) > 1 {
		// an absolute path begins with "/" and its first folder
		steps = append([]string{"/" + steps[1]}, steps[2:]...)
	}
	name := steps[len(steps)-1]
	for _, head := range []string{steps[0] + "/" + ellipsis + "/", ellipsis + "/"} {
		if len(steps) < 3 && head != ellipsis+"/" || Width(head+name) > cells {
			continue
		}
		end := name
		for i := len(steps) - 2; i > 0 && Width(head+steps[i]+"/"+end) <= cells; i-- {
			end = steps[i] + "/" + end
		}
		return head + end
	}
	if cells <= 1 {
		return ellipsis
	}
	back := (cells - 1) / 2
	return clip(name, cells-1-back) + ellipsis + tail(name, back)
}

// tabStop is the text that replaces a tab.
const tabStop = "    "

// Visible returns text with tabs as four spaces and "·" for control characters.
func Visible(text string) string {
	clean := func(r rune) bool { return r >= ' ' && r < 0x7f || r > 0x9f && !unicode.Is(unicode.Bidi_Control, r) }
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteString(tabStop)
		case clean(r):
			b.WriteRune(r)
		default:
			b.WriteRune('·')
		}
	}
	return b.String()
}
