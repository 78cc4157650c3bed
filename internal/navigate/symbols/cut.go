package symbols

import (
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// showContent sets the content of a to the beginning of text that costs at most the given tokens,
// but at least to the first line. lines are the lines of the file that text holds. It returns the
// last line shown, and whether that is all of text.
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

// lineCut returns the message for a line that is cut. line is its name, such as "Line 1"; shown
// is the number of its bytes that are shown, has the number of all.
func lineCut(line string, shown, has int) string {
	return fmt.Sprintf("%s is cut at byte %d of %d", line, shown, has)
}

// leastLine is the least number of tokens of the first line that are shown, even if the budget
// has room for fewer.
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
