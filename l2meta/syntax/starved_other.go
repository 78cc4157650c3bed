//go:build !linux

package syntax

import "time"

var started = time.Now()

// threadTime returns the elapsed wall-clock time, as the processor time of a thread is not
// available.
func threadTime() time.Duration { return time.Since(started) }
