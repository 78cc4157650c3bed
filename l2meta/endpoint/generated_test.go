package endpoint_test

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
	"sextant/internal/code"
	"sextant/l2meta"
	"sextant/l2meta/languages"
)

// repeated returns copies of a text of at least size bytes in all. Each copy has another number
// after every word "items", as in code that generators of clients and servers write.
func repeated(text []byte, size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.Write(bytes.ReplaceAll(text, []byte("items"), fmt.Appendf(nil, "items%d", i)))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// TestGeneratedFiles extracts the requests of a file of half a megabyte. The first requests must be
// found, and the time must grow linearly with the size of the file.
func TestGeneratedFiles(t *testing.T) {
	for _, c := range []struct{ archive, file string }{
		{"csharp-httpclient-config", "shop/Shelf.cs"},
		{"go-resty", "shop/main.go"},
		{"php-symfony-http", "gateway/src/Orders.php"},
		{"java-webclient", ""},
		{"python-requests", ""},
	} {
		a, err := txtar.ParseFile("testdata/idioms/" + c.archive + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if c.file != "" && f.Name != c.file || !isSource(f.Name) {
				continue
			}
			few, many := requestsOf(t, f.Name, repeated(f.Data, 1)), requestsOf(t, f.Name, repeated(f.Data, 512<<10))
			if many < few || many > 10_000 {
				t.Errorf("%s %s: %d requests once, %d in half a megabyte", c.archive, f.Name, few, many)
			}
		}
	}
}

func isSource(name string) bool {
	return slices.Contains([]string{".cs", ".go", ".java", ".js", ".kt", ".php", ".py", ".rb", ".rs", ".ts"},
		path.Ext(name))
}

func requestsOf(t *testing.T, name string, text []byte) (n int) {
	t.Helper()
	f, err := languages.Extract(name, text)
	if err != nil {
		t.Fatal(err)
	}
	for _, fact := range f.Facts {
		if fact.Kind == code.FactEndpoint && fact.Name == l2meta.RoleFetch {
			n++
		}
	}
	return n
}

// BenchmarkIdioms extracts the facts of each file in testdata/idioms, repeated up to a size.
func BenchmarkIdioms(b *testing.B) {
	for _, size := range []int{64 << 10, 512 << 10} {
		files := map[string][]byte{}
		total := 0
		for _, archive := range archives(b, "testdata/idioms/*.txtar") {
			a, err := txtar.ParseFile(archive)
			if err != nil {
				b.Fatal(err)
			}
			for _, f := range a.Files {
				if isSource(f.Name) && len(f.Data) > 200 {
					files[archive+"/"+f.Name] = repeated(f.Data, size)
					total += size
				}
			}
		}
		b.Run(fmt.Sprintf("%dK", size>>10), func(b *testing.B) {
			b.SetBytes(int64(total))
			for b.Loop() {
				for name, text := range files {
					if _, err := languages.Extract(path.Base(name), text); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
