//go:build unix

package vector

import (
	"context"
	"slices"
	"syscall"
	"testing"
	"time"
)

// processor returns the CPU time that the process has used, in milliseconds.
func processor(b *testing.B) float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e6
}

// BenchmarkStore searches 200,000 vectors. It reports wall time and CPU time,
// which depends less on the load of the machine.
func BenchmarkStore(b *testing.B) {
	flat := topics(200000, 9)
	s, _ := filled(b, flat)
	asked := topics(256, 10)
	var times []time.Duration
	before := processor(b)
	for b.Loop() {
		start := time.Now()
		if _, err := s.Near(context.Background(), row(asked, len(times)&255), 60); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	b.ReportMetric((processor(b)-before)/float64(len(times)), "cpu-ms/op")
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2].Seconds()*1e3, "ms-p50")
	b.ReportMetric(times[len(times)*99/100].Seconds()*1e3, "ms-p99")
}
