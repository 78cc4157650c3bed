package mcp

import (
	"context"
	"encoding/json"

	protocol "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/mark3labs/mcp-go/server"

	"sextant/internal/navigate/contract"
)

// reply is the result of a tool call, before it is converted to the SDK's form.
type reply struct {
	text       string
	structured json.RawMessage // the answer as JSON; nil if there is none
	isError    bool
	failed     error                  // the cause of an isError reply, except for invalid arguments
	cost       *contract.AnswerTokens // nil if it was not computed
}

// handleCall returns the handler of tool t for the SDK. It never returns an error:
// failures of a tool are reported to the model in its answer, not through the protocol.
func (s *Server) handleCall(t *tool) sdk.ToolHandlerFunc {
	return func(ctx context.Context, req protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		var token any
		if req.Params.Meta != nil {
			token = req.Params.Meta.ProgressToken
		}
		progress := s.progress(ctx, token)
		r := s.call(ctx, t, req.Params.RawArguments, progress.report)
		progress.end()
		result := &protocol.CallToolResult{
			Content: []protocol.Content{protocol.TextContent{Type: protocol.ContentTypeText, Text: r.text}},
			IsError: r.isError,
		}
		// Revisions of the protocol are dates, so they order as strings.
		if r.structured != nil && sdk.RequestProtocolVersion(ctx) >= protocol.ProtocolVersion20250618 {
			result.RawStructuredContent = r.structured
		}
		return result, nil
	}
}
