// Package embed turns code and questions into vectors whose inner product says
// how well they fit, with a table that is built into the binary: no network, no
// model to download, microseconds a function.
package embed

import "context"

// Document is what is embedded of a function, or of another chunk of code.
type Document struct {
	Name      string // of the symbol, "" for a chunk without one
	Signature string // receiver or class, then the signature
	Path      string // relative to the root, '/'-separated
	Body      string // the text, doc comment included where it is to count
}

// Embedder makes vectors of documents and queries. All vectors have unit
// length and Dimensions() elements; what has no word in it gets a vector of
// zeros. Implementations are safe for concurrent use.
type Embedder interface {
	// Fingerprint names the model and everything else that a vector rests on:
	// vectors of different fingerprints must not be compared.
	Fingerprint() string
	Dimensions() int
	// Documents embeds docs, in order.
	Documents(ctx context.Context, docs []Document) ([][]float32, error)
	Query(ctx context.Context, text string) ([]float32, error)
}
