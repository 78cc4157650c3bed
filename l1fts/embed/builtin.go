package embed

import (
	_ "embed"
	"fmt"
	"sync"
)

// trained is what cmd/train-embedder wrote; docs/embedder.md says of what.
//
//go:embed table.bin
var trained []byte

var builtin = sync.OnceValue(func() Embedder {
	t, err := Parse(trained)
	if err != nil {
		panic(fmt.Sprintf("the table in this program: %v", err)) // a test reads it
	}
	return NewEncoder(t, Fingerprint(trained))
})

// Builtin is the embedder that needs nothing but the binary. Its table is read
// when it is first asked for, in some milliseconds, and takes 10 MB.
func Builtin() Embedder { return builtin() }
