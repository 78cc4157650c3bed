// Package compact answers one question: how is an answer written as plain text
// that an agent reads with few tokens and a person reads without a key?
//
// [Text] renders the answer of any of the six tools. It keeps what the reader
// acts on: paths, lines, names that the next call takes, the state, what was
// cut and the argument that goes on. A fact is stated once, what the caller
// said is not repeated, and an identifier appears only where a name would be
// ambiguous. Production code comes before tests, certain before possible.
//
// # Form
//
// Lines of UTF-8 without a frame. A place is PATH:LINE or PATH:FIRST-LAST, its
// path relative to the root; the first line names the root if it is not the
// path of the call. A line that starts with + counts what is left out and ends,
// after three spaces, in the argument that shows it:
//
//	net/http/server.go:3150-3186 method Server.Shutdown
//	  // Shutdown gracefully shuts down the server without interrupting any
//	+8 more   cursor: "r1"
//
// The package formats only. It knows no tier, reads no file and cuts nothing
// that the answer holds without counting it.
package compact
