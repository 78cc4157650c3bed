//go:build !linux

package syntax

import "time"

var started = time.Now()

// threadTime returns the time that passed, where a thread's own is not known.
func threadTime() time.Duration { return time.Since(started) }
