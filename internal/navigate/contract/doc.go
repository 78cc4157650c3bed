// Package contract defines what callers of the six tools send and receive: requests with their
// defaults and bounds, answers field by field, the conditions that a tool can report, the token
// budget of an answer, and the derivation of follow-up requests.
//
// It opens no database and reads no file. Of package l1fts it uses the query grammar, to choose the
// default scope of a search, and the path patterns, to check them.
//
// Invariants:
//
//   - The zero value of an optional field of a request means its default, and
//     marshals to nothing, so a request literal is also the arguments of a
//     suggested call (see [Suggest]).
//   - Only the method Next copies a request.
//   - States such as "not indexed" are answers. An error is one of
//     [*InvalidArguments], [*Refusal] or an internal failure. [Conditions] alone
//     defines the wire form of each condition.
//   - A nil [List] is encoded as [].
//   - Lines are 1-based and inclusive, files are relative to the codebase
//     root and '/'-separated, paths are absolute.
package contract
