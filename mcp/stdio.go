package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
)

const (
	// maxMessage is the largest length of a line of input, in bytes. A call takes some
	// hundred bytes, so a client that sends megabytes does not speak this protocol.
	maxMessage = 4 << 20
	// stopWithin is the time that cancelled calls have to return. ServeStdio then returns
	// without waiting for them any longer.
	stopWithin = 2 * time.Second
)

// ServeStdio serves JSON-RPC lines from in to out until in ends (it returns
// nil), ctx ends (its error) or writing to out fails. It writes nothing else to
// out, and one message per Write. When ctx ends and in is an io.Closer, in is
// closed, because nothing else unblocks a pending Read. A client that does not
// read delays the return by a few seconds; a Write may then still be pending.
//
// The SDK has a stdio server too, but it keeps its session in a package
// variable, reads lines of any length, loses a cancellation that arrives before
// its call has started, and may send progress after the answer. So this package
// reads the lines itself and leaves the meaning of each message to the SDK.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	life, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	client := &session{id: sessionID(), notes: make(chan protocol.JSONRPCNotification, 16),
		out: newOutbox(out, cancel), cancels: map[string]context.CancelFunc{}}
	if err := s.wire.RegisterSession(life, client); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer s.wire.UnregisterSession(context.WithoutCancel(life), client.id)
	life = s.wire.WithContext(life, client)

	stop := make(chan struct{})
	defer close(stop)
	go client.out.run(stop)
	defer client.out.flush(stopWithin)

	lines := make(chan line) // closed by the reader when in ends
	go readLines(life, in, lines)
	var calls sync.WaitGroup
	for {
		input := lines
		if client.out.unsent() > s.opts.Unsent {
			input = nil // the client does not read, so that its requests wait
		}
		select {
		case <-client.out.wrote:
		case <-life.Done():
			if closer, ok := in.(io.Closer); ok {
				closer.Close()
			}
			await(&calls, stopWithin)
			return context.Cause(life)
		case note := <-client.notes:
			client.send(note)
		case l, more := <-input:
			if more {
				s.take(life, client, l, &calls)
				continue
			}
			if lines = nil; life.Err() != nil {
				continue // the end of ctx has ended in, too
			}
			await(&calls, s.opts.Drain)
			cancel(nil)
			await(&calls, stopWithin)
			return nil
		}
	}
}

// await waits until all calls have returned, but at most for limit.
func await(calls *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() { calls.Wait(); close(done) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// line is one message of input.
type line struct {
	text    []byte
	tooLong bool            // the line exceeds maxMessage; text is empty
	id      json.RawMessage // id of the request that is too long; nil if it has none
}

// readLines sends the lines of in to lines until in or ctx ends, and then
// closes lines. Blank lines are skipped.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		l, err := readLine(r)
		if l.tooLong || len(bytes.TrimSpace(l.text)) > 0 {
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads one line. A line longer than maxMessage is discarded, all but its id, and
// reported as tooLong. The last line may lack a line break.
func readLine(r *bufio.Reader) (l line, err error) {
	var find idFinder
	for {
		piece, err := r.ReadSlice('\n')
		switch {
		case l.tooLong:
			find.write(piece)
		case len(l.text)+len(piece) > maxMessage:
			find.write(l.text)
			find.write(piece)
			l = line{tooLong: true}
		default:
			l.text = append(l.text, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.id = find.request()
			return l, err
		}
	}
}

// byteOrderMark begins the input of some clients on Windows.
const byteOrderMark = "\ufeff"

// take handles one line. Tool calls, and other requests that may block, run
// concurrently; everything else is handled immediately, so that answers keep
// the order of their requests.
func (s *Server) take(ctx context.Context, client *session, input line, calls *sync.WaitGroup) {
	if input.tooLong {
		client.refuse(input.id, protocol.INVALID_REQUEST, fmt.Sprintf("message longer than %d bytes", maxMessage))
		return
	}
	input.text = bytes.TrimPrefix(input.text, []byte(byteOrderMark))
	var e envelope
	if err := json.Unmarshal(input.text, &e); err != nil {
		client.refuseLine(input.text)
		return
	}
	switch e.Method {
	case "":
		client.takeResponse(&e)
	case string(protocol.MethodInitialize):
		client.offersRoots(e.Params)
		s.answer(ctx, client, &e, input.text)
	case protocol.MethodNotificationRootsListChanged:
		client.forgetRoots()
	case string(protocol.MethodNotificationCancelled):
		client.cancelCall(e.Params)
	case string(protocol.MethodToolsCall), string(protocol.MethodSubscriptionsListen):
		// Register the call before the next line is read, so that a cancellation on
		// that line finds it.
		ctx, done := client.begin(ctx, e.ID)
		calls.Go(func() {
			defer done()
			s.answer(ctx, client, &e, input.text)
		})
	default:
		s.answer(ctx, client, &e, input.text)
	}
}

// answer passes a message, whose parts are e, to the SDK and sends the response, unless the request has been
// cancelled.
func (s *Server) answer(ctx context.Context, c *session, e *envelope, message []byte) {
	defer func() {
		if p := recover(); p != nil {
			s.log.ErrorContext(ctx, "message handler", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if len(e.ID) > 0 { // the client waits for a response with this id
				c.refuse(e.ID, protocol.INTERNAL_ERROR, "internal error")
			}
		}
	}()
	made := s.wire.HandleMessage(ctx, message)
	if made != nil && ctx.Err() == nil {
		c.send(s.responseTo(e, made))
	}
}
