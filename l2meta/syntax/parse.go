package syntax

// #include "parse.h"
import "C"

import (
	"errors"
	"runtime"
	"time"
	"unsafe"

	sitter "github.com/smacker/go-tree-sitter"
)

// maxWait is the wall-clock time after which a parse on a busy machine is not tried again.
const maxWait = time.Minute

var errSliceUsed = errors.New("its time is used up")

// idleArenas holds arenas that no parse uses. An arena is the memory of one parse in C.
var idleArenas = make(chan *C.sextant_arena, 16)

func init() { C.sextant_arenas() }

// within returns the nodes of a text, or an error if the parse takes more processor time than
// allowed; spent measures that time. The parser itself stops by the wall clock. If it stopped
// before it had used its processor time, it begins again with twice the time: otherwise valid files
// would lose their symbols on a busy machine, until they change.
//
// A parse that continued where it stopped would take less time. But after an interruption, tree-sitter
// advances its readings of a text in another order, and a text with errors gets another tree.
func (g *Grammar) within(text []byte, allowed time.Duration, spent func() time.Duration) ([]flatNode, error) {
	arena := takeArena()
	defer leaveArena(arena)
	for limit := allowed; ; limit *= 2 {
		var used time.Duration
		nodes := g.attempt(arena, text, limit, func(parse func()) {
			began := spent()
			parse()
			used = spent() - began
		})
		switch {
		case nodes != nil && (used <= allowed || limit == allowed):
			return nodes, nil
		case used >= allowed-allowed/10 || limit >= maxWait:
			return nil, errSliceUsed
		}
	}
}

// attempt parses a text and returns its nodes, or nil if the parser was stopped by the clock. It passes the call of
// the parser to measure.
//
// The parser allocates its memory in an arena. The Go binding of tree-sitter knows no arenas, so
// the C functions are called directly.
func (g *Grammar) attempt(arena *C.sextant_arena, text []byte, limit time.Duration, measure func(func())) []flatNode {
	p := C.sextant_parser_begin(arena, languagePointer(g.Language))
	defer C.sextant_parser_end(&p)
	var kept runtime.Pinner // pins the text, to which the tree refers
	defer kept.Unpin()
	start := unsafe.SliceData(text)
	if start != nil {
		kept.Pin(start)
	}
	n := 0
	measure(func() {
		n = int(C.sextant_parser_parse(&p, (*C.char)(unsafe.Pointer(start)), C.uint32_t(len(text)),
			C.uint64_t(limit/time.Microsecond)))
	})
	if n == 0 {
		return nil
	}
	return flatten(p.root, n)
}

func takeArena() *C.sextant_arena {
	select {
	case a := <-idleArenas:
		return a
	default:
		return C.sextant_arena_new()
	}
}

func leaveArena(a *C.sextant_arena) {
	select {
	case idleArenas <- a:
	default:
		C.sextant_arena_free(a)
	}
}

// freeArenas frees the arenas that no parse uses.
func freeArenas() {
	for {
		select {
		case a := <-idleArenas:
			C.sextant_arena_free(a)
		default:
			return
		}
	}
}

// languagePointer returns the TSLanguage of a language. The binding keeps it unexported, as the
// only field of Language; TestGuardsAreInPlace checks that layout.
func languagePointer(l *sitter.Language) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(l))
}
