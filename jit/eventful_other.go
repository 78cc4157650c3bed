//go:build !linux

package jit

import (
	"fmt"
	"runtime"
)

// eventful returns an error that wraps errNoEvents, so that every Sync compares all files. The
// watcher proves that it has seen all changes by the event of a file of its own (see watcher). That
// needs a system that queues the events of all watched directories in order, as only inotify does.
// kqueue reports only writes to open files, and FSEvents merges events and delays them.
func eventful(string) error {
	return fmt.Errorf("%s has no inotify: %w", runtime.GOOS, errNoEvents)
}
