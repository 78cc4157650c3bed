// Package quality measures how well search finds what is asked for, on public
// repositories that nothing was learned or tuned on. It makes the questions
// (what a doc comment says of a declaration, what a commit's subject says of the
// files that it changed) and judges ranked answers; it does not search.
//
// Questions are committed, so that a figure can be reproduced, and so are the
// figures, so that a change of either is a readable diff.
package quality
