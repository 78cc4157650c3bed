package l2meta

import "bytes"

// mendRounds bounds how often a text with syntax errors is parsed again: each
// round costs a parse, and the errors of one edit are few.
const mendRounds = 8

// mendPatience is how many rounds in a row may place no more of the text.
const mendPatience = 3

// mendLeast is the number of lost bytes from which on mending pays: less is
// within one statement.
const mendLeast = 64

// mendErrors is the number of error nodes from which on a text is not worth
// mending: it is of another language, or no code. Such texts are also those
// that parsers are slowest on, and each round is a parse. It is a count and not
// a time, so that equal texts give equal facts.
const mendErrors = 64

// mendLimit is the size in bytes above which a broken text is taken as it is.
const mendLimit = 1 << 20

// mend parses a text with syntax errors again with the offending lines blanked
// out, as long as that places more of it. Some grammars give up at an error
// and drop all that follows; the lines left out then cost themselves alone.
// Spans stay those of the text. It is a rule set's file hook, or part of one.
func mend(w *walk, _ node) {
	if w.out.BadBytes < mendLeast || len(w.text) > mendLimit || w.errorNodes() > mendErrors {
		return
	}
	text, blanked, patience := bytes.Clone(w.text), 0, mendPatience
	best, bestBad := w.nodes, w.out.BadBytes
	current := w.tree
	for range mendRounds {
		start, end := current.offence(text)
		if start == end {
			break
		}
		for i := start; i < end; i++ {
			if b := text[i]; b != '\n' && b != '\r' {
				if !isSpace(b) {
					blanked++
				}
				text[i] = ' '
			}
		}
		next, err := w.g.parseWithin(text, w.left)
		if err != nil {
			break
		}
		current = next
		bad := next.badBytes() + blanked
		if patience--; bad < bestBad {
			best, bestBad, patience = next.nodes, bad, mendPatience
		}
		if bad == blanked || patience == 0 {
			break
		}
	}
	if bestBad < w.out.BadBytes {
		w.nodes, w.out.BadBytes = best, bestBad
		w.docNodes = w.commentNodes()
	}
}

// offence is the range of the line on which the worst error of the tree
// starts to lose text: behind the last leaf before the largest gap between
// leaves of an error node. It is empty when nothing was lost.
func (t *tree) offence(text []byte) (start, end int) {
	at, worst := -1, 0
	for i := range t.nodes {
		if t.nodes[i].symbol != errorSymbol {
			continue
		}
		from, last := t.start(node(i)), t.start(node(i))
		stop := node(t.nodes[i].next)
		for c := node(i) + 1; c <= stop; c++ {
			to := t.end(node(i))
			if c < stop {
				if node(t.nodes[c].next) != c+1 {
					continue // not a leaf
				}
				to = t.start(c)
			}
			if gap := len(bytes.TrimSpace(text[from:max(to, from)])); gap > worst {
				at, worst = last, gap
			}
			if c < stop && t.end(c) > from {
				from, last = t.end(c), t.start(c)
			}
		}
		if at < 0 && t.end(node(i)) > t.start(node(i)) {
			at = t.start(node(i))
		}
	}
	if at < 0 {
		return 0, 0
	}
	// The line may be blank already: then the text was lost on a later one.
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

// errorNodes is the number of error nodes.
func (t *tree) errorNodes() (count int) {
	for i := range t.nodes {
		if t.nodes[i].symbol == errorSymbol {
			count++
		}
	}
	return count
}

// commentNodes are the nodes of comments, in document order.
func (t *tree) commentNodes() (out []node) {
	for i := range t.nodes {
		if t.isComment(node(i)) {
			out = append(out, node(i))
		}
	}
	return out
}
