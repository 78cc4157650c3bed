package syntax

import "bytes"

// mendRounds is the largest number of times that Mend parses a text again. A single edit causes
// few errors.
const mendRounds = 8

// mendPatience is the number of consecutive rounds without progress after which Mend stops.
const mendPatience = 3

// mendLeast is the number of lost bytes below which Mend does not try: fewer bytes are within one
// statement.
const mendLeast = 64

// MendErrors is the number of error nodes above which Mend does not try: the text is of another
// language, or no code. Parsers are also slowest on such texts. The limit is a count and not a
// time, so that equal texts yield equal facts.
const MendErrors = 64

// MendLimit is the size in bytes above which Mend leaves a text as it is.
const MendLimit = 1 << 20

// Mend parses a text with syntax errors again with the offending lines blanked, as long as the
// grammar then accepts more of it. Some grammars give up at an error and drop the rest of the
// file; with Mend only the blanked lines are lost. Spans remain those of the original text. A
// rule set uses Mend as its File hook, or as part of it.
func Mend(w *Walk, _ Node) {
	if w.Out.BadBytes < mendLeast || len(w.Text) > MendLimit || w.ErrorNodes() > MendErrors {
		return
	}
	text, blanked, patience := bytes.Clone(w.Text), 0, mendPatience
	best, bestBad := w.Nodes, w.Out.BadBytes
	current := w.Tree
	for range mendRounds {
		start, end := current.offence(text)
		if start == end {
			break
		}
		for i := start; i < end; i++ {
			if b := text[i]; b != '\n' && b != '\r' {
				if !IsSpace(b) {
					blanked++
				}
				text[i] = ' '
			}
		}
		next, err := w.Grammar.ParseWithin(text, w.Left)
		if err != nil {
			break
		}
		current = next
		bad := next.BadBytes() + blanked
		if patience--; bad < bestBad {
			best, bestBad, patience = next.Nodes, bad, mendPatience
		}
		if bad == blanked || patience == 0 {
			break
		}
	}
	if bestBad < w.Out.BadBytes {
		w.Nodes, w.Out.BadBytes = best, bestBad
		w.DocNodes = w.CommentNodes()
	}
}

// offence returns the range of the line to blank. It looks for the largest gap: text within an
// error node that no recognised token covers. The line is that of the last token before this gap,
// at which the parser went wrong. The range is empty if no text was lost.
func (t *Tree) offence(text []byte) (start, end int) {
	at, worst := -1, 0
	for i := range t.Nodes {
		if t.Nodes[i].symbol != errorSymbol {
			continue
		}
		from, last := t.Start(Node(i)), t.Start(Node(i))
		stop := Node(t.Nodes[i].Next)
		for c := Node(i) + 1; c <= stop; c++ {
			to := t.End(Node(i))
			if c < stop {
				if Node(t.Nodes[c].Next) != c+1 {
					continue // the node is no leaf
				}
				to = t.Start(c)
			}
			if gap := len(bytes.TrimSpace(text[from:max(to, from)])); gap > worst {
				at, worst = last, gap
			}
			if c < stop && t.End(c) > from {
				from, last = t.End(c), t.Start(c)
			}
		}
		if at < 0 && t.End(Node(i)) > t.Start(Node(i)) {
			at = t.Start(Node(i))
		}
	}
	if at < 0 {
		return 0, 0
	}
	// The line may be blank already; then the text was lost on a later line.
	for start = bytes.LastIndexByte(text[:at], '\n') + 1; start < len(text); start = end {
		end = len(text)
		if n := bytes.IndexByte(text[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		if len(bytes.TrimSpace(text[start:end])) > 0 {
			return start, end
		}
	}
	return 0, 0
}

// ErrorNodes returns the number of error nodes.
func (t *Tree) ErrorNodes() (count int) {
	for i := range t.Nodes {
		if t.Nodes[i].symbol == errorSymbol {
			count++
		}
	}
	return count
}

// CommentNodes returns the nodes of comments, in document order.
func (t *Tree) CommentNodes() (out []Node) {
	for i := range t.Nodes {
		if t.IsComment(Node(i)) {
			out = append(out, Node(i))
		}
	}
	return out
}
