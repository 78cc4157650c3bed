package mine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tagged returns the classes and methods of the Java files below dir, which it lists with Universal
// Ctags. The doc comment of a declaration is the comment above it and its annotations.
func tagged(ctx context.Context, dir string) (out []Declaration, err error) {
	lines, err := output(ctx, "ctags", "-R", "--languages=Java", "--kinds-Java=cgim", "--output-format=json",
		"--fields=+neKza", "-f", "-", dir)
	if err != nil {
		return nil, err
	}
	texts := map[string][]string{}
	for _, line := range lines {
		var tag struct {
			Name, Path, Kind, Scope, Access string
			Line, End                       int
		}
		if err := json.Unmarshal(line, &tag); err != nil {
			return nil, fmt.Errorf("ctags: %w", err)
		}
		rel, err := filepath.Rel(dir, tag.Path)
		if err != nil {
			return nil, err
		}
		if texts[rel] == nil {
			text, err := os.ReadFile(tag.Path)
			if err != nil {
				return nil, err
			}
			texts[rel] = strings.Split(string(text), "\n")
		}
		d := Declaration{File: filepath.ToSlash(rel), Name: tag.Name, Qualified: tag.Name, Line: tag.Line, End: tag.End,
			Exported: tag.Access == "public", Type: tag.Kind != "method"}
		if tag.Scope != "" {
			scope := tag.Scope[strings.LastIndexByte(tag.Scope, '.')+1:]
			d.Qualified = scope + "." + tag.Name
		}
		if d.Type { // ctags does not report the access of types
			d.Exported = strings.Contains(texts[rel][d.Line-1], "public ")
		}
		d.above(texts[rel])
		out = append(out, d)
	}
	hideMembers(out)
	hideUnsaid(out, texts)
	return out, nil
}

// hideUnsaid marks methods of enums without the modifier public as not exported. ctags treats them like methods of an
// interface, which are public without a modifier.
func hideUnsaid(all []Declaration, texts map[string][]string) {
	innermost := map[string]*Declaration{} // file and line → innermost declaration
	at := func(file string, line int) string { return fmt.Sprint(file, ":", line) }
	for i := range all {
		t := &all[i]
		for line := t.Line; t.Type && line <= t.End; line++ {
			if held := innermost[at(t.File, line)]; held == nil || held.Line < t.Line {
				innermost[at(t.File, line)] = t
			}
		}
	}
	for i := range all {
		d, lines := &all[i], texts[filepath.FromSlash(all[i].File)]
		owner := innermost[at(d.File, d.Line)]
		if !d.Type && owner != nil && strings.Contains(lines[owner.Line-1], "enum "+owner.Name) {
			d.Exported = d.Exported && strings.Contains(lines[d.Line-1], "public ")
		}
	}
}

// hideMembers marks the declarations within a type that is not public as not
// exported.
func hideMembers(all []Declaration) {
	types := map[string][]*Declaration{}
	for i := range all {
		if d := &all[i]; d.Type {
			types[d.File] = append(types[d.File], d)
		}
	}
	for i := range all {
		d := &all[i]
		for _, t := range types[d.File] {
			if t != d && t.Line <= d.Line && d.End <= t.End && !t.Exported {
				d.Exported = false
			}
		}
	}
}

// above sets the start and the doc comment of d from the annotations and the block comment above
// the declaration.
func (d *Declaration) above(lines []string) {
	at := d.Line - 1 // index of the line of the name
	for first := annotation(lines, at); first < at; first = annotation(lines, at) {
		at = first
	}
	d.From = at + 1
	if at == 0 || !strings.HasSuffix(strings.TrimSpace(lines[at-1]), "*/") {
		return
	}
	end := at
	for at > 0 && !strings.HasPrefix(strings.TrimSpace(lines[at-1]), "/*") {
		at--
	}
	if at == 0 {
		return
	}
	d.From, d.DocFrom, d.DocEnd = at, at, end
	var text []string
	for _, line := range lines[at-1 : end] {
		line = strings.TrimSpace(line)
		line = strings.TrimSuffix(strings.TrimPrefix(line, "/**"), "*/")
		text = append(text, strings.TrimSpace(strings.TrimPrefix(line, "*")))
	}
	d.Doc = strings.TrimSpace(strings.Join(text, "\n"))
}

// annotation returns the index of the first line of the annotation that ends directly above line at, or at if there
// is none. An annotation may take several lines: @Schema(…).
func annotation(lines []string, at int) int {
	open := 0
	for i := at - 1; i >= 0; i-- {
		text := strings.TrimSpace(lines[i])
		open += strings.Count(text, ")") - strings.Count(text, "(")
		switch {
		case open <= 0 && strings.HasPrefix(text, "@"):
			return i
		case open <= 0:
			return at
		}
	}
	return at
}
