// Package accuracy answers how right resolved calls are: it holds what a
// resolver says of every call site against what a compiler says.
//
// # Truth
//
// An oracle is a program that turns a work tree into truth: JSON lines, one a
// call site, in order of file, line and column, made by a real compiler or
// runtime.
//
//	{"file":"a/b.go","line":12,"column":5,"name":"Close","class":"static","targets":[{"file":"x/y.go","line":30}]}
//
// Files are relative to the top of the repository, lines and columns 1-based,
// columns in bytes; the position is the first byte of the callee's last name,
// and a target's line is that of the declared name. Any of several targets is
// a right answer. Languages without an oracle are judged by hand: the same
// lines with "repo" and "commit" (see ReadHand).
//
// # Judging
//
// An edge is right if it lands on a target. Precision is over the edges at
// sites whose truth is known; recall is over the sites whose target lies in the
// index. Sites in files that are not indexed are left out, and a target in such
// a file is one outside. Nothing here asks how an answer came about: strategies
// and reasons only group the counts.
//
// It never runs a resolver; what asks one is cmd/accuracy.
package accuracy
