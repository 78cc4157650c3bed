// Package mine derives the tasks of package tokens from the results of compilers and parsers.
// Declarations come from the language's own parser (for Java from ctags). Call sites come from
// the oracles of package accuracy, programs that run a compiler. The same repository and seed
// give the same tasks.
package mine
