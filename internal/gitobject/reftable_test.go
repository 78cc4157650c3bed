package gitobject

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// record is a reference as a table has it: an id, the id and the commit of a tag, or "ref: " and a name. "" is a
// reference that was deleted.
type record struct{ name, value string }

// table encodes records, which ascend by name, in blocks of the given number of records. A block is padded to aligned
// bytes, if that is not 0.
func table(s *Store, records []record, most, aligned int) []byte {
	out := append([]byte("REFT\x01"), byte(aligned>>16), byte(aligned>>8), byte(aligned))
	if s.size > 20 {
		out[4] = 2
	}
	out = append(out, make([]byte, 16)...)
	if s.size > 20 {
		out = append(out, "s256"...)
	}
	start := 0
	for len(records) > 0 {
		n := min(most, len(records))
		at := len(out)
		out = append(out, 'r', 0, 0, 0)
		last := ""
		for _, r := range records[:n] {
			out = appendRecord(s, out, last, r)
			last = r.name
		}
		out = append(out, 0, 0, byte(at-start+blockHeader)) // the first record, the only one without a prefix
		out = binary.BigEndian.AppendUint16(out, 1)
		length := len(out) - start
		out[at+1], out[at+2], out[at+3] = byte(length>>16), byte(length>>8), byte(length)
		for len(records) > n && aligned > 0 && len(out)-start < aligned {
			out = append(out, 0)
		}
		start, records = len(out), records[n:]
	}
	return append(out, "i\x00\x00\x09"...)
}

func appendRecord(s *Store, out []byte, last string, r record) []byte {
	prefix := 0
	for prefix < min(len(last), len(r.name)) && last[prefix] == r.name[prefix] {
		prefix++
	}
	out = appendOffset(out, prefix)
	words := strings.Fields(r.value)
	kind := len(words)
	to, symbolic := strings.CutPrefix(r.value, "ref: ")
	if symbolic {
		kind = 3
	}
	out = appendOffset(out, (len(r.name)-prefix)<<3|kind)
	out = append(out, r.name[prefix:]...)
	out = appendOffset(out, 300)
	if symbolic {
		return append(appendOffset(out, len(to)), to...)
	}
	for _, w := range words {
		id, _ := s.parseID(w)
		out = append(out, id[:s.size]...)
	}
	return out
}

// appendOffset appends a number as the offsets of packs are written.
func appendOffset(out []byte, n int) []byte {
	digits := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		digits = append([]byte{0x80 | byte(n&0x7f)}, digits...)
	}
	return append(out, digits...)
}

// TestReftables checks that references in tables are read: in the newest table that has them, in any block, deleted
// ones, symbolic ones, and those of a work tree alone.
func TestReftables(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, aligned := range []int{0, 4096} {
			t.Run(fmt.Sprint(format, aligned), func(t *testing.T) { reftables(t, format, aligned) })
		}
	}
}

func reftables(t *testing.T, format string, aligned int) {
	r := newRepo(t, "--object-format="+format)
	r.history(0, 4)
	r.git("tag", "-m", "annotated", "v1")
	id := func(revision string) string { return r.git("rev-parse", revision) }
	old := []record{{"HEAD", "ref: refs/heads/trunk"}, {"refs/heads/gone", id("HEAD")}}
	for i := range 60 {
		old = append(old, record{fmt.Sprintf("refs/heads/topic/with-a-long-name/%03d", i), id("HEAD~3")})
	}
	old = append(old, record{"refs/heads/trunk", id("HEAD~2")}, record{"refs/tags/v1", id("v1") + " " + id("v1^{}")})
	git := filepath.Join(r.dir, ".git")
	s := r.open()
	put := func(dir string, tables ...[]byte) {
		t.Helper()
		names := ""
		r.write(filepath.Join(dir, "reftable", "old.ref"), "no table")
		for i, bytes := range tables {
			r.write(filepath.Join(dir, "reftable", fmt.Sprint(i, ".ref")), string(bytes))
			names += fmt.Sprint(i, ".ref\n")
		}
		r.write(filepath.Join(dir, "reftable", "tables.list"), names)
	}
	head := id("HEAD")
	third, first := id("HEAD~1"), id("HEAD~3")
	put(".git", table(s, old, 20, aligned), table(s, []record{{"refs/heads/gone", ""}, {"refs/heads/trunk", third}}, 9, 0))
	r.write(".git/HEAD", "ref: refs/heads/.invalid\n")
	want := map[string]string{"HEAD": third, "trunk": third, "v1": head, "topic/with-a-long-name/000": first,
		"topic/with-a-long-name/059": first, "refs/heads/topic/with-a-long-name/033": first, "gone": "", "top": ""}
	check := func(s *Store, want map[string]string) {
		t.Helper()
		for revision, commit := range want {
			got, err := s.Resolve(revision)
			if (err == nil) != (commit != "") || err == nil && s.text(got) != commit {
				t.Errorf("%s is %s, %v; want %q", revision, s.text(got), err, commit)
			}
		}
	}
	check(s, want)
	if s.Unborn() {
		t.Error("a branch with commits counts as unborn")
	}
	put(".git/worktrees/x", table(s, []record{{"HEAD", head}}, 1, 0))
	r.write(".git/worktrees/x/HEAD", "ref: refs/heads/.invalid\n")
	x := Open(filepath.Join(git, "worktrees", "x"), git)
	t.Cleanup(func() { x.Close() })
	check(x, map[string]string{"HEAD": head, "trunk": third})
	put(".git/worktrees/x", table(s, []record{{"HEAD", "ref: refs/heads/new"}}, 1, 0))
	y := Open(filepath.Join(git, "worktrees", "x"), git)
	t.Cleanup(func() { y.Close() })
	if !y.Unborn() {
		t.Error("a branch without commits does not count as unborn")
	}
	whole := table(s, old, 20, aligned)
	for n := range whole { // no part of a table may lead out of it
		s.inTable(whole[:n], "refs/tags/v1")
		whole[n] ^= 0xff
		s.inTable(whole, "refs/tags/v1")
		whole[n] ^= 0xff
	}
}

// TestReftablesOfGit compares with git itself, if it is new enough to write tables.
func TestReftablesOfGit(t *testing.T) {
	if exec.Command("git", "init", "-q", "--ref-format=reftable", t.TempDir()).Run() != nil {
		t.Skip("git writes no reftables: version 2.45 does")
	}
	r := newRepo(t, "--ref-format=reftable")
	r.history(0, 6)
	for i := range 300 {
		r.git("update-ref", fmt.Sprintf("refs/heads/topic/%03d", i), "HEAD~1")
	}
	r.git("tag", "-m", "annotated", "v1.0")
	r.git("pack-refs")
	r.git("checkout", "-q", "-b", "side", "HEAD~2")
	r.git("branch", "-D", "-q", "topic/100")
	tree := filepath.Join(t.TempDir(), "tree")
	r.git("worktree", "add", "-q", "--detach", tree, "HEAD~1")
	r.agree(r.open(), "HEAD", "main", "side", "v1.0", "topic/000", "topic/299", "@~1")
	if _, err := r.open().Resolve("topic/100"); err == nil {
		t.Error("a branch that was deleted resolves")
	}
	s := Open(filepath.Join(r.dir, ".git", "worktrees", "tree"), filepath.Join(r.dir, ".git"))
	t.Cleanup(func() { s.Close() })
	(&repo{t, tree}).agree(s, "HEAD", "main")
	if _, err := os.Stat(filepath.Join(r.dir, ".git", "reftable")); err != nil {
		t.Error(err)
	}
}
