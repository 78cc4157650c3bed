package code

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Hash is the content hash of a text: XXH3-128, big-endian. store.HashText
// computes it.
type Hash [16]byte

// String returns h in lower-case hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText encodes h as its String.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText decodes the form that String returns.
func (h *Hash) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(h) {
		return fmt.Errorf("%q is no hash", text)
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// SymbolID identifies a symbol, unchanged by edits elsewhere in its file: "s_"
// and 12 characters of base32. These are 60 bits; among a million symbols, the
// probability that any two collide is 4e-7.
type SymbolID string

// idEncoding is base32 in lower case: safe in paths, shells and JSON.
var idEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// idChars is the length of an id without its prefix.
const idChars = 12

// ID returns the id of symbol s in the file at path, such as "s_k3vq7w2mzc5a". It is a digest of
// the path, the language, and the kind, qualified name and ordinal of the symbol.
func ID(path, language string, s *Symbol) SymbolID {
	return SymbolID("s_" + digest(base(path, language, s)+"\x00"+strconv.Itoa(s.Ordinal)))
}

// Key returns "k_" and a digest like that of ID, but without the ordinal, which numbers the symbols
// of one name and kind in a file. So all overloads of a function have the same key.
func Key(path, language string, s *Symbol) string { return "k_" + digest(base(path, language, s)) }

// base returns the part of the input of ID and Key that both share: everything that identifies s
// except for its ordinal.
func base(path, language string, s *Symbol) string {
	return strings.Join([]string{path, language, string(s.Kind), s.QualifiedName}, "\x00")
}

// Instance returns id followed by "@" and a hash of the symbol's own text, which changes with
// each edit of the symbol.
func Instance(id SymbolID, s *Symbol, text []byte) string {
	body := sha256.Sum256(text[s.Span.StartByte:s.Span.EndByte])
	return string(id) + "@" + hex.EncodeToString(body[:6])
}

// digest returns the first idChars characters of the base32 SHA-256 of s.
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
