// Package contract holds what callers of the six tools send and get: requests with
// their defaults and bounds, answers field for field, the conditions that a tool can
// be in, the budget of an answer, and how a request becomes the next one.
//
// It opens no database and reads no file. Of the tiers it knows the grammar of
// queries alone, by which the default scope of a search is chosen.
//
// Invariants:
//
//   - The zero value of an optional field of a request means its default, and
//     marshals to nothing, so a request literal is also the arguments of a
//     suggested call (see [Suggest]).
//   - A request is copied by its method Next alone.
//   - States such as "not indexed" are answers. An error is one of
//     [*InvalidArguments], [*Refusal] or an internal failure, and what each
//     condition means on the wire stands once, in [Conditions].
//   - A nil [List] is written as [].
//   - Lines are 1-based and inclusive, files are relative to the codebase
//     root and '/'-separated, paths are absolute.
package contract
