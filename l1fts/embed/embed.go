// Package embed turns code and questions into vectors whose inner product
// measures how well they match, with a table built into the binary. It needs no
// network and no model to download, and takes microseconds per function.
package embed

import "context"

// Document is a function or another chunk of code to embed.
type Document struct {
	Name      string // name of the symbol; "" for a chunk without a symbol
	Signature string // receiver or class, then the signature
	Path      string // relative to the root, '/'-separated
	Body      string // the text, including the doc comment if it should count
}

// Embedder embeds documents and queries. All vectors have unit length and
// Dimensions() elements; a text without words has a vector of zeros.
// Implementations are safe for concurrent use.
type Embedder interface {
	// Fingerprint identifies the model and everything else that vectors depend on.
	// Vectors with different fingerprints must not be compared.
	Fingerprint() string
	Dimensions() int
	// Documents returns the vectors of docs, in order.
	Documents(ctx context.Context, docs []Document) ([][]float32, error)
	Query(ctx context.Context, text string) ([]float32, error)
}
