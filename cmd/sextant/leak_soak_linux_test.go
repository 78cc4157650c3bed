package main

import (
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	// fewRounds and manyRounds are the rounds of ten calls, 100 and 10,000 calls in all, after
	// which two servers must use the same resources.
	fewRounds, manyRounds = 10, 1000
	// mixedRounds are the rounds of ten calls, 1,000 calls in all, after which a server of the Go
	// distribution may use mixedKB.
	mixedRounds, mixedKB = 100, 250_000
)

// TestSoakLeaks compares a server at rest after 10,000 calls with one after 100: it
// may have no goroutine and no descriptor more.
func TestSoakLeaks(t *testing.T) {
	site, _, seed := newSoak(t)
	var goroutines, descriptors [2]int
	for i, rounds := range []int{fewRounds, manyRounds} {
		s := &session{client: site.serve(), root: site.ws, random: rand.New(rand.NewPCG(seed, 3))}
		s.look()
		for range rounds {
			s.round()
		}
		s.idle()
		descriptors[i] = s.held().descriptors
		goroutines[i] = s.goroutines()
		t.Logf("after %d rounds: %d goroutines, %d descriptors", rounds, goroutines[i], descriptors[i])
	}
	if goroutines[1] > goroutines[0] || descriptors[1] > descriptors[0] {
		t.Errorf("calls left goroutines (%d, then %d) or descriptors (%d, then %d)", goroutines[0], goroutines[1],
			descriptors[0], descriptors[1])
	}
}

// TestSoakThousandCalls bounds the memory of a server at rest after 1,000 calls of
// all kinds on the Go distribution, or of SEXTANT_SOAK_ROOT.
func TestSoakThousandCalls(t *testing.T) {
	site, _, seed := newSoak(t)
	s := &session{client: site.serve(), root: site.ws, random: rand.New(rand.NewPCG(seed, 4))}
	s.look()
	for range mixedRounds {
		s.round()
	}
	s.idle()
	s.rest() // the server waits as long as idle does before it returns memory
	now := s.held()
	t.Logf("after %d rounds: %s", mixedRounds, now)
	if now.anonKB > mixedKB {
		t.Errorf("%d kB are held, more than %d", now.anonKB, mixedKB)
	}
	s.close()
}

// idle waits until the server has nothing to do, and returns the processor time that
// it used until then. A server that waits for a busy disk uses no time for some seconds
// either, so it counts as idle only after three quiet spells in a row.
func (s *session) idle() time.Duration {
	first := s.used()
	for last, quiet := first, 0; ; {
		time.Sleep(5 * time.Second)
		now := s.used()
		if now-last >= 50*time.Millisecond {
			quiet = 0
		} else if quiet++; quiet == 3 {
			return now - first
		}
		last = now
	}
}

// goroutines ends the server by SIGQUIT, on which Go's runtime prints the stack of
// every goroutine, and returns their number.
func (s *session) goroutines() int {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		s.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, s.out)
	_ = s.cmd.Wait() // the exit status of SIGQUIT
	n := strings.Count("\n"+s.stderr.String(), "\ngoroutine ")
	if n == 0 {
		s.t.Fatalf("no goroutine was printed:\n%s", s.stderr.String())
	}
	return n
}
