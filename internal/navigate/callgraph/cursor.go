package callgraph

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"sextant/internal/navigate/contract"
)

// cursor identifies the next page: it counts the edges that earlier pages have shown. The request and the
// state of the index determine the order of all edges, so no other state is needed.
//
// As text it is "g" and four decimal numbers: "g50.40211.9034112.63072000123456". The numbers are edges,
// generation, request and frozen. The tokenizers of models split digits into groups of three, so a cursor
// has at most 17 tokens. In base64, the same bytes could take 23 or more.
type cursor struct {
	edges int
	// generation holds the low bits of the index's generation, a number that grows with each change of
	// the index. The next 65,535 generations differ in these bits.
	generation uint16
	request    uint32 // 24 bits of a hash of the request
	frozen     int64  // time of the first page in µs; see graphing.freeze; 0 if that page used no language servers
}

// cursorEpoch is 2026-01-01 in µs of Unix time. Counting from there keeps frozen at 15 digits
// for the next 31 years.
const cursorEpoch = 1_767_225_600_000_000

// String returns the text of the cursor, which parseCursor parses.
func (c cursor) String() string {
	frozen := int64(0)
	if c.frozen != 0 {
		frozen = max(c.frozen-cursorEpoch, 1)
	}
	return fmt.Sprintf("g%d.%d.%d.%d", c.edges, c.generation, c.request, frozen)
}

// parseCursor parses the text of a cursor. It returns false for a text that String does not return.
func parseCursor(text string) (c cursor, ok bool) {
	n, err := fmt.Sscanf(text, "g%d.%d.%d.%d", &c.edges, &c.generation, &c.request, &c.frozen)
	if err != nil || n != 4 || c.edges < 0 || c.edges > maxWalk || c.frozen < 0 {
		return cursor{}, false
	}
	if c.frozen != 0 {
		c.frozen += cursorEpoch
	}
	if c.String() != text {
		return cursor{}, false
	}
	return c, true
}

// maxWalk is the largest number of edges in a valid cursor. No graph has as many.
const maxWalk = 1 << 24

// fingerprint returns a hash of everything in a request that determines the edges of the graph and their
// order.
func fingerprint(req *contract.GraphRequest, root string, symbol string) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%s\x00%v\x00%v\x00%v\x00%v\x00%v\x00%q\x00%q", root,
		symbol, req.Direction, req.Depth, req.Detail, *req.CrossService, *req.MinConfidence,
		req.Verify == contract.VerifyOff,
		folds(req, contract.FoldTests), folds(req, contract.FoldDynamic), req.Include, req.Exclude))
}

// cursorRequest returns the bits of a request's fingerprint that its cursors contain, to detect a cursor
// of another request. One in 16 million such cursors is not detected.
func cursorRequest(req *contract.GraphRequest, root string, symbol string) uint32 {
	sum := fingerprint(req, root, symbol)
	return binary.BigEndian.Uint32(sum[:]) >> 8
}

// anew returns a copy of req that requests the first page of the graph of symbol ref.
func anew(req *contract.GraphRequest, ref contract.SymbolRef) *contract.GraphRequest {
	return req.Next(func(r *contract.GraphRequest) { r.SymbolRef, r.Cursor = ref, "" })
}
