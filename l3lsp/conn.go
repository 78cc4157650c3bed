package l3lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/jsonrpc2"
)

// errGone is the error of a request whose server ended before it answered.
var errGone = errors.New("the server is gone")

// conn is a connection to one server. It is safe for concurrent use. Every call
// ends with its context or with the server.
type conn struct {
	rpc    jsonrpc2.Conn
	stream *stream
	ended  context.Context // done when the connection has ended
}

// newConn returns a connection over s. It calls handle for each request and notification of the
// server, one after the other, and sends the result back; handle must not block.
func newConn(s *stream, handle func(method string, params []byte) any) *conn {
	ended, end := context.WithCancel(context.Background())
	c := &conn{jsonrpc2.NewConn(s), s, ended}
	c.rpc.Go(context.Background(), func(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
		_ = reply(ctx, handle(req.Method(), req.Params()), nil) // sending fails only if the server is gone
		return nil
	})
	go func() {
		<-c.rpc.Done()
		end()
	}()
	return c
}

// cancelParams are the parameters of $/cancelRequest. ID is a pointer because
// the library marshals only a pointer as a plain id.
type cancelParams struct {
	ID *jsonrpc2.ID `json:"id"`
}

// call sends a request and waits for its result, for ctx, or for the end of the
// server (errGone). If ctx ends first, the request is cancelled at the server
// and its late answer is dropped.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	if c.gone() {
		return fmt.Errorf("%s: %w", method, errGone)
	}
	// The library's Call returns only when its context ends, so that context must end when the
	// server does.
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.ended, cancel)()
	id, err := c.rpc.Call(within, method, params, result)
	switch {
	case err == nil:
		return nil
	case c.gone():
		return fmt.Errorf("%s: %w", method, errGone)
	case ctx.Err() != nil:
		_ = c.notify("$/cancelRequest", cancelParams{&id}) // if this fails, the server is gone or answers in vain
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
	return fmt.Errorf("%s: %w", method, err)
}

// notify sends a notification without waiting.
func (c *conn) notify(method string, params any) error {
	if c.gone() {
		return fmt.Errorf("%s: %w", method, errGone)
	}
	if err := c.rpc.Notify(context.Background(), method, params); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// gone reports whether the connection has ended.
func (c *conn) gone() bool {
	select {
	case <-c.stream.done:
		return true
	default:
		return c.ended.Err() != nil
	}
}

// close ends the connection and waits until its goroutines have ended.
func (c *conn) close() {
	c.rpc.Close()
	<-c.ended.Done()
}
