package callgraph

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestBacklogTakesTheNewestAndDropsTheOldest(t *testing.T) {
	var wg sync.WaitGroup
	b := &backlog{spawn: func(fn func(context.Context)) bool { wg.Go(func() { fn(t.Context()) }); return true }}
	var mu sync.Mutex
	var log []string
	note := func(format string, i int) {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, fmt.Sprintf(format, i))
	}
	running, gate, last := make(chan bool), make(chan bool), make(chan bool)
	for range backgroundJobs {
		b.add(backlogJob{run: func(context.Context) { running <- true; <-gate }})
		<-running
	}
	for i := range maxBacklog + 2 {
		b.add(backlogJob{drop: func() { note("dropped %d", i) }, run: func(context.Context) {
			if note("ran %d", i); i == 2 { // the oldest job that was not dropped
				close(last)
			}
		}})
	}
	gate <- true // one worker continues, the other stays blocked
	<-last
	close(gate)
	wg.Wait()
	want := []string{"dropped 0", "dropped 1"}
	for i := maxBacklog + 1; i >= 2; i-- {
		want = append(want, fmt.Sprintf("ran %d", i))
	}
	if !slices.Equal(log, want) {
		t.Errorf("%q, want %q", log, want)
	}
	if b.workers != 0 || len(b.waiting) != 0 {
		t.Errorf("%d workers and %d jobs are left", b.workers, len(b.waiting))
	}
}
