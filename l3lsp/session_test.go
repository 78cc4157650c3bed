package l3lsp

import (
	"errors"
	"testing"
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
