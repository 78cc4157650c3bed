// Package swift holds what is known of Swift: symbols, and no calls yet.
//
// What is hard: a name has labels that belong to it (move(to:)), extensions add
// members to types of other files, and the grammar does not know macros, which
// are masked.
package swift
