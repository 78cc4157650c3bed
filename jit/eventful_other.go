//go:build !linux

package jit

import (
	"fmt"
	"runtime"
)

// eventful returns errNoEvents: the proof by a cookie (see watcher) needs a
// system that queues the events of all watched directories in order, as only
// inotify does. kqueue reports only writes to open files, and FSEvents merges
// events and delays them. So on this system every Sync sweeps the root.
func eventful(string) error {
	return fmt.Errorf("%s has no inotify: %w", runtime.GOOS, errNoEvents)
}
