package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hangs is the longest that one session with a hostile workspace may take.
// After it, the server is killed, which fails the call under way.
const hangs = 2 * time.Minute

// secretText is in every file that must not be shown, and in no other file.
const secretText = "hunter2topsecret"

// secretFiles are names of files that usually contain credentials.
var secretFiles = []string{".env", ".env.production", "id_rsa", "deploy/id_ed25519", "server.pem", "deploy/tls.key",
	".env.bak", "prod.tfvars", ".aws/config"}

// trap returns a site whose workspace contains everything that can break a
// reader: pipes, loops of links, huge, secret and locked files.
func trap(t *testing.T) *site {
	t.Helper()
	s := newSite(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(s.ws, name)
		must(os.MkdirAll(filepath.Dir(name), 0o755))
		must(os.WriteFile(name, []byte(text), 0o644))
	}
	write("main.go", clientProgram)
	write("latin1.py", "# caf\xe9 \xff\xfe latinmark\ndef latin_function():\n    return '\xe9'\n")
	write("binary.go", "package b\x00binarymark\n")
	write("bad\xffname.go", "package p // badnamemark\n")
	write("new\nline.go", "package p // newlinemark\n")
	write(".env.example", "EXAMPLE_SETTING=examplemark\n")
	for _, f := range secretFiles {
		write(f, "KEY="+secretText+"\n")
	}
	write(".npmrc", "//registry/:_authToken="+secretText+"\n")
	write("locked/in.go", "package p // "+secretText+"\n")
	write("locked.go", "package p // "+secretText+"\n")
	write("huge.go", "package p // hugemark\n")
	must(os.Truncate(filepath.Join(s.ws, "huge.go"), 200<<20))
	outside := filepath.Join(filepath.Dir(s.ws), "outside")
	must(os.Mkdir(outside, 0o755))
	must(os.WriteFile(filepath.Join(outside, "out.go"), []byte("package p // "+secretText+"\n"), 0o644))
	for link, to := range map[string]string{
		"loop.go": "loop2.go", "loop2.go": "loop.go", "around": ".", "up": "..", "out.go": "../outside/out.go",
		"outdir": outside, "passwd.go": "/etc/passwd",
		"dangling.go": "nowhere.go", "envlink.txt": ".env",
	} {
		must(os.Symlink(to, filepath.Join(s.ws, link)))
	}
	must(syscall.Mkfifo(filepath.Join(s.ws, "pipe.go"), 0o644))
	// The files that rules are read from may be pipes or devices too.
	must(os.Mkdir(filepath.Join(s.ws, "rules"), 0o755))
	must(syscall.Mkfifo(filepath.Join(s.ws, "rules", ".gitignore"), 0o644))
	must(syscall.Mkfifo(filepath.Join(s.ws, ".sextantignore"), 0o644))
	must(os.Symlink("/dev/zero", filepath.Join(s.ws, "sextant.toml")))
	must(syscall.Mkfifo(filepath.Join(s.ws, "go.mod"), 0o644))
	// The path of a socket is limited to some 100 bytes; this one is short enough.
	socket, err := net.Listen("unix", filepath.Join(s.ws, "sock.go"))
	must(err)
	t.Cleanup(func() { socket.Close() })
	must(os.Chmod(filepath.Join(s.ws, "locked.go"), 0))
	must(os.Chmod(filepath.Join(s.ws, "locked"), 0))
	return s
}

// session starts a server that is killed when it hangs.
func (s *site) session() *client {
	s.t.Helper()
	c := s.serve()
	watchdog := time.AfterFunc(hangs, func() { _ = c.cmd.Process.Kill() })
	s.t.Cleanup(func() { watchdog.Stop() })
	return c
}

