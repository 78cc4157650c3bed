package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStats checks that serve keeps what its answers cost, that stats sums it, and that neither keeps
// a question.
func TestStats(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	source := "package a\n\n// parcel weighs.\nfunc parcel() int { return 7 }\n" +
		strings.Repeat("\n// filler that nobody needs to read\n", 200)
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"SEXTANT_HOME": home, "SEXTANT_EMBEDDER": "off", "SEXTANT_MAX_SERVERS": "0"}
	command := func(input string, args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		io := streams{in: strings.NewReader(input), out: &out, err: &errs, env: func(k string) string { return env[k] }}
		code := run(t.Context(), args, io)
		if code != 0 {
			t.Fatalf("sextant %v: exit %d\n%s%s", args, code, &out, &errs)
		}
		return out.String() + errs.String()
	}
	if said := command("", "stats"); !strings.Contains(said, "No agent has asked") {
		t.Errorf("without answers stats says %q", said)
	}
	command("", "index", dir)
	call := func(id int, tool, args string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n",
			id, tool, args)
	}
	session := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		call(2, "file_outline", fmt.Sprintf(`{"path":%q,"file":"a.go"}`, dir)) + call(3, "list_codebases", `{}`)
	env["SEXTANT_STATS"] = "off"
	command(session, "serve", "--quiet", "--no-watch")
	if said := command("", "stats"); !strings.Contains(said, "No agent has asked") {
		t.Errorf("with SEXTANT_STATS=off stats says %q", said)
	}
	env["SEXTANT_STATS"] = ""
	command(session, "serve", "--quiet", "--no-watch")
	said := command("", "stats")
	for _, want := range []string{time.Now().Format(time.DateOnly), "file_outline", "list_codebases", "total"} {
		if !strings.Contains(said, want) {
			t.Errorf("stats lacks %q:\n%s", want, said)
		}
	}
	kept, err := os.ReadFile(filepath.Join(home, "usage.tsv"))
	if err != nil || strings.Contains(string(kept), "a.go") || strings.Contains(string(kept), filepath.Base(dir)) {
		t.Errorf("kept %q, %v", kept, err)
	}
}
