package languages_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/internal/code"
	"sextant/internal/golden"
	"sextant/l2meta/languages"
)

// TestGoldens compares the facts of every file in FOLDER/testdata/golden with the annotated source
// beside it (name.ext.golden): each line of the source, followed by the facts that start on it.
func TestGoldens(t *testing.T) {
	files, err := filepath.Glob("*/testdata/golden/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".golden") {
			continue
		}
		_, name, _ := strings.Cut(path, "/testdata/golden/")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := languages.Extract(filepath.Base(path), text)
			if err != nil {
				t.Fatal(err)
			}
			if !f.Parsed || len(f.Symbols) == 0 {
				t.Fatalf("parsed %v, %d symbols", f.Parsed, len(f.Symbols))
			}
			checkInvariants(t, &f)
			got := annotate(&f)
			golden.File(t, path+".golden", string(got))
		})
	}
}

// annotate returns the source with "»" lines after each line on which a fact starts.
func annotate(f *code.File) []byte {
	notes := map[int][]string{}
	note := func(line int, format string, args ...any) {
		notes[line] = append(notes[line], "  » "+fmt.Sprintf(format, args...))
	}
	for i, e := range f.Imports {
		note(e.Span.StartLine, "import[%d] module=%q name=%q alias=%q typeOnly=%v scope=%s", i, e.Module, e.Name,
			e.Alias, e.TypeOnly, symbolName(f, e.Scope))
	}
	for _, e := range f.Exports {
		note(e.Span.StartLine, "export name=%q local=%q module=%q", e.Name, e.Local, e.Module)
	}
	for _, s := range f.Symbols {
		note(s.Span.StartLine, "%s %s [%d:%d-%d:%d] name@%d:%d parent=%s exported=%v ordinal=%d",
			s.Kind, s.QualifiedName,
			s.Span.StartLine, s.Span.StartColumn, s.Span.EndLine, s.Span.EndColumn, s.NameSpan.StartLine,
			s.NameSpan.StartColumn,
			symbolName(f, s.Parent), s.Exported, s.Ordinal)
		if s.Computed {
			note(s.Span.StartLine, "    computed")
		}
		note(s.Span.StartLine, "    signature %q params=%v returns=%q annotations=%q modifiers=%q doc=%q", s.Signature,
			s.Parameters, s.Returns, s.Annotations, s.Modifiers, s.Doc)
	}
	for _, c := range f.Calls {
		note(c.NameSpan.StartLine, "call kind=%d %s receiver=%q args=%d caller=%s", c.Kind, c.Callee, c.Receiver,
			c.Args, symbolName(f, c.Caller))
	}
	for _, c := range f.Accesses {
		if c.Kind == code.CallReference {
			note(c.NameSpan.StartLine, "taken %s receiver=%q caller=%s", c.Callee, c.Receiver, symbolName(f, c.Caller))
			continue
		}
		note(c.NameSpan.StartLine, "access %s receiver=%q assigned=%d caller=%s", c.Callee, c.Receiver, c.Args,
			symbolName(f, c.Caller))
	}
	for _, c := range f.Facts {
		note(c.Span.StartLine, "fact kind=%d owner=%s name=%q type=%q", c.Kind, symbolName(f, c.Owner), c.Name, c.Type)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "language=%s lines=%d badBytes=%d\n", f.Language, f.Lines, f.BadBytes)
	for i, line := range strings.SplitAfter(strings.TrimSuffix(string(f.Text), "\n"), "\n") {
		fmt.Fprintf(&out, "%4d  %s\n", i+1, strings.TrimRight(line, "\r\n"))
		for _, n := range notes[i+1] {
			fmt.Fprintln(&out, n)
		}
	}
	return out.Bytes()
}

func symbolName(f *code.File, i int) string {
	if i < 0 {
		return "-"
	}
	return f.Symbols[i].QualifiedName
}

// checkInvariants checks the invariants of a File, whatever its language.
func checkInvariants(t *testing.T, f *code.File) {
	t.Helper()
	for i, s := range f.Symbols {
		if s.Name == "" || s.Kind == "" {
			t.Errorf("symbol %d has no name or kind: %+v", i, s)
		}
		if s.Parent >= i {
			t.Errorf("symbol %d (%s) stands before its parent %d", i, s.QualifiedName, s.Parent)
		}
		if s.Span.StartByte < 0 || s.Span.EndByte > len(f.Text) || s.Span.StartByte > s.Span.EndByte {
			t.Errorf("symbol %s has span %+v of %d bytes", s.QualifiedName, s.Span, len(f.Text))
		}
		if !s.Span.Contains(s.NameSpan) {
			t.Errorf("symbol %s: its name %+v lies outside of it %+v", s.QualifiedName, s.NameSpan, s.Span)
		}
		if s.Body[1] > 0 && (s.Body[0] < s.Span.StartByte || s.Body[1] > s.Span.EndByte) {
			t.Errorf("symbol %s: body %v outside of %+v", s.QualifiedName, s.Body, s.Span)
		}
	}
	for _, c := range slices.Concat(f.Calls, f.Accesses) {
		if c.Caller >= len(f.Symbols) || c.Callee == "" || !c.Span.Contains(c.NameSpan) {
			t.Errorf("call %+v is out of range", c)
		}
	}
}
