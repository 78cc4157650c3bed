package callgraph

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"

	"sextant/internal/navigate/contract"
)

// cursor says how many edges of a walk were shown already. Request and generation of the
// index determine the walk, so no other state is needed.
//
// As text it is "g2." and the base64 (URL alphabet, no padding) of the uvarints
// generation, edges and frozen, and the first 6 bytes of the request's SHA-256.
type cursor struct {
	generation int64
	edges      int
	frozen     int64 // see proofs.frozen
	request    [6]byte
}

const cursorPrefix = "g2."

// String returns the text of the cursor, which parseCursor parses.
func (c cursor) String() string {
	b := binary.AppendUvarint(nil, uint64(c.generation))
	b = binary.AppendUvarint(b, uint64(c.edges))
	b = binary.AppendUvarint(b, uint64(c.frozen))
	return cursorPrefix + base64.RawURLEncoding.EncodeToString(append(b, c.request[:]...))
}

func parseCursor(text string) (c cursor, ok bool) {
	rest, ok := strings.CutPrefix(text, cursorPrefix)
	if !ok {
		return c, false
	}
	b, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil {
		return c, false
	}
	generation, n := binary.Uvarint(b)
	if n <= 0 {
		return c, false
	}
	b = b[n:]
	edges, n := binary.Uvarint(b)
	if n <= 0 || edges > maxWalk {
		return c, false
	}
	b = b[n:]
	frozen, n := binary.Uvarint(b)
	if n <= 0 || len(b)-n != len(c.request) {
		return c, false
	}
	c.generation, c.edges, c.frozen = int64(generation), int(edges), int64(frozen)
	copy(c.request[:], b[n:])
	return c, true
}

// maxWalk bounds the edges that a cursor may skip: more than any walk finds, and few
// enough to count.
const maxWalk = 1 << 24

// fingerprint returns a hash of everything that determines the edges of a walk and their
// order.
func fingerprint(req *contract.GraphRequest, root string, symbol string) (f [6]byte) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%s\x00%v\x00%v\x00%v\x00%v\x00%v\x00%q\x00%q", root, symbol, req.Direction, req.Depth, req.Detail, *req.CrossService, *req.MinConfidence, req.Verify == contract.VerifyOff,
		folds(req, contract.FoldTests), folds(req, contract.FoldDynamic), req.Include, req.Exclude))
	copy(f[:], sum[:])
	return f
}

// resume parses the cursor of a request; without one it returns the zero cursor. A text
// that is no cursor of this request is an InvalidArguments error. For a cursor of another
// generation of the index it returns false, and a says why.
func resume(a *contract.GraphAnswer, req *contract.GraphRequest, root, symbol string, generation int64) (c cursor, ok bool, err error) {
	if req.Cursor == "" {
		return c, true, nil
	}
	c, valid := parseCursor(req.Cursor)
	if !valid || c.request != fingerprint(req, root, symbol) {
		what := "is not a cursor of call_graph"
		if valid {
			what = "belongs to another request"
		}
		return c, false, &contract.InvalidArguments{Tool: contract.ToolGraph, Problems: []contract.Problem{{Field: "cursor", Message: fmt.Sprintf(
			"%q %s: expected the cursor of an answer to the same path, symbolRef, direction, depth, detail, verify, crossService, minConfidence, expand, include and exclude; "+
				`repeat the call that truncated.next of that answer holds, or leave cursor out to start over`, contract.Clip(req.Cursor), what)}}}
	}
	if c.generation != generation {
		staleCursor(a, req, "Files changed since this cursor was made")
		return c, false, nil
	}
	return c, true, nil
}

// staleCursor sets the outcome of a cursor whose list has changed, and suggests the
// request without it.
func staleCursor(a *contract.GraphAnswer, req *contract.GraphRequest, why string) {
	a.Outcome = contract.CondStaleCursor.Outcome("%s, so the rest of that list is not known any more. Repeat the call without cursor for the current edges.", why)
	a.Hints = &contract.Hints{Retry: contract.Suggest(anew(req, a.SymbolRef))}
}

// anew returns req for the symbol ref without a cursor, from the first page.
func anew(req *contract.GraphRequest, ref contract.SymbolRef) *contract.GraphRequest {
	return req.Next(func(r *contract.GraphRequest) { r.SymbolRef, r.Cursor = ref, "" })
}
