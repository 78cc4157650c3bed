package contract

import "sextant/internal/code"

// FolderMap is the outline of a folder. It lists the content in a good order for reading: services
// first, then files with code, then folders, and last tests and files that are no part of a program.
type FolderMap struct {
	Folder  string         `json:"folder"` // relative to the codebase root, "." for the root itself
	Files   int            `json:"files"`  // indexed files, including those in subfolders
	Entries List[MapEntry] `json:"entries"`
	Hidden  int            `json:"hiddenSymbols,omitempty"` // sum of Hidden of the entries
}

// MapEntry is a file, or a folder with all that is below it.
type MapEntry struct {
	Path     string `json:"path"`              // relative to the folder; a folder ends in "/"
	Service  string `json:"service,omitempty"` // the service whose folder it is
	Kind     string `json:"kind,omitempty"`    // of Service, as in RootService
	Language string `json:"language,omitempty"`
	// Class is the class of a file, "" for source code. For a folder it is docs if no source code is in
	// it.
	Class   code.Class `json:"class,omitempty"`
	Files   int        `json:"files,omitempty"`         // of a folder
	Lines   int        `json:"lines,omitempty"`         // of a file
	Symbols []MapName  `json:"symbols,omitempty"`       // of a file: the main ones, by line
	Hidden  int        `json:"hiddenSymbols,omitempty"` // number of further symbols, which only detail full shows
}

// MapName is a symbol of a file.
type MapName struct {
	SymbolLabel string    `json:"symbolLabel"`
	Kind        code.Kind `json:"kind"`
	Line        int       `json:"line"`
}
