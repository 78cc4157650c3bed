// Package mcp serves the six tools over the Model Context Protocol.
//
// It holds the name, description and schema of each tool, one file each, decodes
// arguments, encodes answers, and serves JSON-RPC lines over a pair of streams. Package
// navigate makes the content of the answers; this package looks up and cuts nothing.
//
// Boundaries: no type of the protocol's SDK leaves the package, and nothing but
// JSON-RPC is written to the output stream. It reads no environment and no
// flag, and logs only through the logger it was given.
//
// # Arguments
//
// Decoding is strict where a guess would change the answer, and lenient about
// harmless mistakes of models:
//
//   - An unknown argument is an error, which names the nearest known one; names
//     that start with "_" belong to the client and are skipped.
//   - start_line, startLine and StartLine are the same name.
//   - null means absent.
//   - "10" and 10.0 are 10; "true" is true; a string may replace a list of
//     that one string.
//   - A symbol reference may be a bare string: an id or a qualified name.
//   - A number out of its range is clamped, and the answer says so, except for
//     line numbers. contractVersion is never clamped: a wrong one is an error.
//
// # Protocol
//
// The SDK negotiates 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25 by the
// initialize handshake, and 2026-07-28 by each request's _meta. From 2025-06-18
// on, a JSON answer is also in structuredContent.
//
// A line of input is one message; batches, which only 2025-03-26 had, are
// answered with an error for each request. A response has the id of its request
// as the client wrote it. Tool calls run concurrently, at most [Options.Calls]
// at once, and so do subscriptions; other requests are answered in order.
// notifications/cancelled cancels the context of its call, whose answer is then
// not sent. The end of input ends the server: calls in progress have
// [Options.Drain] to finish, then they are cancelled. If the client does not read,
// input waits while more than [Options.Unsent] bytes are unsent.
package mcp
