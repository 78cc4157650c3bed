package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sextant/internal/navigate/contract"
)

// unread is an output that nobody reads: a Write ends when the channel is closed.
type unread chan struct{}

func (u unread) Write([]byte) (int, error) {
	<-u
	return 0, io.ErrClosedPipe
}

// TestStopWhileTheClientDoesNotRead checks that neither pings nor calls whose answers nobody reads keep the server
// from ending, when it is stopped and at the end of input.
func TestStopWhileTheClientDoesNotRead(t *testing.T) {
	for _, request := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, call(1, contract.ToolList, `{}`)} {
		for _, ends := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				out := make(unread)
				defer close(out)
				in, w := io.Pipe()
				ctx, stop := context.WithCancel(t.Context())
				go func() {
					io.WriteString(w, strings.Repeat(request+"\n", 20))
					if ends {
						w.Close()
						return
					}
					stop()
				}()
				start := time.Now()
				err := serve(&fake{}, Options{}).ServeStdio(ctx, in, out)
				if ends && err != nil || !ends && !errors.Is(err, context.Canceled) {
					t.Errorf("ended with %v", err)
				}
				stop()
				if waited := time.Since(start); waited > 3*stopWithin {
					t.Errorf("%s: it took %v to end", request, waited)
				}
			})
		}
	}
}

// TestRequestsWaitForTheClient checks that the server reads no more requests while much is unsent, and goes on
// when the client reads.
func TestRequestsWaitForTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const unsent = 64 << 10
		in, w := io.Pipe()
		r, out := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- serve(&fake{}, Options{Unsent: unsent}).ServeStdio(t.Context(), in, out); out.Close() }()
		const requests = 3 * unsent >> 10
		var mu sync.Mutex
		taken := 0
		go func() {
			defer w.Close()
			for i := range requests {
				// The answer repeats the id.
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":"%d%s","method":"ping"}`+"\n", i, strings.Repeat("x", 1<<10))
				mu.Lock()
				taken++
				mu.Unlock()
			}
		}()
		synctest.Wait()
		if mu.Lock(); taken == requests || taken < requests/4 {
			t.Errorf("%d of %d requests were taken, of which no answer is read", taken, requests)
		}
		mu.Unlock()
		text, err := io.ReadAll(r)
		if n := strings.Count(string(text), "\n"); err != nil || n != requests {
			t.Errorf("%d answers to %d requests, %v", n, requests, err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
