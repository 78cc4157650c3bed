package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	protocol "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/mark3labs/mcp-go/server"
)

// envelope holds the parts of a message that are needed before the SDK decodes
// it.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"` // result of a response to a request of this server
	Error  json.RawMessage `json:"error"`  // error of such a response
}

// response is an answer to a request. Its id is the text that the client wrote: the SDK keeps numbers as float64,
// which cannot hold 9007199254740993, and the client would wait for that id forever.
type response struct {
	JSONRPC string                        `json:"jsonrpc"`
	ID      json.RawMessage               `json:"id"`
	Result  any                           `json:"result,omitempty"`
	Error   *protocol.JSONRPCErrorDetails `json:"error,omitempty"`
}

// responseTo returns what the SDK answers to the request e, with the id of the request, and with errors that say
// what was expected.
func (s *Server) responseTo(e *envelope, made protocol.JSONRPCMessage) any {
	if len(e.ID) == 0 {
		return made
	}
	out := response{JSONRPC: protocol.JSONRPC_VERSION, ID: e.ID}
	switch made := made.(type) {
	case protocol.JSONRPCResponse:
		out.Result = made.Result
	case protocol.JSONRPCError:
		out.Error = &made.Error
		s.explain(e.Method, out.Error)
	default:
		return made
	}
	return out
}

// explain replaces the message of an error of the SDK, where that does not say what was expected.
func (s *Server) explain(method string, e *protocol.JSONRPCErrorDetails) {
	unknown, isTool := strings.CutSuffix(e.Message, sdk.ErrToolNotFound.Error())
	switch {
	case isTool:
		e.Message = unknown + "expected one of " + s.names()
	case e.Code == protocol.METHOD_NOT_FOUND:
		e.Message += "; this server has tools: tools/list and tools/call"
	case method == string(protocol.MethodToolsList) && e.Code == protocol.INVALID_PARAMS:
		e.Message = "cursor: unknown; call tools/list without one, since all tools are in one answer"
	case e.Message == "Invalid JSON-RPC version":
		e.Message = `expected "jsonrpc": "2.0"`
	case strings.HasPrefix(e.Message, "unparsable "):
		e.Code, e.Message = protocol.INVALID_PARAMS, fmt.Sprintf("params of %s: expected %s", method, paramsOf(method))
	}
}

// paramsOf describes the params of a method.
func paramsOf(method string) string {
	switch method {
	case string(protocol.MethodToolsCall):
		return `an object with name, a string, and arguments, an object, such as {"name": "search_codebase", ` +
			`"arguments": {"query": "where are sessions expired"}}`
	case string(protocol.MethodInitialize):
		return `an object such as {"protocolVersion": "` + protocol.ProtocolVersion20250618 + `", "capabilities": {}, ` +
			`"clientInfo": {"name": "my client", "version": "1"}}`
	}
	return "none, or an object"
}

// refuseLine answers a line that is no message. It repeats the ids of the requests that the line seems to hold,
// since the client waits for their answers.
func (c *session) refuseLine(text []byte) {
	var batch []json.RawMessage
	switch {
	case !json.Valid(text):
		c.refuse(idIn(text), protocol.PARSE_ERROR,
			"expected one JSON-RPC message a line: not JSON, or nested too deeply")
	case json.Unmarshal(text, &batch) != nil:
		c.refuse(idIn(text), protocol.INVALID_REQUEST, "expected one JSON-RPC message a line: a JSON object with "+
			"jsonrpc and method, which are strings, and params, an object")
	default:
		refused := false
		for _, one := range batch {
			if id := idIn(one); id != nil || !refused {
				c.refuse(id, protocol.INVALID_REQUEST,
					"expected one JSON-RPC message a line: batches are not supported; send each request by itself")
				refused = true
			}
		}
		if !refused {
			c.sendError(protocol.INVALID_REQUEST, "expected one JSON-RPC message a line: got an empty batch")
		}
	}
}

// idIn returns the id of the request that a text seems to be, nil if there is none.
func idIn(text []byte) json.RawMessage {
	var find idFinder
	find.write(bytes.TrimSpace(text))
	return find.request()
}
