package l1fts

import (
	"bytes"
	"strings"

	"sextant/internal/code"
)

const (
	// maxChunkLines and maxChunkBytes bound a chunk. A function of usual
	// length stays whole; the parts of a long one still name one place.
	maxChunkLines = 60
	maxChunkBytes = 3 << 10
	// maxGap is how far apart, in lines, the pieces of one chunk may lie: the
	// methods of a class are no part of the class's own chunk.
	maxGap = 40
	// maxChunks bounds what one file contributes; it is some 200,000 lines.
	maxChunks = 4096
	// maxLineBytes is how much of one line is indexed. Longer lines are data
	// or minified code.
	maxLineBytes = 2 << 10
	// maxFileBytes bounds the text that is indexed of one file: from the start
	// of it, as generated tables repeat themselves. Exhaustive queries see all.
	maxFileBytes = 2 << 20
	// minOwnLines is the length, doc comment included, from which a constant,
	// variable, field or property has its own chunk. Shorter ones belong to
	// what surrounds them, with their names among its declarations.
	minOwnLines = 3
	// maxDocLines bounds the comment that is taken to belong to a symbol.
	maxDocLines = 200
)

// chunk is one row of the index.
type chunk struct {
	symbol int   // owner's index in File.Symbols, -1 for none
	first  int   // first line, 1-based
	last   int   // last line; lines between may belong to other chunks
	head   bool  // the owner's first chunk
	folded []int // symbols declared in it that have no chunk of their own
	runs   [][2]int
}

// chunker cuts one file.
type chunker struct {
	file   *code.File
	starts []int   // byte offset of each line, and the end of the text
	owner  []int32 // symbol of each line, -1 for none
	own    []bool  // whether a symbol has chunks of its own
}

// chunks cuts f by the symbols that own its lines.
func chunks(f *code.File) (out []chunk, starts []int) {
	c := &chunker{file: f, starts: lineStarts(f.Text)}
	n := len(c.starts) - 1
	c.owner = make([]int32, n)
	for i := range c.owner {
		c.owner[i] = -1
	}
	c.own = make([]bool, len(f.Symbols))
	for i := range f.Symbols {
		c.claim(i)
	}
	return c.cut(), c.starts
}

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

// claim gives symbol i its lines and the comment above it. Parents come
// first, so that children take their lines out of them.
func (c *chunker) claim(i int) {
	s := &c.file.Symbols[i]
	first, last := max(s.Span.StartLine-1, 0), min(s.Span.EndLine, len(c.owner)) // 0-based, half-open
	if first >= last || s.Kind == code.KindFile {
		return
	}
	above := c.owner[first]
	first = c.docStart(first, above)
	switch s.Kind {
	case code.KindField, code.KindProperty, code.KindConstant, code.KindVariable:
		inside := s.Parent >= 0 && c.file.Symbols[s.Parent].Kind.Callable()
		if inside || last-first < minOwnLines {
			return
		}
	}
	c.own[i] = true
	for l := first; l < last; l++ {
		c.owner[l] = int32(i)
	}
}

// docStart is the first line (0-based) of the comment that ends directly
// above line first and is not another symbol's.
func (c *chunker) docStart(first int, above int32) int {
	start, block := first, false
	for l := first - 1; l >= 0 && first-l <= maxDocLines && c.owner[l] == above; l-- {
		t := bytes.TrimSpace(c.line(l))
		switch {
		case block:
			if !bytes.Contains(t, []byte("/*")) {
				continue
			}
			if !bytes.HasPrefix(t, []byte("/*")) {
				return start // the comment begins behind code
			}
			start, block = l, false
		case bytes.HasPrefix(t, []byte("/*")) && bytes.HasSuffix(t, []byte("*/")), lineComment(t, c.file.Language):
			start = l
		case bytes.HasSuffix(t, []byte("*/")):
			block = true
		default:
			return start
		}
	}
	return start
}

func lineComment(t []byte, language string) bool {
	for _, p := range []string{"//", "--", ";;", "<!--"} {
		if bytes.HasPrefix(t, []byte(p)) {
			return true
		}
	}
	if !bytes.HasPrefix(t, []byte("#")) {
		return false
	}
	switch language {
	case "c", "cpp", "csharp", "rust", "css", "markdown": // directives, attributes, ids and headings
		return false
	}
	return true
}

// cut groups each owner's lines into chunks, in the order in which they start.
func (c *chunker) cut() []chunk {
	open := map[int32]int{} // owner → index of the chunk that still grows
	var out []chunk
	at := make([]int32, len(c.owner)) // chunk of each line
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

func (c *chunker) fits(k *chunk, first, end, size int) bool {
	lines := end - first
	for _, r := range k.runs {
		lines += r[1] - r[0]
		size += c.starts[r[1]] - c.starts[r[0]]
	}
	return lines <= maxChunkLines && size <= maxChunkBytes && first-k.last <= maxGap
}

// fold notes the symbols without a chunk in the chunk that holds their line.
func (c *chunker) fold(out []chunk, at []int32) {
	owned := make([]bool, len(c.own))
	for i := range out {
		if out[i].symbol >= 0 {
			owned[out[i].symbol] = true
		}
	}
	for i := range c.file.Symbols {
		if l := c.file.Symbols[i].Span.StartLine - 1; !owned[i] && l >= 0 && l < len(at) && int(at[l]) < len(out) {
			k := &out[at[l]]
			k.folded = append(k.folded, i)
		}
	}
}

// ancestors is the qualified name of s without its last step.
func ancestors(s *code.Symbol) string {
	if i := strings.LastIndexByte(s.QualifiedName, '.'); i >= 0 {
		return s.QualifiedName[:i]
	}
	return ""
}
