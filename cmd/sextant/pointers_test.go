package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPointersOfGitLFSAreNoText checks that a file whose content git-lfs has not fetched is not
// parsed or searched, that answers say so, and that the content is found once it is there.
func TestPointersOfGitLFSAreNoText(t *testing.T) {
	const pointer = "version https://git-lfs.github.com/spec/v1\n" +
		"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	for _, mode := range []string{"", "--no-watch"} {
		t.Run("watch"+mode, func(t *testing.T) {
			s := newSite(t, strings.Fields(mode)...)
			write := func(file, text string) {
				t.Helper()
				if err := os.WriteFile(filepath.Join(s.ws, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write("lend.py", "def lend():\n    return 1\n")
			write("rates.py", pointer)
			c := s.serve()
			defer c.close()
			c.track(s)
			check := func(tool string, args map[string]any, want string) {
				t.Helper()
				args["format"] = "text"
				if args["path"] == nil {
					args["path"] = s.ws
				}
				var r struct{ Content []struct{ Text string } }
				c.request("tools/call", map[string]any{"name": tool, "arguments": args}, &r)
				if got := r.Content[0].Text; !strings.Contains(got, want) {
					t.Errorf("%s %v lacks %q:\n%s", tool, args, want, got)
				}
			}
			const said = "is a pointer of git-lfs"
			check("search_codebase", map[string]any{"query": "must:spec/v1"}, "0 lines in 0 files")
			check("search_codebase", map[string]any{"query": "must:lend"}, "not searched: rates.py")
			check("file_outline", map[string]any{"file": "rates.py"}, said)
			check("read_file", map[string]any{"path": filepath.Join(s.ws, "rates.py")}, said)
			check("call_graph", map[string]any{"symbolRef": map[string]any{"file": "rates.py", "symbolLabel": "rate"}},
				said)
			check("manage_index", map[string]any{"action": "status", "detail": "full"}, "lfs_pointer")
			write("rates.py", "def rate():\n    return 12345\n")
			check("search_codebase", map[string]any{"query": "must:12345"}, "rates.py:2")
			check("file_outline", map[string]any{"file": "rates.py"}, "rate")
			write("rates.py", pointer)
			check("search_codebase", map[string]any{"query": "must:12345"}, "not searched: rates.py")
		})
	}
}
