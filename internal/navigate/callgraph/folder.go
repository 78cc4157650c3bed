package callgraph

import (
	"path"
	"strings"

	"sextant/internal/code"
	"sextant/jit"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// folder is a set of files that the graph treats as one node: the files directly in a
// directory, which form a package in Go and Java, or all files below it, which form a
// Python package or a service.
type folder struct {
	dir   string // relative to the root, "" for the root itself
	below bool
}

// everythingBelow ends the label of a folder that includes all files below it.
const everythingBelow = "/..."

// label returns the folder's name in answers, which a request may repeat as symbolRef.
func (f folder) label() string {
	name := f.file()
	if f.below {
		name += everythingBelow
	}
	return name
}

// file returns the path of the folder, "." for the root.
func (f folder) file() string {
	if f.dir == "" {
		return "."
	}
	return f.dir
}

// has reports whether a file, whose path is relative to the codebase root, belongs to the
// folder.
func (f folder) has(file string) bool {
	dir := code.Dir(file)
	return dir == f.dir || f.below && code.Within(dir, f.dir)
}

// row returns a row for the folder in the form that symbols have in the index. Its file id is 0, which no
// file has. Its language is "": the symbol id is computed from it, and must be the same whatever
// languages the files are in.
func (f folder) row() l2meta.Row {
	label := f.label()
	return l2meta.Row{Path: f.file(), Index: -1,
		Symbol: code.Symbol{Kind: code.KindModule, Name: path.Base(f.file()), QualifiedName: label, Parent: -1}}
}

// folderOf returns the folder that a row made by folder.row describes. It returns false
// for the row of a symbol.
func folderOf(row l2meta.Row) (f folder, ok bool) {
	if row.FileID != 0 || row.Symbol.Kind != code.KindModule {
		return f, false
	}
	if row.Path != "." {
		f.dir = row.Path
	}
	f.below = strings.HasSuffix(row.Symbol.QualifiedName, everythingBelow)
	return f, true
}

// unit returns the folder to which the name of a directory refers: the files directly in
// it if in their language a directory is a package, as in Go; else all files below it.
func unit(dir string, files []jit.FileRef) folder {
	below := false
	for _, f := range files {
		switch right := code.Dir(f.Path) == dir; {
		case right && languages.All[f.Language].PackageIsFolder:
			return folder{dir: dir}
		case !right && languages.All.FollowsImports(f.Language):
			below = true
		}
	}
	return folder{dir, below}
}

// inFolder returns "_" for a row that describes a folder, and "" for the row of a symbol. Appended to
// row.Path it is the path of a made-up file, because services are looked up by the path of a file.
func inFolder(row l2meta.Row) string {
	if _, ok := folderOf(row); ok {
		return "_"
	}
	return ""
}
