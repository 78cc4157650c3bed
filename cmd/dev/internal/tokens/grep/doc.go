// Package grep has agents that answer tasks with ripgrep and sed in a shell, as
// a good agent would: two baselines that the tools of this project are compared
// with.
//
// Lean looks at hit lines, cut to Columns: patterns of declarations first, then
// names, files ranked by their counts where many lines match, and reads windows
// of 40 lines last. Reading lists the files that match, and reads around the
// matches.
//
// Both take the language's idioms into account, search for the rarest words of
// a description first, and leave out what they know to be another language.
// Nothing is run: package grep prints what the commands would, since ripgrep
// need not be installed.
package grep
