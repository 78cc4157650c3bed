// Package elixir resolves the calls of Elixir by the names of modules.
//
// Elixir has no keywords: defmodule, def and alias are calls of macros with a block, so the package
// distinguishes declarations from calls by name alone. A function is its name and its number of
// arguments, of which x |> f(1) has two; all its clauses are one symbol.
//
// Hard here: a macro may declare anything, anywhere. The package reads what stands in a quote:
//
//	defmacro __using__(_), do: quote(do: import Helpers)
//	use Web        Helpers is imported here
//
// It does not see functions whose names a macro computes. A call in a quote means whatever it means
// where the quote is expanded; such a call stays open, unless it names its module. So does a call on a
// module that only a value holds, but for callbacks of the module itself.
package elixir
