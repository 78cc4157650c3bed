package l1fts

import (
	"bytes"
	"strings"

	"sextant/internal/code"
	"sextant/internal/lang"
)

const (
	// maxChunkLines and maxChunkBytes are the largest size of a chunk. A function of usual length
	// stays whole, and each part of a longer one is still a precise location.
	maxChunkLines = 60
	maxChunkBytes = 3 << 10
	// maxGap is the largest distance in lines between two runs of lines in one chunk. The chunk
	// of a class, for example, has runs before and after a method, which has its own chunk.
	maxGap = 40
	// maxChunks is the largest number of chunks of one file; it suffices for some 200,000 lines.
	maxChunks = 4096
	// maxLineBytes is the largest number of bytes of one line that are indexed. Longer lines are
	// data or minified code.
	maxLineBytes = 2 << 10
	// maxFileBytes is the largest number of bytes of one file that are indexed for ranked search,
	// from the start of the file. Larger files are generated tables that repeat themselves.
	// Exhaustive queries cover the whole text.
	maxFileBytes = 2 << 20
	// minOwnLines is the least number of lines, with the doc comment, at which a constant,
	// variable, field or property has its own chunk. Shorter ones belong to the surrounding
	// chunk, with their names among its declarations.
	minOwnLines = 3
)

// chunk is a part of a file that is searched as a unit, such as a function. It is one row of the
// index.
type chunk struct {
	symbol int      // index in File.Symbols of the symbol that owns its lines, -1 for none
	first  int      // first line, 1-based
	last   int      // last line; some lines between first and last may belong to other chunks
	head   bool     // whether it is the first chunk of the symbol that owns its lines
	folded []int    // indexes of the symbols declared in it without a chunk of their own
	runs   [][2]int // runs of its lines, 0-based; the end of each run is exclusive
}

// chunker cuts one file into chunks.
type chunker struct {
	file   *code.File
	starts []int   // byte offset of each line, and the end of the text
	owner  []int32 // index of the symbol that owns each line, -1 for none
	own    []bool  // for each symbol, whether it has chunks of its own
	holds  []int32 // for each symbol, the index of the symbol that its lines belong to (see wrapped)
	// owner is final for the lines before settled. A later line belongs to the last symbol in open that ends
	// after it. Writing all lines of each symbol at once would take quadratic time for nested symbols.
	settled int
	open    []claimed
}

// claimed is a symbol whose last lines are not yet written to owner.
type claimed struct {
	symbol int32
	last   int // end of the symbol's lines, 0-based, exclusive
}

// chunks cuts f into chunks by the symbols that own its lines. starts are the
// byte offsets of the lines, and the length of the text.
func chunks(f *code.File) (out []chunk, starts []int) {
	c := &chunker{file: f, starts: lineStarts(f.Text)}
	n := len(c.starts) - 1
	c.owner = make([]int32, n)
	for i := range c.owner {
		c.owner[i] = -1
	}
	c.own = make([]bool, len(f.Symbols))
	c.wrap()
	for i := range f.Symbols {
		c.claim(i)
	}
	c.settle(n)
	return c.cut(), c.starts
}

