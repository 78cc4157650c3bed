// Package impact answers call_graph for a reference to a change, such as the diff to HEAD: it
// returns the symbols that differ between two states of the workspace, the code and the tests that
// reach them, the likeliest tests first, and the services that reach them.
//
// A symbol counts as changed if its own text differs; the text of nested symbols is theirs. Code
// that was only moved does not count. The walk goes from the changed symbols up to their callers,
// the surest first, so that a bound cuts the least likely ones. Tests are ranked by several kinds
// of evidence together. A high rank does not claim that the test fails.
package impact
