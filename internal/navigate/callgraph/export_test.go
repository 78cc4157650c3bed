package callgraph

import (
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/symbols"
)

// What tests from outside of the package look at.
const (
	MaxAttempts      = maxAttempts
	ProvenConfidence = provenConfidence
)

// DirOf exports dirOf to tests.
func DirOf(file string) string { return code.Dir(file) }

// FolderID returns the id of a folder's node.
func FolderID(dir string) string {
	return string(symbols.RowID(folder{dir: strings.TrimPrefix(dir, ".")}.row()))
}
