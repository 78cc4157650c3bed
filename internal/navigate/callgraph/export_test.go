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

// DirOf is dirOf.
func DirOf(file string) string { return code.Dir(file) }

// FolderID is the id of a folder's node.
func FolderID(dir string) string {
	return string(symbols.RowID(folder{dir: strings.TrimPrefix(dir, ".")}.row()))
}
