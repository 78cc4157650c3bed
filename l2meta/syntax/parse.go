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

// maxWait is the longest wall-clock time of a parse on a busy machine.
const maxWait = time.Minute

// leastSlice is the shortest time limit for one call of the parser.
const leastSlice = 20 * time.Millisecond

var errSliceUsed = errors.New("its time is used up")

// idleArenas holds arenas that no parse uses. An arena is the memory of one parse in C.
var idleArenas = make(chan *C.sextant_arena, 16)

func init() { C.sextant_arenas() }

// within returns the nodes of a text, or an error if the parse takes more processor time than
// allowed; spent measures that time. The parser itself stops by the wall clock. If it stopped
// before it had used its processor time, it continues where it stopped: otherwise valid files would
// lose their symbols on a busy machine, until they change.
//
// The parser allocates its memory in an arena. The Go binding of tree-sitter knows no arenas, so
// the C functions are called directly.
func (g *Grammar) within(text []byte, allowed time.Duration, spent func() time.Duration) ([]flatNode, error) {
	arena := takeArena()
	defer leaveArena(arena)
	p := C.sextant_parser_begin(arena, languagePointer(g.Language))
	defer C.sextant_parser_end(&p)
	var kept runtime.Pinner // pins the text, to which the parser refers between two calls
	defer kept.Unpin()
	start := unsafe.SliceData(text)
	if start != nil {
		kept.Pin(start)
	}
	began, started := spent(), time.Now()
	for left := allowed; ; left = max(allowed-(spent()-began), leastSlice) {
		n := C.sextant_parser_parse(&p, (*C.char)(unsafe.Pointer(start)), C.uint32_t(len(text)),
			C.uint64_t(left/time.Microsecond))
		if n > 0 {
			return flatten(p.root, int(n)), nil
		}
		if spent()-began >= allowed-allowed/10 || time.Since(started) >= maxWait {
			return nil, errSliceUsed
		}
	}
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
