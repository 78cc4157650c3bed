package embed

import (
	_ "embed"
	"fmt"
	"sync"
)

// trained is the table written by cmd/dev/train-embedder; docs/embedder.md
// describes its training data.
//
//go:embed table.bin
var trained []byte

var builtin = sync.OnceValue(func() Embedder {
	t, err := Parse(trained)
	if err != nil {
		panic(fmt.Sprintf("the table in this program: %v", err)) // a test ensures that the table can be read
	}
	return NewEncoder(t, Fingerprint(trained))
})

// Builtin returns the embedder that is part of the binary. The first call reads
// its table, which takes some milliseconds and 5 MB.
func Builtin() Embedder { return builtin() }
