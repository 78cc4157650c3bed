// Package elixir holds what is known of Elixir: symbols, and no calls yet.
//
// What is hard: nothing is a keyword. defmodule, def and alias are calls of
// macros with a block, so declarations are told from calls by name alone, and
// whatever a macro of the project declares is not seen.
package elixir
