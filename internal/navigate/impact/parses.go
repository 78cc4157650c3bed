package impact

import (
	"context"
	"crypto/sha256"
	"runtime"
	"sync"

	"sextant/internal/navigate/engine"
)

// parses caches the parsed sides of changes. A side that one answer had no time
// to wait for is ready for the next one. It is safe for concurrent use.
type parses struct {
	engine *engine.Engine
	slots  chan struct{} // bounds the files that are parsed at once

	mu   sync.Mutex
	held map[[sha256.Size]byte]*parse // guarded by mu; by path and text
}

// parse is one side of a changed file. After done is closed, state does not
// change.
type parse struct {
	done  chan struct{}
	state state
}

func newParses(e *engine.Engine) *parses {
	return &parses{engine: e, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), held: map[[sha256.Size]byte]*parse{}}
}

// nothing is the parse of a file that is not there.
var nothing = func() *parse {
	p := &parse{done: make(chan struct{}), state: read("", nil)}
	close(p.done)
	return p
}()

// start returns the parse of a text, which may still be under way. A nil text
// means that there is no file.
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
		delete(p.held, key) // the engine is closed: nothing waits for it any more
	}
	return x
}

// textCopies estimates the memory of a parse by its text: the texts of its
// symbols make one copy, the symbols take as much again.
const textCopies = 2

func (x *parse) bytes(text int) int64 { return int64(textCopies * text) }

func (p *parses) drop(key [sha256.Size]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.held, key)
}

// wait reports whether the parse is done before ctx is.
func (x *parse) wait(ctx context.Context) bool {
	select {
	case <-x.done:
		return true
	case <-ctx.Done():
	}
	select {
	case <-x.done: // both were
		return true
	default:
		return false
	}
}
