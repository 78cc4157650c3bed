// Package swift reads Swift: its symbols and call sites, and the HTTP routes and requests of a
// file. It has no rules yet that resolve the calls.
//
// A function's name includes its argument labels, as in move(to:). Extensions add members to types
// of other files. The grammar does not support macros, so they are masked before parsing.
package swift
