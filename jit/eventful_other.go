//go:build !linux

package jit

import (
	"fmt"
	"runtime"
)

// eventful returns errNoEvents: only inotify queues the events of all watched
// directories in order, which is what the cookie's proof rests on. kqueue
// reports writes to open files alone, and FSEvents combines events at its
// leisure. Every question sweeps the tree instead.
func eventful(string) error {
	return fmt.Errorf("%s has no inotify: %w", runtime.GOOS, errNoEvents)
}
