package languages_test

import (
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sextant/l2meta/languages"
)

// markupLanguages are the languages of configuration, schemas, pages and small scripts, by file
// extension.
var markupLanguages = []string{
	"css", "dockerfile", "ex", "html", "lua", "md", "proto", "scss", "sql", "svelte", "swift", "tf", "toml", "yaml",
}

// FuzzMarkup checks that no text makes the rules panic or break the invariants of a File. Seeds are
// the golden sources.
func FuzzMarkup(f *testing.F) {
	files, err := filepath.Glob("*/testdata/golden/*/*")
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
		file, err := languages.Extract("a."+ext, text)
		if err != nil {
			t.Skip(err) // the parser may give up
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

// markupPieces are texts that rules count, open and close.
var markupPieces = []string{
	"{", "}", "(", ")", "\"", "'", "`", "\n", "\r\n", "/*", "*/", "--", "<!--", "#", "{{", "}}", "$$", "<script>",
	"</script>", "---", "\x00",
	"\xff", "[[", "]]", "::", "=", "\\", "end", "BEGIN", "END", "CREATE ", "FROM ", "group ", "extend ", "ü", ":", " ",
	"goto x", "@include ",
	"{#snippet ", "{/snippet}", "url(",
}

// TestDamagedGoldens damages the golden sources as edits in progress do: pieces inserted, runs
// removed or duplicated, the end lost.
func TestDamagedGoldens(t *testing.T) {
	files, err := filepath.Glob("*/testdata/golden/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	const damages = 60
	random := rand.New(rand.NewSource(1))
	for _, path := range files {
		ext := strings.TrimPrefix(filepath.Ext(strings.ToLower(path)), ".")
		if !slices.Contains(markupLanguages, ext) && filepath.Base(path) != "Dockerfile" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range damages {
			damaged := damage(random, text)
			f, err := languages.Extract(filepath.Base(path), damaged)
			if err != nil {
				continue // the parser gave up
			}
			if checkInvariants(t, &f); t.Failed() {
				t.Fatalf("%s, damaged:\n%s", path, damaged)
			}
		}
	}
}

func damage(random *rand.Rand, text []byte) []byte {
	text = slices.Clone(text)
	for range 1 + random.Intn(8) {
		from := random.Intn(len(text) + 1)
		to := min(len(text), from+random.Intn(80))
		switch random.Intn(4) {
		case 0:
			text = slices.Insert(text, from, []byte(markupPieces[random.Intn(len(markupPieces))])...)
		case 1:
			text = slices.Delete(text, from, to)
		case 2:
			text = slices.Insert(text, to, slices.Clone(text[from:to])...)
		case 3:
			text = text[:from]
		}
	}
	return text
}
