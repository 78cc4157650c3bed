// Package accuracy measures the accuracy of resolved calls: it compares a
// resolver's answer for every call site with that of a compiler.
//
// # Truth
//
// An oracle is a program that produces the truth about a work tree, using a
// real compiler or runtime: JSON lines, one per call site, ordered by file,
// line and column.
//
//	{"file":"a/b.go","line":12,"column":5,"name":"Close","class":"static","targets":[{"file":"x/y.go","line":30}]}
//
// Files are relative to the top of the repository. Lines and columns are
// 1-based, columns in bytes. The position is the first byte of the callee's
// last name, and a target's line is that of the declared name. If there are
// several targets, each is a right answer. Languages without an oracle are
// judged by hand: the same lines with "repo" and "commit" (see ReadHand).
//
// # Judging
//
// An edge (a call site and the callee that the resolver found for it) is right if it leads to a target. Precision is
// the share of right edges among the edges at call sites whose truth is known. Recall is the share of sites with a
// right edge among the sites whose target is in the index. Sites in files that are not indexed are ignored, and a
// target in such a file counts as external. The judgement does not depend on how an answer came about: strategies and
// reasons only group the counts.
//
// This package never runs a resolver; cmd/dev/accuracy does.
package accuracy
