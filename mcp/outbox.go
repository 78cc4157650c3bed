package mcp

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// outbox writes messages to a client in order, one message per Write. A goroutine of its own does so. If the
// client does not read, neither calls nor the end of the server wait for it.
type outbox struct {
	out  io.Writer
	fail func(error) // receives the error of a Write, after which nothing more is written
	// Both channels have the capacity 1. sent has a token after a message was added, wrote after one was written.
	sent, wrote chan struct{}

	mu     sync.Mutex // guards the fields below
	queue  [][]byte   // messages that are not written yet
	bytes  int        // their length, that of the message being written included
	broken bool       // whether a Write has failed
}

func newOutbox(out io.Writer, fail func(error)) *outbox {
	return &outbox{out: out, fail: fail, sent: make(chan struct{}, 1), wrote: make(chan struct{}, 1)}
}

// add appends a message. It does not wait until the message is written.
func (b *outbox) add(message []byte) {
	b.mu.Lock()
	if !b.broken {
		b.queue = append(b.queue, message)
		b.bytes += len(message)
	}
	b.mu.Unlock()
	signal(b.sent)
}

// run writes messages until stop is closed or a Write fails. A Write that the client keeps waiting goes on after
// stop.
func (b *outbox) run(stop <-chan struct{}) {
	for {
		message := b.next()
		if message == nil {
			select {
			case <-b.sent:
				continue
			case <-stop:
				return
			}
		}
		_, err := b.out.Write(message)
		b.written(message, err)
		if err != nil {
			b.fail(fmt.Errorf("write to the client: %w", err))
			return
		}
	}
}

// next removes the first message from the queue and returns it, nil if there is none.
func (b *outbox) next() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		b.queue = nil // frees the array
		return nil
	}
	message := b.queue[0]
	b.queue[0], b.queue = nil, b.queue[1:]
	return message
}

// written records that a message was written, or could not be.
func (b *outbox) written(message []byte, err error) {
	b.mu.Lock()
	b.bytes -= len(message)
	if err != nil {
		b.broken, b.queue, b.bytes = true, nil, 0
	}
	b.mu.Unlock()
	signal(b.wrote)
}

// unsent returns the number of bytes that are not written yet.
func (b *outbox) unsent() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes
}

// flush waits until every message is written, unless the client reads none for as long as limit.
func (b *outbox) flush(limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for b.unsent() > 0 {
		select {
		case <-b.wrote:
			timer.Reset(limit)
		case <-timer.C:
			return
		}
	}
}

// signal puts a token into a channel of capacity 1, unless it holds one.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
