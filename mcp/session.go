package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/mark3labs/mcp-go/server"

	"sextant/internal/navigate/contract"
)

// session is one client on a pair of streams. It is the SDK's ClientSession.
type session struct {
	id          string
	initialized atomic.Bool
	notes       chan protocol.JSONRPCNotification // capacity 16; the SDK drops what finds it full
	fail        context.CancelCauseFunc           // ends the session

	write sync.Mutex // guards out: one message at a time
	out   io.Writer

	mu      sync.Mutex // guards version and cancels
	version string     // negotiated by the handshake
	cancels map[string]context.CancelFunc
}

func sessionID() string { return rand.Text() }

// SessionID implements the SDK's ClientSession.
func (c *session) SessionID() string { return c.id }

// Initialize implements the SDK's ClientSession.
func (c *session) Initialize() { c.initialized.Store(true) }

// Initialized implements the SDK's ClientSession.
func (c *session) Initialized() bool { return c.initialized.Load() }

// NotificationChannel implements the SDK's ClientSession. ServeStdio sends
// what arrives on it. Progress does not go this way: it would overtake, or be
// overtaken by, the answer.
func (c *session) NotificationChannel() chan<- protocol.JSONRPCNotification { return c.notes }

// ProtocolVersion implements the SDK's SessionWithProtocolVersion.
func (c *session) ProtocolVersion() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// SetProtocolVersion is called by the SDK when the handshake has settled it.
func (c *session) SetProtocolVersion(version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = version
}

// send writes one message as one line. A stream that cannot be written to
// ends the session.
func (c *session) send(message any) {
	text, err := contract.Encode(message)
	if err != nil {
		text, _ = contract.Encode(protocol.NewJSONRPCError(protocol.NewRequestId(nil), protocol.INTERNAL_ERROR, "cannot encode the answer: "+err.Error(), nil))
	}
	c.write.Lock()
	defer c.write.Unlock()
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		c.fail(fmt.Errorf("write to the client: %w", err))
	}
}

// sendError answers a message that has no id to answer to.
func (c *session) sendError(code int, message string) {
	c.send(protocol.NewJSONRPCError(protocol.NewRequestId(nil), code, message, nil))
}

// begin is the context of the request id, which a cancellation ends. done is
// to be called when it is answered.
func (c *session) begin(ctx context.Context, id json.RawMessage) (call context.Context, done func()) {
	call, cancel := context.WithCancel(ctx)
	key := string(bytes.TrimSpace(id))
	if key == "" || key == "null" {
		return call, cancel
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.cancels[key]; twice {
		// Two calls in flight under one id: the first stays the one that a
		// cancellation means.
		return call, cancel
	}
	c.cancels[key] = cancel
	return call, func() {
		c.mu.Lock()
		delete(c.cancels, key)
		c.mu.Unlock()
		cancel()
	}
}

// cancelCall ends the call that the params of notifications/cancelled name.
// One that has been answered already is not known any more.
func (c *session) cancelCall(params json.RawMessage) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	cancel := c.cancels[string(bytes.TrimSpace(p.RequestID))]
	c.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// progressEvery keeps progress readable: clients redraw on each.
const progressEvery = 100 * time.Millisecond

// progress sends how far one call is.
type progress struct {
	client *session // nil when nobody asked
	token  any

	mu    sync.Mutex // guards the rest
	ended bool
	last  time.Time
	done  float64 // of the last one sent; the protocol wants it to rise
}

// progress is of the call of ctx, whose client sent token.
func (s *Server) progress(ctx context.Context, token any) *progress {
	p := &progress{token: token, done: -1}
	if token != nil {
		p.client, _ = sdk.ClientSessionFromContext(ctx).(*session)
	}
	return p
}

// report sends one step, unless another was sent just now. The last step of
// a known total is always sent.
func (p *progress) report(at contract.Progress) {
	if p.client == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	final := at.Total > 0 && at.Done >= at.Total
	if p.ended || at.Done <= p.done || !final && now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.done = now, at.Done
	note := struct {
		JSONRPC string         `json:"jsonrpc"`
		Method  string         `json:"method"`
		Params  progressParams `json:"params"`
	}{protocol.JSONRPC_VERSION, "notifications/progress", progressParams{Token: p.token, Progress: at.Done, Total: at.Total, Message: at.Message}}
	p.client.send(note)
}

type progressParams struct {
	Token    any     `json:"progressToken"`
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitzero"`
	Message  string  `json:"message,omitempty"`
}

// end closes the stream of steps: none follows the answer.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}
