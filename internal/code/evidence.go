package code

import (
	"math"
	"strconv"
)

// ShownConfidence is a confidence as people read it: two digits, rounded
// down, as 0.999 is not 1.
func ShownConfidence(c float64) string {
	return strconv.FormatFloat(math.Floor(c*100+1e-6)/100, 'f', 2, 64)
}

// Evidence orders what an answer rests on; an answer carries its weakest.
type Evidence uint8

const (
	Lexical   Evidence = iota // by name
	Syntactic                 // resolved through imports, scopes or types as written
	Proven                    // a language server resolved it, on these bytes
)

// String is the contract's word for e.
func (e Evidence) String() string {
	switch e {
	case Proven:
		return "proven"
	case Syntactic:
		return "syntactic"
	}
	return "lexical"
}

// MarshalText writes the contract's word.
func (e Evidence) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// EdgeKind is how control passes along an edge.
type EdgeKind string

const (
	EdgeCall    EdgeKind = "call"
	EdgeImport  EdgeKind = "import"
	EdgeDynamic EdgeKind = "dynamic"
	// The kinds of an edge from one service to another.
	EdgeGRPC    EdgeKind = "grpc"
	EdgeHTTP    EdgeKind = "http"
	EdgeMessage EdgeKind = "message"
)

// Edge is one resolved call site of a root.
type Edge struct {
	Src, Dst   SymbolID
	Kind       EdgeKind
	File       string // of the site
	Site       Span
	Evidence   Evidence
	Confidence float64 // measured precision of Strategy, 0 to 1
	Strategy   string  // the rung of the ladder that settled it
	Provenance string  // how it was found, one line
}
