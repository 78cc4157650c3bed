package l3lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// toolFolders returns the folders in which testdata/tools.sh installs servers.
func toolFolders(t testing.TB) []string {
	t.Helper()
	var dirs []string
	for _, d := range []string{"../testdata/gotools/bin", "../testdata/node/node_modules/.bin"} {
		abs, err := filepath.Abs(filepath.FromSlash(d))
		if err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, abs)
	}
	return dirs
}

// realPool returns a pool that runs real servers. If a language has several,
// only the named one is used.
func realPool(t testing.TB, opt Options) *Pool {
	t.Helper()
	opt.Dirs = toolFolders(t)
	if opt.Home == "" {
		opt.Home = t.TempDir()
	}
	opt.Start = time.Minute
	p, err := NewPool(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// requireServer skips the test, with a message, if a server is not installed,
// and fails it if SEXTANT_REQUIRE_TOOLS requires all servers.
func requireServer(t testing.TB, p *Pool, name, folder string) {
	t.Helper()
	if err := lacks(p, specOf(t, name), folder); err != nil {
		if o := specOf(t, name).Origin; os.Getenv("SEXTANT_REQUIRE_TOOLS") == "1" &&
			o.Other == "" { // others are not in a registry
			t.Fatalf("%s: %v", name, err)
		}
		t.Skipf("SKIPPED: %s: %v", name, err)
	}
}

// lacks returns the reason why a server cannot be tested in a folder: it is
// missing, or so old that it would not run. nil if it can be tested.
func lacks(p *Pool, spec *Spec, folder string) error {
	own := p.configured(spec)
	_, err := p.setup(&own, folder, true)
	if err != nil {
		return err
	}
	if _, err := p.setup(&own, folder, false); errors.Is(err, errMissing) {
		return err
	}
	return nil
}

// TestAServerThatIsTooOldIsMissing checks that tests treat a rust-analyzer as
// missing if it is too old to run in an untrusted folder.
func TestAServerThatIsTooOldIsMissing(t *testing.T) {
	for version, missing := range map[string]bool{"1.85.0 (4d91de4e 2025-02-17)": true,
		"1.96.0 (abc 2026-05-01)": false} {
		bin := t.TempDir()
		for _, name := range []string{"rust-analyzer", "cargo", "rustc"} {
			script := "#!/bin/sh\necho 'rust-analyzer " + version + "'\n"
			if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", bin)
		p, err := NewPool(Options{Home: t.TempDir(), Dirs: []string{bin}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		if err := lacks(p, specOf(t, "rust-analyzer"), t.TempDir()); (err != nil) != missing {
			t.Errorf("rust-analyzer %s: %v", version, err)
		}
	}
}

func specOf(t testing.TB, name string) *Spec {
	t.Helper()
	for i := range specs {
		if specs[i].Name == name {
			return &specs[i]
		}
	}
	t.Fatalf("no server %q", name)
	return nil
}

// only restricts a pool to one server of a language, by giving the others a
// command that does not exist.
func only(name string) func(string) []string {
	return func(server string) []string {
		if server == "typescript" && server == name { // two packages in the folder have a tsc
			// fails only without a working directory
			at, _ := filepath.Abs("../testdata/node/node_modules/typescript7/bin/tsc")
			return []string{at, "--lsp", "--stdio"}
		}
		if server == name {
			return nil
		}
		return []string{"no-such-server"}
	}
}

// workspace is a temporary folder with the files of a txtar archive.
type workspace struct {
	t   testing.TB
	dir string
}

func newWorkspace(t testing.TB, archive []byte) workspace {
	w := workspace{t, t.TempDir()}
	for _, f := range txtar.Parse(archive).Files {
		w.write(f.Name, string(f.Data))
	}
	return w
}

func (w workspace) write(name, text string) string {
	w.t.Helper()
	at := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if strings.Contains(name, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if err := os.WriteFile(at, []byte(strings.ReplaceAll(text, "$WORK", w.dir)), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return at
}

// find resolves a place, "file: text with | before the name", in the workspace.
func (w workspace) find(place string) (path string, text []byte, offset int) {
	w.t.Helper()
	name, mark, _ := strings.Cut(place, ": ")
	path = filepath.Join(w.dir, filepath.FromSlash(name))
	text, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	before, after, ok := strings.Cut(mark, "|")
	i := bytes.Index(text, []byte(before+after))
	if !ok || i < 0 || bytes.Count(text, []byte(before+after)) != 1 {
		w.t.Fatalf("%q is not one place", place)
	}
	return path, text, i + len(before)
}

// batch returns a batch that queries places.
func (w workspace) batch(language, canary string, places ...string) Batch {
	b := Batch{Folder: w.dir, Language: language}
	for _, p := range places {
		path, text, offset := w.find(p)
		b.Files = append(b.Files, Source{Path: path, Text: text, Offsets: []int{offset}})
	}
	call, target, _ := strings.Cut(canary, " -> ")
	path, text, offset := w.find(call)
	_, _, at := w.find(strings.SplitN(call, ": ", 2)[0] + ": " + target)
	b.Canary = &Canary{Path: path, Text: text, Offset: offset, TargetOffset: at}
	return b
}

// names formats locations as "file:line"; those outside the workspace by their
// path.
func (w workspace) names(locations []Location) (out []string) {
	for _, l := range locations {
		if rel, err := filepath.Rel(w.dir, l.Path); err == nil && filepath.IsLocal(rel) {
			out = append(out, fmt.Sprintf("%s:%d", filepath.ToSlash(rel), l.Line))
		} else {
			out = append(out, "outside "+filepath.Base(l.Path))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (w workspace) line(place string) string {
	path, text, offset := w.find(place)
	rel, _ := filepath.Rel(w.dir, path) // path is below dir
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), 1+bytes.Count(text[:offset], []byte("\n")))
}

// serverCase describes the test of a real server. Its workspace is
// testdata/servers/NAME.txtar: the comment has a line "canary: CALL -> TARGET",
// and lines "definition|references|implementation: PLACE -> LINE…"; a file
// section "edit NAME" later replaces NAME.
type serverCase struct {
	server, language string
	version          string // a pattern of Report.Server
}

var serverCases = []serverCase{
	{"gopls", "go", `^gopls v0\.\d+\.\d+$`},
	{"typescript-language-server", "typescript", `^typescript-language-server 5\.\d+\.\d+$`},
	{"typescript", "typescript", `^typescript 7\.\d+\.\d+$`},
	{"pyright", "python", `^pyright 1\.\d+\.\d+$`},
	{"clangd", "cpp", `^clangd .*version \d+\.\d+`},
	{"rust-analyzer", "rust", `^rust-analyzer 1\.\d+\.\d+`},
	{"intelephense", "php", `^intelephense 1\.\d+\.\d+$`},
	{"bash-language-server", "bash", `^bash-language-server$`},
	{"java-language-server", "java", `^java-language-server$`},
}

// TestServers checks that every installed server resolves calls across files,
// in text that is not ASCII and with carriage returns, becomes ready, notices
// an edit, and writes nothing.
func TestServers(t *testing.T) {
	for _, c := range serverCases {
		t.Run(c.server, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "servers", c.language+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			w := newWorkspace(t, text)
			p := realPool(t, Options{Command: only(c.server)})
			requireServer(t, p, c.server, w.dir)
			before := listing(t, w.dir)
			questions := parseQuestions(txtar.Parse(text).Comment)
			for _, q := range questions {
				w.ask(p, c, questions.canary(), q)
			}
			if after := listing(t, w.dir); after != before {
				t.Errorf("the server wrote into the workspace; before:\n%s\nafter:\n%s", before, after)
			}
			w.edit(p)
			for _, q := range questions {
				w.ask(p, c, questions.canary(), q)
			}
		})
	}
}

// edit inserts three lines at the top of every file of the workspace and saves
// it, as a user would, including the file of the canary.
func (w workspace) edit(p *Pool) {
	w.t.Helper()
	var changed []string
	err := filepath.WalkDir(w.dir, func(path string, e os.DirEntry, err error) error {
		comment := map[string]string{".go": "//", ".ts": "//", ".py": "#", ".cpp": "//", ".h": "//", ".rs": "//",
			".java": "//", ".sh": "#"}[filepath.Ext(path)]
		if err != nil || e.IsDir() || comment == "" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed = append(changed, path)
		return os.WriteFile(path, append([]byte(strings.Repeat(comment+" moved\n", 3)), text...), 0o644)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	p.Moved(nil, changed, nil)
}

type question struct {
	kind, place string
	want        []string
}

type questionList []question

// parseQuestions parses the lines of a workspace's comment.
func parseQuestions(comment []byte) (out questionList) {
	for line := range strings.Lines(string(comment)) {
		kind, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		place, want, _ := strings.Cut(rest, " -> ")
		out = append(out, question{kind, place, strings.Split(want, " + ")})
	}
	return out
}

func (l questionList) canary() string {
	for _, q := range l {
		if q.kind == "canary" {
			return q.place + " -> " + q.want[0]
		}
	}
	return ""
}

// patience bounds the wait for another process, which a busy machine may delay.
const patience = 2 * time.Minute

// askUntilReady repeats a batch while the server still reads its folders, at
// most four times. Ask waits for that for only half of the time until its
// deadline, here 30 s, and a busy machine may need longer.
func askUntilReady(t testing.TB, p *Pool, b Batch) (rep Report, err error) {
	t.Helper()
	for range 4 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		rep, err = p.Ask(ctx, b)
		cancel()
		if err != nil || rep.State != Indexing {
			break
		}
	}
	return rep, err
}

// ask runs one query and compares the answer by lines.
func (w workspace) ask(p *Pool, c serverCase, canary string, q question) {
	w.t.Helper()
	kinds := map[string]Question{"definition": Definitions, "references": References, "implementation": Implementations}
	kind, ok := kinds[q.kind]
	if !ok || q.kind == "implementation" && slices.Contains([]string{"pyright", "bash-language-server",
		"intelephense", "java-language-server"}, c.server) {
		return // they have no implementation requests
	}
	b := w.batch(c.language, canary, q.place)
	b.Question = kind
	rep, err := askUntilReady(w.t, p, b)
	if err != nil {
		w.t.Fatalf("%s %s: %v", q.kind, q.place, err)
	}
	if rep.State != Ready {
		w.t.Fatalf("%s %s: it is %s: %s", q.kind, q.place, rep.State, rep.Detail)
	}
	if !regexp.MustCompile(c.version).MatchString(rep.Server) {
		w.t.Errorf("it says that it is %q", rep.Server)
	}
	got := w.names(rep.Answers[0][0].Locations)
	for _, place := range q.want {
		want := place
		if strings.Contains(place, "|") {
			want = w.line(place)
		}
		if !slices.Contains(got, want) {
			w.t.Errorf("%s of %s: %v, want %s", q.kind, q.place, got, want)
		}
	}
	if q.kind != "references" && len(got) > len(q.want)+1 { // a declaration and its definition count as one
		w.t.Errorf("%s of %s: %v, want no more than %v", q.kind, q.place, got, q.want)
	}
}

// listing lists every file and folder below dir with size, mode and time.
func listing(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s %d %s\n", path, info.Mode(), info.Size(), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
