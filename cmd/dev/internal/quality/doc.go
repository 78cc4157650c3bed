// Package quality measures search quality on public repositories that nothing
// was trained or tuned on. It makes questions from doc comments, with the
// commented declaration as the answer, and from subjects of commits, with the
// changed files as the answers. It judges ranked answers; it does not search.
//
// The questions are committed, so that a figure can be reproduced. The figures
// are committed too, so that a change of either is a readable diff.
package quality
