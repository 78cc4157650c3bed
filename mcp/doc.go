// Package mcp answers one question: how do the six tools look on the wire of
// the Model Context Protocol?
//
// It holds their names, descriptions and schemas, one file each, decodes
// arguments, writes answers, and serves JSON-RPC lines over a pair of
// streams. What an answer says is package navigate's; here nothing is looked
// up, cut or decided.
//
// What never crosses its boundary: no type of the protocol's SDK leaves it,
// and nothing but JSON-RPC is written to the output stream. It reads no
// environment and no flag, and logs only through the logger it was given.
//
// # Arguments
//
// Decoding is strict where a guess would change what is answered, and lenient
// where models err without harm:
//
//   - An unknown argument is refused, with the nearest known name; names that
//     start with "_" belong to the client and are skipped.
//   - start_line, startLine and StartLine are one name.
//   - null is the same as nothing.
//   - "10" and 10.0 are 10; "true" is true; a string stands for a list of
//     that one string.
//   - A symbol reference may be a bare string: an id or a qualified name.
//   - Line numbers are clamped; any other number out of its range is refused.
//
// # Protocol
//
// The SDK negotiates 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25 by the
// initialize handshake, and 2026-07-28 by each request's _meta. From
// 2025-06-18 on a JSON answer is in structuredContent too.
//
// A line of input is one message; batches, which only 2025-03-26 had, are
// answered with an error. Requests other than tool calls are answered in
// order; tool calls run beside each other, at most [Options.Calls] at once.
// notifications/cancelled cancels the context of its call, whose answer is
// then not sent. The end of input ends the server: calls that it has already
// taken have [Options.Drain] to finish, then they are cancelled.
package mcp
