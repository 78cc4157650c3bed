// Package elixir resolves the calls of Elixir by the names of modules.
//
// Elixir has no keywords: defmodule, def and alias are calls of macros with a block, so the
// package distinguishes declarations from calls by name alone. A function is identified by its
// name and its number of arguments. x |> f(1) passes two arguments. All clauses of a function are
// one symbol.
//
// Elixir is hard to resolve because a macro may declare anything, anywhere. A macro returns code
// in a quote (quote do … end), which the compiler inserts where the macro is called. The package
// reads that code:
//
//	defmacro __using__(_), do: quote(do: import Helpers)
//	use Web        Helpers is imported here
//
// It does not see functions whose names a macro computes. A call in a quote depends on the place
// where the quote is expanded, so it stays unresolved unless it names its module. A call on a
// module that a variable holds, mod.init(1), stays unresolved too, unless the module around the
// call declares a callback of that name.
package elixir
