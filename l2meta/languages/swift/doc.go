// Package swift reads Swift: its symbols and call sites, and what a file serves and requests over
// HTTP. It has no rules that resolve the calls yet.
//
// A function's name includes its argument labels (move(to:)), extensions add members to types of
// other files, and the grammar does not support macros, so they are masked before parsing.
package swift
