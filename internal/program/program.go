// Package program identifies the running program. Results that rules compute from a whole root are stored under this
// identity, because another program may have other rules.
package program

import (
	"encoding/hex"
	"io"
	"os"
	"sync"

	"github.com/zeebo/xxh3"
)

// ID returns a hash of the running program's file, "" if that is unreadable. The first call takes some 50 ms.
var ID = sync.OnceValue(func() string {
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
