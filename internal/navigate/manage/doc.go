// Package manage answers manage_index and list_codebases: it makes, renews, brings up
// to date, describes, mends and removes the index of a root.
package manage
