package workspace

import (
	"bytes"
	"regexp"
)

// SkipText returns the reason not to index a file because of its text: SkipBinary or
// SkipLFSPointer. It returns "" if there is none.
func SkipText(text []byte) SkipReason {
	switch {
	case Binary(text):
		return SkipBinary
	case lfsPointer(text):
		return SkipLFSPointer
	}
	return ""
}

// binaryHead is the number of bytes in which Binary looks for a NUL, as git
// does.
const binaryHead = 8000

// Binary reports whether a file that starts with head is not text: like git, it
// looks for a NUL in the first 8,000 bytes. UTF-16 counts as binary unless Read has decoded it.
func Binary(head []byte) bool { return bytes.IndexByte(head[:min(len(head), binaryHead)], 0) >= 0 }

// lfsPointerBytes is a length in bytes: every pointer of git-lfs is shorter, by its specification.
const lfsPointerBytes = 1024

// lfsPointerText matches a pointer of git-lfs. It has a line "KEY VALUE" for each key: first the
// version, then the others in order of the keys, among them those of extensions (ext-0-NAME).
//
//	version https://git-lfs.github.com/spec/v1
//	oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
//	size 12345
var lfsPointerText = regexp.MustCompile(`\Aversion https?://[^\n]+/spec/v\d+\r?\n` +
	`(?:ext-[^\n]+\n)*oid sha256:[0-9a-f]{64}\r?\nsize \d+\r?\n?\z`)

// lfsPointer reports whether text is a pointer of git-lfs, which stands in place of a
// file's content until "git lfs pull" fetches that.
func lfsPointer(text []byte) bool {
	return len(text) < lfsPointerBytes && bytes.HasPrefix(text, []byte("version http")) && lfsPointerText.Match(text)
}
