// Package navigate answers one question: what does each of the six tools say
// about a codebase, now?
//
// It is where the tiers meet: it resolves the root, asks the gate, asks the
// tiers, asks the gate again about what the answer rests on, and renders
// within the budget. Its types are the contract: a request is what a caller
// may ask, with the names of the wire in its JSON tags; an answer is what
// goes out, field for field.
//
// What never crosses its boundary: no type of a protocol SDK, no SQL, no
// syntax node, no position in UTF-16, no terminal colour.
//
// Invariants:
//
//   - The zero value of an optional field of a request means its default, and
//     marshals to nothing, so a request literal is also the arguments of a
//     suggested call (see [Suggest]).
//   - States such as "not indexed" are answers. An error is one of
//     [*InvalidArguments], [*Refusal] or an internal failure, and what each
//     condition means on the wire stands once, in [Conditions].
//   - Equal indexes and equal requests give equal bytes, timestamps aside:
//     lists are sorted by their builder and a nil [List] is written as [].
//   - Lines are 1-based and inclusive, files are relative to the codebase
//     root and '/'-separated, paths are absolute.
package navigate
