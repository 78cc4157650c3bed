// Package compact renders answers as plain text that needs few tokens and is readable without a
// legend.
//
// [Text] renders the answer of any of the six tools. It keeps the facts that the reader acts on:
// paths, lines, names that the next call takes, the state, the amount that was cut and the argument
// that continues. It states a fact once, does not repeat the request, and writes a symbol id only
// if the name would be ambiguous. Production code comes before tests, certain edges before possible
// ones.
//
// # Form
//
// The text consists of UTF-8 lines without a frame. A place is PATH:LINE or PATH:FIRST-LAST, with a
// path relative to the root. The first line names the root if it is not the path of the call. A
// line that starts with + counts omitted items and ends, after three spaces, in the argument that
// shows them:
//
//	net/http/server.go:3150-3186 method Server.Shutdown
//	  // Shutdown gracefully shuts down the server without interrupting any
//	+8 more   cursor: "r1"
//
// The package only formats. It reads no index and no file, and counts every item of the answer that
// it omits.
package compact
