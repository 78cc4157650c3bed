package workspace

import (
	"strings"
	"testing"
)

func TestSkipText(t *testing.T) {
	hash := strings.Repeat("4d7a", 16)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + hash + "\nsize 12345\n"
	for text, want := range map[string]SkipReason{
		"":                                 "",
		"package a\n":                      "",
		"a\x00b":                           SkipBinary,
		strings.Repeat("a", 8000) + "\x00": "",
		pointer:                            SkipLFSPointer,
		strings.ReplaceAll(pointer, "\n", "\r\n"):                                    SkipLFSPointer,
		strings.Replace(pointer, "oid", "ext-0-case sha256:"+hash+"\noid", 1):        SkipLFSPointer,
		strings.Replace(pointer, "git-lfs.github.com", "hawser.github.com", 1):       SkipLFSPointer,
		"A pointer is:\n" + pointer:                                                  "",
		pointer + "and more\n":                                                       "",
		strings.Replace(pointer, "oid", "oids", 1):                                   "",
		strings.Replace(pointer, "size", strings.Repeat("ext-0 x\n", 200)+"size", 1): "",
	} {
		if got := SkipText([]byte(text)); got != want {
			t.Errorf("%.200q: %q, want %q", text, got, want)
		}
	}
}
