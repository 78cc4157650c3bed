package contract

import "sextant/internal/code"

// FolderMap is the outline of a folder: what it holds, in the order of reading. Services come first,
// then files with code, folders, and files that have no part in a program or test it.
type FolderMap struct {
	Folder  string         `json:"folder"` // relative to the codebase root, "." for the root itself
	Files   int            `json:"files"`  // indexed ones, those in folders below included
	Entries List[MapEntry] `json:"entries"`
	Hidden  int            `json:"hiddenSymbols,omitempty"` // sum of Hidden of the entries
}

// MapEntry is a file, or a folder with all that is below it.
type MapEntry struct {
	Path     string `json:"path"`              // relative to the folder; a folder ends in "/"
	Service  string `json:"service,omitempty"` // the service whose folder it is
	Kind     string `json:"kind,omitempty"`    // of Service, as in RootService
	Language string `json:"language,omitempty"`
	// of a file, if it is not source; docs for a folder without any
	Class   code.Class `json:"class,omitempty"`
	Files   int        `json:"files,omitempty"`         // of a folder
	Lines   int        `json:"lines,omitempty"`         // of a file
	Symbols []MapName  `json:"symbols,omitempty"`       // of a file: the main ones, by line
	Hidden  int        `json:"hiddenSymbols,omitempty"` // others that detail full shows
}

// MapName is a symbol of a file.
type MapName struct {
	SymbolLabel string    `json:"symbolLabel"`
	Kind        code.Kind `json:"kind"`
	Line        int       `json:"line"`
}
