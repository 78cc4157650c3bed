// Package mine makes the tasks of package tokens from the results of compilers and parsers:
// declarations from the language's own parser (from ctags for Java), call sites from the oracles of
// package accuracy. The same repository and seed give the same tasks.
package mine
