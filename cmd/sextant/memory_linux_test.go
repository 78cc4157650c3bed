package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// remembering is a server and a workspace with functions to verify. Every
// request uses another function, because a cached verdict needs no language
// server.
type remembering struct {
	*site
	*client
	asked int // functions used so far
}

// callers is the number of functions in the workspace.
const callers = 400

// remember starts a server for a Go module, with command in place of gopls and
// memory_mb set to memoryMB.
func remember(t *testing.T, memoryMB int, command string) *remembering {
	t.Helper()
	s := newSite(t)
	s.own, s.env = true, []string{"HOME=" + os.Getenv("HOME")}
	config := fmt.Sprintf("[servers]\nmemory_mb = %d\n[servers.command]\ngopls = [%q]\n", memoryMB, command)
	text := "package a\n\nfunc helper() int { return 1 }\n"
	for i := range callers {
		text += fmt.Sprintf("\nfunc caller%d() int { return helper() }\n", i)
	}
	for file, text := range map[string]string{filepath.Join(s.home, "sextant.toml"): config,
		filepath.Join(s.ws, "go.mod"): "module example.com/a\n\ngo 1.21\n", filepath.Join(s.ws, "a.go"): text} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &remembering{site: s, client: s.serve()}
	r.track(s)
	return r
}

// serverSaid holds the fields of an answer about a language server.
type serverSaid struct {
	State, Detail string
	PID           int
	RetryInMs     int64
}

// prove requests the callees of the next function with verification. Even if
// the language server fails, the answer must contain the call, must not refute
// it, and must mark it proven if it was.
func (r *remembering) prove(within time.Duration) (proven bool, said serverSaid) {
	r.site.t.Helper()
	var a struct {
		Edges        []struct{ Evidence string }
		Verification struct {
			State                       string
			Confirmed, Refuted, Pending int
			Servers                     []serverSaid
		}
	}
	r.ask("call_graph", map[string]any{"path": r.ws,
		"symbolRef": map[string]any{"symbolLabel": fmt.Sprintf("caller%d", r.asked%callers)},
		"direction": "callees", "verify": "wait", "deadlineMs": within.Milliseconds()}, &a)
	r.asked++
	v := a.Verification
	if len(a.Edges) != 1 || v.Refuted != 0 {
		r.site.t.Fatalf("%+v", a)
	}
	proven = a.Edges[0].Evidence == "proven"
	if proven != (v.Confirmed == 1) || proven != (v.State == "complete") {
		r.site.t.Errorf("%+v", a)
	}
	if len(v.Servers) > 0 {
		said = v.Servers[0]
	}
	return proven, said
}

// running returns the language server's state in manage_index status.
func (r *remembering) running() (said serverSaid) {
	r.site.t.Helper()
	var a struct {
		Tiers struct {
			L3 struct{ Servers []serverSaid }
		}
	}
	r.ask("manage_index", map[string]any{"action": "status", "path": r.ws}, &a)
	if list := a.Tiers.L3.Servers; len(list) > 0 {
		said = list[0]
	}
	return said
}

// until polls ok until it returns true, for two minutes at most. what names the
// event.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func goplsForTest(t *testing.T) string {
	t.Helper()
	ours, err := filepath.Abs("../../testdata/gotools/bin/gopls")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ours); err == nil {
		return ours
	}
	requireTool(t, "gopls", "testdata/tools.sh")
	path, err := exec.LookPath("gopls")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAServerKeepsToItsMemory checks that a language server above its memory
// limit is stopped, that answers say so, and that it restarts after its
// backoff.
func TestAServerKeepsToItsMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a real server takes seconds")
	}
	gopls := goplsForTest(t)
	t.Run("that it never has", func(t *testing.T) {
		t.Parallel()
		r := remember(t, 8, gopls)
		const reason = "more than the 8 MB allowed"
		pid := 0
		until(t, "gopls is ended for its memory", func() bool {
			r.prove(time.Second)
			s := r.running()
			if s.PID != 0 {
				pid = s.PID
			}
			return s.State == "crashed" && s.PID == 0 && s.RetryInMs > 0 && strings.Contains(s.Detail, reason)
		})
		until(t, "its process is gone", func() bool {
			return pid == 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
		})
		until(t, "an answer says so", func() bool {
			proven, s := r.prove(time.Second)
			return !proven && s.State == "crashed" && strings.Contains(s.Detail, reason)
		})
		r.close()
	})
	t.Run("after a leak", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		leak, leaked := filepath.Join(dir, "gopls"), filepath.Join(dir, "leaked")
		script := fmt.Sprintf("#!/bin/sh\nif [ $# = 0 ] && [ ! -e %[1]s ]; then\n\ttouch %[1]s\n"+
			"\t(head -c 400m /dev/zero; sleep 3600) | tail >/dev/null &\nfi\nexec %[2]s \"$@\"\n", leaked, gopls)
		if err := os.WriteFile(leak, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		r := remember(t, 300, leak)
		r.prove(10 * time.Second)
		until(t, "gopls is ended for its memory", func() bool {
			s := r.running()
			return s.State == "crashed" && strings.Contains(s.Detail, "more than the 300 MB allowed")
		})
		until(t, "it is started again, and proves", func() bool {
			proven, _ := r.prove(30 * time.Second)
			return proven
		})
		if s := r.running(); s.State != "ready" || s.PID == 0 {
			t.Errorf("%+v", s)
		}
		r.close()
	})
}
