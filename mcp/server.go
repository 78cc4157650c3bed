package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	protocol "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/mark3labs/mcp-go/server"

	"sextant/internal/navigate/contract"
)

// Options configures NewServer. Open is required.
type Options struct {
	// Open creates the service on the first call of a tool, so that a handshake
	// does not wait for it. Calls of Open do not overlap; after an error, the next
	// tool call tries again. ctx bounds the opening alone, not the service.
	Open func(ctx context.Context) (Service, error)

	// Dir is the path to use for calls without a path, unless the client lists roots; "" means that
	// calls must have one.
	Dir     string
	Version string          // version of the program, for the handshake; "" means "dev"
	Format  contract.Format // format of answers whose request sets none; "" means text
	Log     *slog.Logger    // receives one event per call; nil means no log

	// FileTokens estimates the number of tokens in whole files, given their absolute paths; nil means
	// 0. Spent receives the cost of each answer, including refusals; if it is nil, costs are only
	// computed for requests with debug. Both must be safe for concurrent use, and return soon.
	FileTokens func(files []string) int
	Spent      func(tool string, cost contract.AnswerTokens)

	Calls int           // limit of concurrent tool calls; 0 means 8
	Queue time.Duration // longest time that a call waits to run; 0 means 30 s
	Drain time.Duration // time that calls have to finish after the end of input; 0 means 250 ms
	// Unsent is the number of bytes of messages that the client has not read at which the server reads no
	// more input; 0 means 16 MiB. A client may send thousands of requests before it reads the first answer.
	Unsent int
}

// These constants are the defaults of Options.
const (
	defaultCalls  = 8
	defaultQueue  = 30 * time.Second
	defaultDrain  = 250 * time.Millisecond
	defaultUnsent = 16 << 20
	// maxWaiting is the largest number of calls that wait to run. Each holds a goroutine
	// and its arguments.
	maxWaiting = 256
)

// Server serves the six tools, over streams or in memory. It is safe for
// concurrent use.
type Server struct {
	opts    Options
	log     *slog.Logger
	tools   []*tool
	byName  map[string]*tool
	wire    *sdk.MCPServer
	running chan struct{} // capacity Options.Calls; a token per running call
	waiting chan struct{} // capacity Options.Calls+maxWaiting; a token per running or waiting call
	opening chan Service  // capacity 1; holds the service, nil until it is open
}

// NewServer returns a server. It does no other work.
func NewServer(opts Options) *Server {
	if opts.Version == "" {
		opts.Version = "dev"
	}
	if opts.Format == "" {
		opts.Format = contract.FormatText
	}
	if opts.Calls == 0 {
		opts.Calls = defaultCalls
	}
	if opts.Queue == 0 {
		opts.Queue = defaultQueue
	}
	if opts.Drain == 0 {
		opts.Drain = defaultDrain
	}
	if opts.Unsent == 0 {
		opts.Unsent = defaultUnsent
	}
	server := &Server{
		opts:    opts,
		log:     opts.Log,
		tools:   tools(),
		byName:  map[string]*tool{},
		running: make(chan struct{}, opts.Calls),
		waiting: make(chan struct{}, opts.Calls+maxWaiting),
		opening: make(chan Service, 1),
	}
	if server.log == nil {
		server.log = slog.New(slog.DiscardHandler)
	}
	server.opening <- nil
	server.wire = sdk.NewMCPServer("sextant", opts.Version, sdk.WithToolCapabilities(false),
		sdk.WithInstructions(instructions))
	for _, t := range server.tools {
		server.byName[t.name] = t
		server.wire.AddTool(t.announce(), server.handleCall(t))
	}
	return server
}

// instructions is the text that a client may show its model besides the tools.
const instructions = "Code navigation over indexed codebases. Start with search_codebase, or file_outline of a " +
	"folder; open what it finds with read_file open_symbol; " +
	"follow calls with call_graph, detail bodies for their source. Answers are checked against the disk when they " +
	"are made, so there is no need to re-index after an edit. " +
	"A path that is not indexed yet is indexed by the first question about it."

// announce returns the tool as the SDK lists it.
func (t *tool) announce() protocol.Tool {
	yes, no := true, false
	hints := protocol.ToolAnnotation{ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes,
		OpenWorldHint: &no}
	if t.writes {
		// Only the action clear is destructive, and only for the index.
		hints.ReadOnlyHint, hints.DestructiveHint, hints.IdempotentHint = &no, &yes, &no
	}
	return protocol.Tool{Name: t.name, Title: t.title, Description: t.about, RawInputSchema: schema(t.fields),
		Annotations: hints}
}

// Tools returns the six tools in the order of the documentation.
func (s *Server) Tools() []Tool {
	var out []Tool
	for _, t := range s.tools {
		out = append(out, Tool{Name: t.name, Title: t.title, Description: t.about, Schema: schema(t.fields),
			ReadOnly: !t.writes})
	}
	return out
}

// ErrUnknownTool is the error for a call of a tool that does not exist.
var ErrUnknownTool = errors.New("unknown tool")

// Call calls a tool in memory. text is the client's content block, and isError
// the flag beside it. err is ErrUnknownTool or the error of ctx.
func (s *Server) Call(ctx context.Context, name string, args json.RawMessage) (text string, isError bool, err error) {
	t := s.byName[name]
	if t == nil {
		return "", false, fmt.Errorf("%w %q: expected one of %s", ErrUnknownTool, name, s.names())
	}
	r := s.call(ctx, t, args, nil)
	return r.text, r.isError, ctx.Err()
}

func (s *Server) names() (list string) {
	for i, t := range s.tools {
		if i > 0 {
			list += ", "
		}
		list += t.name
	}
	return list
}

// service opens the service, or waits while another call is opening it.
func (s *Server) service(ctx context.Context) (Service, error) {
	select {
	case opened := <-s.opening:
		if opened != nil {
			s.opening <- opened
			return opened, nil
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var opened Service
	defer func() { s.opening <- opened }()
	made, err := s.opts.Open(ctx)
	if err != nil {
		return nil, &openError{err}
	}
	opened = made
	return opened, nil
}

// openError holds the error of Options.Open. Every call fails with it until a person has removed
// its cause.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }

func (e *openError) Unwrap() error { return e.err }
