// Package tokens measures what an answer about code costs an agent: the tokens
// that a scripted agent writes and reads until the places that answer its
// question are in view, with the tools of this project and with grep.
//
// # Questions
//
// A Task is a question about one repository with the places that answer it.
// They come from compilers and parsers (package mine), never from the index.
// Tasks are committed, so that a figure can be reproduced.
//
// # Success
//
// A task succeeds when every target is in view: a path with the line, shown by
// any of the calls so far. It fails when the agent has nothing left to try, or
// after Limit tokens. An agent never sees the targets; they only stop it.
//
// # Costs
//
// A call costs the tokens of what the model writes (the tool's name and its
// arguments as JSON) and of the text that comes back, by o200k_base. The path
// of the repository is replaced by a short one first, so that figures do not
// depend on the machine.
//
// This package asks nothing itself: package grep has the agents with a shell,
// and cmd/dev/tokens has the one with this project's tools.
package tokens
