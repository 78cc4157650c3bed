// Package elixir reads Elixir: its symbols, but no calls yet.
//
// Elixir has no keywords. defmodule, def and alias are calls of macros with a block, so the package
// distinguishes declarations from calls by name alone. It does not see declarations by a project's
// own macros.
package elixir
