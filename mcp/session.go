package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/mark3labs/mcp-go/server"

	"sextant/internal/navigate/contract"
)

// session is one client on a pair of streams. It implements the SDK's
// ClientSession.
type session struct {
	id          string
	initialized atomic.Bool
	notes       chan protocol.JSONRPCNotification // capacity 16; when it is full, the SDK drops notifications
	out         *outbox

	mu      sync.Mutex                    // guards the fields below
	version string                        // version of the protocol, negotiated by the handshake
	cancels map[string]context.CancelFunc // id of a running request, in JSON → function that cancels it
	roots   clientRoots
	told    string // the folder whose root an answer has named; see rootKnown
}

func sessionID() string { return rand.Text() }

// SessionID implements the SDK's ClientSession.
func (c *session) SessionID() string { return c.id }

// Initialize implements the SDK's ClientSession.
func (c *session) Initialize() { c.initialized.Store(true) }

// Initialized implements the SDK's ClientSession.
func (c *session) Initialized() bool { return c.initialized.Load() }

// NotificationChannel implements the SDK's ClientSession. ServeStdio sends the
// notifications it receives. Progress is not sent this way, because it could
// arrive after the answer.
func (c *session) NotificationChannel() chan<- protocol.JSONRPCNotification { return c.notes }

// ProtocolVersion implements the SDK's SessionWithProtocolVersion.
func (c *session) ProtocolVersion() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// SetProtocolVersion implements the SDK's SessionWithProtocolVersion; the SDK
// calls it after the handshake.
func (c *session) SetProtocolVersion(version string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = version
}

// send sends one message as one line, without waiting for the client.
func (c *session) send(message any) {
	text, err := contract.Encode(message)
	if err != nil {
		text, _ = contract.Encode(protocol.NewJSONRPCError(protocol.NewRequestId(nil), protocol.INTERNAL_ERROR,
			"cannot encode the answer: "+err.Error(), nil))
	}
	c.out.add(append(text, '\n'))
}

// sendError sends an error for a message without a usable id.
func (c *session) sendError(code int, message string) {
	c.send(protocol.NewJSONRPCError(protocol.NewRequestId(nil), code, message, nil))
}

// refuse sends an error in response to the request with the given id. If id is nil, the response has none.
func (c *session) refuse(id json.RawMessage, code int, message string) {
	if id == nil {
		c.sendError(code, message)
		return
	}
	c.send(response{JSONRPC: protocol.JSONRPC_VERSION, ID: id,
		Error: &protocol.JSONRPCErrorDetails{Code: code, Message: message}})
}

// begin returns a context for the request with the given id. A cancellation notification
// for that id cancels it. The caller must call done after the answer.
func (c *session) begin(ctx context.Context, id json.RawMessage) (call context.Context, done func()) {
	call, cancel := context.WithCancel(ctx)
	key := string(bytes.TrimSpace(id))
	if key == "" || key == "null" {
		return call, cancel
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.cancels[key]; twice {
		// Two concurrent calls have the same id; a cancellation ends the first.
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

// cancelCall cancels the call named in the params of notifications/cancelled.
// It does nothing if the call has been answered.
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

// progressEvery is the least interval between progress notifications, because clients redraw on
// each.
const progressEvery = 100 * time.Millisecond

// progress sends progress notifications for one call.
type progress struct {
	client *session // nil if the client did not request progress
	token  any

	mu    sync.Mutex // guards the fields below
	ended bool
	last  time.Time
	done  float64 // value in the last notification; the protocol requires it to rise
}

// progress returns the sender of progress for the call with context ctx. token is the
// progress token of the client, nil if it wants none.
func (s *Server) progress(ctx context.Context, token any) *progress {
	p := &progress{token: token, done: -1}
	if token != nil {
		p.client, _ = sdk.ClientSessionFromContext(ctx).(*session)
	}
	return p
}

// report sends a notification, unless another was sent within progressEvery. The last
// one, when Done reaches a known Total, is always sent.
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
	}{protocol.JSONRPC_VERSION, "notifications/progress",
		progressParams{Token: p.token, Progress: at.Done, Total: at.Total, Message: at.Message}}
	p.client.send(note)
}

// progressParams is the content of a notifications/progress message.
type progressParams struct {
	Token    any     `json:"progressToken"`
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitzero"`
	Message  string  `json:"message,omitempty"`
}

// end stops the notifications, because none may follow the answer.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}
