package callgraph

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"sextant/internal/navigate/contract"
)

// cursor says how many edges of a walk were shown already. The request and the generation of the
// index determine the order of the walk, so no other state is needed.
//
// As text it is "g" and four decimal numbers: "g50.40211.9034112.63072000123456". The numbers are
// edges, generation, request and frozen. The tokenizers of models split digits into groups of
// three, so a cursor has at most 17 tokens. In base64, the same bytes could take 23 or more.
type cursor struct {
	edges int
	// generation holds the low bits of the index's generation. As generations count up, the next
	// 65,535 differ in these bits.
	generation uint16
	request    uint32 // 24 bits of fingerprint's hash
	frozen     int64  // see proofs.frozen
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

// maxWalk is the largest number of edges in a valid cursor. It is more than any walk finds.
const maxWalk = 1 << 24

// fingerprint returns a hash of everything that determines the edges of a walk and their
// order.
func fingerprint(req *contract.GraphRequest, root string, symbol string) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%s\x00%v\x00%v\x00%v\x00%v\x00%v\x00%q\x00%q", root,
		symbol, req.Direction, req.Depth, req.Detail, *req.CrossService, *req.MinConfidence,
		req.Verify == contract.VerifyOff,
		folds(req, contract.FoldTests), folds(req, contract.FoldDynamic), req.Include, req.Exclude))
}

// cursorRequest returns the bits of a request's fingerprint that its cursors hold. They serve to
// detect a cursor of another request; one in 16 million such cursors is accepted.
func cursorRequest(req *contract.GraphRequest, root string, symbol string) uint32 {
	sum := fingerprint(req, root, symbol)
	return binary.BigEndian.Uint32(sum[:]) >> 8
}

// anew returns the request req for the first page of another symbol, ref.
func anew(req *contract.GraphRequest, ref contract.SymbolRef) *contract.GraphRequest {
	return req.Next(func(r *contract.GraphRequest) { r.SymbolRef, r.Cursor = ref, "" })
}
