package search

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFoldedEach compares folded with a search in a lower-case copy, in texts of few letters with
// many overlapping words.
func TestFoldedEach(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const letters = "aAbBzZ_.\n\xc3\xa4"
	text := make([]byte, 200)
	for range 3000 {
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		from := random.IntN(len(text))
		word := string(text[from:min(len(text), from+1+random.IntN(4))])
		var want, got []int
		lower, sought := lowerASCII(text), lowerASCII([]byte(word))
		for at := 0; at+len(sought) <= len(lower); at++ {
			if bytes.HasPrefix(lower[at:], sought) {
				want = append(want, at)
			}
		}
		f := foldWord(word)
		f.each(text, func(at int) { got = append(got, at) })
		if !slices.Equal(got, want) || len(got) == 0 {
			t.Fatalf("%q in %q: at %v, want %v", word, text, got, want)
		}
	}
	empty, long := foldWord(""), foldWord("longer than the text")
	for _, f := range []*folded{&empty, &long} {
		f.each([]byte("text"), func(at int) { t.Errorf("%q is at %d", f.word, at) })
	}
}

// BenchmarkOccurrences searches a file of 100 kB for a word that occurs twice.
func BenchmarkOccurrences(b *testing.B) {
	const line = "	if err := r.place.Root.View(ctx, func(v *jit.View) error { return err }); err != nil {\n"
	text := []byte("// Listen listens.\n" + strings.Repeat(line, 1200) +
		"func ListenAndServe() {}\n// see listenAndServe\n")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		word := foldWord("ListenAndServe")
		if found := occurrencesIn(text, &word, "ListenAndServe"); len(found) != 2 {
			b.Fatal(found)
		}
	}
}
