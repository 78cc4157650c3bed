package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sixTools are the names that every client must list, sorted.
var sixTools = []string{"call_graph", "file_outline", "list_codebases", "manage_index", "read_file", "search_codebase"}

// clientProgram is a source file; every client searches for its function greet.
const clientProgram = "package main\n\n// greet says hello.\nfunc greet() string { return \"hello\" }\n\n" +
	"func main() { println(greet()) }\n"

// clientTimeout is far above the time that a client needs. It makes a client
// that hangs fail by name.
const clientTimeout = 2 * time.Minute

// nodeModule returns the path of a file in the npm packages that testdata/node
// pins, and the folder testdata/node. It skips the test if they are not
// installed.
func nodeModule(t *testing.T, file string) (at, dir string) {
	t.Helper()
	requireTool(t, "node", "apt-get install nodejs npm, then testdata/tools.sh")
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "node"))
	if err != nil {
		t.Fatal(err)
	}
	at = filepath.Join(dir, "node_modules", file)
	if _, err := os.Stat(at); err != nil {
		if os.Getenv("SEXTANT_REQUIRE_TOOLS") != "" {
			t.Fatalf("%s is required and missing: run testdata/tools.sh", file)
		}
		t.Skipf("SKIPPED: %s is missing: run testdata/tools.sh", file)
	}
	return at, dir
}

// clientSite returns a site whose workspace holds clientProgram, for clients
// that the project did not write.
func clientSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	if err := os.WriteFile(filepath.Join(s.ws, "main.go"), []byte(clientProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	return s
}

// node runs a script in dir without the settings of this machine. Its proxy
// refuses every connection, because no client may need a network.
func (s *site) node(dir, script string, args ...string) (string, error) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), clientTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	cmd.WaitDelay = time.Second
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "XDG_CONFIG_HOME=" + s.home,
		"TMPDIR=" + filepath.Dir(s.home), "SEXTANT_HOME=" + s.home, "NO_COLOR=1",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("node %s %q: %w\n%s%s", script, args, err, out, stderr.String())
	}
	return string(out), err
}

// TestInspector lists the tools with the command line of the MCP Inspector and
// calls each. Every call starts its own server.
func TestInspector(t *testing.T) {
	t.Parallel()
	cli, _ := nodeModule(t, "@modelcontextprotocol/inspector/cli/build/cli.js")
	s := clientSite(t)
	inspect := func(answer any, args ...string) {
		t.Helper()
		out, err := s.node(s.ws, cli,
			slices.Concat([]string{"--cli", "-e", "SEXTANT_HOME=" + s.home, s.exe, "serve", "--quiet", "--method"},
				args)...)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(out), answer); err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
	}
	var list struct {
		Tools []struct {
			Name, Title, Description string
			InputSchema              struct{ Type string }
		}
	}
	inspect(&list, "tools/list")
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Title == "" || tool.Description == "" || tool.InputSchema.Type != "object" {
			t.Errorf("%s is listed as %+v", tool.Name, tool)
		}
	}
	if slices.Sort(names); !slices.Equal(names, sixTools) {
		t.Errorf("the inspector lists %q", names)
	}
	for _, c := range []struct {
		tool, want string
		args       []string
	}{
		{"manage_index", "is ready: 1 file", []string{"action=create", "path=" + s.ws, "wait=true"}},
		{"list_codebases", s.ws, nil},
		{"search_codebase", "main.go:4\n  func greet() string", []string{"path=" + s.ws, "query=greet", "limit=5"}},
		{"file_outline", "4 func greet() string", []string{"path=" + s.ws, "file=main.go"}},
		{"call_graph", "callers of greet (main.go:4)", []string{"path=" + s.ws, `symbolRef={"symbolLabel":"greet"}`}},
		{"read_file", clientProgram, []string{"path=" + s.ws + "/main.go"}},
	} {
		args := []string{"tools/call", "--tool-name", c.tool}
		if len(c.args) > 0 {
			args = slices.Concat(args, []string{"--tool-arg"}, c.args)
		}
		var answer struct {
			IsError bool
			Content []struct{ Text string }
		}
		inspect(&answer, args...)
		if answer.IsError || len(answer.Content) != 1 || !strings.Contains(answer.Content[0].Text, c.want) {
			t.Errorf("%s %q: %+v, want %s", c.tool, c.args, answer, c.want)
		}
	}
}

// TestTypeScriptSession runs a whole session with the client of the MCP
// TypeScript SDK, which validates every message.
func TestTypeScriptSession(t *testing.T) {
	t.Parallel()
	_, dir := nodeModule(t, "@modelcontextprotocol/sdk/package.json")
	s := clientSite(t)
	out, err := s.node(s.ws, filepath.Join(dir, "session.mjs"), s.ws, s.exe, "serve", "--quiet")
	if err != nil {
		t.Fatal(err)
	}
	var seen struct {
		Server  struct{ Name, Version string }
		Errors  []string
		Tools   []string
		Answers map[string]struct {
			IsError bool
			Text    string
		}
		Progress int
		Refused  struct{ IsError bool }
	}
	if err := json.Unmarshal([]byte(out), &seen); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	slices.Sort(seen.Tools)
	if seen.Server.Name != "sextant" || len(seen.Errors) > 0 || !slices.Equal(seen.Tools, sixTools) ||
		!seen.Refused.IsError || seen.Progress == 0 {
		t.Errorf("the session saw %s", out)
	}
	for tool, want := range map[string]string{"manage_index": "is ready: 1 file", "list_codebases": s.ws,
		"search_codebase": "greet", "file_outline": "greet", "call_graph": "callers of greet (main.go:4)",
		"read_file": clientProgram} {
		if a, ok := seen.Answers[tool]; !ok || a.IsError || !strings.Contains(a.Text, want) {
			t.Errorf("%s: %+v, want %s", tool, a, want)
		}
	}
}

// TestClaudeCode adds the server to Claude Code as the README says and checks
// that it connects.
func TestClaudeCode(t *testing.T) {
	t.Parallel()
	cli, _ := nodeModule(t, "@anthropic-ai/claude-code/cli.js")
	s := clientSite(t)
	if _, err := s.node(s.ws, cli, "mcp", "add", "sextant", "-e", "SEXTANT_HOME="+s.home, "--", s.exe,
		"serve"); err != nil {
		t.Fatal(err)
	}
	out, err := s.node(s.ws, cli, "mcp", "list")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "sextant: "+s.exe+" serve - ✓ Connected") {
		t.Errorf("claude mcp list says:\n%s", out)
	}
}
