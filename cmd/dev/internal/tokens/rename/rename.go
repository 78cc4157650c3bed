// Package rename copies a Go work tree with other identifiers. A model knows the
// names of well-known repositories by heart, so it greps for them without
// searching; nobody knows those of the copy.
//
// Every name that the modules of the tree declare is replaced by another one, the same everywhere:
// Tx.writeMeta may become Bela.riduNemo in code, comments and Markdown. The line numbers stay the
// same. Names that other code refers to are not replaced: those of packages and of tests, and names
// that another module has too, since a method may implement an interface there. The copy compiles,
// as go/types confirms.
package rename

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Tree replaces the contents of the directory to with a copy of from in which identifiers are
// renamed. It returns an error if from or the copy does not compile.
func Tree(ctx context.Context, from, to string) error {
	names, err := load(ctx, from)
	if err != nil {
		return fmt.Errorf("rename %s: %w", from, err)
	}
	changed := names.change()
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	err = filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".go":
			if text, err = source(text, changed); err != nil {
				return fmt.Errorf("%s: %w", rel, err)
			}
		case ".md":
			text = []byte(prose(string(text), changed))
		}
		target := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
	if err != nil {
		return err
	}
	if _, err := load(ctx, to); err != nil {
		return fmt.Errorf("the renamed copy of %s does not compile: %w", from, err)
	}
	return nil
}

// source returns the text of a Go file with renamed identifiers, in comments too. It returns a file
// that does not parse unchanged.
func source(text []byte, changed map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.SkipObjectResolution)
	if err != nil {
		return text, nil
	}
	keep := kept(file)
	var out strings.Builder
	var scan scanner.Scanner
	scanned := fset.AddFile("", -1, len(text))
	scan.Init(scanned, text, func(token.Position, string) { err = errScan }, scanner.ScanComments)
	end := 0
	for {
		pos, tok, literal := scan.Scan()
		if tok == token.EOF {
			break
		}
		at := scanned.Offset(pos)
		with := ""
		switch {
		case tok == token.IDENT && !keep[at]:
			with = changed[literal]
		case tok == token.COMMENT && !strings.HasPrefix(literal, "//go:"):
			with = prose(literal, changed)
		}
		if with == "" || with == literal {
			continue
		}
		out.Write(text[end:at])
		out.WriteString(with)
		end = at + len(literal)
		if tok == token.COMMENT { // the scanner drops carriage returns
			end = at + commentLength(text[at:], literal)
		}
	}
	out.Write(text[end:])
	return []byte(out.String()), err
}

var errScan = errors.New("the scanner and the parser disagree")

// commentLength returns the length in text of a comment that the scanner returned as literal. The
// literal lacks the carriage returns in text.
func commentLength(text []byte, literal string) int {
	n := 0
	for i := range text {
		if n == len(literal) {
			return i
		}
		if text[i] == literal[n] {
			n++
		}
	}
	return len(text)
}

// kept returns the offsets in the file of names that are not replaced: those in the package clause
// and in imports.
func kept(file *ast.File) map[int]bool {
	base := int(file.FileStart)
	out := map[int]bool{int(file.Name.Pos()) - base: true}
	for _, i := range file.Imports {
		if i.Name != nil {
			out[int(i.Name.Pos())-base] = true
		}
	}
	return out
}

var word = regexp.MustCompile(`[A-Za-z_]\w*`)

// prose returns text with names replaced, but only names with a capital letter: any other name may
// be an ordinary word.
func prose(text string, changed map[string]string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if with := changed[w]; with != "" && w != strings.ToLower(w) {
			return with
		}
		return w
	})
}
