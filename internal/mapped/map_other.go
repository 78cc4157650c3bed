//go:build !linux

package mapped

import (
	"errors"
	"os"
)

// reserve returns an error: systems other than Linux do not allocate the space of a file in one
// call.
func reserve(*os.File, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func release([]byte) {}

func unmap([]byte) {}