// lineStarts returns the byte offset of each line, and the length of the text.
func lineStarts(text []byte) []int {
	starts := make([]int, 0, 2+bytes.Count(text, []byte{'\n'}))
	for at := 0; at < len(text); {
		starts = append(starts, at)
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return append(starts, len(text))
}

func (c *chunker) line(i int) []byte { return c.file.Text[c.starts[i]:c.starts[i+1]] }

// claim assigns symbol i its lines and the comment above it. Parents are claimed before their
// children; a child then takes its lines from its parent.
func (c *chunker) claim(i int) {
	s := &c.file.Symbols[i]
	first, last := max(s.Span.StartLine-1, 0), min(s.Span.EndLine, len(c.owner)) // 0-based, half-open
	if first >= last || s.Kind == code.KindFile {
		return
	}
	start := first
	inOrder := start >= c.settled
	if inOrder {
		c.settle(start)
	} else {
		c.settle(len(c.owner))
	}
	above := c.ownerAt(start)
	first = c.docStart(start, above)
	switch s.Kind {
	case code.KindField, code.KindProperty, code.KindConstant, code.KindVariable:
		inside := s.Parent >= 0 && c.file.Symbols[s.Parent].Kind.Callable()
		if inside || last-first < minOwnLines {
			return
		}
	}
	by := c.holds[i]
	c.own[i] = by == int32(i)
	end := last
	if inOrder { // settle writes the lines of s when the lines of its children are known
		c.open = append(c.open, claimed{by, last})
		end = start
	}
	for l := first; l < end; l++ {
		c.owner[l] = by
	}
}

// wrap sets holds. A module or namespace that consists of one declaration has no chunk: in
//
//	module Shop
//	  module Api
//	    class Orders
//
// all lines belong to Orders. Its modules would be three results that say the same.
func (c *chunker) wrap() {
	const none, several = -1, -2
	only := make([]int32, len(c.file.Symbols)) // the only child of each symbol
	for i := range only {
		only[i] = none
	}
	for i := range c.file.Symbols {
		if p := c.file.Symbols[i].Parent; p >= 0 && p < i {
			if only[p] == none {
				only[p] = int32(i)
			} else {
				only[p] = several
			}
		}
	}
	c.holds = make([]int32, len(only))
	for i := len(only) - 1; i >= 0; i-- { // children before their parents
		c.holds[i] = int32(i)
		if child := only[i]; child >= 0 && c.wraps(&c.file.Symbols[i], &c.file.Symbols[child]) {
			c.holds[i] = c.holds[child]
		}
	}
}

// wraps reports whether the only child of s is a type, a module or a namespace, and s has no lines but the first, the
// last and those of the child and its comment.
func (c *chunker) wraps(s, child *code.Symbol) bool {
	if !groups(s.Kind) || !groups(child.Kind) && !isType(child.Kind) || s.Span.EndLine >= len(c.starts) ||
		child.Span.StartLine <= s.Span.StartLine || child.Span.EndLine > s.Span.EndLine {
		return false
	}
	above := lang.CommentAbove(c.file.Language, child.Span.StartLine-1, func(n int) ([]byte, bool) {
		if n < s.Span.StartLine {
			return nil, false
		}
		return c.line(n), true
	})
	return c.blank(s.Span.StartLine, above) && c.blank(child.Span.EndLine, s.Span.EndLine-1)
}

// blank reports whether no line from first to end (0-based, end exclusive) has more than a brace or "end".
func (c *chunker) blank(first, end int) bool {
	for l := first; l < end; l++ {
		if len(bytes.TrimSpace(c.line(l))) > len("end") {
			return false
		}
	}
	return true
}

// groups reports whether a kind of symbol only holds others.
func groups(k code.Kind) bool { return k == code.KindModule || k == code.KindNamespace }

func isType(k code.Kind) bool {
	switch k {
	case code.KindClass, code.KindStruct, code.KindInterface, code.KindTrait, code.KindEnum, code.KindType:
		return true
	}
	return false
}

// settle writes to owner the owners of the lines before end, and removes from open the symbols that
// end there.
func (c *chunker) settle(end int) {
	for len(c.open) > 0 {
		top := c.open[len(c.open)-1]
		for ; c.settled < min(end, top.last); c.settled++ {
			c.owner[c.settled] = top.symbol
		}
		if top.last > end {
			break
		}
		c.open = c.open[:len(c.open)-1]
	}
	c.settled = max(c.settled, end)
}

// ownerAt returns the owner of a line, which must not be after settled.
func (c *chunker) ownerAt(line int) int32 {
	if line < c.settled || len(c.open) == 0 {
		return c.owner[line]
	}
	return c.open[len(c.open)-1].symbol
}

// docStart returns the first line (0-based) of the comment directly above line first, as far as its
// lines belong to the symbol with the index above. It returns first if there is no such comment.
func (c *chunker) docStart(first int, above int32) int {
	return lang.CommentAbove(c.file.Language, first, func(n int) ([]byte, bool) {
		if n < 0 || c.owner[n] != above {
			return nil, false
		}
		return c.line(n), true
	})
}

// cut groups each owner's lines into chunks, ordered by their first lines.
func (c *chunker) cut() []chunk {
	open := map[int32]int{} // owner → index of its last chunk, which may still grow
	var out []chunk
	at := make([]int32, len(c.owner)) // chunk of each line, -1 beyond maxChunks
	for l := range at {
		at[l] = -1
	}
	for l := 0; l < len(c.owner); {
		who, end := c.owner[l], l+1
		size := c.starts[l+1] - c.starts[l]
		for end < len(c.owner) && c.owner[end] == who && end-l < maxChunkLines && size < maxChunkBytes {
			size += c.starts[end+1] - c.starts[end]
			end++
		}
		i, grows := open[who]
		if grows = grows && c.fits(&out[i], l, end, size); !grows {
			if len(out) == maxChunks {
				break
			}
			_, seen := open[who]
			i = len(out)
			out = append(out, chunk{symbol: int(who), first: l + 1, head: who >= 0 && !seen})
			open[who] = i
		}
		out[i].runs = append(out[i].runs, [2]int{l, end})
		out[i].last = end
		for ; l < end; l++ {
			at[l] = int32(i)
		}
	}
	c.fold(out, at)
	return out
}

// fits reports whether the lines first to end (0-based, end exclusive), of size bytes, may join chunk k.
func (c *chunker) fits(k *chunk, first, end, size int) bool {
	lines := end - first
	for _, r := range k.runs {
		lines += r[1] - r[0]
		size += c.starts[r[1]] - c.starts[r[0]]
	}
	return lines <= maxChunkLines && size <= maxChunkBytes && first-k.last <= maxGap
}

// fold adds each symbol without a chunk of its own to the chunk that contains the symbol's first
// line. It skips modules that hold one declaration, whose names are part of its label, and symbols on
// lines without a chunk, which follow the first maxChunks chunks of a file.
func (c *chunker) fold(out []chunk, at []int32) {
	owned := make([]bool, len(c.own))
	for i := range out {
		if out[i].symbol >= 0 {
			owned[out[i].symbol] = true
		}
	}
	for i := range c.file.Symbols {
		wraps := c.holds[i] != int32(i)
		if l := c.file.Symbols[i].Span.StartLine - 1; !owned[i] && !wraps && l >= 0 && l < len(at) && at[l] >= 0 {
			k := &out[at[l]]
			k.folded = append(k.folded, i)
		}
	}
}

// ancestors returns the qualified name of s without its last element, such as
// Server for Server.Close.
func ancestors(s *code.Symbol) string {
	if i := strings.LastIndexByte(s.QualifiedName, '.'); i >= 0 {
		return s.QualifiedName[:i]
	}
	return ""
}
