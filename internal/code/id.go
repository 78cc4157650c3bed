package code

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strconv"
	"strings"
)

// Hash is the content hash of a text: XXH3-128, big-endian. It is made by
// package store; here it is only carried.
type Hash [16]byte

// String is the lower-case hexadecimal form.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// SymbolID names a symbol across edits elsewhere in its file: "s_" and 12
// characters of base32 (60 bits; among a million symbols two collide with a
// probability of 4e-7).
type SymbolID string

// idEncoding is base32 in lower case: safe in paths, shells and JSON.
var idEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// idChars is the length of an id behind its prefix.
const idChars = 12

// IDs are the three names of the symbol s of file path: ID with the ordinal,
// key without it, instance with the hash of the span's bytes.
func IDs(path, language string, s *Symbol, text []byte) (id SymbolID, key, instance string) {
	base := strings.Join([]string{path, language, string(s.Kind), s.QualifiedName}, "\x00")
	id = SymbolID("s_" + digest(base+"\x00"+strconv.Itoa(s.Ordinal)))
	key = "k_" + digest(base)
	body := sha256.Sum256(text[s.Span.StartByte:s.Span.EndByte])
	return id, key, string(id) + "@" + hex.EncodeToString(body[:6])
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return idEncoding.EncodeToString(sum[:])[:idChars]
}

// Valid reports whether id has the form of a symbol id.
func (id SymbolID) Valid() bool {
	rest, ok := strings.CutPrefix(string(id), "s_")
	if !ok || len(rest) != idChars {
		return false
	}
	return strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}
