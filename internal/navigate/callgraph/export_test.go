package callgraph

import (
	"strings"

	"sextant/internal/code"
	"sextant/internal/navigate/callgraph/proof"
	"sextant/internal/navigate/symbols"
)

// Names that tests from outside of the package use.
const (
	MaxAttempts      = maxAttempts
	ProvenConfidence = proof.ProvenConfidence
)

// DirOf returns the folder of a file.
func DirOf(file string) string { return code.Dir(file) }

// FolderID returns the id of a folder's node.
func FolderID(dir string) string {
	return string(symbols.RowID(folder{dir: strings.TrimPrefix(dir, ".")}.row()))
}
