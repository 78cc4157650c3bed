package l1fts

import "testing"

func TestHolder(t *testing.T) {
	files := []fileChunks{{base: 10, chunks: make([]chunkInfo, 2)}, {base: 12},
		{base: 20, chunks: make([]chunkInfo, 3)}}
	for _, c := range []struct{ seq, base int64 }{{9, -1}, {10, 10}, {11, 10}, {11, 10}, {12, -1}, {19, -1}, {20, 20},
		{22, 20}, {23, -1}, {30, -1}} {
		got := int64(-1)
		if file := holder(&files, c.seq); file != nil {
			got = file.base
		}
		if got != c.base {
			t.Errorf("chunk %d is in the file at %d, want %d", c.seq, got, c.base)
		}
	}
}
