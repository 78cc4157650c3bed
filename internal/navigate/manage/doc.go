// Package manage answers manage_index and list_codebases: it creates, rebuilds, updates,
// describes, repairs and removes the index of a root, and lists the roots.
package manage
