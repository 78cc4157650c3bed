package l2meta

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// markupLanguages are the languages of configuration, schemas, pages and
// small scripts, by the extension of a file in them.
var markupLanguages = []string{
	"css", "dockerfile", "ex", "html", "lua", "md", "proto", "scss", "sql", "svelte", "swift", "tf", "toml", "yaml",
}

// FuzzMarkup holds that no text makes the rules panic or break what every File
// promises. Seeds are the goldens' sources.
func FuzzMarkup(f *testing.F) {
	files, err := filepath.Glob("testdata/golden/*/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no goldens: %v", err)
	}
	for _, path := range files {
		for i, ext := range markupLanguages {
			if !strings.HasSuffix(strings.ToLower(path), ext) {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		if len(text) > 1<<16 {
			t.Skip()
		}
		ext := markupLanguages[int(which)%len(markupLanguages)]
		file, err := Extract("a."+ext, text)
		if err != nil {
			t.Skip(err) // the parser gave up, which is its right
		}
		checkInvariants(t, &file)
		for _, i := range file.Imports {
			if i.Scope >= len(file.Symbols) || i.Span.EndByte > len(text) || i.Span.StartByte > i.Span.EndByte {
				t.Errorf("import %+v is out of range", i)
			}
		}
		for _, c := range file.Facts {
			if c.Owner >= len(file.Symbols) || c.Span.EndByte > len(text) {
				t.Errorf("fact %+v is out of range", c)
			}
		}
	})
}
