package jit

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// Large files that need the whole budget are mixed with small ones: a reader
// waits until all of the budget is released, no matter who holds it.
func TestLargeFilesAmongSmallOnesDoNotStopThePipeline(t *testing.T) {
	files := map[string]string{}
	var paths []string
	for i := range 12 {
		p := fmt.Sprintf("f%02d.go", i)
		files[p] = "func f\n"
		paths = append(paths, p)
	}
	w := newWorld(t, files, func(o *Options) { o.Workers = 3 })
	for _, p := range []string{"f03.go", "f07.go", "f11.go"} {
		w.must(os.Truncate(w.abs(p), flightBytes+1))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 500 {
		_, err := w.r.updateOnce(ctx, paths, &changes{})
		w.must(err)
	}
}
