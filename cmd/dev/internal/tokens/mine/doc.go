// Package mine makes the tasks of package tokens from what compilers and
// parsers say about a repository: declarations from the language's own parser
// (ctags where there is none at hand), call sites from the oracles of package
// accuracy. The same repository and seed give the same tasks.
package mine
