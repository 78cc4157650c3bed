package main

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// An answer may come this late after its deadline if no more servers are busy
// than the machine has cores: a share of the deadline plus a constant.
const (
	quietShare = 5 // one fifth of the deadline
	quietBy    = 150 * time.Millisecond
)

// TestSoakDeadlines runs one server per core. Each computes graphs of
// SEXTANT_SOAK_ROOT (default: the Go distribution) with deadlines from 1 ms to
// 4 s for the duration SEXTANT_SOAK. It measures time, so nothing else may run.
func TestSoakDeadlines(t *testing.T) {
	site, lasts, seed := newSoak(t)
	sessions := make([]*session, runtime.NumCPU())
	for i := range sessions {
		sessions[i] = &session{client: site.serve(), root: site.ws, random: rand.New(rand.NewPCG(seed, uint64(i)))}
		sessions[i].look()
	}
	overruns := make([][]time.Duration, len(sessions))
	var servers sync.WaitGroup
	for i, s := range sessions {
		servers.Go(func() {
			for until := time.Now().Add(lasts); time.Now().Before(until); {
				overruns[i] = append(overruns[i], s.overrun())
			}
			s.close()
		})
	}
	servers.Wait()
	all := slices.Sorted(slices.Values(slices.Concat(overruns...)))
	t.Logf("%d graphs: the median ended %v after its deadline, one in a hundred %v, the last %v",
		len(all), all[len(all)/2], all[len(all)*99/100], all[len(all)-1])
}

// overrun requests a graph with a random deadline. It returns the delay of the
// answer after the deadline, negative if the answer came earlier.
func (s *session) overrun() time.Duration {
	deadline := time.Duration(1+s.random.IntN(1<<(1+s.random.IntN(12)))) * time.Millisecond
	args := map[string]any{"path": s.root, "symbolRef": s.symbol(), "depth": 1 + s.random.IntN(8), "limit": 200,
		"deadlineMs": deadline.Milliseconds(),
		"direction":  []string{"callers", "callees", "both"}[s.random.IntN(3)]}
	began := time.Now()
	s.call("call_graph", args)
	late := time.Since(began) - deadline
	if late > deadline/quietShare+quietBy {
		s.t.Errorf("%v: %v after the deadline", args, late.Round(time.Millisecond))
	}
	return late
}
