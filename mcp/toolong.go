package mcp

import (
	"bytes"
	"encoding/json"
)

// maxID is the largest length of an id, in bytes, that the response to a message that is too long repeats.
const maxID = 256

// idFinder finds the id of a JSON-RPC message that is too long to be kept. It is given the message in pieces and
// keeps nothing but the member that it reads. The id may precede the long part, {"id":1,"params":{…}}, or follow it,
// {"params":{…},"id":1}.
type idFinder struct {
	depth   int  // number of open objects and arrays
	quoted  bool // within a string
	escaped bool // after a backslash in a string
	valued  bool // within the value of a member of the message; in its key otherwise

	key, value []byte // the member of the message that is being read: its key and its value, at most maxID bytes each

	id     []byte // the value of the member "id"; nil if there is none
	method bool   // the message has a member "method", as requests and notifications have
}

// write reads the next piece of the message.
func (f *idFinder) write(piece []byte) {
	for _, c := range piece {
		f.next(c)
	}
}

func (f *idFinder) next(c byte) {
	switch {
	case f.escaped:
		f.escaped = false
	case f.quoted:
		f.escaped, f.quoted = c == '\\', c != '"'
	case c == '"':
		f.quoted = true
	case c == '{' || c == '[':
		if f.depth++; f.depth == 1 {
			return
		}
	case c == '}' || c == ']':
		if f.depth--; f.depth == 0 {
			f.end()
			return
		}
	case f.depth == 1 && c == ':' && !f.valued:
		f.valued = true
		return
	case f.depth == 1 && c == ',':
		f.end()
		return
	}
	switch {
	case f.depth < 1:
	case !f.valued && len(f.key) <= maxID:
		f.key = append(f.key, c)
	case f.valued && len(f.value) <= maxID:
		f.value = append(f.value, c)
	}
}

// end takes up the member that has been read.
func (f *idFinder) end() {
	switch string(bytes.TrimSpace(f.key)) {
	case `"id"`:
		f.id = bytes.Clone(bytes.TrimSpace(f.value))
	case `"method"`:
		f.method = true
	}
	f.key, f.value, f.valued = f.key[:0], f.value[:0], false
}

// request returns the id of the message if it is a request with a valid id, otherwise nil.
func (f *idFinder) request() json.RawMessage {
	var id any
	if !f.method || len(f.id) > maxID || json.Unmarshal(f.id, &id) != nil {
		return nil
	}
	switch id.(type) {
	case string, float64:
		return f.id
	}
	return nil
}
