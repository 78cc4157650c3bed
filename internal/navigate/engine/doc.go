// Package engine opens the roots that questions are about and keeps what was derived
// from each: the index of words and vectors, the cache of resolved calls, the
// coverage of a generation.
//
// It answers no question itself. Every tool asks it for the place of a path, which it
// may index for that ([Engine.Enter]); for a file as it is on disk now, with facts
// made from those very bytes ([Engine.Parse]); and for an answer within its time, on
// one index from beginning to end ([Bounded], [Steady]). Nothing else of
// internal/navigate opens a root.
package engine
