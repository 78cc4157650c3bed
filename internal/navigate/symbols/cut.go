package symbols

import (
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// showContent sets the content of a to as much of text as costs at most the given tokens, at least the first line.
// The text has the lines first to last of a file. It returns the last line shown, and whether that is all.
func showContent(a *contract.ReadAnswer, text string, lines contract.LineSpan, tokens int) (last int, all bool) {
	content, read := firstLines(text, tokens)
	a.Content = content
	if read > len(content) {
		a.Warnings.Add(contract.Warning{Code: warnLineCut, Severity: contract.SeverityCaution,
			Message: lineCut(fmt.Sprintf("Line %d", lines.StartLine), len(content), read) + "."})
	}
	if read == len(text) {
		return lines.EndLine, true
	}
	return lines.StartLine + strings.Count(text[:read], "\n") - 1, false
}

// warnLineCut is the code of the warning that a line is too long for the token budget and was cut.
const warnLineCut = "LINE_CUT"

// lineCut describes a cut line, such as "Line 1", with the numbers of its bytes that are shown and that it has.
func lineCut(line string, shown, has int) string {
	return fmt.Sprintf("%s is cut at byte %d of %d", line, shown, has)
}

// leastLine is the number of tokens of a line that is shown even if the budget has no room for any.
const leastLine = 60

// firstLines returns the longest prefix of whole lines of text that costs at most the given tokens, but at least
// the first line or, of a long one, its beginning. read is the number of bytes of these lines in text.
func firstLines(text string, tokens int) (shown string, read int) {
	if shown = cutText(text, tokens); shown != "" {
		return shown, len(shown)
	}
	if read = strings.IndexByte(text, '\n') + 1; read == 0 {
		read = len(text)
	}
	return text[:fitLine([]byte(text[:read]), max(tokens, leastLine))], read
}

// cutText returns the longest prefix of whole lines of text that costs at most the given tokens.
func cutText(text string, tokens int) string {
	used, end := 0, 0
	for end < len(text) {
		next := len(text)
		for i := end; i < len(text); i++ {
			if text[i] == '\n' {
				next = i + 1
				break
			}
		}
		used += contract.Tokens(text[end:next])
		if used > tokens {
			break
		}
		end = next
	}
	return text[:end]
}
