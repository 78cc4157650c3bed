package l1fts

import (
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// expression is a compiled regular expression whose matching ends when its caller gives up. Go's engine takes up to
// its number of instructions for each character: `(.{0,900}q)+$` takes minutes for a line of some megabytes.
type expression struct {
	*regexp.Regexp
	steps int // instructions of the compiled expression: the steps that one character may take
}

func compile(source string) (e expression, err error) {
	if e.Regexp, err = regexp.Compile(source); err != nil {
		return e, err
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return e, err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return e, err
	}
	e.steps = len(prog.Inst)
	return e, nil
}

// maxSteps is the number of steps after which a match looks whether the caller still waits. It is some 10 ms, and
// enough for all lines that people write.
const maxSteps = 1 << 20

// find returns the offset of the leftmost match in line, -1 if there is none. It returns -1, too, if ctx ends before.
func (e expression) find(ctx context.Context, line []byte) int {
	var at []int
	if len(line) <= maxSteps/e.steps {
		at = e.FindIndex(line)
	} else {
		r := &interrupted{ctx: ctx, text: line, every: max(maxSteps/e.steps, 1)}
		if at = e.FindReaderIndex(r); r.ended {
			return -1
		}
	}
	if at == nil {
		return -1
	}
	return at[0]
}

// in reports whether line contains a match. It returns false if ctx ends before.
func (e expression) in(ctx context.Context, line []byte) bool {
	if len(line) <= maxSteps/e.steps {
		return e.Match(line)
	}
	// The engine reads single characters in this way, which is slower, but keeps nothing of a long line either.
	r := &interrupted{ctx: ctx, text: line, every: max(maxSteps/e.steps, 1)}
	return e.MatchReader(r) && !r.ended
}

// interrupted reads the characters of a text. When its context is done, the text seems to end.
type interrupted struct {
	ctx   context.Context
	text  []byte
	every int  // characters between two looks at ctx
	read  int  // characters since the last one
	ended bool // whether ctx ended before the text
}

func (r *interrupted) ReadRune() (c rune, size int, err error) {
	if r.read++; r.read >= r.every {
		r.read, r.ended = 0, r.ctx.Err() != nil
	}
	if r.ended || len(r.text) == 0 {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRune(r.text)
	r.text = r.text[size:]
	return c, size, nil
}
