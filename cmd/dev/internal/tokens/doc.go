// Package tokens measures the cost of an answer about code for an agent: the tokens that a scripted
// agent writes and reads until the places that answer its question are in view, with the tools of
// this project and with grep.
//
// # Questions
//
// A Task is a question about one repository with the places that answer it. The places come from
// compilers and parsers (package mine), never from the index. Tasks are committed, so that a figure
// can be reproduced.
//
// # Success
//
// A task succeeds when every target is in view: a path with the line, shown by any of the calls so
// far. It fails when the agent has no further call to try, or after Limit tokens. An agent never
// sees the targets; they only stop it.
//
// # Costs
//
// The cost of a call is the tokens that the model writes (the tool's name and its arguments as
// JSON) and the tokens of the answer, counted by o200k_base. The path of the repository is first
// replaced by a short one, so that figures do not depend on the machine.
//
// This package contains no agents: package grep has the agents with a shell, and cmd/dev/tokens has
// the agent with this project's tools.
package tokens
