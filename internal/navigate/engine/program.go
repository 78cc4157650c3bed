package engine

import (
	"encoding/hex"
	"io"
	"os"
	"sync"

	"github.com/zeebo/xxh3"
)

// program returns a hash of the running program's file, "" if that is unreadable. The resolved calls that
// the index stores are valid for the program that resolved them only. The first call takes some 50 ms.
var program = sync.OnceValue(func() string {
	h := xxh3.New()
	path, err := os.Executable()
	if err == nil {
		err = hashFile(h, path)
	}
	if err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

func hashFile(h io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}
