package pack2_test

import (
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"sextant/internal/pack2"
)

// benchDocument is a full answer: 50 records, and 40 kB of source in frames.
func benchDocument(b *testing.B) *pack2.Document {
	b.Helper()
	body, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src", "encoding", "json", "encode.go"))
	if err != nil {
		b.Fatal(err)
	}
	doc := searchSample(b)
	for len(doc.Lines) < 50 {
		doc.Lines = append(doc.Lines, doc.Lines[len(doc.Lines)%5])
	}
	doc.Frames = append(doc.Frames, pack2.Frame{Path: "encoding/json/encode.go", Body: body[:40_000]})
	return doc
}

func BenchmarkAppend(b *testing.B) {
	doc := benchDocument(b)
	text, err := pack2.Append(nil, doc)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if text, err = pack2.Append(text[:0], doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	text, err := pack2.Append(nil, benchDocument(b))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pack2.Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
