package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadableFilesAreNamed checks that each answer that may lack something because a file or a
// folder was never readable names it, with the watcher and without.
func TestUnreadableFilesAreNamed(t *testing.T) {
	for _, mode := range []string{"", "--no-watch"} {
		t.Run("watch"+mode, func(t *testing.T) {
			s := newSite(t, strings.Fields(mode)...)
			write := func(file, text string, perm os.FileMode) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(s.ws, file), []byte(text), perm); err != nil {
					t.Fatal(err)
				}
			}
			write("lend.py", "def lend():\n    return 1\n", 0o644)
			write("shut.py", "from lend import lend\n\ndef hidden():\n    return lend()\n", 0)
			for _, folder := range []string{"closed", "empty"} {
				if err := os.Mkdir(filepath.Join(s.ws, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write("closed/in.py", "def inner():\n    return 2\n", 0o644)
			if err := os.Chmod(filepath.Join(s.ws, "closed"), 0); err != nil {
				t.Fatal(err)
			}
			c := s.serve()
			defer c.close()
			c.track(s)
			text := func(tool string, args map[string]any) string {
				t.Helper()
				args["path"], args["format"] = s.ws, "text"
				var r struct{ Content []struct{ Text string } }
				c.request("tools/call", map[string]any{"name": tool, "arguments": args}, &r)
				return r.Content[0].Text
			}
			for _, ask := range []struct {
				tool string
				args map[string]any
				want string
			}{
				{"search_codebase", map[string]any{"query": "must:hidden"}, "0 lines in 0 files of what can be read"},
				{"search_codebase", map[string]any{"query": "must:hidden"}, "closed, shut.py"},
				{"search_codebase", map[string]any{"query": "lend"}, "closed, shut.py"},
				{"call_graph", map[string]any{"symbolRef": "lend", "direction": "callers"}, "closed, shut.py"},
				{"file_outline", map[string]any{"file": "closed"}, "closed cannot be read"},
				{"file_outline", map[string]any{"file": "empty"}, "empty is an empty folder"},
			} {
				if got := text(ask.tool, ask.args); !strings.Contains(got, ask.want) {
					t.Errorf("%s %v lacks %q:\n%s", ask.tool, ask.args, ask.want, got)
				}
			}
		})
	}
}
