package l3lsp

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestFoldersOfServers checks that a server starts in a folder of the workspace only if that is trusted:
// stubs of node, rustup and the like would read there which program to run.
func TestFoldersOfServers(t *testing.T) {
	stop := errors.New("not launched")
	for trusted, want := range map[bool]string{true: "/ws", false: "/cache"} {
		run := setup{bin: "server", folder: "/ws", cache: "/cache", trusted: trusted}
		var in string
		_, err := newSession(t.Context(), &Spec{Command: []string{"server"}}, run,
			func(_, _ []string, dir string) (peer, error) { in = dir; return nil, stop })
		if !errors.Is(err, stop) || in != want {
			t.Errorf("trusted %t: starts in %q, want %q; %v", trusted, in, want, err)
		}
	}
}

// TestPathsAsGiven checks that a path below a folder that the server sees without its links gets the spelling of the
// queries, and that a folder whose name only begins alike keeps its own.
func TestPathsAsGiven(t *testing.T) {
	s := &session{folders: []folder{{path: "/link", real: "/real"}, {path: "/same", real: "/same"}}}
	for path, want := range map[string]string{"/real": "/link", "/real/a.go": "/link/a.go", "/realm/a.go": "/realm/a.go",
		"/same/a.go": "/same/a.go", "/else/real/a.go": "/else/real/a.go"} {
		if got := s.asGiven(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// quiet is a server that uses as much processor time as a test says.
type quiet struct {
	peer
	cpu time.Duration
}

func (q *quiet) use() use { return use{cpu: q.cpu} }

// TestHung checks after which silences a server counts as hung: two missed deadlines and some seconds, or minutes if it
// works or has never answered right. A message in between begins anew.
func TestHung(t *testing.T) {
	type batch struct {
		took, works time.Duration
		heard       bool
		err         error
		want        bool
	}
	const late, soon = 3 * time.Second, time.Second
	missed := context.DeadlineExceeded
	for _, c := range []struct {
		what    string
		proven  bool
		batches []batch
	}{
		{"two long ones", true, []batch{{late, 0, false, missed, false}, {late, 0, false, missed, true}}},
		{"two short ones", true, []batch{{soon, 0, false, missed, false}, {soon, 0, false, missed, false},
			{soon, 0, false, missed, false}, {2 * soon, 0, false, missed, true}}},
		{"one very long one", true, []batch{{time.Hour, 0, false, missed, false}}},
		{"heard in between", true, []batch{{late, 0, false, missed, false}, {late, 0, true, missed, false},
			{late, 0, false, missed, false}, {late, 0, false, missed, true}}},
		{"works", true, []batch{{late, 0, false, missed, false}, {late, workedEnough, false, missed, false},
			{hungWorking, workedEnough, false, missed, true}}},
		{"works a little", true, []batch{{late, 0, false, missed, false}, {late, workedEnough - 1, false, missed, true}}},
		{"never right before", false, []batch{{late, 0, false, missed, false}, {late, 0, false, missed, false},
			{hungWorking - 2*late, 0, false, missed, true}}},
		{"taken back", true, []batch{{late, 0, false, context.Canceled, false}, {late, 0, false, context.Canceled, false}}},
		{"an answer of another kind", true, []batch{{late, 0, false, missed, false}, {late, 0, false, nil, false},
			{late, 0, false, missed, true}}},
		{"its input is full", false, []batch{{0, 0, false, errNotReading, true}}},
	} {
		onFakeTime(c.what, t, func(t *testing.T) {
			server := &quiet{}
			s := &session{peer: server, conn: &conn{stream: &stream{}}}
			s.proven = c.proven
			for i, b := range c.batches {
				began := time.Now()
				time.Sleep(b.took)
				server.cpu += b.works
				if b.heard {
					s.conn.stream.heard.Store(time.Now().UnixNano())
				}
				if got := s.hung(began, b.err); got != b.want {
					t.Errorf("batch %d: hung %t, want %t", i, got, b.want)
				}
			}
		})
	}
}
