// Package grep has two scripted agents that answer tasks with ripgrep and sed in a shell, as a good
// agent would. This project's tools are compared with them.
//
// The agent Lean looks at matching lines, cut to Columns. It searches for declarations first and
// then for names. If many lines match, it first counts the matches per file. Last, it reads windows
// of 40 lines. The agent Reading lists the files that match, and reads around the matches.
//
// Both know the idioms of the language, search for the rarest words of a
// description first, and skip files of other languages. No command is run:
// package grep prints what the commands would print, since ripgrep need not be
// installed.
package grep
