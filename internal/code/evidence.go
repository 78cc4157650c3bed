package code

import (
	"math"
	"strconv"
)

// ShownConfidence formats a confidence with two digits for display. It rounds
// down, because 0.999 must not read as 1.00.
func ShownConfidence(c float64) string {
	return strconv.FormatFloat(math.Floor(c*100+1e-6)/100, 'f', 2, 64)
}

// Evidence says how a result, such as the target of a call, was found, from the weakest way to the
// strongest. An answer made from several results has the evidence of the weakest.
type Evidence uint8

const (
	Lexical   Evidence = iota // found by name alone
	Syntactic                 // resolved through imports, scopes or types as written
	Proven                    // resolved by a language server, on these very bytes
)

// String returns the name of e in the answers of tools, such as "proven".
func (e Evidence) String() string {
	switch e {
	case Proven:
		return "proven"
	case Syntactic:
		return "syntactic"
	}
	return "lexical"
}

// MarshalText encodes e as its String.
func (e Evidence) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// EdgeKind says how control passes along an edge.
type EdgeKind string

const (
	EdgeCall    EdgeKind = "call"
	EdgeImport  EdgeKind = "import"
	EdgeDynamic EdgeKind = "dynamic"
	// The kinds of edges from one service to another.
	EdgeGRPC    EdgeKind = "grpc"
	EdgeHTTP    EdgeKind = "http"
	EdgeMessage EdgeKind = "message"
)

// Edge is one call site whose target is known: code in symbol Src calls symbol Dst, or reaches it
// in another way that Kind names.
type Edge struct {
	Src, Dst   SymbolID
	Kind       EdgeKind
	File       string // path of the file that contains Site
	Site       Span
	Evidence   Evidence
	Confidence float64 // precision measured for Strategy, 0 to 1
	Strategy   string  // name of the resolution rule that found Dst
	Provenance string  // explanation for people, one line
}
