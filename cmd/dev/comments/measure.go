package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// found is one phrase in a comment.
type found struct {
	file  string
	line  int
	text  string
	habit *habit
}

// measured holds the phrases in the comments of one package.
type measured struct {
	path  string // path of the package's folder, '/'-separated
	lines int    // number of comment lines
	found []found
}

// rate returns the number of phrases per 1,000 comment lines.
func (m *measured) rate() float64 {
	if m.lines == 0 {
		return 0
	}
	return 1000 * float64(len(m.found)) / float64(m.lines)
}

// measure returns the packages below dir that have comments, by path. It skips
// folders that the go command ignores.
func measure(dir string) ([]measured, error) {
	files, err := goFiles(dir)
	if err != nil {
		return nil, err
	}
	results := make([]measured, len(files))
	group := errgroup.Group{}
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, file := range files {
		group.Go(func() (err error) {
			results[i], err = measureFile(dir, file)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	byPath := map[string]*measured{}
	var packages []measured
	for _, r := range results {
		p := byPath[r.path]
		if p == nil {
			p = &measured{path: r.path}
			byPath[r.path] = p
		}
		p.lines, p.found = p.lines+r.lines, append(p.found, r.found...)
	}
	for _, p := range byPath {
		packages = append(packages, *p)
	}
	slices.SortFunc(packages, func(a, b measured) int { return strings.Compare(a.path, b.path) })
	return packages, nil
}

// goFiles returns the Go files below dir, as paths relative to dir, in order.
func goFiles(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir &&
			(name == "testdata" || name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_'):
			return fs.SkipDir
		case e.Type().IsRegular() && strings.HasSuffix(name, ".go"):
			rel, err := filepath.Rel(dir, path)
			files = append(files, rel)
			return err
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = errors.New("no Go file was found; run this in the module's folder")
	}
	return files, err
}

// measureFile measures one file. Its path is that of the file's package.
func measureFile(dir, file string) (measured, error) {
	m := measured{path: filepath.ToSlash(filepath.Dir(file))}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, filepath.Join(dir, file), nil,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return m, err
	}
	functions := map[*ast.CommentGroup]bool{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil {
			functions[f.Doc] = true
		}
	}
	for _, group := range parsed.Comments {
		first, last := set.Position(group.Pos()).Line, set.Position(group.End()).Line
		m.lines += last - first + 1
		text, starts := prose(group)
		add := func(h *habit, at []int) {
			line, _ := slices.BinarySearch(starts, at[0]+1)
			m.found = append(m.found, found{file, first + line - 1, text[at[0]:at[1]], h})
		}
		for i := range habits {
			for _, at := range habits[i].phrase.FindAllStringIndex(text, -1) {
				add(&habits[i], at)
			}
		}
		if at := describes.phrase.FindStringSubmatchIndex(text); functions[group] && at != nil {
			add(&describes, at[2:])
		}
	}
	return m, nil
}

// prose returns the text of a comment in one line, with its code blocks and
// quotations blanked, and the offset at which each line of the comment starts.
func prose(group *ast.CommentGroup) (text string, starts []int) {
	var b strings.Builder
	for _, c := range group.List {
		for line := range strings.Lines(c.Text) {
			starts = append(starts, b.Len())
			line = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(line, "//"), "/*"), "*/\r\n")
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "   ") {
				line = "" // an indented line is code
			}
			if line = strings.TrimPrefix(line, " "); b.Len() > 0 {
				b.WriteByte(' ')
				starts[len(starts)-1]++
			}
			b.WriteString(line)
		}
	}
	blank := func(q string) string { return strings.Repeat("\"", len(q)) }
	return quoted.ReplaceAllStringFunc(b.String(), blank), starts
}
