// Package impact answers call_graph about a change: which symbols differ between
// two states of the workspace, which code reaches them, which tests do, likeliest
// first, and which services lie behind.
//
// A symbol has changed if its own text has, without that of the symbols in it.
// Code that merely moved has not changed. From the changed symbols the walk goes up to
// their callers, the surest first, so that a bound leaves out what is least
// likely. Tests are ranked by several kinds of evidence together; none of them
// is a claim that a test fails.
package impact
