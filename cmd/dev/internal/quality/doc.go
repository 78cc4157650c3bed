// Package quality measures search quality on public repositories that nothing was trained or
// tuned on. It derives questions from doc comments, with the commented declaration as the answer,
// and from subjects of commits, with the changed files as the answers. It judges ranked answers;
// it does not search.
package quality
