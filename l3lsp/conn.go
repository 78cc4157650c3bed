package l3lsp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// ErrServerGone is returned by a request whose server ended before it answered.
var ErrServerGone = errors.New("the language server is gone")

// conn is a connection to one server. It is safe for concurrent use.
type conn struct{ rpc jsonrpc2.Conn }

// newConn starts to serve the server's own requests with handle, which must
// not block.
func newConn(s *stream, handle func(method string, params []byte) any) *conn {
	c := &conn{jsonrpc2.NewConn(s)}
	c.rpc.Go(context.Background(), func(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
		// A reply that finds the server not reading is lost with the server.
		ctx, cancel := context.WithTimeout(ctx, replyTimeout)
		defer cancel()
		_ = reply(ctx, handle(req.Method(), req.Params()), nil)
		return nil
	})
	return c
}

const (
	replyTimeout  = 100 * time.Millisecond
	cancelTimeout = 100 * time.Millisecond
)

// cancelParams is what $/cancelRequest takes.
type cancelParams struct {
	ID jsonrpc2.ID `json:"id"`
}

// call sends a request and waits for its result, for ctx, or for the end of
// the server. A request that ctx gave up is cancelled at the server.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	ctx, stop := c.within(ctx)
	defer stop()
	id, err := c.rpc.Call(ctx, method, params, result)
	if err == nil {
		return nil
	}
	if c.gone() {
		return fmt.Errorf("%s: %w", method, ErrServerGone)
	}
	if ctx.Err() != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
		defer cancel()
		_ = c.rpc.Notify(late, "$/cancelRequest", cancelParams{id}) // a server that does not read is recycled for that
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
	return fmt.Errorf("%s: %w", method, err)
}

// notify sends a notification.
func (c *conn) notify(ctx context.Context, method string, params any) error {
	if c.gone() {
		return fmt.Errorf("%s: %w", method, ErrServerGone)
	}
	ctx, stop := c.within(ctx)
	defer stop()
	return c.rpc.Notify(ctx, method, params)
}

// within is ctx, ended also by the end of the connection: the library's calls
// do not see that.
func (c *conn) within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		select {
		case <-c.rpc.Done():
			cancel()
		case <-ended:
		}
	}()
	return ctx, func() { close(ended); cancel() }
}

func (c *conn) gone() bool {
	select {
	case <-c.rpc.Done():
		return true
	default:
		return false
	}
}