// fingerprint returns the state of a workspace by path: modes, sizes, times and
// the texts of small files.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) && d != nil {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if info.Mode().IsRegular() && info.Size() < 1<<20 && info.Mode()&0o444 != 0 {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			text = fmt.Sprintf(" %x", sha256.Sum256(b))
		}
		out[p] = fmt.Sprintf("%v %d %d%s", info.Mode(), info.Size(), info.ModTime().UnixNano(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// hostileCall is a call and the text that its answer must contain. A refused
// call must answer with isError or a status other than ok. Every refusal must
// end in a next step.
type hostileCall struct {
	tool, want string
	args       map[string]any
	refused    bool
}

func hostileCalls(ws string) (calls []hostileCall) {
	read := func(path, want string) {
		calls = append(calls, hostileCall{"read_file", want, map[string]any{"path": path}, true},
			hostileCall{"read_file", "", map[string]any{"path": path, "mode": "annotated"}, true},
			hostileCall{"read_file", "", map[string]any{"path": path,
				"open_symbol": map[string]any{"symbolLabel": "greet"}}, true})
	}
	outline := func(file, want string) {
		calls = append(calls, hostileCall{"file_outline", want, map[string]any{"path": ws, "file": file}, true})
	}
	for file, want := range map[string]string{
		"locked.go": "source_state_unverified", "locked/in.go": "", "huge.go": "file_too_large",
		"binary.go": "binary_file",
		"loop.go":   "", "dangling.go": "",
		"out.go": "", "passwd.go": "", "outdir/out.go": "", "up/outside/out.go": "", "pipe.go": "not_a_regular_file",
		"sock.go":     "not_a_regular_file",
		"envlink.txt": "", "missing.go": "missing_file", strings.Repeat("d/", 1500) + "x.go": "",
		strings.Repeat("n", 300) + ".go": "",
	} {
		if file == "locked.go" {
			want = "" // the two tools give different reasons
		}
		read(filepath.Join(ws, file), want)
		outline(file, want)
	}
	for _, file := range secretFiles {
		read(filepath.Join(ws, file), "secret_file")
		outline(file, "secret_file")
	}
	for _, path := range []string{"/etc/passwd", ws + "/../outside/out.go", ws + "/around/../../outside/out.go",
		"/proc/self/environ", "/dev/zero", filepath.Dir(ws) + "/outside/out.go", ws + "x/main.go", "/",
		"/nonexistent/x.go"} {
		read(path, "outside_indexed_root")
	}
	for _, file := range []string{"../outside/out.go", "a/../../outside/out.go", "/etc/passwd", "..", "a\x00b.go"} {
		outline(file, "file: expected")
	}
	for _, path := range []string{"/nonexistent/root", "/etc", "/", "/dev/null", ws + "/missing"} {
		if path != ws+"/missing" {
			calls = append(calls, hostileCall{"search_codebase", "",
				map[string]any{"path": path, "query": "greet"}, true})
		}
		calls = append(calls, hostileCall{"file_outline", "", map[string]any{"path": path, "file": "no.go"}, true},
			hostileCall{"call_graph", "", map[string]any{"path": path, "symbolRef": "nosuchsymbol"}, true})
	}
	for _, path := range []string{"/nonexistent/root", ws + "/main.go", "/dev/null"} {
		calls = append(calls, hostileCall{"manage_index", "", map[string]any{"action": "create", "path": path}, true})
	}
	for _, action := range []string{"reindex", "sync", "status", "clear", "repair"} {
		calls = append(calls,
			hostileCall{"manage_index", "not_", map[string]any{"action": action, "path": "/nonexistent/root"}, true})
	}
	return slices.Concat(calls, hostileQueries(ws))
}

// hostileQueries returns queries with FTS syntax, SQL, malformed and exploding
// expressions, and very long ones. Only malformed queries may be refused.
func hostileQueries(ws string) (calls []hostileCall) {
	ask := func(query, want string, refused bool) {
		calls = append(calls,
			hostileCall{"search_codebase", want, map[string]any{"path": ws, "query": query, "scope": "mixed"}, refused})
	}
	for _, q := range []string{
		`"unbalanced`, `a AND`, `AND`, `NOT greet`, `NEAR(greet hello, 5)`, `greet*`, `* * *`, `col:val`, `body:greet`,
		`{name body}: greet`, `^greet`, `-greet`, `(((((`, `)`, `greet"`, `'; DROP TABLE files; --`,
		`l1_fts MATCH 'x'`, `rowid:1`, `rank`, "greet\u0000"[:5], `%s%n%d`, `\`, `\\\`, `path:***/**`, `-path:`,
		"greet\n\nmust:x", "\u202egreet", "💥 \ufffd", strings.Repeat("greet ", 300),
		strings.Repeat("(", 1500), strings.Repeat("a", 1900), strings.Repeat(`must:e `, 28),
	} {
		ask(q, `"status":"ok"`, false)
	}
	for _, q := range []string{`regex:(`, `regex:[`, `regex:((a{0,100}){0,100}){0,100}`, `regex:\p{Nosuch}`,
		`regex:(?<x`, `regex:a**`} {
		ask(q, "regex", true)
	}
	for _, q := range []string{`""`, `must:"`, `path:[`, `kind:nosuch greet`, `lang:nosuch greet`,
		`service:../.. greet`} {
		ask(q, "Error: Invalid arguments", true)
	}
	ask(strings.Repeat("x", 1<<20), "query: expected at most", true)
	ask(`regex:(a*)*(b|c)+greet`, `"status":"ok"`, false)
	return calls
}

// check makes the call and checks its answer.
func (h hostileCall) check(c *client) {
	c.t.Helper()
	name := fmt.Sprintf("%s %.300v", h.tool, h.args)
	text, isError := c.call(h.tool, h.args)
	var a struct{ Status, Message string }
	plain := json.Unmarshal([]byte(text), &a) != nil
	refused := isError || !plain && a.Status != "ok"
	switch {
	case refused != h.refused:
		c.t.Errorf("%s: refused is %v: %.600s", name, refused, text)
	case !strings.Contains(text, h.want):
		c.t.Errorf("%s: %.600s, want %s", name, text, h.want)
	case refused && plain && !strings.HasPrefix(text, "Error: "), refused && !plain && a.Message == "":
		c.t.Errorf("%s: no message: %.600s", name, text)
	}
	for _, never := range []string{secretText, "root:x:0", "panic", "goroutine ", "internal_error", "SQL logic"} {
		if strings.Contains(text, never) && !strings.Contains(fmt.Sprint(h.args), never) {
			c.t.Errorf("%s: the answer holds %q: %.600s", name, never, text)
		}
	}
}

// TestHostileWorkspace indexes a workspace full of traps and makes every bad
// call. Each call must be answered, no secret shown, and no file changed.
func TestHostileWorkspace(t *testing.T) {
	t.Parallel()
	s := trap(t)
	before := fingerprint(t, s.ws)
	c := s.session()
	c.track(s)
	good := hostileCall{"search_codebase", `"symbolLabel":"greet"`,
		map[string]any{"path": s.ws, "query": "greet"}, false}
	good.check(c)
	calls := hostileCalls(s.ws)
	for _, h := range calls {
		h.check(c)
	}
	for mark, there := range map[string]bool{"examplemark": true, "latinmark": true, "latin_function": true,
		"newlinemark": true, "hugemark": false, "binarymark": false, secretText: false, "hunter2": false,
		"root:x:0": false} {
		var a found
		c.ask("search_codebase", map[string]any{"path": s.ws, "query": `must:"` + mark + `"`, "scope": "mixed"}, &a)
		if a.Matches == nil || (a.Matches.Files > 0) != there || (len(a.Results) > 0) != there {
			t.Errorf("must:%s: %s", mark, brief(a))
		}
	}
	for _, secret := range slices.Concat(secretFiles, []string{"huge.go", "binary.go", "pipe.go"}) {
		var a found
		c.ask("search_codebase", map[string]any{"path": s.ws, "query": "path:" + secret, "scope": "mixed"}, &a)
		if len(a.Results) > 0 {
			t.Errorf("path:%s: %s", secret, brief(a.Results))
		}
	}
	for file, want := range map[string]string{".env.example": "examplemark", ".npmrc": "_authToken=****",
		"latin1.py": "latin_function", "new\nline.go": "newlinemark"} {
		hostileCall{"read_file", want, map[string]any{"path": filepath.Join(s.ws, file)}, false}.check(c)
	}
	good.check(c)
	repair := map[string]any{"action": "repair", "path": s.ws, "wait": true}
	hostileCall{"manage_index", `"status":"ok"`, repair, false}.check(c)
	c.close()
	if after := fingerprint(t, s.ws); !maps.Equal(before, after) {
		t.Errorf("the workspace changed from %q\nto %q", before, after)
	}
	if len(calls) < 150 {
		t.Errorf("only %d calls", len(calls))
	}
	if err := filepath.WalkDir(s.home, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(p)
		if strings.Contains(string(b), "hunter2") {
			t.Errorf("%s holds what is in the secret files", p)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

// TestLostRoot removes the workspace while its server runs, puts a file in its
// place, and restores it.
func TestLostRoot(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"watch": nil, "no-watch": {"--no-watch"}} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, args...)
			if err := os.WriteFile(filepath.Join(s.ws, "main.go"), []byte(clientProgram), 0o644); err != nil {
				t.Fatal(err)
			}
			c := s.session()
			c.track(s)
			good := hostileCall{"search_codebase", `"symbolLabel":"greet"`,
				map[string]any{"path": s.ws, "query": "greet"}, false}
			good.check(c)
			lost := []hostileCall{
				{"search_codebase", "", map[string]any{"path": s.ws, "query": "greet"}, true},
				{"search_codebase", "", map[string]any{"path": s.ws, "query": "must:greet"}, true},
				{"file_outline", "", map[string]any{"path": s.ws, "file": "main.go"}, true},
				{"call_graph", "", map[string]any{"path": s.ws, "symbolRef": "greet"}, true},
				{"read_file", "", map[string]any{"path": s.ws + "/main.go"}, true},
				{"manage_index", "", map[string]any{"action": "reindex", "path": s.ws}, true},
				{"manage_index", "", map[string]any{"action": "repair", "path": s.ws}, true},
				{"manage_index", "", map[string]any{"action": "sync", "path": s.ws}, true},
				{"list_codebases", s.ws, nil, false},
			}
			away := s.ws + ".away"
			if err := os.Rename(s.ws, away); err != nil {
				t.Fatal(err)
			}
			for _, h := range lost {
				h.check(c)
			}
			if err := os.WriteFile(s.ws, []byte(clientProgram), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, h := range lost {
				h.check(c)
			}
			if err := errors.Join(os.Remove(s.ws), os.Rename(away, s.ws)); err != nil {
				t.Fatal(err)
			}
			good.check(c)
			c.close()
		})
	}
}

// TestHostileGit indexes a repository whose configuration would make git run
// programs, with a fake git on PATH. Nothing may run. At the end, the real git
// triggers the traps, which proves that they were set.
func TestHostileGit(t *testing.T) {
	requireTool(t, "git", "apt-get install git")
	s := newSite(t)
	base := filepath.Dir(s.ws)
	marker := filepath.Join(s.home, "ran")
	script := filepath.Join(base, "evil")
	e := &editor{t: t, dir: s.ws}
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >>'"+marker+"'\ncat\n"), 0o755),
		os.WriteFile(filepath.Join(s.ws, "main.go"), []byte(clientProgram), 0o644),
		os.WriteFile(filepath.Join(s.ws, ".gitattributes"), []byte("*.go filter=evil diff=evil merge=evil\n"), 0o644))
	e.git("init", "-q")
	e.git("add", "-A")
	e.git("commit", "-q", "-m", "first")
	dotGit := filepath.Join(s.ws, ".git")
	config := fmt.Sprintf(`
[core]
	fsmonitor = %[1]s
	hooksPath = .git/evilhooks
	pager = %[1]s
	editor = %[1]s
	sshCommand = %[1]s
	gitProxy = %[1]s
	askPass = %[1]s
	alternateRefsCommand = %[1]s
[filter "evil"]
	clean = %[1]s
	smudge = %[1]s
	process = %[1]s
	required = true
[diff]
	external = %[1]s
[diff "evil"]
	command = %[1]s
	textconv = %[1]s
[credential]
	helper = %[1]s
[alias]
	status = !%[1]s
	ls-files = !%[1]s
[include]
	path = evil.inc
[includeIf "gitdir:/"]
	path = evil.inc
`, script)
	file, err := os.OpenFile(filepath.Join(dotGit, "config"), os.O_APPEND|os.O_WRONLY, 0)
	must(err)
	_, err = file.WriteString(config)
	must(err, file.Close(),
		os.WriteFile(filepath.Join(dotGit, "evil.inc"), []byte("[core]\n\tfsmonitor = "+script+"\n"), 0o644),
		os.Mkdir(filepath.Join(dotGit, "evilhooks"), 0o755))
	for _, hook := range []string{"post-index-change", "post-checkout", "pre-commit", "reference-transaction",
		"fsmonitor-watchman"} {
		must(os.Symlink(script, filepath.Join(dotGit, "evilhooks", hook)),
			os.Symlink(script, filepath.Join(dotGit, "hooks", hook)))
	}
	must(os.WriteFile(filepath.Join(s.ws, "main.go"), []byte(clientProgram+"// changed\n"), 0o644),
		os.WriteFile(filepath.Join(s.ws, "new.go"), []byte("package main\n"), 0o644))

	realGit, err := exec.LookPath("git")
	must(err, os.Mkdir(filepath.Join(base, "bin"), 0o755), os.Symlink(script, filepath.Join(base, "bin", "git")))
	t.Setenv("PATH", filepath.Join(base, "bin")+":"+os.Getenv("PATH"))
	askAll := func() {
		t.Helper()
		c := s.session()
		c.track(s)
		for _, h := range []hostileCall{
			{"search_codebase", `"symbolLabel":"greet"`,
				map[string]any{"path": s.ws, "query": "greet", "rankingMode": "auto_changed_first"}, false},
			{"search_codebase", `"status":"ok"`,
				map[string]any{"path": s.ws, "query": "must:greet", "scope": "mixed"}, false},
			{"file_outline", "greet", map[string]any{"path": s.ws, "file": "main.go"}, false},
			{"call_graph", `"status":"ok"`, map[string]any{"path": s.ws, "symbolRef": "greet"}, false},
			{"read_file", "greet", map[string]any{"path": s.ws + "/main.go"}, false},
			{"manage_index", `"status":"ok"`, map[string]any{"action": "reindex", "path": s.ws, "wait": true}, false},
			{"manage_index", `"status":"ok"`,
				map[string]any{"action": "status", "path": s.ws, "detail": "full"}, false},
		} {
			h.check(c)
		}
		c.close()
	}
	askAll()
	if ran, err := os.ReadFile(marker); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the workspace ran programs (%v):\n%s", err, ran)
	}
	control := exec.Command(realGit, "-C", s.ws, "-c", "safe.directory=*", "status", "--short")
	if out, err := control.CombinedOutput(); err != nil {
		t.Logf("git status: %v %s", err, out)
	}
	if _, err := os.Stat(marker); err != nil {
		t.Errorf("the traps are not set: git itself ran nothing: %v", err)
	}

	// Files that git reads may be pipes without a writer, or include themselves.
	fifo := filepath.Join(base, "fifo")
	must(syscall.Mkfifo(fifo, 0o644), os.MkdirAll(filepath.Join(dotGit, "info"), 0o755),
		os.RemoveAll(filepath.Join(dotGit, "info", "exclude")),
		os.Symlink(fifo, filepath.Join(dotGit, "info", "exclude")),
		os.Remove(filepath.Join(dotGit, "index")), syscall.Mkfifo(filepath.Join(dotGit, "index"), 0o644),
		os.WriteFile(filepath.Join(dotGit, "config"),
			[]byte("[core]\n\texcludesFile = "+fifo+"\n[include]\n\tpath = "+fifo+"\n\tpath = config\n"), 0o644))
	askAll()
	must(os.Remove(filepath.Join(dotGit, "config")), syscall.Mkfifo(filepath.Join(dotGit, "config"), 0o644),
		os.Remove(filepath.Join(dotGit, "HEAD")), os.Symlink("/dev/zero", filepath.Join(dotGit, "HEAD")))
	askAll()
}
