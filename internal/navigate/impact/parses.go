package impact

import (
	"context"
	"crypto/sha256"
	"runtime"
	"sync"

	"sextant/internal/navigate/engine"
)

// parses caches the parsed versions of changed files. A version that one answer had no time to wait
// for is ready for the next one. It is safe for concurrent use.
type parses struct {
	engine *engine.Engine
	slots  chan struct{} // bounds the files that are parsed concurrently

	mu   sync.Mutex
	held map[[sha256.Size]byte]*parse // guarded by mu; hash of path and text → parse
}

// parse is one version of a changed file, which is parsed in the background until done is closed. Then
// state does not change any more.
type parse struct {
	done  chan struct{}
	state state
}

func newParses(e *engine.Engine) *parses {
	return &parses{engine: e, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), held: map[[sha256.Size]byte]*parse{}}
}

// nothing is the parse of a missing file.
var nothing = func() *parse {
	p := &parse{done: make(chan struct{}), state: read("", nil)}
	close(p.done)
	return p
}()

// start returns the parse of a text, which may still be running. A nil text means that there is no
// file.
func (p *parses) start(path string, text []byte) *parse {
	if text == nil {
		return nothing
	}
	key := sha256.Sum256(append([]byte(path+"\x00"), text...))
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.held[key]; x != nil {
		return x
	}
	x := &parse{done: make(chan struct{})}
	p.held[key] = x
	if !p.engine.Spawn(func(context.Context) {
		p.slots <- struct{}{}
		defer func() { <-p.slots }()
		defer close(x.done)
		x.state = read(path, text)
		p.engine.Budget.Add(x.bytes(len(text)), func() { p.drop(key) })
	}) {
		delete(p.held, key) // the engine is closed: nothing waits for it
	}
	return x
}

// textCopies estimates the memory of a parse in multiples of its text: one copy for the texts of
// its symbols, another for the symbols.
const textCopies = 2

func (x *parse) bytes(text int) int64 { return int64(textCopies * text) }

func (p *parses) drop(key [sha256.Size]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.held, key)
}

// wait reports whether the parse is finished before ctx is done.
func (x *parse) wait(ctx context.Context) bool {
	select {
	case <-x.done:
		return true
	case <-ctx.Done():
	}
	select {
	case <-x.done: // both were done
		return true
	default:
		return false
	}
}
