package contract

import (
	"path/filepath"
	"slices"
)

// AnswerTokens compares an answer with the files that it shows, in estimated tokens. An answer that
// costs more than the files was a loss. A cheaper answer need not be a gain, since the reader may have
// needed only some of the files, or none.
type AnswerTokens struct {
	Answer     int `json:"answer"`     // as it is sent, without the debugging data; 0 before it is rendered
	FilesShown int `json:"filesShown"` // cost of reading all files from which it shows a place
}

// Debug is the debugging data of an answer of a tool other than search_codebase.
type Debug struct {
	Tokens AnswerTokens `json:"tokens"`
}

// Shown is an answer that shows places in files.
type Shown interface {
	// ShownFiles returns the absolute paths of the files, sorted, each once.
	ShownFiles() []string
}

// below returns the absolute paths of files, which are relative to root, sorted and without
// duplicates. Empty paths are left out.
func below(root string, files []string) (out []string) {
	for _, f := range files {
		if f != "" {
			out = append(out, filepath.Join(root, filepath.FromSlash(f)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ShownFiles implements [Shown].
func (a *SearchAnswer) ShownFiles() []string {
	var files []string
	for _, r := range a.Results {
		file, _ := r.Place()
		files = append(files, file)
	}
	return below(a.CodebaseRoot, files)
}

// ShownFiles implements [Shown]. Of a folder it returns the files whose symbols are listed.
func (a *OutlineAnswer) ShownFiles() []string {
	var files []string
	if a.Outline != nil && len(a.Outline.Symbols) > 0 || a.Skeleton != "" {
		files = append(files, a.File)
	}
	if a.Folder != nil {
		for _, e := range a.Folder.Entries {
			if len(e.Symbols) > 0 {
				files = append(files, filepath.Join(a.Folder.Folder, e.Path))
			}
		}
	}
	return below(a.CodebaseRoot, files)
}

// ShownFiles implements [Shown].
func (a *ReadAnswer) ShownFiles() []string {
	if a.Status != StatusOK {
		return nil
	}
	files := []string{a.File}
	for _, r := range a.Related {
		files = append(files, r.File)
	}
	return below(a.CodebaseRoot, files)
}

// ShownFiles implements [Shown]. It returns the files of the nodes, of the tests that mention the
// symbol, and of a change.
func (a *GraphAnswer) ShownFiles() []string {
	var files []string
	var others []string // in other roots
	for _, n := range a.Nodes {
		switch {
		case n.External || n.Span.StartLine == 0:
		case n.CodebaseRoot != "":
			others = append(others, filepath.Join(n.CodebaseRoot, n.File))
		default:
			files = append(files, n.File)
		}
	}
	for _, t := range a.TestReferences {
		files = append(files, t.File)
	}
	if i := a.Impact; i != nil {
		for _, f := range i.Files {
			files = append(files, f.File)
		}
		for _, t := range i.Tests {
			files = append(files, t.File)
		}
		for _, c := range i.Callers {
			files = append(files, c.File)
		}
	}
	out := append(below(a.CodebaseRoot, files), others...)
	slices.Sort(out)
	return slices.Compact(out)
}
