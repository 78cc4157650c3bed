// Package quality measures search quality on public repositories that nothing
// was trained or tuned on. It creates the questions (from doc comments, whose
// declaration is the answer, and from subjects of commits, whose changed files
// are) and judges ranked answers; it does not search.
//
// Questions are committed, so that a figure can be reproduced, and so are the
// figures, so that a change of either is a readable diff.
package quality
